import { connectKubernetes } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import type { SecretObjects, SecretObserver } from "../model";
import { revokeSentAnnotation, type Kinds } from "./kinds";
import { accessNameOf } from "./names";
import { readStatus } from "./records";

/** What a Secret of credentials has to do with its BucketAccess: the phases are written by the step after it. */
export class RequestedSecretObserver implements SecretObserver {
  readonly #objects: SecretObjects;
  readonly #kinds: Kinds;

  constructor(kinds: Kinds, objects: SecretObjects) {
    this.#kinds = kinds;
    this.#objects = objects;
  }

  async beforeWrite(): Promise<void> {
    const { owner, kubernetes } = this.#objects;
    const name = owner.kind === this.#kinds.bucketAccess.kind ? owner.name : accessNameOf(owner);
    const client = await connectKubernetes(kubernetes);
    const access = await client.get(this.#kinds.bucketAccess, { name });
    if (access === undefined) return;
    const isSent = access.metadata.annotations?.[revokeSentAnnotation] !== undefined;
    if (!isSent && readStatus(access).phase !== "Released") return;
    throw new RefusedError(
      `the account of ${describe(this.#kinds.bucketAccess, { name })} may be revoked, as an earlier run has sent that: its ` +
        "keys are not handed out. Next: `pulumi up --refresh` grants it anew, and `pulumi destroy` goes on",
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
