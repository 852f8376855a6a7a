import type { CustomResourceDefinition, DefinitionVersion, Namesake } from "../../kubernetes/definition";
import type { KubernetesKind } from "../../kubernetes/object";
import { object, type Rule, type Schema } from "./schema";

export type PrinterColumn = NonNullable<DefinitionVersion["additionalPrinterColumns"]>[number];

const age: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** A column of `kubectl get`. */
export const column = (name: string, jsonPath: string, type = "string"): PrinterColumn => ({
  name,
  type,
  jsonPath,
});

/** What a definition says of a kind: `spec` and `status`, or the top-level fields of a class. */
export interface Layout {
  readonly kind: KubernetesKind;
  readonly scope: "Cluster" | "Namespaced";
  /** What `kubectl` takes for the kind beside its names. @default none */
  readonly shortNames?: readonly string[];
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  /** Those beside the age. */
  readonly columns: readonly PrinterColumn[];
  /** Rules for the object as a whole. @default none */
  readonly rules?: readonly Rule[];
  readonly namesake?: Namesake;
}

/** The definition of a kind in a group; one with `status` has it as a resource of its own. */
export function definition(group: string, layout: Layout): CustomResourceDefinition {
  const { kind, scope, shortNames, fields, required, columns, rules = [], namesake } = layout;
  const meta = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
  } as const;
  const more = rules.length === 0 ? {} : { "x-kubernetes-validations": rules };
  return {
    metadata: { name: `${kind.plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
        ...(shortNames === undefined ? {} : { shortNames: [...shortNames] }),
      },
      versions: [
        {
          name: versionOf(kind),
          served: true,
          storage: true,
          schema: { openAPIV3Schema: object({ ...meta, ...fields }, required, more) },
          ...("status" in fields ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: [...columns, age],
        },
      ],
    },
    ...(namesake === undefined ? {} : { namesake }),
  };
}

function versionOf({ apiVersion }: KubernetesKind): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}
