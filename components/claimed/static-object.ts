import * as pulumi from "@pulumi/pulumi";
import type { BucketArgs } from "../../provider/bucket/bucket";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { ClaimedApi } from "../../provider/models/claimed/claimed-api";
import type { BucketObjects } from "../../provider/models/model";
import {
  customResource,
  guardName,
  inParts,
  uidOf,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";
import { ProblemError } from "../kubernetes/problem";
import { given } from "../kubernetes/required";
import { judge } from "../kubernetes/scope";
import type { BucketObjectReference } from "./bucket-object";
import { deletionPolicy } from "./values";

/** What a static Bucket object is made from. */
export interface StaticParts {
  readonly api: ClaimedApi;
  readonly name: pulumi.Output<string>;
  readonly args: MetadataArgs & {
    readonly parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  };
  readonly bucketClass: pulumi.Resource & {
    readonly className: pulumi.Output<string>;
    readonly driverName: pulumi.Output<string>;
    readonly parameters: pulumi.Output<Record<string, string> | undefined>;
  };
  /** Its `spec` beside driver and parameters. */
  readonly spec: Record<string, pulumi.Input<unknown>>;
  readonly warnings: pulumi.Output<string[]>;
}

/**
 * Writes a Bucket object that stands for what the backend already has.
 *
 * @returns The object, and the arguments to take the bucket over with.
 */
export function writeStatic(
  scope: ObjectScope,
  { api, args, bucketClass, spec, warnings, ...parts }: StaticParts,
): {
  object: pulumi.Resource;
  reference: BucketObjectReference;
  taken: Required<Pick<BucketArgs, "parameters" | "objects">>;
} {
  const { kinds } = api;
  const { installation } = scope;
  const guard = guardName(scope, kinds.bucket, { name: parts.name }, warnings, {
    copied: {
      key: bucketClass.className,
      value: bucketClass.parameters.apply((parameters) => parameters ?? {}),
      secret: isSecretInput(bucketClass.parameters),
    },
    told: { driverName: bucketClass.driverName },
  });
  const { name } = guard;
  const parameters = args.parameters === undefined ? guard.copied.value : pulumi.output(args.parameters);
  // OS1-010: where the class has none, none are invented.
  const written = parameters.apply((known) => (Object.keys(known).length === 0 ? undefined : known));
  const object = customResource(scope, {
    kind: kinds.bucket,
    name,
    labels: args.labels,
    annotations: args.annotations,
    fields: { spec: { driverName: guard.told["driverName"], ...spec, parameters: written } },
    guard,
    dependsOn: [guard, bucketClass],
  });
  const reference = { name, uid: uidOf(object) };
  const objects = inParts<BucketObjects>({
    model: installation.model,
    kubernetes: installation.target,
    owner: installation.owner,
    claim: null,
    bucket: reference,
  });
  return { object, reference, taken: { parameters, objects } };
}

/** The id of what exists. @param argument The argument that gives it. */
export function existingId(
  scope: ObjectScope,
  argument: string,
  id: pulumi.Input<string>,
): pulumi.Output<string> {
  return judge<string, string>(scope, id, (known) => given(argument, known));
}

/**
 * OS1-068, DEP-095: what somebody else made is not ours to delete.
 *
 * @param beside The argument that gives its id.
 */
export function alwaysKept(
  scope: ObjectScope,
  policy: pulumi.Input<string> | undefined,
  beside: string,
): pulumi.Output<string> {
  return judge<string, string>(scope, policy ?? "Retain", (value) => {
    if (deletionPolicy(value) === "Retain") return value;
    throw new ProblemError(`deletionPolicy is "Delete" beside ${beside}: only "Retain" is allowed with it`);
  });
}
