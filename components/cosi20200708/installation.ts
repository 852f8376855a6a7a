import type * as pulumi from "@pulumi/pulumi";
import {
  defaultGroup,
  kindsOfModel,
  modelNameOf,
  type Kinds,
} from "../../provider/models/cosi-2020-07/kinds";
import { requireGroup } from "../cosi-proposals/group";
import { withOtherNames } from "../../provider/inputs/described";
import type { ObjectScope } from "../kubernetes/custom-resource";
import {
  Installations,
  requireOptions,
  type ClusterArgs,
  type DefinitionsArgs,
} from "../kubernetes/installation";
import { componentScope } from "../kubernetes/scope";
import types from "./argument-types.json";

/** K07-053: one protocol for each class. */
const described = withOtherNames(types, "BucketClass", { supportedProtocol: "protocol" });

/** Options for what all components of a program share on one cluster. */
export interface InstallArgs extends DefinitionsArgs {
  /**
   * API group of the objects. The proposals of February and July 2020 share group, version and names, so an API server can
   * hold only one of them under one group; give this one another group to have both. A change replaces every object.
   *
   * @default "cosi.io"
   */
  group?: string;
}

const moduleName = "cosi20200708";
const installations = new Installations(moduleName);

/**
 * Sets up what the components of this program share on a cluster: the custom resource definitions. Components do this by
 * themselves; to set options, call it before the first component.
 *
 * @throws RunError if it was set up before, or if an option is not allowed.
 * @example
 * ```ts
 * cosi.cosi20200708.install({ group: "july.cosi.io" });
 * ```
 */
export function install(args: InstallArgs = {}): void {
  requireOptions(moduleName, described, args);
  const { group = defaultGroup, ...rest } = args;
  requireGroup(moduleName, group, "july.cosi.io");
  installations.install(rest, { model: modelNameOf(group) });
}

/** What a component's objects have in common, and the kinds that they are of. */
export interface Scope extends ObjectScope {
  readonly kinds: Kinds;
}

/** What the objects of a component of this module share. */
export function scopeOf(
  component: pulumi.ComponentResource,
  logicalName: string,
  args: ClusterArgs,
  opts: pulumi.ComponentResourceOptions | undefined,
  ignorable: readonly string[],
): Scope {
  const scope = componentScope(component, described, logicalName, args, opts, ignorable, () =>
    installations.of(args, { model: modelNameOf(defaultGroup) }),
  );
  return { ...scope, kinds: kindsOfModel(scope.installation.model) };
}
