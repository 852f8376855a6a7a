import type * as pulumi from "@pulumi/pulumi";
import type { BucketArgs } from "../../provider/bucket/bucket";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { Driver } from "../../provider/driver-resource/driver";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import type { BindingInputs, BucketClassCopy } from "../../provider/models/claimed/binding-state";
import type { BucketObjects } from "../../provider/models/model";
import { inParts, type ObjectScope } from "../kubernetes/custom-resource";
import { carriedAs, type Carried } from "../kubernetes/ignored-changes";
import { judge } from "../kubernetes/scope";
import { deletionPolicy } from "./values";

/** Name and UID of a Bucket object. */
export interface BucketObjectReference {
  readonly name: pulumi.Output<string>;
  readonly uid: pulumi.Output<string>;
}

/** Arguments of the resource that makes the bucket of a claim, or takes one over: those that every contract has. */
export type MadeArgs = Pick<
  BucketArgs,
  "driver" | "name" | "parameters" | "deletionPolicy" | "ownDeletionPolicy" | "protectData" | "objects"
>;

/** The binding of a claim, which writes its Bucket object. */
export interface BoundClaim {
  readonly resource: pulumi.CustomResource;
  readonly claim: pulumi.Output<BindingInputs["claim"]>;
  readonly copy: pulumi.Output<BucketClassCopy>;
  /** Of the Bucket object. */
  readonly uid: pulumi.Output<string>;
}

/** What the program says about a claim's bucket. */
export interface BucketWishes {
  readonly deletionPolicy?: pulumi.Input<string>;
  readonly protectData?: pulumi.Input<boolean>;
}

/** The claim's arguments that are carried by the resource that makes its bucket. */
export const carriedByBucket: Carried = carriedAs("deletionPolicy", "protectData");

/** Those that the binding of a claim carries. @param fields Its property with the fields of the Bucket object. */
export function carriedByBinding(fields: string): Carried {
  return { ...carriedAs("protectData"), deletionPolicy: [`${fields}.deletionPolicy`] };
}

/** A class of the program, as a claim copies it when its bucket is made. */
export function copyOf(bucketClass: {
  readonly className: pulumi.Output<string>;
  readonly driverName: pulumi.Output<string>;
  readonly deletionPolicy: pulumi.Output<string>;
  readonly parameters: pulumi.Output<Record<string, string> | undefined>;
}): DeepInput<BucketClassCopy> {
  const parameters = bucketClass.parameters.apply((known) => known ?? null);
  return {
    name: bucketClass.className,
    driverName: bucketClass.driverName,
    deletionPolicy: bucketClass.deletionPolicy,
    parameters,
    secretParameters: isSecretInput(parameters),
  };
}

/** What happens to a bucket: what the program says for its claim, else what the class says. */
export function policyOf(
  scope: ObjectScope,
  { deletionPolicy: own }: BucketWishes,
  ofClass: pulumi.Input<string>,
): pulumi.Output<DeletionPolicy> {
  return judge<string, DeletionPolicy>(scope, own ?? ofClass, deletionPolicy);
}

/** The Bucket object of a claim, named by the binding's id, and what the bucket is to be made with. */
export function madeBucket(
  scope: ObjectScope,
  driver: Driver,
  { resource, claim, copy, uid }: BoundClaim,
  wishes: BucketWishes,
): { reference: BucketObjectReference; made: MadeArgs } {
  const { installation } = scope;
  const { deletionPolicy: ownPolicy, protectData } = wishes;
  const reference = { name: resource.id, uid };
  const made = {
    driver,
    name: resource.id,
    parameters: copy.parameters.apply((known) => known ?? {}),
    deletionPolicy: policyOf(scope, wishes, copy.deletionPolicy),
    ...(ownPolicy === undefined ? {} : { ownDeletionPolicy: true }),
    ...(protectData === undefined ? {} : { protectData }),
    objects: inParts<BucketObjects>({
      model: installation.model,
      kubernetes: installation.target,
      owner: installation.owner,
      claim,
      bucket: reference,
    }),
  };
  return { reference, made };
}
