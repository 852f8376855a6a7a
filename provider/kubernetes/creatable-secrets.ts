import type { KubernetesClient } from "./client";
import { requireCreatable } from "./dry-run";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import { secretKind, type ObjectReference } from "./object";
import { isDenied } from "./server-words";

/**
 * Namespaces in which Secrets may be created. Each is asked for once in a run, by the first access that is to have one there,
 * so that a thousand of them cost one request.
 */
export class CreatableSecrets {
  #asked = new WeakMap<KubernetesClient, Map<string, Promise<void>>>();

  /**
   * Makes sure, before an account is granted, that there may be a Secret with its keys. What a policy says of this one is not
   * asked: it may go by labels and content, which only the Secret itself has.
   *
   * @throws RefusedError where the right is missing, the quota is used up, or the namespace is being deleted.
   * @throws KubernetesError if the API server cannot be asked.
   */
  async require(client: KubernetesClient, { namespace = null, name }: ObjectReference): Promise<void> {
    if (namespace === null) return;
    const ofClient = this.#asked.get(client) ?? new Map<string, Promise<void>>();
    this.#asked.set(client, ofClient);
    let answer = ofClient.get(namespace);
    if (answer === undefined) {
      answer = ask(client, namespace, name);
      ofClient.set(namespace, answer);
      // A refusal is not kept: the next access asks again.
      answer.catch(() => ofClient.delete(namespace));
    }
    await answer;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#asked = new WeakMap();
  }
}

async function ask(client: KubernetesClient, namespace: string, name: string): Promise<void> {
  try {
    await requireCreatable(client, secretKind, { metadata: { namespace, name }, type: "Opaque" });
  } catch (error) {
    if (!(error instanceof KubernetesError && error.refused)) throw error;
    if (!error.forbidden || isDenied(error.failure.detail)) return;
    throw new RefusedError(
      "nothing was granted, as the Secret with the credentials could not be created, by a dry run of it: " +
        error.message,
      { cause: error },
    );
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const creatableSecrets = new CreatableSecrets();
