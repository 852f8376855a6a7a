import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { fromProgram } from "../../provider/dynamic/program-position";
import { isRecord } from "../../provider/dynamic/values";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { DeletionGuard } from "../../provider/kubernetes/deletion-guard";
import { NameGuard, type NameGuardArgs } from "../../provider/kubernetes/name-guard";
import type { KubernetesKind } from "../../provider/kubernetes/object";
import { ownerAnnotation, resourceAnnotation, stackIdAnnotation } from "../../provider/kubernetes/ownership";
import { carriedAs, ignoring, type Carried, type IgnoredArgument } from "./ignored-changes";
import type { Installation } from "./installation";

/** Name, labels and annotations of an object. */
export interface MetadataArgs {
  /**
   * Name of the object.
   *
   * @default the component's name in the program; renaming the component with an alias does not change it
   */
  name?: pulumi.Input<string>;
  /**
   * Labels of the object.
   *
   * @default none
   */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Annotations of the object, in addition to those that the package sets.
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
  /** URN of the component below the stack: it tells apart two of the same name under different parents. */
  readonly resource: Promise<string>;
  /** The program leaves the name of the object to the package. */
  readonly hasDefaultName: boolean;
  /** Arguments whose changes the component is told to ignore. */
  readonly ignored: readonly IgnoredArgument[];
  readonly installation: Installation;
  /** The component has a provider of its own for custom resources; with `kubeconfig`, a parent's is not used. */
  readonly ownProvider: boolean;
}

/** The object that a custom resource stands for. */
export interface CustomResourceArgs {
  readonly kind: KubernetesKind;
  readonly name: pulumi.Input<string>;
  readonly namespace?: pulumi.Input<string> | undefined;
  readonly labels: MetadataArgs["labels"] | undefined;
  readonly annotations: MetadataArgs["annotations"] | undefined;
  /** Top-level fields beside `metadata`; one that the program leaves out is `undefined`. */
  readonly fields: Record<string, pulumi.Input<unknown>>;
  /**
   * Fields whose change by the program makes another object; a change by hand is reverted in place. They are kept in the
   * state as they are here: another set of fields, in a later release, would replace every object.
   */
  readonly immutable?: Record<string, pulumi.Input<unknown>>;
  /**
   * The kind's definition has rules by which fields exclude each other. A preview of a replacement applies the new object
   * over the old one, as a dry run, by default as a new random field manager: the server would keep the old one's fields
   * beside the new ones, and refuse both together. One manager that stays takes the old ones out.
   *
   * @default false
   */
  readonly exclusiveFields?: boolean;
  /** The component's guard, which keeps the stack's id known in previews. */
  readonly guard: NameGuard;
  readonly dependsOn: pulumi.Resource[];
}

/**
 * An object of the cluster that a resource of the program stands for. The class of `@pulumi/kubernetes` is not named
 * here: its types would double what a program's type check reads.
 */
export interface WrittenObject extends pulumi.CustomResource {
  readonly metadata: pulumi.Output<{ readonly uid: string; readonly namespace: string }>;
}

/**
 * Manager, for server-side apply, of what the program says of an object. The package's own writes have another one, so that
 * neither takes out what the other has put in.
 */
const programManager = "pulumi-cosi-program";

/** A delete that takes longer is held by somebody's finalizer: the error names it. */
const deleteTimeout = "90s";

/**
 * Makes sure that a name is free or ours, before anything is written. What belongs to the object takes its name from here: a
 * default name stays when an alias renames the component.
 *
 * @param warnings What the user should know about the inputs. If the check that produces it fails, nothing is looked up or
 *   written.
 */
export function guardName(
  { component, logicalName, resource, hasDefaultName, installation }: ObjectScope,
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
      ...(hasDefaultName ? { isDefaultName: true } : {}),
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

/**
 * Name of an object that others name but do not depend on, such as a class: what is made from it stays when it is made anew. A
 * name that the program gives is not an output of any resource; a default one is an output of the guard, which keeps it.
 */
export function lastingName(
  guard: NameGuard,
  { name }: { readonly name?: pulumi.Input<string> },
): pulumi.Output<string> {
  return name === undefined ? guard.name : pulumi.output(name);
}

/** Writes an object with the marks of this stack. */
export function customResource(scope: ObjectScope, args: CustomResourceArgs): WrittenObject {
  const { component, logicalName, installation, ownProvider } = scope;
  const { kind, name, namespace, labels, annotations, fields, immutable, exclusiveFields, guard, dependsOn } =
    args;
  const marks = {
    [ownerAnnotation]: installation.owner,
    // The default, in the foreground, waits for a garbage collector.
    "pulumi.com/deletionPropagationPolicy": "background",
    // What somebody edits by hand is his field for server-side apply; the next `up` takes it back.
    "pulumi.com/patchForce": "true",
    ...(exclusiveFields === true ? { "pulumi.com/patchFieldManager": programManager } : {}),
  };
  const metadata = asOne({
    name,
    ...(namespace === undefined ? { defined: installation.definitions.id } : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    marks: marksOf(guard, marks),
  });
  const object = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata,
    ...fields,
  };
  const opts = {
    parent: component,
    dependsOn,
    ...ignoring(scope, carriedByObject(fields)),
    ...(immutable === undefined ? {} : { replacementTrigger: immutable }),
    deleteBeforeReplace: true,
    customTimeouts: { delete: deleteTimeout },
    ...(installation.provider === undefined || ownProvider ? {} : { provider: installation.provider }),
  };
  const undo = fromProgram();
  try {
    return new k8s.apiextensions.CustomResource(logicalName, object, opts);
  } finally {
    undo();
  }
}

/**
 * Writes an object to which nothing at a driver belongs, such as a class or a role: no delete of a bucket or an access checks
 * whether the object is still ours, so a guard of its own does.
 */
export function guardedResource(scope: ObjectScope, args: CustomResourceArgs): WrittenObject {
  const { logicalName, installation } = scope;
  const { kind, name, namespace } = args;
  const object = customResource(scope, args);
  const { target: kubernetes, owner } = installation;
  // Below its object: who depends on the component has to wait for the object, and not for this one.
  new DeletionGuard(
    logicalName,
    {
      kubernetes,
      kind,
      object: { ...(namespace === undefined ? {} : { namespace }), name, uid: uidOf(object) },
      owner,
    },
    { parent: object },
  );
  return object;
}

/** Where an object has the component's arguments: a field has the name of its argument. */
function carriedByObject(fields: CustomResourceArgs["fields"]): Carried {
  const { spec } = fields;
  const named = isRecord(spec) ? Object.keys(spec).map((key) => [key, [`spec.${key}`]] as const) : [];
  return {
    ...carriedAs(...Object.keys(fields)),
    ...Object.fromEntries(named),
    labels: ["metadata.labels"],
    annotations: ["metadata.annotations"],
  };
}

/** Metadata, and what it is made with. */
interface MetadataParts {
  readonly name: pulumi.Input<string>;
  readonly namespace?: pulumi.Input<string>;
  readonly labels?: NonNullable<MetadataArgs["labels"]>;
  readonly annotations?: NonNullable<MetadataArgs["annotations"]>;
  readonly marks: pulumi.Output<Readonly<Record<string, string>>>;
  /** Is known once the kind is defined. */
  readonly defined?: pulumi.Output<string>;
}

/**
 * Metadata that is known as a whole, and for an object of the cluster not before its kind is defined. Where the
 * namespace is not known yet, or the kind not found, @pulumi/kubernetes adds the namespace `default`: a preview would
 * show what will not be, and `up` could not keep a plan of it. What is not known at all, it leaves alone.
 */
function asOne(parts: MetadataParts): pulumi.Output<object> {
  return pulumi.output(parts).apply(({ name, namespace, labels, annotations, marks }) => ({
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    annotations: { ...annotations, ...marks },
  }));
}

/** All marks; two of them the guard keeps known in previews. Both are its outputs, so that one may be read within the other. */
function marksOf(
  { resource, told }: NameGuard,
  marks: Readonly<Record<string, string>>,
): pulumi.Output<Readonly<Record<string, string>>> {
  return resource.apply((writer) =>
    told.apply(({ stackId }): Readonly<Record<string, string>> => ({
      ...marks,
      [resourceAnnotation]: writer,
      ...(stackId === undefined ? {} : { [stackIdAnnotation]: stackId }),
    })),
  );
}

/**
 * UID of an object. It is read together with the id, which a preview does not know before the object exists: its
 * metadata has a UID by then that the server's dry run made up. Without a cluster in reach a preview knows none.
 */
export function uidOf(object: WrittenObject): pulumi.Output<string> {
  // Both are the object's outputs: a plan depends on the same as its `up`, also while one of them is not known.
  return object.id.apply(() => object.metadata.apply(({ uid }) => uid));
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
