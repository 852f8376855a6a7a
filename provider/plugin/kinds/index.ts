import type { ResourceKind } from "../kind";
import { bucketAccessKind } from "./bucket-access";
import { bucketKind } from "./bucket";
import { deploymentAccessKind } from "./deployment-access";
import { deploymentKind } from "./deployment";
import { driverKind } from "./driver";

/** Name of the plugin, and of the package in tokens. */
export const packageName = "cosi";

const kinds: readonly ResourceKind[] = [
  driverKind,
  bucketKind,
  bucketAccessKind,
  deploymentKind,
  deploymentAccessKind,
];

/** The kind of resource that a token names. @throws Error for one that the plugin does not have. */
export function kindOf(token: string): ResourceKind {
  const found = kinds.find(({ type }) => token === `${packageName}:index:${type}`);
  if (found !== undefined) return found;
  const known = kinds.map(({ type }) => `${packageName}:index:${type}`).join(", ");
  throw new Error(`${JSON.stringify(token)} is no resource of this plugin. Next: use one of ${known}.`);
}
