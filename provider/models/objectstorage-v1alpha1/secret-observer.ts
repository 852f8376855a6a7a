import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { accountsOf, hasLivingAccount } from "../account-record";
import type { SecretObjects, SecretObserver } from "../model";
import { isMarked } from "./access-observer";
import { bucketAccessKind } from "./kinds";
import { accessStatus } from "./status";

/** The BucketAccess that a Secret of credentials belongs to: it says whether the Secret is there. */
export class AccessSecretObserver implements SecretObserver {
  readonly #objects: SecretObjects;

  constructor(objects: SecretObjects) {
    this.#objects = objects;
  }

  async beforeWrite(): Promise<void> {
    const { owner } = this.#objects;
    const access = await this.#own(await this.#connect());
    if (access === undefined) return;
    const records = accountsOf(access);
    if (!isMarked(access) && (records.length === 0 || hasLivingAccount(records))) return;
    throw new RefusedError(
      `the account of ${describe(bucketAccessKind, owner)} may be revoked, as an earlier run has sent that: its keys are ` +
        "not handed out. Next: `pulumi up --refresh` grants it anew, and `pulumi destroy` goes on",
    );
  }

  written(): Promise<void> {
    return this.#write(true);
  }

  removing(): Promise<void> {
    return this.#write(false);
  }

  async read(): Promise<string[]> {
    const access = await this.#own(await this.#connect());
    return access === undefined || accessStatus(access).accessGranted
      ? []
      : ["BucketAccess's status.accessGranted is not true"];
  }

  /** An access that is gone, or was made anew by somebody else, has nothing to be told. */
  async #write(accessGranted: boolean): Promise<void> {
    const client = await this.#connect();
    const access = await this.#own(client);
    if (access === undefined || accessStatus(access).accessGranted === accessGranted) return;
    await client.patchStatus(bucketAccessKind, this.#objects.owner, { accessGranted });
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }

  async #own(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const { owner } = this.#objects;
    const found = await client.get(bucketAccessKind, owner);
    return found?.metadata.uid === owner.uid ? found : undefined;
  }
}
