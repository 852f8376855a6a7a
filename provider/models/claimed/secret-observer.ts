import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeStatus } from "../../kubernetes/metadata";
import { describe, type KubernetesKind, type KubernetesObject } from "../../kubernetes/object";
import { refuseOthersMark } from "../../kubernetes/successor";
import { accountsOf, hasLivingAccount } from "../account-record";
import type { SecretObjects, SecretObserver } from "../model";
import { isMarked } from "./access-observer";
import type { ClaimedApi } from "./claimed-api";
import { accessStatus } from "./status";

/** The access that a Secret of credentials belongs to: it says whether the Secret is there. */
export class AccessSecretObserver implements SecretObserver {
  readonly #kind: KubernetesKind;
  readonly #objects: SecretObjects;
  /** The access before the Secret is written. */
  #found: KubernetesObject | undefined;

  constructor({ kinds }: ClaimedApi, objects: SecretObjects) {
    this.#kind = kinds.access;
    this.#objects = objects;
  }

  async beforeWrite(): Promise<void> {
    const { owner } = this.#objects;
    const client = await this.#connect();
    const access = client.lastWritten(this.#kind, owner) ?? (await this.#own(client));
    this.#found = access;
    if (access === undefined) return;
    const records = accountsOf(access);
    if (!isMarked(access) && (records.length === 0 || hasLivingAccount(records))) return;
    throw new RefusedError(
      `the account of ${describe(this.#kind, owner)} may already be revoked, as an earlier run has sent the revoke: its keys ` +
        "are not handed out. Next: `pulumi up --refresh` grants it anew, and `pulumi destroy` goes on",
    );
  }

  async written(): Promise<void> {
    const client = await this.#connect();
    await this.#write(client, this.#found ?? (await this.#own(client)), true);
  }

  async removing(): Promise<void> {
    const client = await this.#connect();
    const { owner, stack, kubernetes } = this.#objects;
    const access = await this.#own(client);
    // The account and its keys are what another stack has, that has marked the access.
    refuseOthersMark(this.#kind, owner, access, owner.uid, { owner: stack, kubernetes });
    await this.#write(client, access, false);
  }

  async read(): Promise<string[]> {
    const access = await this.#own(await this.#connect());
    return access === undefined || accessStatus(access).accessGranted
      ? []
      : [`${this.#kind.kind}'s status.accessGranted is not true`];
  }

  /** An access that is gone, or was made anew by somebody else, has nothing to be told. */
  async #write(
    client: KubernetesClient,
    known: KubernetesObject | undefined,
    accessGranted: boolean,
  ): Promise<void> {
    if (known === undefined) return;
    const { owner } = this.#objects;
    const status = (access: KubernetesObject): { accessGranted: boolean } | undefined =>
      access.metadata.uid !== owner.uid || accessStatus(access).accessGranted === accessGranted
        ? undefined
        : { accessGranted };
    await changeStatus(client, this.#kind, owner, status, known);
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }

  async #own(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const { owner } = this.#objects;
    const found = await client.get(this.#kind, owner);
    return found?.metadata.uid === owner.uid ? found : undefined;
  }
}
