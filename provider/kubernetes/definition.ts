import { isRecord } from "../dynamic/values";
import type { KubernetesKind, KubernetesObject, ObjectMetadata } from "./object";

/** The parts of a CustomResourceDefinition (apiextensions.k8s.io/v1) that this package writes. */
export interface CustomResourceDefinition extends KubernetesObject {
  metadata: ObjectMetadata;
  spec: {
    group: string;
    scope: "Cluster" | "Namespaced";
    names: { kind: string; listKind: string; plural: string; singular: string; shortNames?: string[] };
    versions: DefinitionVersion[];
  };
  /** Another API model's definition of the same name; never sent to the server. */
  namesake?: Namesake;
}

/**
 * A definition of the same name in another API model. One API server holds one of the two, and what is written to the
 * other one's is refused by its schema, or dropped without a word.
 */
export interface Namesake {
  /** This API model in words, and the other one. */
  readonly model: string;
  readonly otherModel: string;
  /** A field that only objects of this model have, and one that only those of the other have: names from the top. */
  readonly field: readonly string[];
  readonly otherField: readonly string[];
  readonly otherScope: "Cluster" | "Namespaced";
  /** What to do to have both, after "Next: ". */
  readonly wayOut: string;
}

export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  schema: { openAPIV3Schema: object };
  subresources?: { status: object };
  additionalPrinterColumns?: { name: string; type: string; jsonPath: string; description?: string }[];
}

/** The kind that a definition defines, at its first version. */
export function kindOf({ spec }: CustomResourceDefinition): KubernetesKind {
  const version = spec.versions[0]?.name ?? "";
  return { apiVersion: `${spec.group}/${version}`, kind: spec.names.kind, plural: spec.names.plural };
}

/**
 * What is wrong with a definition that a cluster has in the place of the one that is wanted, and what to do; `undefined`
 * for one that serves. It must have the scope and the version, and must not be another API model's.
 */
export function problemOf(wanted: CustomResourceDefinition, found: KubernetesObject): string | undefined {
  const namesake = namesakeProblem(wanted, found);
  if (namesake !== undefined) return namesake;
  const spec = specOf(found);
  const scope = spec["scope"];
  const other =
    scope === wanted.spec.scope
      ? versionProblem(wanted, spec)
      : `its scope is ${String(scope)}, but ${wanted.spec.scope} is needed`;
  if (other === undefined) return undefined;
  return `${other}; it stays as it is: install the version that is needed, or use another cluster`;
}

function versionProblem(
  wanted: CustomResourceDefinition,
  spec: Readonly<Record<string, unknown>>,
): string | undefined {
  const served = versionsOf(spec)
    .filter((version) => version["served"] === true)
    .map(({ name }) => String(name));
  const missing = wanted.spec.versions.find(({ name }) => !served.includes(name));
  if (missing === undefined) return undefined;
  return `it serves ${served.join(", ") || "no version"}, but ${missing.name} is needed`;
}

/** A definition is taken for the other model's by its scope or a field of that one; one without our field is not ours. */
function namesakeProblem(wanted: CustomResourceDefinition, found: KubernetesObject): string | undefined {
  const { namesake } = wanted;
  if (namesake === undefined) return undefined;
  const { model, otherModel, field, otherField, otherScope, wayOut } = namesake;
  const spec = specOf(found);
  const schemas = versionsOf(spec)
    .filter(({ name }) => wanted.spec.versions.some((version) => version.name === name))
    .map(schemaOf);
  const signs = [
    ...(spec["scope"] === otherScope && otherScope !== wanted.spec.scope ? [`the scope ${otherScope}`] : []),
    ...(schemas.some((schema) => has(schema, otherField)) ? [`the field ${otherField.join(".")}`] : []),
  ];
  if (signs.length > 0) {
    return (
      `has ${signs.join(" and ")}, like the one of ${otherModel}, but the one of ${model} is needed; it stays as it is. ` +
      `Next: ${wayOut}`
    );
  }
  if (schemas.every((schema) => keeps(schema, field))) return undefined;
  return (
    `has no field ${field.join(".")}, which the API server would drop, so it is not that of ${model} (nor that of ` +
    `${otherModel}); it stays as it is. Next: ${wayOut}`
  );
}

/**
 * The schema of a version of a definition, as the cluster has it.
 *
 * @returns `undefined` for a version that it does not have.
 */
export function schemaOfVersion(definition: KubernetesObject, version: string): unknown {
  const found = versionsOf(specOf(definition)).find(({ name }) => name === version);
  return found === undefined ? undefined : schemaOf(found);
}

function specOf(definition: KubernetesObject): Record<string, unknown> {
  return isRecord(definition["spec"]) ? definition["spec"] : {};
}

function versionsOf(spec: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return Array.isArray(spec["versions"]) ? spec["versions"].filter(isRecord) : [];
}

function schemaOf(version: Readonly<Record<string, unknown>>): unknown {
  return isRecord(version["schema"]) ? version["schema"]["openAPIV3Schema"] : undefined;
}

/** True for a schema that names a field. */
function has(schema: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  return isRecord(schema) && isRecord(schema["properties"]) && first in schema["properties"]
    ? has(schema["properties"][first], rest)
    : false;
}

/** True for a schema under which the server keeps a field: it names it, or keeps what it does not know. */
export function keeps(schema: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (!isRecord(schema)) return false;
  const { properties } = schema;
  if (isRecord(properties) && first in properties) return keeps(properties[first], rest);
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}
