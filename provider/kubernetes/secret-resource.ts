import * as pulumi from "@pulumi/pulumi";
import { DynamicResource } from "../dynamic/resource";
import type { DataOwner } from "./data-object-state";
import type { DeepInput } from "./deep-input";
import type { KubernetesTarget } from "./target";

/** Inputs of {@link Secret}. */
export interface SecretArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
  /** Becomes the Secret's ownerReference, by which its owner is told from others of the same name. */
  owner: DeepInput<DataOwner>;
  /** Keys and values as plain text; secret in the state. */
  data: pulumi.Input<Record<string, string>>;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Finalizer that keeps the Secret until this resource is deleted. @default none */
  finalizer?: string | undefined;
  /** Under another name it is written first, and the old one deleted last. @default false: the old one goes first */
  moves?: boolean | undefined;
  /** API model whose objects say that the Secret is there. @default none */
  model?: string | undefined;
  /** `<organization>/<project>/<stack>`: an owner that another stack has marked since keeps its Secret. @default none is looked for */
  stack?: string | undefined;
}

/**
 * A Secret that this package writes by itself. Other than one of @pulumi/kubernetes it never takes a Secret over,
 * keeps its UID when its data changes, and has no copy of the data in an annotation.
 */
export class Secret extends DynamicResource {
  declare readonly namespace: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  declare readonly uid: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:Secret";

  constructor(name: string, args: SecretArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      ...args,
      data: pulumi.secret(args.data),
      uid: undefined,
    };
    super(
      "cosi/kubernetes",
      "Secret",
      "kubernetes/secret",
      name,
      props,
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: ["data"],
        // The option would take precedence over what the provider says.
        ...(args.moves === true ? {} : { deleteBeforeReplace: true }),
      }),
    );
  }
}
