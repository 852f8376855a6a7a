import type * as pulumi from "@pulumi/pulumi";
import { modelName } from "../../provider/models/objectbucket/kinds";
import { withIgnored, withOtherNames } from "../../provider/inputs/described";
import type { ObjectScope } from "../kubernetes/custom-resource";
import {
  Installations,
  requireOptions,
  type ClusterArgs,
  type DefinitionsArgs,
} from "../kubernetes/installation";
import { componentScope } from "../kubernetes/scope";
import types from "./argument-types.json";

/** OBC-032: the design calls it `retainPolicy` in its text. */
const named = withOtherNames(types, "StorageClass", { retainPolicy: "reclaimPolicy" });

/** OBC-025: a name that is ignored, with a warning. */
const described = withIgnored(named, "ObjectBucketClaim", "objectBucketName");

/** Options for what all components of a program share on one cluster. */
export interface InstallArgs extends DefinitionsArgs {
  /**
   * When the stack is destroyed, delete the definitions of ObjectBucketClaim and ObjectBucket that it created, unless an
   * object of these kinds is left. Otherwise they stay, whoever created them.
   *
   * @default false
   */
  removeCrds?: pulumi.Input<boolean>;
}

const installations = new Installations("objectbucket");

/**
 * Sets up what the components of this program share on a cluster: the custom resource definitions. Components do this by
 * themselves; to set options, call it before the first component.
 *
 * @throws RunError if it was set up before.
 * @example
 * ```ts
 * cosi.objectbucket.install({ removeCrds: true });
 * ```
 */
export function install(args: InstallArgs = {}): void {
  requireOptions("objectbucket", described, args);
  installations.install(args, { model: modelName });
}

/** What the objects of a component of this module share. */
export function scopeOf(
  component: pulumi.ComponentResource,
  logicalName: string,
  args: ClusterArgs,
  opts: pulumi.ComponentResourceOptions | undefined,
  ignorable: readonly string[],
): ObjectScope {
  return componentScope(component, described, logicalName, args, opts, ignorable, () =>
    installations.of(args, { model: modelName }),
  );
}
