import { canonical, containsUnknown, isUnknown } from "../../dynamic/values";
import { resolveTarget, type KubernetesTarget } from "../../kubernetes/target";
import { splitUrn } from "../../kubernetes/writers";
import type { ApiProtocol } from "../cosi-proposals/protocols";

/** A class of the program that is the default one of its protocol. */
export interface DefaultClass {
  readonly kubernetes?: KubernetesTarget | null | undefined;
  readonly model: string;
  readonly className: string;
  readonly protocol: ApiProtocol;
  /** URN of the component below the stack. */
  readonly resource: string;
}

/** Which classes of this run are default ones. */
export class DefaultClasses {
  readonly #defaults = new Map<string, DefaultClass>();

  /**
   * Notes the class. One that is asked about again, as for its replacement, is no other.
   *
   * @param server The API server, once it is known; before that the same words stand for the same one.
   * @returns What is wrong if another class of the program is the default one of the protocol, else `undefined`.
   */
  problemOf(asked: DefaultClass, server?: string): string | undefined {
    const { kubernetes, model, protocol, resource } = asked;
    const { kubeconfig, context } = resolveTarget(kubernetes ?? {});
    const key = [server === undefined ? [kubeconfig, context] : [server], model, protocol];
    if (containsUnknown([key, resource])) return undefined;
    const known = this.#defaults.get(canonical(key));
    if (known === undefined || known.resource === resource) {
      this.#defaults.set(canonical(key), asked);
      return undefined;
    }
    return (
      `is true, and the BucketClass ${nameOf(known)} of this program is the default one for protocol ` +
      `${JSON.stringify(protocol)} already: set it for one of them`
    );
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#defaults.clear();
  }
}

function nameOf({ className, resource }: DefaultClass): string {
  const [, logicalName] = splitUrn(resource);
  return isUnknown(className) ? `of the resource ${JSON.stringify(logicalName)}` : className;
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const defaultClassesOfRun = new DefaultClasses();
