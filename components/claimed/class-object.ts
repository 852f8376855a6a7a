import * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { AuthenticationType } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import type { KubernetesKind } from "../../provider/kubernetes/object";
import {
  guardName,
  lastingName,
  guardedResource,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";
import { given, requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import { driverNameOf, type ClassDriverArgs } from "./class-driver";
import { authenticationType, deletionPolicy } from "./values";

/** What every class is given. */
interface ClassArgs extends ClassDriverArgs, MetadataArgs {
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The kind of a class, and what its drivers make (`cosi.Bucket`). */
interface ClassKind {
  readonly kind: KubernetesKind;
  readonly made: string;
}

/** What is known of every class. */
interface WrittenClass {
  readonly className: pulumi.Output<string>;
  readonly driverName: pulumi.Output<string>;
  /** `undefined` for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string> | undefined>;
  readonly driver: Driver;
}

/** Writes a class of buckets, or of what stands in their place. */
export function writeBucketClass(
  scope: ObjectScope,
  args: ClassArgs & { deletionPolicy?: pulumi.Input<string> },
  kind: ClassKind,
): WrittenClass & { readonly deletionPolicy: pulumi.Output<DeletionPolicy> } {
  const told = classTold(scope, args, kind);
  const policy = judge<string, DeletionPolicy>(scope, args.deletionPolicy ?? "Retain", deletionPolicy);
  const warnings = policy.apply((): string[] => []);
  const className = writeClass(scope, args, kind, told, { deletionPolicy: policy }, warnings);
  return { ...told, className, deletionPolicy: policy };
}

/** Writes a class of accesses. */
export function writeAccessClass(
  scope: ObjectScope,
  args: ClassArgs & { authenticationType: pulumi.Input<string> },
  kind: ClassKind,
): WrittenClass & { readonly authenticationType: pulumi.Output<AuthenticationType> } {
  const told = classTold(scope, args, kind);
  const checked = judge(scope, args.authenticationType, (text: string) =>
    authenticationType(given("authenticationType", text)),
  );
  const type = checked.apply(({ value }) => value);
  const warnings = checked.apply((known) => known.warnings);
  const className = writeClass(scope, args, kind, told, { authenticationType: type }, warnings);
  return { ...told, className, authenticationType: type };
}

function classTold(
  scope: ObjectScope,
  args: ClassArgs,
  { made }: ClassKind,
): Omit<WrittenClass, "className"> {
  orInvalid(scope, () => {
    requireGiven(args, "driver");
  });
  return {
    driver: args.driver,
    driverName: driverNameOf(scope, args, made),
    parameters: pulumi.output(args.parameters),
  };
}

/** Writes the object of a class, once it is certain that its name may be written. @returns Its name. */
function writeClass(
  scope: ObjectScope,
  args: ClassArgs,
  { kind }: ClassKind,
  { driverName }: Pick<WrittenClass, "driverName">,
  fields: Record<string, pulumi.Input<unknown>>,
  warnings: pulumi.Output<string[]>,
): pulumi.Output<string> {
  const name = args.name ?? scope.logicalName;
  const guard = guardName(scope, kind, { name }, warnings, { told: { driverName } });
  guardedResource(scope, {
    kind,
    name: guard.name,
    labels: args.labels,
    annotations: args.annotations,
    fields: {
      driverName: guard.told["driverName"],
      ...fields,
      parameters: args.parameters,
    },
    guard,
    dependsOn: [guard],
  });
  return lastingName(guard, args);
}
