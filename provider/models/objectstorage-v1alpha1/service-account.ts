/** OS1-028: the contract has no field by which the driver would learn of a ServiceAccount. */
export function serviceAccountWarning(serviceAccountName: string): string {
  return (
    `the driver cannot see the ServiceAccount ${serviceAccountName}: the grant has no field for it, so the ` +
    "parameters of the BucketAccessClass have to carry what it needs"
  );
}
