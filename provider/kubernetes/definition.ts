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
 * Why a definition that a cluster has cannot serve for the one that is wanted, or `undefined`: another scope, or
 * not the version.
 */
export function problemOf(wanted: CustomResourceDefinition, found: KubernetesObject): string | undefined {
  const spec = isRecord(found["spec"]) ? found["spec"] : {};
  if (spec["scope"] !== wanted.spec.scope) {
    return `its scope is ${String(spec["scope"])}, wanted is ${wanted.spec.scope}`;
  }
  const versions = Array.isArray(spec["versions"]) ? spec["versions"].filter(isRecord) : [];
  const served = versions.filter((version) => version["served"] === true).map(({ name }) => String(name));
  const missing = wanted.spec.versions.find(({ name }) => !served.includes(name));
  if (missing === undefined) return undefined;
  return `it serves ${served.join(", ") || "no version"}, wanted is ${missing.name}`;
}
