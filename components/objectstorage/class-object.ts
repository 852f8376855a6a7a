import type * as pulumi from "@pulumi/pulumi";
import type { KubernetesKind } from "../../provider/kubernetes/object";
import {
  customResource,
  guardName,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";

/** A class as the cluster has it. */
export interface ClassObject {
  readonly kind: KubernetesKind;
  readonly className: pulumi.Output<string>;
  readonly driverName: pulumi.Output<string>;
  /** What only this kind of class has. */
  readonly fields: Record<string, pulumi.Input<unknown>>;
  readonly warnings: pulumi.Output<string[]>;
}

/** Writes the object of a class, once it is sure that its name may be written. */
export function writeClass(
  scope: ObjectScope,
  args: MetadataArgs & { readonly parameters?: pulumi.Input<Record<string, pulumi.Input<string>>> },
  { kind, className, driverName, fields, warnings }: ClassObject,
): void {
  const guard = guardName(scope, kind, { name: className }, warnings, { told: { driverName } });
  customResource(scope, {
    kind,
    name: className,
    labels: args.labels,
    annotations: args.annotations,
    fields: {
      driverName: guard.told["driverName"],
      ...fields,
      ...(args.parameters === undefined ? {} : { parameters: args.parameters }),
    },
    guard,
    dependsOn: [guard],
  });
}
