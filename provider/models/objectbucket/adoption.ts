import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, pathOf, type KubernetesObject, type ObjectReference } from "../../kubernetes/object";
import { warn } from "../../run/warning";
import type { ClaimInputs } from "./claim-state";
import { objectBucketClaimKind } from "./kinds";

/** How a claim leaves a stack, and stays in the cluster. */
const handBack =
  "take it out of the state (`pulumi state delete` with the URN of its component and --target-dependents)";

type Adoption = Pick<ClaimInputs, "namespace" | "name" | "adopt">;

/** @throws Error for a claim that is to be adopted, or no longer to be. */
export function refuseOtherAdoption(olds: Adoption, news: Pick<ClaimInputs, "adopt">): void {
  if (olds.adopt === news.adopt) return;
  const what = describe(objectBucketClaimKind, olds);
  throw new Error(
    olds.adopt
      ? `${what} was taken over as it is, and that cannot change. Next: give adopt: true; to have a claim made, declare it beside this one ` +
          `under another name; to hand this one back, ${handBack}, then out of the program`
      : `${what} was made by this stack, so there is nothing to adopt: leave adopt out`,
  );
}

/**
 * A claim that is adopted has no successor: what it was taken over with, its replacement deletes.
 *
 * @param causes Inputs that replace it; none for a claim that stays.
 * @throws RefusedError
 */
export function refuseAdoptedReplacement(claim: ObjectReference, causes: readonly string[]): void {
  if (causes.length === 0) return;
  throw new RefusedError(
    `${describe(objectBucketClaimKind, claim)} was taken over as it is, and would be replaced (${causes.join(", ")}): that would ` +
      "delete it with its ObjectBucket, Secret and ConfigMap, and leave nothing to take over. Next: take the change back, or the " +
      `--replace; another claim gets another name in the program; to hand this one back, ${handBack}, then out of the program`,
  );
}

/** @throws RefusedError for a claim that a refresh has found to be gone, or another one. */
export function refuseLostAdoption(claim: ObjectReference): void {
  throw new RefusedError(
    `${describe(objectBucketClaimKind, claim)} was taken over as it was, and is gone, or another one has its name: none can be made ` +
      "in its place. Next: remove it from the program, and `pulumi up` takes off what is left of it; to take over the one that " +
      `has its name now, ${handBack}, then run \`pulumi up\``,
  );
}

/**
 * What a claim was taken over with goes with its entry in the state. The entry that a component without an alias has left is
 * not to take it from the one that has the claim now.
 *
 * @param resource URN, below the stack, of the component that the entry is of.
 * @param successor That of the component that has the claim in this run. @default none
 * @throws RefusedError
 */
export function refuseAdoptedSuccession(
  claim: ObjectReference,
  resource: string,
  successor: string | undefined,
): void {
  if (successor === undefined || successor === resource) return;
  throw new RefusedError(
    `${describe(objectBucketClaimKind, claim)} was taken over by ${JSON.stringify(resource)}, and the program has it as ` +
      `${JSON.stringify(successor)}: what goes with the former would be deleted under the latter. Next: ${handBack}, of the ` +
      "former, then run `pulumi up`; a rename needs an alias",
  );
}

type Metadata = Pick<ClaimInputs, "namespace" | "name" | "labels" | "annotations">;

/**
 * Says that labels or annotations are not written.
 *
 * @param live The claim as it is; `undefined` where only the program is known.
 */
export function warnOfUnwritten(claim: Metadata, live?: KubernetesObject["metadata"]): void {
  const { labels, annotations } = claim;
  const others = [
    ...otherKeys(labels, live?.labels).map((key) => `label ${key}`),
    ...otherKeys(annotations, live?.annotations).map((key) => `annotation ${key}`),
  ];
  if (live !== undefined && others.length === 0) return;
  const what = live === undefined ? "labels and annotations" : `${others.join(", ")} of the program`;
  warn(
    objectBucketClaimKind.kind,
    pathOf(claim),
    `not written: ${what}, as adopt leaves the objects as they are. Next: set them with kubectl`,
  );
}

function otherKeys(
  given: Readonly<Record<string, string>> | null | undefined,
  live: Readonly<Record<string, string>> | undefined,
): string[] {
  return Object.entries(given ?? {})
    .filter(([key, value]) => live?.[key] !== value)
    .map(([key]) => key)
    .sort();
}
