import { describeResource } from "../dynamic/kept-inputs";
import { canonical, containsUnknown } from "../dynamic/values";
import type { AccessObjects } from "../models/model";

/** Which access of the program writes which Secret. */
export class SecretWriters {
  readonly #writers = new Map<string, string>();

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
    const secret = [kubernetes, access.namespace, secretName];
    if (containsUnknown([secret, parent])) return undefined;
    const key = canonical(secret);
    const resource = describeResource(logicalName, parent);
    const other = this.#writers.get(key) ?? resource;
    this.#writers.set(key, other);
    return other === resource
      ? undefined
      : `Secret ${access.namespace}/${secretName} is written by the access ${other} too: give each access a ` +
          "credentialsSecretName of its own";
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#writers.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const secretsOfRun = new SecretWriters();
