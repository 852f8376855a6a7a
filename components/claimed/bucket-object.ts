import type * as pulumi from "@pulumi/pulumi";
import type { BucketArgs } from "../../provider/bucket/bucket";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { Driver } from "../../provider/driver-resource/driver";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import type { NameGuard } from "../../provider/kubernetes/name-guard";
import type { BindingInputs, BucketClassCopy } from "../../provider/models/claimed/binding-state";
import type { ClaimedApi } from "../../provider/models/claimed/claimed-api";
import type { BucketObjects } from "../../provider/models/model";
import { customResource, inParts, uidOf, type ObjectScope } from "../kubernetes/custom-resource";
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

/** The binding of a claim, as far as its Bucket is made from it. */
export interface BoundClaim {
  readonly resource: pulumi.CustomResource;
  readonly claim: pulumi.Output<BindingInputs["claim"]>;
  readonly copy: pulumi.Output<BucketClassCopy>;
}

/** What the Bucket object of a claim is made from. */
export interface BucketParts {
  readonly api: ClaimedApi;
  /** Field of its `spec` that names the class. */
  readonly classField: string;
  readonly driver: Driver;
  readonly guard: NameGuard;
  readonly binding: BoundClaim;
  /** What the program says of the claim. */
  readonly args: {
    readonly deletionPolicy?: pulumi.Input<string>;
    readonly protectData?: pulumi.Input<boolean>;
  };
  /** Further fields of its `spec`. */
  readonly spec: Record<string, pulumi.Input<unknown>>;
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

/**
 * Writes the Bucket object of a claim, named by the binding's id, and filled with what the claim took from its class.
 *
 * @returns It, and what the bucket is to be made with.
 */
export function writeBucket(
  scope: ObjectScope,
  { api, classField, driver, guard, binding, args, spec }: BucketParts,
): { object: pulumi.Resource; reference: BucketObjectReference; made: MadeArgs } {
  const { installation } = scope;
  const { copy, claim } = binding;
  const { id } = binding.resource;
  const { deletionPolicy: ownPolicy, protectData } = args;

  const policy = judge<string, DeletionPolicy>(scope, ownPolicy ?? copy.deletionPolicy, deletionPolicy);
  const object = customResource(scope, {
    kind: api.kinds.bucket,
    name: id,
    labels: undefined,
    annotations: undefined,
    fields: {
      spec: {
        driverName: copy.driverName,
        deletionPolicy: policy,
        [classField]: copy.name,
        [api.fields.claim]: claim,
        parameters: copy.parameters.apply((known) => known ?? undefined),
        ...spec,
      },
    },
    guard,
    dependsOn: [binding.resource],
  });
  const reference = { name: id, uid: uidOf(object) };
  const made = {
    driver,
    name: id,
    parameters: copy.parameters.apply((known) => known ?? {}),
    deletionPolicy: policy,
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
  return { object, reference, made };
}
