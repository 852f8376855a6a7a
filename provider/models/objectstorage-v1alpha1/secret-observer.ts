import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import type { KubernetesObject } from "../../kubernetes/object";
import type { SecretObjects, SecretObserver } from "../model";
import { bucketAccessKind } from "./kinds";
import { accessStatus } from "./status";

/** The BucketAccess that a Secret of credentials belongs to: it says whether the Secret is there. */
export class AccessSecretObserver implements SecretObserver {
  readonly #objects: SecretObjects;

  constructor(objects: SecretObjects) {
    this.#objects = objects;
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
