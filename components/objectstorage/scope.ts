import * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { hasKubernetesProvider, type NamedComponent, type ObjectScope } from "./custom-resource";
import { LayoutError } from "../secrets/granted-access";
import { installationFor, type ClusterArgs } from "./installation";
import { InvalidArgumentError } from "./invalid-argument";
import { ProblemError } from "./normalise";

/** What the objects of a component share. */
export function scopeOf(
  component: pulumi.ComponentResource,
  logicalName: string,
  args: ClusterArgs,
  opts: pulumi.ComponentResourceOptions | undefined,
): ObjectScope {
  return {
    component,
    logicalName,
    installation: installationFor(args),
    ownProvider: hasKubernetesProvider(opts),
  };
}

/**
 * Judges an argument: at once if it is a plain value, else as soon as it is known. A {@link ProblemError} becomes an
 * error that Pulumi shows under the component.
 *
 * @throws InvalidArgumentError for a plain value; for an output, what is made of the result fails.
 */
export function judge<T, R>(
  scope: NamedComponent,
  input: DeepInput<T>,
  judgement: (value: T) => R,
): pulumi.Output<R> {
  const judged = (value: T): R => orInvalid(scope, () => judgement(value));
  if (isPlain<T>(input)) return known(judged(input));
  return known(input).apply((value) => known(judged(value)));
}

/** An output of what holds no output any more, which Pulumi's types cannot tell of a type parameter. */
function known<T>(input: DeepInput<T>): pulumi.Output<T> {
  return pulumi.output<unknown>(input) as pulumi.Output<T>;
}

/** True for an input with no output or promise in it. */
function isPlain<T>(input: DeepInput<T>): input is T {
  if (pulumi.Output.isInstance(input) || input instanceof Promise) return false;
  return typeof input !== "object" || input === null || Object.values(input).every((entry) => isPlain(entry));
}

/** Judges arguments at once. @throws InvalidArgumentError for a {@link ProblemError} or a {@link LayoutError}. */
export function orInvalid<R>({ component, logicalName }: NamedComponent, judgement: () => R): R {
  try {
    return judgement();
  } catch (error) {
    if (error instanceof ProblemError || error instanceof LayoutError) {
      throw new InvalidArgumentError(component, logicalName, error.message);
    }
    throw error;
  }
}
