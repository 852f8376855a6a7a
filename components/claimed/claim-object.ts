import * as pulumi from "@pulumi/pulumi";
import type { KubernetesKind } from "../../provider/kubernetes/object";
import type { NameGuard } from "../../provider/kubernetes/name-guard";
import {
  customResource,
  guardName,
  uidOf,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";
import { ProblemError } from "../kubernetes/problem";

/** What the object of a claim is made from. */
export interface ClaimParts {
  readonly kind: KubernetesKind;
  readonly namespace: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly args: MetadataArgs;
  /** Its `spec`; a change of it makes another claim. */
  readonly spec: Record<string, pulumi.Input<unknown>>;
  /** The kind's definition refuses a class and what is there already beside each other. @default false */
  readonly exclusiveFields?: boolean;
  readonly warnings: pulumi.Output<string[]>;
  /** The class, or the static Bucket. */
  readonly source: pulumi.Resource;
}

/** The object of a claim. */
export interface ClaimObject {
  readonly guard: NameGuard;
  readonly object: pulumi.CustomResource;
  /** For who belongs to it. */
  readonly claim: {
    readonly namespace: pulumi.Output<string>;
    readonly name: pulumi.Output<string>;
    readonly uid: pulumi.Output<string>;
  };
  /** The namespace, as an output of the object. */
  readonly namespace: pulumi.Output<string>;
}

/** Writes the object of a claim, once it is certain that its name may be written. */
export function writeClaim(
  scope: ObjectScope,
  { kind, namespace, name, args, spec, exclusiveFields = false, warnings, source }: ClaimParts,
): ClaimObject {
  const guard = guardName(scope, kind, { namespace, name }, warnings);
  const reference = { namespace, name: guard.name };
  const object = customResource(scope, {
    kind,
    ...reference,
    labels: args.labels,
    annotations: args.annotations,
    fields: { spec },
    immutable: spec,
    exclusiveFields,
    guard,
    dependsOn: [guard, source],
  });
  return { guard, object, claim: { ...reference, uid: uidOf(object) }, namespace: object.metadata.namespace };
}

/** What a claim is for: the class to make a bucket from, or an existing Bucket. */
export type Source<Class, Static> = { readonly bucketClass: Class } | { readonly existing: Static };

/**
 * Judges what a claim is for.
 *
 * @param words The arguments that give it, by their names.
 * @throws ProblemError unless exactly one of them is given, and for a policy beside an existing Bucket.
 */
export function sourceOf<Class, Static>(
  words: { readonly bucketClass: string; readonly existing: string },
  args: {
    readonly bucketClass: Class | undefined;
    readonly existing: Static | undefined;
    readonly deletionPolicy: unknown;
  },
): Source<Class, Static> {
  const { bucketClass, existing } = args;
  // OS1-068, DEP-095: what somebody else made is not ours to delete.
  if (existing !== undefined && args.deletionPolicy !== undefined) {
    throw new ProblemError(
      `deletionPolicy is given beside ${words.existing}, which is always kept: leave deletionPolicy out`,
    );
  }
  if (bucketClass !== undefined && existing === undefined) return { bucketClass };
  if (existing !== undefined && bucketClass === undefined) return { existing };
  const both = `${words.bucketClass} and ${words.existing} are both`;
  throw new ProblemError(
    bucketClass === undefined ? `${both} missing: give one of them` : `${both} given: leave one of them out`,
  );
}

/**
 * What depends on the bucket of a claim.
 *
 * @returns `bucketName`: known with the binding; whoever takes it finds a bucket that is ready, and goes before the bucket is
 *   deleted. `boundNamespace`: an object that takes its namespace from here is replaced along with the claim's object or its
 *   bucket, in the right order; with an equal argument it would be left alone.
 */
export function boundTo(
  claim: ClaimObject,
  binding: pulumi.CustomResource,
  bucket: pulumi.CustomResource,
): { bucketName: pulumi.Output<string>; boundNamespace: pulumi.Output<string> } {
  return {
    bucketName: pulumi.all([binding.id, bucket.id]).apply(([bucketName]) => bucketName),
    boundNamespace: pulumi.all([claim.namespace, bucket.id]).apply(([namespace]) => namespace),
  };
}
