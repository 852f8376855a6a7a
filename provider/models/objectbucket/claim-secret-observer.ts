import { connectKubernetes } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { accountsOf, hasLivingAccount } from "../account-record";
import type { SecretObjects, SecretObserver } from "../model";
import { isMarked } from "./claim-access-observer";
import { mayHaveEndedText } from "./ended-text";
import { accountAnnotation, accountEndedAnnotation, objectBucketClaimKind } from "./kinds";
import { readClaim } from "./records";

/** The claim that a Secret of credentials belongs to: it tells whether they may be dead. */
export class ClaimSecretObserver implements SecretObserver {
  readonly #objects: SecretObjects;

  constructor(objects: SecretObjects) {
    this.#objects = objects;
  }

  async beforeWrite(): Promise<void> {
    const { owner, kubernetes } = this.#objects;
    const claim = await (await connectKubernetes(kubernetes)).get(objectBucketClaimKind, owner);
    if (claim?.metadata.uid !== owner.uid) return;
    if (readClaim(claim).endSent) throw new RefusedError(mayHaveEndedText(owner));
    const records = accountsOf(claim);
    const { annotations = {} } = claim.metadata;
    const hasEnded =
      annotations[accountEndedAnnotation] !== undefined && annotations[accountAnnotation] === undefined;
    if (!isMarked(claim) && !hasEnded && (records.length === 0 || hasLivingAccount(records))) return;
    throw new RefusedError(
      `the account of ${describe(objectBucketClaimKind, owner)} may already be revoked, as an earlier run has sent the revoke: its keys ` +
        "are not handed out. Next: `pulumi up --refresh` grants it anew, and `pulumi destroy` goes on",
    );
  }

  written(): Promise<void> {
    return Promise.resolve();
  }

  removing(): Promise<void> {
    return Promise.resolve();
  }

  read(): Promise<string[]> {
    return Promise.resolve([]);
  }
}
