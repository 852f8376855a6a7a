import type * as pulumi from "@pulumi/pulumi";
import { DynamicResource } from "../dynamic/resource";
import type { DeepInput } from "./deep-input";
import type { KubernetesTarget } from "./target";

/** Which definitions a stack needs, and what becomes of them. */
export interface CustomResourceDefinitionsArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** API model whose kinds are needed, `objectstorage.k8s.io/v1alpha1`. */
  model: string;
  /** `<organization>/<project>/<stack>`, noted on the definitions that are created. */
  owner: string;
  /**
   * Delete the definitions that this resource created when it is deleted; refused while an object of one of the
   * kinds exists. Only the value that the last `up` recorded counts.
   *
   * @default false
   */
  removeCrds?: pulumi.Input<boolean> | undefined;
  /** The stack's id of a state that was lost, by which its objects are this one's. @default the recorded, else a random one */
  givenStackId?: pulumi.Input<string> | undefined;
  /** Name of a Deployment that must not run, since it would act on the same objects. */
  conflictingDeployment?: string | undefined;
}

/**
 * The custom resource definitions of an API model: those that are absent are created, those that are there are
 * used as they are, and all of them stay when the stack is destroyed. One of @pulumi/kubernetes would be merged
 * over a definition that is there, and would take it, with every object of its kind, along on destroy.
 */
export class CustomResourceDefinitions extends DynamicResource {
  /** UID of the cluster's Namespace `kube-system`; `null` where it may not be read. */
  declare readonly clusterUid: pulumi.Output<string | null>;
  /**
   * Random, made at the create, unless the program gives one: what the stack writes to the cluster carries it. It is in
   * the state before the first object is written, so a run that was killed finds its own again.
   */
  declare readonly stackId: pulumi.Output<string>;
  /** Names of the definitions that this resource created. */
  declare readonly created: pulumi.Output<string[]>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:CustomResourceDefinitions";

  constructor(name: string, args: CustomResourceDefinitionsArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = { created: undefined, clusterUid: undefined, stackId: undefined };
    const props = { ...outputs, ...args, removeCrds: args.removeCrds ?? false };
    const file = "kubernetes/custom-resource-definitions";
    super("cosi/kubernetes", "CustomResourceDefinitions", file, name, props, opts);
  }
}
