/** Name of the Deployment that a request leads to, and of the create call: DEP-092. */
export function deploymentNameOf(requestUid: string): string {
  return `deployment-${requestUid}`;
}

/** Begins the name of an access at the driver, before the UID of its object: DEP-092. */
export const accountPrefix = "da-";
