import { describe } from "../../kubernetes/object";
import { objectBucketClaimKind } from "./kinds";
import type { UidReference } from "./status";

/** Why nothing of a claim is handed out, or asked for, any more. */
export function mayHaveEndedText(claim: UidReference): string {
  return (
    `${describe(objectBucketClaimKind, claim)}: a destroy has sent the call that ends its bucket, or its account with it, so they ` +
    "may be gone. Next: `pulumi destroy` (`--target` for this claim and what depends on it) completes it; an `up` after that " +
    "makes it anew"
  );
}
