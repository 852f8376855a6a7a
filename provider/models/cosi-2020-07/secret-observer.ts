import { connectKubernetes } from "../../kubernetes/client";
import type { SecretObjects, SecretObserver } from "../model";
import type { Kinds } from "./kinds";
import { requireLiving } from "./living-account";
import { accessNameOf } from "./names";

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
    await requireLiving(await connectKubernetes(kubernetes), this.#kinds, { name });
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
