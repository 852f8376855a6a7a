import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { NameGuard, type NameGuardArgs } from "../../provider/kubernetes/name-guard";
import type { KubernetesKind } from "../../provider/kubernetes/object";
import { ownerAnnotation, resourceAnnotation, stackIdAnnotation } from "../../provider/kubernetes/ownership";
import type { Installation } from "./installation";

/** Name, labels and annotations of an object. */
export interface MetadataArgs {
  /**
   * Name of the object.
   *
   * @default the component's name in the program
   */
  name?: pulumi.Input<string>;
  /**
   * Labels of the object.
   *
   * @default none
   */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Annotations of the object, beside those that the package sets.
   *
   * @default none
   */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A component, and its name in the program. */
export interface NamedComponent {
  readonly component: pulumi.ComponentResource;
  readonly logicalName: string;
}

/** What a component's objects have in common. */
export interface ObjectScope extends NamedComponent {
  /** URN of the component below the stack: it tells two of one name under different parents apart. */
  readonly resource: Promise<string>;
  readonly installation: Installation;
  /** The component was given a provider of its own for custom resources; one of a parent gives way to `kubeconfig`. */
  readonly ownProvider: boolean;
}

/** The object that a custom resource stands for. */
export interface CustomResourceArgs {
  readonly kind: KubernetesKind;
  readonly name: pulumi.Input<string>;
  readonly namespace?: pulumi.Input<string> | undefined;
  readonly labels: MetadataArgs["labels"] | undefined;
  readonly annotations: MetadataArgs["annotations"] | undefined;
  /** Top-level fields beside `metadata`. */
  readonly fields: Record<string, pulumi.Input<unknown>>;
  /**
   * Fields of which a change by the program makes another object; one by hand is taken back in place. They are kept
   * in the state as they stand here: another set of fields, in a later release, would replace every object.
   */
  readonly immutable?: Record<string, pulumi.Input<unknown>>;
  /** The component's guard, which keeps the stack's id known in previews. */
  readonly guard: NameGuard;
  readonly dependsOn: pulumi.Resource[];
}

/** A delete that takes longer is held by somebody's finalizer: the error names it. */
const deleteTimeout = "90s";

/**
 * Makes sure that a name is free or ours, before anything is written.
 *
 * @param warnings What the user should know of the inputs. Where it comes out of a check that fails, nothing is
 *   looked up or written.
 */
export function guardName(
  { component, logicalName, resource, installation }: ObjectScope,
  kind: KubernetesKind,
  reference: { name: pulumi.Input<string>; namespace?: pulumi.Input<string> | undefined },
  warnings: pulumi.Input<string[]>,
  extras: Pick<NameGuardArgs, "copied"> & { told?: Record<string, pulumi.Input<string>> } = {},
): NameGuard {
  return new NameGuard(
    logicalName,
    {
      kubernetes: installation.target,
      kind,
      ...reference,
      owner: installation.owner,
      resource,
      conflictingDeployment: installation.conflictingDeployment,
      warnings,
      ...extras,
      told: { ...extras.told, stackId: installation.definitions.stackId },
    },
    { parent: component, dependsOn: installation.definitions },
  );
}

/** Writes an object with the marks of this stack. */
export function customResource(
  scope: ObjectScope,
  args: CustomResourceArgs,
): k8s.apiextensions.CustomResource {
  const { component, logicalName, resource, installation, ownProvider } = scope;
  const { kind, name, namespace, labels, annotations, fields, immutable, guard, dependsOn } = args;
  const marks = {
    [ownerAnnotation]: installation.owner,
    // The default, in the foreground, waits for a garbage collector.
    "pulumi.com/deletionPropagationPolicy": "background",
    // What somebody edits by hand is his field for server-side apply; the next `up` takes it back.
    "pulumi.com/patchForce": "true",
  };
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    annotations: pulumi
      .all([annotations ?? {}, resource, guard.told["stackId"]])
      .apply(([own, writer, stackId]) => ({
        ...own,
        ...marks,
        [resourceAnnotation]: writer,
        [stackIdAnnotation]: stackId,
      })),
  };
  return new k8s.apiextensions.CustomResource(
    logicalName,
    {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: asOne(installation, metadata),
      ...fields,
    },
    {
      parent: component,
      dependsOn,
      ...(immutable === undefined ? {} : { replacementTrigger: immutable }),
      deleteBeforeReplace: true,
      customTimeouts: { delete: deleteTimeout },
      ...(installation.provider === undefined || ownProvider ? {} : { provider: installation.provider }),
    },
  );
}

/**
 * Metadata that is known as a whole, and for an object of the cluster not before its kind is defined. Where the
 * namespace is not known yet, or the kind not found, @pulumi/kubernetes adds the namespace `default`: a preview would
 * show what will not be, and `up` could not keep a plan of it. What is not known at all, it leaves alone.
 */
function asOne(
  { definitions }: Installation,
  metadata: { namespace?: pulumi.Input<string> } & pulumi.Inputs,
): pulumi.Output<object> {
  const whole = pulumi.output(metadata);
  return metadata.namespace === undefined
    ? pulumi.all([whole, definitions.id]).apply(([known]) => known)
    : whole;
}

/**
 * UID of an object. It is read together with the id, which a preview does not know before the object exists: its
 * metadata has a UID by then that the server's dry run made up. Without a cluster in reach a preview knows none.
 */
export function uidOf(object: k8s.apiextensions.CustomResource): pulumi.Output<string> {
  return pulumi.all([object.id, object.metadata]).apply(([, metadata]) => metadata.uid);
}

/** `<prefix><uid>`; absent where the UID is: an absent name keeps the recorded one. */
export function nameFromUid(prefix: string, uid: pulumi.Output<string | undefined>): pulumi.Output<string> {
  return optional(uid.apply((known) => (known === undefined ? undefined : `${prefix}${known}`)));
}

/** An input that may turn out to be absent: an output of nothing is what a missing input is. */
export function optional<T>(output: pulumi.Output<T | undefined>): pulumi.Output<T> {
  return output as pulumi.Output<T>;
}

/** Inputs for a resource that types them as a whole; their parts stay known one by one. */
export function inParts<T>(parts: DeepInput<T>): pulumi.Input<T> {
  return parts as pulumi.Input<T>;
}
