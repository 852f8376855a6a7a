import type * as pulumi from "@pulumi/pulumi";
import {
  defaultGroup,
  defaultSourceNamespace,
  kindsOfModel,
  modelNameOf,
  type Kinds,
} from "../../provider/models/cosi-2020-02/kinds";
import { requireGroup } from "../cosi-proposals/group";
import { withOtherNames } from "../../provider/inputs/described";
import type { ObjectScope } from "../kubernetes/custom-resource";
import {
  Installations,
  requireOptions,
  type ClusterArgs,
  type DefinitionsArgs,
  type Installation,
} from "../kubernetes/installation";
import { namespaceNamed } from "../kubernetes/named-values";
import { componentScope, judge } from "../kubernetes/scope";
import types from "./argument-types.json";

/** K02-055: notes and workflows of the proposal say `bucketIdentifier`, its YAML says the other name. */
const described = withOtherNames(types, "BucketClass", { bucketContentRef: "bucketIdentifier" });

/** Options for what all components of a program share on one cluster. */
export interface InstallArgs extends DefinitionsArgs {
  /**
   * API group of the objects. The proposals of February and July 2020 share group, version and names, so an API server can
   * hold only one of them under one group; give this one another group to have both. A change replaces every object.
   *
   * @default "cosi.io"
   */
  group?: string;
  /**
   * Namespace of the Secrets to which drivers' credentials are written first, and from which the apps' Secrets are copied.
   * It must exist.
   *
   * @default "cosi-system"
   */
  sourceSecretNamespace?: pulumi.Input<string>;
}

const moduleName = "cosi20200227";
const installations = new Installations(moduleName);
const sourceNamespaces = new WeakMap<Installation, pulumi.Input<string>>();

/**
 * Sets up what the components of this program share on a cluster: the custom resource definitions. Components do this by
 * themselves; to set options, call it before the first component.
 *
 * @throws RunError if it was set up before, or if an option is not allowed.
 * @example
 * ```ts
 * cosi.cosi20200227.install({ group: "february.cosi.io" });
 * ```
 */
export function install(args: InstallArgs = {}): void {
  requireOptions(moduleName, described, args);
  const { group = defaultGroup, sourceSecretNamespace, ...rest } = args;
  requireGroup(moduleName, group, "february.cosi.io");
  const installation = installations.install(rest, { model: modelNameOf(group) });
  if (sourceSecretNamespace !== undefined) sourceNamespaces.set(installation, sourceSecretNamespace);
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

/**
 * Namespace of the source Secrets: K02-020.
 *
 * @param ofDriver What the class says, for its driver.
 */
export function sourceNamespaceOf(
  scope: Scope,
  ofDriver: pulumi.Input<string> | undefined,
): pulumi.Output<string> {
  const namespace = ofDriver ?? sourceNamespaces.get(scope.installation) ?? defaultSourceNamespace;
  return judge<unknown, string>(scope, namespace, (value) => namespaceNamed("sourceSecretNamespace", value));
}
