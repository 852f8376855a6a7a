import * as pulumi from "@pulumi/pulumi";
import { hosted } from "../../dynamic/hosted";
import { renamed } from "../../dynamic/renamed";
import { DynamicResource } from "../../dynamic/resource";
import type { DeepInput } from "../../kubernetes/deep-input";
import type { BindingArgs } from "../claimed/binding";
import { bindingLogic } from "../claimed/binding-logic";
import type { BindingInputs, BucketFields, BucketClassCopy } from "../claimed/binding-state";
import { apiOf } from "./api";
import { kindsOfModel } from "./kinds";
import { deploymentNameOf } from "./names";

/** Inputs of {@link RequestBinding}: a class, or an existing Deployment object. */
export interface RequestBindingArgs extends BindingArgs {
  /** Name of the API model, which has the group of the objects. */
  model: string;
  request: DeepInput<BindingInputs["claim"]>;
  deploymentClass?: DeepInput<BucketClassCopy> | undefined;
  /** What the Deployment object says beside what comes from the class. */
  deploymentFields?: DeepInput<BucketFields> | undefined;
  /** Name of a static Deployment object. */
  existingDeploymentName?: pulumi.Input<string> | undefined;
}

/** The step between a DeploymentRequest and its Deployment object. */
export class RequestBinding extends DynamicResource {
  /** The request, with the UID that was recorded. */
  declare readonly request: pulumi.Output<BindingInputs["claim"]>;
  /** The copy of the class; a request for a static Deployment has none. */
  declare readonly deploymentClass: pulumi.Output<BucketClassCopy>;
  /** UID of the Deployment object that was made. */
  declare readonly deploymentUid: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/deployment:RequestBinding";

  constructor(name: string, args: RequestBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = {
      deploymentUid: undefined,
      deploymentClass: undefined,
    };
    const props = { ...outputs, ...args };
    const file = "models/deployment/request-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/deployment", "RequestBinding", file, name, props, first);
  }
}

const logic = bindingLogic<{ model: string }>({
  resource: "RequestBinding",
  ownKeys: ["model"],
  own: ({ model }) => ({ model }),
  apiOf: ({ model }) => apiOf(kindsOfModel(model).group),
  bucketNameOf: (_inputs, uid) => deploymentNameOf(uid),
});

/** What a user reads in the place of the words that every model has in common. */
const names = {
  claim: "request",
  bucketClass: "deploymentClass",
  existingBucketName: "existingDeploymentName",
  bucketFields: "deploymentFields",
  bucketName: "deploymentName",
  bucketUid: "deploymentUid",
};

/** Logic of {@link RequestBinding}, called by Pulumi's host. */
export const provider = hosted(renamed(logic, names));
