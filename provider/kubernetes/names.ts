const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const labelForm = new RegExp(`^${label}$`);
const subdomainForm = new RegExp(`^${label}(\\.${label})*$`);

/** What is wrong with the name of an object, or `undefined`. Source: Kubernetes, DNS subdomain names (RFC 1123). */
export function objectNameProblem(name: string): string | undefined {
  if (name.length <= 253 && subdomainForm.test(name)) return undefined;
  return (
    `is ${JSON.stringify(name)}: the name of a Kubernetes object has 1 to 253 lower-case letters, digits, ` +
    "dashes and dots, letters or digits at the ends of each part"
  );
}

/** What is wrong with the name of a Namespace, or `undefined`. Source: Kubernetes, DNS label names (RFC 1123). */
export function namespaceProblem(name: string): string | undefined {
  if (name.length <= 63 && labelForm.test(name)) return undefined;
  return (
    `is ${JSON.stringify(name)}: the name of a namespace has 1 to 63 lower-case letters, digits and dashes, ` +
    "letters or digits at the ends"
  );
}
