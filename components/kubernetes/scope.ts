import * as pulumi from "@pulumi/pulumi";
import { parentUrn } from "../../provider/dynamic/resource";
import { namesProblem } from "../../provider/inputs/arguments";
import type { DescribedArguments } from "../../provider/inputs/described";
import { typeOfResource } from "../../provider/inputs/found";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import type { MetadataArgs, NamedComponent, ObjectScope } from "./custom-resource";
import { LayoutError } from "../secrets/granted-access";
import type { ClusterArgs, Installation } from "./installation";
import { ignoredArguments } from "./ignored-changes";
import { InvalidArgumentError } from "./invalid-argument";
import { ProblemError } from "./problem";

/**
 * What the objects of a component share.
 *
 * @param described The arguments of the module's components, by their classes.
 * @param ignorable The arguments, beside labels and annotations, that the option `ignoreChanges` may name.
 * @param installation Sets up what they share with those of other components; not called where an argument is wrong.
 */
export function componentScope(
  component: pulumi.ComponentResource,
  described: DescribedArguments,
  logicalName: string,
  args: ClusterArgs & Pick<MetadataArgs, "name">,
  opts: pulumi.ComponentResourceOptions | undefined,
  ignorable: readonly string[],
  installation: () => Installation,
): ObjectScope {
  const [className = ""] = /\w+$/.exec(typeOfResource(component) ?? "") ?? [];
  const problem = namesProblem(described[className], args);
  if (problem !== undefined) throw new InvalidArgumentError(component, logicalName, problem);
  const ignored = orInvalid({ component, logicalName }, () => ignoredArguments(opts, ignorable));
  const provider = component.getProvider(customResourceType);
  if (provider !== undefined && args.kubeconfig === undefined && args.context === undefined) {
    throw new InvalidArgumentError(
      component,
      logicalName,
      "kubeconfig and context are missing beside a kubernetes provider of its own or of a parent: names would be looked " +
        "up, and status, finalizers and Secrets written, in the stack's cluster, which may be another one; give " +
        "kubeconfig or context of the provider's cluster",
    );
  }
  return {
    component,
    logicalName,
    resource: resourceOf(component),
    ignored,
    hasDefaultName: (args.name ?? undefined) === undefined,
    installation: installation(),
    ownProvider: provider !== undefined && provider !== opts?.parent?.getProvider(customResourceType),
  };
}

/** Any type of @pulumi/kubernetes: a provider is found by the package. */
const customResourceType = "kubernetes:apiextensions.k8s.io:CustomResource";

/** Known in previews too: a component has its URN as soon as it is registered. */
async function resourceOf(component: pulumi.ComponentResource): Promise<string> {
  const urn = (await parentUrn({ parent: component })) ?? "";
  return urn.split("::").slice(2).join("::").replace("pulumi:pulumi:Stack$", "");
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
  return known(input).apply(judged);
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
