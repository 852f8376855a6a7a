import * as pulumi from "@pulumi/pulumi";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import type { DeepInput } from "../../kubernetes/deep-input";
import type { BindingArgs } from "../claimed/binding";
import { bindingLogic } from "../claimed/binding-logic";
import type { BindingInputs, BucketFields, BucketClassCopy } from "../claimed/binding-state";
import { api } from "./api";
import { bucketNameFormatProblem, bucketNameOf, type BucketNameFormat } from "./bucket-name";

/** Inputs of {@link ClaimBinding}: a class, or an existing Bucket object. */
export interface ClaimBindingArgs extends BindingArgs {
  claim: DeepInput<BindingInputs["claim"]>;
  bucketClass?: DeepInput<BucketClassCopy> | undefined;
  /** What the Bucket object says beside what comes from the class. */
  bucketFields?: DeepInput<BucketFields> | undefined;
  /** Name of a static Bucket object. */
  existingBucketName?: pulumi.Input<string> | undefined;
  /** @default "v0.2.2" */
  bucketNameFormat?: pulumi.Input<BucketNameFormat> | undefined;
}

/** The step between a BucketClaim and its Bucket object. */
export class ClaimBinding extends DynamicResource {
  /** The claim, with the UID that was recorded. */
  declare readonly claim: pulumi.Output<BindingInputs["claim"]>;
  /** The copy of the class; a claim for a static Bucket has none. */
  declare readonly bucketClass: pulumi.Output<BucketClassCopy>;
  /** UID of the Bucket object that was made. */
  declare readonly bucketUid: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/objectstorage:ClaimBinding";

  constructor(name: string, args: ClaimBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = {
      bucketUid: undefined,
      bucketClass: undefined,
    };
    const bucketNameFormat = args.bucketNameFormat ?? "v0.2.2";
    const props = { ...outputs, ...args, bucketNameFormat };
    const file = "models/objectstorage-v1alpha1/claim-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/objectstorage", "ClaimBinding", file, name, props, first);
  }
}

/** Logic of {@link ClaimBinding}, called by Pulumi's host. */
export const provider = hosted(
  bindingLogic<{ bucketNameFormat: BucketNameFormat }>({
    resource: "ClaimBinding",
    ownKeys: ["bucketNameFormat"],
    own: ({ bucketNameFormat }) => ({ bucketNameFormat }),
    apiOf: () => api,
    bucketNameOf: ({ bucketNameFormat }, uid, className) => bucketNameOf(bucketNameFormat, uid, className),
    judge: (failures, { bucketNameFormat }, className) => {
      failures.judge("bucketNameFormat", bucketNameFormat, (format) =>
        bucketNameFormatProblem(format, className),
      );
    },
  }),
);
