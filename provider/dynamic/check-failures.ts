import type * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "./values";

/**
 * Collects what is wrong with the inputs of a resource, so that a user sees all of it in one preview. The property stands
 * in the reason, and not beside it: the engine would print the property's value, one that is secret in plain text.
 */
export class CheckFailures {
  readonly #failures: pulumi.dynamic.CheckFailure[] = [];

  add(property: string, reason: string): void {
    this.#failures.push({ property: "", reason: `${property} ${reason}` });
  }

  /** Asks `problem` about a value that is there and known; an unknown one fails no check. */
  judge<T>(property: string, value: T | undefined, problem: (value: T) => string | undefined): void {
    if (value === undefined || isUnknown(value)) return;
    const reason = problem(value);
    if (reason !== undefined) this.add(property, reason);
  }

  /** The result of a check that found these failures, or none. */
  result<Inputs>(inputs: Inputs): pulumi.dynamic.CheckResult<Inputs> {
    return { inputs, failures: [...this.#failures] };
  }
}
