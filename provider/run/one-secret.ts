import { digest } from "../dynamic/digest";
import { describeResource } from "../dynamic/kept-inputs";
import { containsUnknown } from "../dynamic/values";
import type { KubernetesTarget } from "../kubernetes/target";
import type { AccessObjects } from "../models/model";

/** A Secret that a resource of the program writes. */
interface SecretOfResource {
  readonly kubernetes: KubernetesTarget | null | undefined;
  readonly namespace: string;
  readonly secretName: string;
  /** What the program calls the resource. */
  readonly resource: string;
}

/** Which access of the program writes which Secret. */
export class SecretWriters {
  readonly #writers = new Map<string, string>();
  readonly #written = new Set<string>();

  /**
   * What is wrong with the Secret of an access, or `undefined`: two accesses of a program cannot share one, and the
   * second would be granted before its Secret is refused. What a preview does not know yet is judged at `up`.
   *
   * @param resource What the program calls the access now.
   */
  problem(
    { kubernetes, access, secretName }: AccessObjects,
    { logicalName, parent }: { readonly logicalName: string; readonly parent?: string },
  ): string | undefined {
    if (containsUnknown(parent)) return undefined;
    const { namespace } = access;
    const resource = describeResource(logicalName, parent);
    const other = this.#otherWriter({ kubernetes, namespace, secretName, resource });
    return other === undefined
      ? undefined
      : `Secret ${namespace}/${secretName} is written by the access ${other} too: give each access a Secret of its own`;
  }

  /** What is wrong with the Secret of a resource that has one, or `undefined`: two of a program cannot share one. */
  problemOf(secret: SecretOfResource): string | undefined {
    const other = this.#otherWriter(secret);
    return other === undefined
      ? undefined
      : `the Secret ${secret.namespace}/${secret.secretName} is written by ${other} too: give each a Secret of its own`;
  }

  #otherWriter({ kubernetes, namespace, secretName, resource }: SecretOfResource): string | undefined {
    const secret = [kubernetes, namespace, secretName];
    if (secretName === "" || containsUnknown([secret, resource])) return undefined;
    const key = digest(secret);
    const other = this.#writers.get(key) ?? resource;
    this.#writers.set(key, other);
    return other === resource ? undefined : other;
  }

  /** Notes that this run has written a Secret whose predecessor is deleted after it. */
  noteWritten(secret: WrittenSecret): void {
    this.#written.add(keyOf(secret));
  }

  /** True for a Secret that this run has written in the place of itself. */
  isWritten(secret: WrittenSecret): boolean {
    return this.#written.has(keyOf(secret));
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#writers.clear();
    this.#written.clear();
  }
}

/** A Secret, and whose it is. */
interface WrittenSecret {
  readonly kubernetes?: KubernetesTarget | null | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly owner: { readonly uid: string };
}

function keyOf({ kubernetes, namespace, name, owner }: WrittenSecret): string {
  return digest([kubernetes?.clusterUid, namespace, name, owner.uid]);
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const secretsOfRun = new SecretWriters();
