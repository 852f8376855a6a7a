import * as pulumi from "@pulumi/pulumi";
import { hosted } from "../dynamic/hosted";
import { DynamicResource } from "../dynamic/resource";
import { dataObjectProvider } from "./data-object";
import type { DataForm } from "./data-object-form";
import {
  dataObjectKeys,
  dataObjectOutputs,
  type DataObjectInputs,
  type DataObjectRecord,
  type DataOwner,
} from "./data-object-state";
import type { DeepInput } from "./deep-input";
import { configMapKind } from "./object";
import { configureKubernetes, type KubernetesTarget } from "./target";

/** Inputs of {@link ConfigMap}. */
export interface ConfigMapArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
  /** Becomes the ConfigMap's ownerReference, by which its owner is told from others of the same name. */
  owner: DeepInput<DataOwner>;
  /** Keys and values; nothing that is secret. */
  data: pulumi.Input<Record<string, pulumi.Input<string>>>;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Finalizer that keeps the ConfigMap until this resource is deleted. @default none */
  finalizer?: string | undefined;
}

/**
 * A ConfigMap that this package writes by itself. Other than one of @pulumi/kubernetes it never takes a ConfigMap over,
 * and keeps its UID when its data changes.
 */
export class ConfigMap extends DynamicResource {
  declare readonly namespace: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  declare readonly uid: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:ConfigMap";

  constructor(name: string, args: ConfigMapArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { ...args, uid: undefined };
    // The option would take precedence over what the provider says.
    const first = pulumi.mergeOptions(opts, { deleteBeforeReplace: true });
    super("cosi/kubernetes", "ConfigMap", "kubernetes/config-map", name, props, first);
  }
}

const configMapForm: DataForm = {
  kind: configMapKind,
  fields: {},
  encode: (value) => value,
  decode: (value) => value,
};

/** Logic of {@link ConfigMap}, called by Pulumi's host. */
export const provider = hosted<DataObjectInputs, DataObjectInputs & DataObjectRecord>({
  ...dataObjectProvider<DataObjectInputs>({
    form: configMapForm,
    inputKeys: dataObjectKeys,
    outputsOf: dataObjectOutputs,
  }),
  configure: configureKubernetes,
});
