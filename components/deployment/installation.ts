import type * as pulumi from "@pulumi/pulumi";
import type { ClaimedApi } from "../../provider/models/claimed/claimed-api";
import { apiOf } from "../../provider/models/deployment/api";
import { defaultGroup, kindsOfModel, modelNameOf, type Kinds } from "../../provider/models/deployment/kinds";
import { requireGroup } from "../cosi-proposals/group";
import type { ObjectScope } from "../kubernetes/custom-resource";
import {
  Installations,
  requireOptions,
  type ClusterArgs,
  type DefinitionsArgs,
} from "../kubernetes/installation";
import { componentScope } from "../kubernetes/scope";
import described from "./argument-types.json";

/** Options for what all components of a program share on one cluster. */
export interface InstallArgs extends DefinitionsArgs {
  /**
   * API group of the objects, for a cluster that has other definitions in the group `platform.plural.sh`. A change replaces
   * every object.
   *
   * @default "platform.plural.sh"
   */
  group?: string;
}

const moduleName = "deployment";
const installations = new Installations(moduleName);

/**
 * Sets up what the components of this program share on a cluster: the custom resource definitions. Components do this by
 * themselves; to set options, call it before the first component.
 *
 * @throws RunError if it was set up before, or if an option is not allowed.
 * @example
 * ```ts
 * cosi.deployment.install({ group: "deployment.example.com" });
 * ```
 */
export function install(args: InstallArgs = {}): void {
  requireOptions(moduleName, described, args);
  const { group = defaultGroup, ...rest } = args;
  requireGroup(moduleName, group, "deployment.example.com");
  installations.install(rest, { model: modelNameOf(group) });
}

/** What a component's objects have in common, and what they are called. */
export interface Scope extends ObjectScope {
  readonly kinds: Kinds;
  readonly api: ClaimedApi;
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
  const kinds = kindsOfModel(scope.installation.model);
  return { ...scope, kinds, api: apiOf(kinds.group) };
}
