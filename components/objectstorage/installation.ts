import * as pulumi from "@pulumi/pulumi";
import { controllerDeployment, modelName } from "../../provider/models/objectstorage-v1alpha1/kinds";
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
   * Go on although COSI's own controller runs. Both would act on the same claim, so the controller has to be told to leave
   * these claims alone.
   *
   * @default false
   */
  allowController?: boolean;
  /**
   * Who does the work: this program (`direct`), or COSI's controller and sidecars, which is not available yet.
   *
   * @default "direct"
   */
  mode?: string;
}

const installations = new Installations("objectstorage");

/**
 * Sets up what the components of this program share on a cluster: the custom resource definitions. Components do this by
 * themselves; to set options, call it before the first component.
 *
 * @throws RunError if it was set up before, or if an option is not allowed.
 * @example
 * ```ts
 * cosi.objectstorage.install({ removeCrds: true });
 * ```
 */
export function install(args: InstallArgs = {}): void {
  requireOptions("objectstorage", described, args);
  const { mode = "direct", allowController = false, ...rest } = args;
  if (mode !== "direct") {
    throw new pulumi.RunError(
      `objectstorage.install: mode is ${JSON.stringify(mode)}, and only "direct" is available in this release`,
    );
  }
  const conflictingDeployment = allowController ? undefined : controllerDeployment;
  installations.install(rest, { model: modelName, conflictingDeployment });
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
    installations.of(args, { model: modelName, conflictingDeployment: controllerDeployment }),
  );
}
