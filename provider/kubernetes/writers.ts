import { digest } from "../dynamic/digest";
import { containsUnknown } from "../dynamic/values";
import { describe, pathOf, type KubernetesKind } from "./object";
import { resolveTarget, type KubernetesTarget } from "./target";

/** An object of the program, and the component that writes it. */
export interface Written {
  readonly kubernetes?: KubernetesTarget | null | undefined;
  readonly kind: KubernetesKind;
  readonly namespace?: string | null | undefined;
  readonly name: string;
  /** URN of the component below the stack. */
  readonly resource: string;
}

/**
 * Which component writes an object in this run. Two of one program would both take it for their own, and whoever goes
 * first deletes it under the other.
 */
export class Writers {
  readonly #writers = new Map<string, string>();

  /**
   * Notes the component. One that is asked about again, as for its replacement, is no other.
   *
   * @param server The API server, once it is known; before that the same words stand for the same one.
   * @returns What is wrong if another component of the program writes the object, else `undefined`.
   */
  problemOf({ kubernetes, kind, namespace, name, resource }: Written, server?: string): string | undefined {
    const reference = { namespace: namespace ?? undefined, name };
    const { kubeconfig, context } = resolveTarget(kubernetes ?? {});
    const where = server === undefined ? [kubeconfig, context] : [server];
    if (containsUnknown([where, reference, resource])) return undefined;
    const key = digest([where, kind.kind, pathOf(reference)]);
    const known = this.#writers.get(key);
    if (known === undefined || known === resource) {
      this.#writers.set(key, resource);
      return undefined;
    }
    return (
      `${describe(kind, reference)} is written by the resource ${JSON.stringify(known)} of this program, so ` +
      `${JSON.stringify(resource)} cannot write it too: choose another name for one of them`
    );
  }

  /** True if this component of the program writes this object, by what the program says of the cluster. */
  writes({ resource, ...object }: Written): boolean {
    return this.writerOf(object) === resource;
  }

  /** The component of the program that writes this object, by what the program says of the cluster. */
  writerOf({ kubernetes, kind, namespace, name }: Omit<Written, "resource">): string | undefined {
    const { kubeconfig, context } = resolveTarget(kubernetes ?? {});
    const reference = { namespace: namespace ?? undefined, name };
    return this.#writers.get(digest([[kubeconfig, context], kind.kind, pathOf(reference)]));
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#writers.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const writersOfRun = new Writers();

/** Type, with those of the parents, and name of a URN below the stack. */
export function splitUrn(urn: string): [type: string, name: string] {
  const at = urn.indexOf("::");
  return [urn.slice(0, at), urn.slice(at + 2)];
}
