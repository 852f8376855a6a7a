import { isRecord, isUnknown } from "../dynamic/values";

/** What the program of this run calls its stack. */
export interface NamedStack {
  /** `<organization>/<project>/<stack>`. */
  readonly owner: string;
  readonly kubernetes: { readonly stackId: string };
}

/**
 * How the program of this run marks its objects. After `pulumi stack rename`, and for what was moved here, an entry that goes
 * in the same `up` still has the former name, and its object has the new one by then.
 */
export class StacksOfRun {
  readonly #stacks = new Map<string, NamedStack>();

  /** Notes what the inputs of a resource of the program say; a stack's id that is not known yet says nothing. */
  note(inputs: object): void {
    const { owner, kubernetes, objects } = inputs as Readonly<Record<string, unknown>>;
    if (isRecord(objects)) this.note(objects);
    if (typeof owner !== "string" || !isRecord(kubernetes)) return;
    const { stackId } = kubernetes;
    if (isUnknown(owner) || isUnknown(stackId) || typeof stackId !== "string" || stackId === "") return;
    this.#stacks.set(`${owner} ${stackId}`, { owner, kubernetes: { stackId } });
  }

  all(): readonly NamedStack[] {
    return [...this.#stacks.values()];
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#stacks.clear();
  }
}

/** Of this process: Pulumi starts one host per update; a destroy asks no program. */
export const stacksOfRun = new StacksOfRun();
