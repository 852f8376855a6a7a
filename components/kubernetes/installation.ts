import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { argumentsProblem } from "../../provider/inputs/arguments";
import type { DescribedArguments } from "../../provider/inputs/described";
import { CustomResourceDefinitions } from "../../provider/kubernetes/custom-resource-definitions-resource";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { isKubeconfigText } from "../../provider/kubernetes/kubeconfig";
import type { KubernetesTarget } from "../../provider/kubernetes/target";

/**
 * The cluster that a component writes to. A kubernetes provider, the component's own (option `provider` or `providers`)
 * or a parent's, does not decide it: dynamic resources cannot see what a provider connects to, so `kubeconfig` or
 * `context` is required beside it. A provider of the component's own then writes the custom resources; it must be for the
 * same cluster, which nothing checks. A parent's is not used. If the component has neither `kubeconfig` nor `context`, the
 * stack's `kubernetes:cluster` and `kubernetes:renderYamlToDirectory` are refused, as only @pulumi/kubernetes obeys them.
 */
export interface ClusterArgs {
  /**
   * Text of a kubeconfig, which is kept as a secret, or the path of one. It is used to write status, finalizers, Secrets and
   * definitions, and also the custom resources, unless the component has a kubernetes provider of its own.
   *
   * @default the stack's `kubernetes:kubeconfig`, else what the environment says when the command runs
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * Context of the kubeconfig.
   *
   * @default the stack's `kubernetes:context`, else the current context
   */
  context?: pulumi.Input<string>;
}

/** Options of every API model for its definitions. */
export interface DefinitionsArgs extends ClusterArgs {
  /**
   * When the stack is destroyed, delete the custom resource definitions that it created, unless an object of their kinds is
   * left. Otherwise they stay, whoever created them.
   *
   * @default false
   */
  removeCrds?: pulumi.Input<boolean>;
  /**
   * The id that this stack had in a state that was lost: the value of the annotation `pulumi-cosi/stack-id` of its objects.
   * Objects that carry it, and this stack's name, are taken into the present state as they are, each by the component that
   * wrote it. Never give the id of a stack that still has its state: both would own the same data. The preview refuses
   * anything that is not a UUID.
   *
   * @default the one in the state, or a random one if there is none
   */
  stackId?: pulumi.Input<string>;
}

/** The shared part of a program's components of one API model, on one cluster. */
export interface Installation {
  /** Name of the API model. */
  readonly model: string;
  readonly definitions: CustomResourceDefinitions;
  /** For dynamic resources; it names the cluster that the definitions were recorded in. */
  readonly target: DeepInput<KubernetesTarget>;
  /** For custom resources; `undefined` for Pulumi's default provider. */
  readonly provider: pulumi.ProviderResource | undefined;
  /** `<organization>/<project>/<stack>`. */
  readonly owner: string;
  readonly conflictingDeployment: string | undefined;
}

/** What a set-up needs besides the cluster. */
export interface SetUp {
  /** Name of the API model. */
  readonly model: string;
  /** Name of a Deployment that must not run, since it would act on the same objects. @default none */
  readonly conflictingDeployment?: string | undefined;
}

interface Entry {
  readonly kubeconfig: unknown;
  readonly context: unknown;
  readonly installation: Installation;
}

/**
 * Refuses options that a module's `install` cannot take.
 *
 * @throws RunError that names each of them.
 */
export function requireOptions(module: string, described: DescribedArguments, args: unknown): void {
  const problem = argumentsProblem(described["install"], args);
  if (problem !== undefined) throw new pulumi.RunError(`${module}.install: ${problem}`);
}

/** What the components of one module share, by cluster: each is set up once in a program. */
export class Installations {
  /** By program: several may run in one process. */
  readonly #programs = new WeakMap<object, Entry[]>();
  readonly #module: string;

  /** @param module Name of the module, as a program writes it: the resources are called so. */
  constructor(module: string) {
    this.#module = module;
  }

  /**
   * Sets up what the components of this program share on a cluster.
   *
   * @throws RunError if it was set up before.
   */
  install(args: DefinitionsArgs, setUp: SetUp): Installation {
    if (this.#find(args) !== undefined) {
      throw new pulumi.RunError(
        `${this.#module}.install was called after the same cluster had been set up; call it once, before the first component`,
      );
    }
    return this.#setUp(args, setUp);
  }

  /** The shared part for a component; the first one that asks sets it up with the default options. */
  of(args: ClusterArgs, defaults: SetUp): Installation {
    return this.#find(args)?.installation ?? this.#setUp(args, defaults);
  }

  #find({ kubeconfig, context }: ClusterArgs): Entry | undefined {
    return this.#entries().find((entry) => entry.kubeconfig === kubeconfig && entry.context === context);
  }

  #entries(): Entry[] {
    const program = pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor();
    if (program === undefined) throw new pulumi.RunError("components can only be made in a Pulumi program");
    const known = this.#programs.get(program) ?? [];
    this.#programs.set(program, known);
    return known;
  }

  #setUp(args: DefinitionsArgs, { model, conflictingDeployment }: SetUp): Installation {
    const { kubeconfig, context } = args;
    const name = this.#resourceName(context);
    const owner = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
    const connection = {
      kubeconfig: kept(kubeconfig),
      context,
    };
    const definitions = new CustomResourceDefinitions(name, {
      kubernetes: connection,
      model,
      owner,
      removeCrds: args.removeCrds,
      givenStackId: args.stackId,
      conflictingDeployment,
    });
    const isOfStack = kubeconfig === undefined && context === undefined;
    if (isOfStack) refuseStackConfig(this.#module);
    const provider = isOfStack ? undefined : ownProvider(name, connection, definitions);
    const target = { ...connection, clusterUid: definitions.clusterUid, stackId: definitions.stackId };
    const installation = { model, definitions, target, provider, owner, conflictingDeployment };
    this.#entries().push({ kubeconfig, context, installation });
    return installation;
  }

  /** A second cluster of one program gets the name of its context, else a number. */
  #resourceName(context: pulumi.Input<string> | undefined): string {
    const count = this.#entries().length;
    if (count === 0) return this.#module;
    return `${this.#module}-${typeof context === "string" ? context : String(count + 1)}`;
  }
}

/** Settings of the stack that the default provider of @pulumi/kubernetes obeys, and nothing else can. */
const defaultProvidersOwn = {
  cluster: "choose the cluster by kubernetes:context",
  renderYamlToDirectory: "give the components that are rendered a kubernetes provider of their own",
};

/**
 * Refuses a config with which custom resources would go elsewhere than their status, Secrets and definitions.
 *
 * @throws RunError
 */
function refuseStackConfig(module: string): void {
  const config = new pulumi.Config("kubernetes");
  for (const [key, next] of Object.entries(defaultProvidersOwn)) {
    if ((config.get(key) ?? "") === "") continue;
    throw new pulumi.RunError(
      `${module}: only @pulumi/kubernetes obeys kubernetes:${key} of the stack's config, so it would write its objects ` +
        `elsewhere than the rest. Next: take it out of the config; ${next}`,
    );
  }
}

/**
 * The provider of custom resources that are in the cluster of `kubeconfig` and `context`: what they do not say comes from
 * the stack, and then from the environment when a command runs, as for dynamic resources. With the identifier, a new
 * address or certificate authority is an update: another cluster is refused by its UID, before any object is touched.
 */
function ownProvider(
  name: string,
  { kubeconfig, context }: { [Key in keyof ClusterArgs]-?: ClusterArgs[Key] | undefined },
  definitions: CustomResourceDefinitions,
): k8s.Provider {
  const ofStack = new pulumi.Config("kubernetes").get("kubeconfig") ?? "";
  const given = kubeconfig ?? (ofStack === "" ? undefined : kept(ofStack));
  // Pulumi's class takes the environment's KUBECONFIG into the state, where it is another machine's.
  const withoutEnvironment: pulumi.ResourceTransformation = ({ props, opts }) => ({
    props: { ...(props as object), kubeconfig: undefined },
    opts,
  });
  const options = {
    // They refuse what leads to another cluster, so that it does not reach the existing objects.
    dependsOn: definitions,
    ...(given === undefined ? { transformations: [withoutEnvironment] } : {}),
  };
  const args = { clusterIdentifier: "pulumi-cosi", ...(context === undefined ? {} : { context }) };
  return new k8s.Provider(name, given === undefined ? args : { ...args, kubeconfig: given }, options);
}

/** A path is not a secret; what may be the text of a kubeconfig is one. */
function kept(kubeconfig: pulumi.Input<string> | undefined): pulumi.Input<string> | undefined {
  if (kubeconfig === undefined) return undefined;
  const isPath = typeof kubeconfig === "string" && !isKubeconfigText(kubeconfig);
  return isPath ? kubeconfig : pulumi.secret(kubeconfig);
}
