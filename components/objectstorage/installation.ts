import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { CustomResourceDefinitions } from "../../provider/kubernetes/custom-resource-definitions";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { isKubeconfigText } from "../../provider/kubernetes/kubeconfig";
import type { KubernetesTarget } from "../../provider/kubernetes/target";
import { controllerDeployment, modelName } from "../../provider/models/objectstorage-v1alpha1/kinds";

/**
 * The cluster that a component writes to. A kubernetes provider, the component's own (option `provider` or `providers`)
 * or a parent's, does not say it: dynamic resources cannot see what a provider connects to, so `kubeconfig` or `context`
 * is required beside it. An own one then writes the custom resources, and has to be of the same cluster, which nothing
 * checks; a parent's is not used.
 */
export interface ClusterArgs {
  /**
   * Text of a kubeconfig, which is kept as a secret, or the path of one. Status, finalizers, Secrets and definitions are
   * written with it, and the custom resources too, unless the component has a kubernetes provider of its own.
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

/** What all components of a program that write to one cluster share. */
export interface InstallArgs extends ClusterArgs {
  /**
   * Delete the custom resource definitions that this stack created when it is destroyed, unless an object of their
   * kinds is left. Without it they stay, whoever created them.
   *
   * @default false
   */
  removeCrds?: pulumi.Input<boolean>;
  /**
   * Go on beside COSI's own controller. Both would act on one claim, so it has to be told to leave these alone.
   *
   * @default false
   */
  allowController?: boolean;
  /**
   * Who does the work: this program (`direct`), or COSI's controller and sidecars, which is not available yet.
   *
   * @default "direct"
   */
  mode?: string;
}

/** The shared part of a program's components, on one cluster. */
export interface Installation {
  readonly definitions: CustomResourceDefinitions;
  /** For dynamic resources; it names the cluster that the definitions were recorded in. */
  readonly target: DeepInput<KubernetesTarget>;
  /** For custom resources; `undefined` for Pulumi's default provider. */
  readonly provider: k8s.Provider | undefined;
  /** `<organization>/<project>/<stack>`. */
  readonly owner: string;
  readonly conflictingDeployment: string | undefined;
}

interface Entry {
  readonly kubeconfig: unknown;
  readonly context: unknown;
  readonly installation: Installation;
}

/** By program: several may run in one process. */
const programs = new WeakMap<object, Entry[]>();

/**
 * Sets up what the components of this program share on a cluster: the custom resource definitions. Components do it
 * by themselves; call it before the first of them to give options.
 *
 * @throws Error if it was set up before, or if an option cannot be had.
 * @example
 * ```ts
 * cosi.objectstorage.install({ removeCrds: true });
 * ```
 */
export function install(args: InstallArgs = {}): void {
  if (find(args) !== undefined) {
    throw new pulumi.RunError(
      "objectstorage.install was called after a component had set up the same cluster; call it first, and once",
    );
  }
  setUp(args);
}

/** The shared part for a component; set up with the default options by the first who asks. */
export function installationFor(args: ClusterArgs): Installation {
  return find(args)?.installation ?? setUp(args);
}

function find({ kubeconfig, context }: ClusterArgs): Entry | undefined {
  return entries().find((entry) => entry.kubeconfig === kubeconfig && entry.context === context);
}

function entries(): Entry[] {
  const program = pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor();
  if (program === undefined) throw new pulumi.RunError("components can only be made in a Pulumi program");
  const known = programs.get(program) ?? [];
  programs.set(program, known);
  return known;
}

function setUp(args: InstallArgs): Installation {
  const { kubeconfig, context, mode = "direct" } = args;
  if (mode !== "direct") {
    throw new pulumi.RunError(
      `objectstorage.install: mode is ${JSON.stringify(mode)}, and only "direct" is available in this release`,
    );
  }
  const name = resourceName(context);
  const owner = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const conflictingDeployment = args.allowController === true ? undefined : controllerDeployment;
  const connection = {
    kubeconfig: kept(kubeconfig),
    context,
  };
  const definitions = new CustomResourceDefinitions(name, {
    kubernetes: connection,
    model: modelName,
    owner,
    removeCrds: args.removeCrds,
    conflictingDeployment,
  });
  const provider =
    kubeconfig === undefined && context === undefined
      ? undefined
      : new k8s.Provider(name, {
          ...(connection.kubeconfig === undefined ? {} : { kubeconfig: connection.kubeconfig }),
          ...(context === undefined ? {} : { context }),
        });
  const target = { ...connection, clusterUid: definitions.clusterUid, stackId: definitions.stackId };
  const installation = { definitions, target, provider, owner, conflictingDeployment };
  entries().push({ kubeconfig, context, installation });
  return installation;
}

/** A path is no secret; what may be the text of a kubeconfig is. */
function kept(kubeconfig: pulumi.Input<string> | undefined): pulumi.Input<string> | undefined {
  if (kubeconfig === undefined) return undefined;
  const isPath = typeof kubeconfig === "string" && !isKubeconfigText(kubeconfig);
  return isPath ? kubeconfig : pulumi.secret(kubeconfig);
}

/** A second cluster of one program gets the name of its context, else a number. */
function resourceName(context: pulumi.Input<string> | undefined): string {
  const count = entries().length;
  if (count === 0) return "objectstorage";
  return `objectstorage-${typeof context === "string" ? context : String(count + 1)}`;
}
