import * as pulumi from "@pulumi/pulumi";
import { objectNameProblem } from "../../provider/kubernetes/names";

/**
 * Judges the group of a module's objects. Source: Kubernetes, CustomResourceDefinition.
 *
 * @param example A group that would do.
 * @throws RunError for what is not a domain.
 */
export function requireGroup(moduleName: string, group: string, example: string): void {
  if (objectNameProblem(group) === undefined && group.includes(".")) return;
  throw new pulumi.RunError(
    `${moduleName}.install: group is ${JSON.stringify(group)}: give a domain such as ${JSON.stringify(example)}`,
  );
}
