import { deploymentProperties } from "../../contracts/deployment-words";

const names: Readonly<Record<string, string>> = deploymentProperties;

/** The names that inputs of a bucket, or of an access to one, have where it is a deployment. */
export function underDeploymentNames(inputs: readonly string[]): string[] {
  return inputs.map((input) => names[input] ?? input);
}
