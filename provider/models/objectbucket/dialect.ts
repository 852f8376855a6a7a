import { isRecord } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { keeps, schemaOfVersion } from "../../kubernetes/definition";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { customResourceDefinitionKind, describe } from "../../kubernetes/object";
import { group, objectBucketClaimKind, objectBucketKind } from "./kinds";
import { phaseIn, type Dialect } from "./status";

const version = "v1alpha1";

/**
 * Whether the cluster's definitions have a place for what a dialect writes. Source: OBC-028, OBC-095.
 *
 * @throws RefusedError that names the definition which has none.
 */
export async function requireDialect(client: KubernetesClient, dialect: Dialect): Promise<void> {
  if (dialect !== "seed") return;
  for (const { plural } of [objectBucketClaimKind, objectBucketKind]) {
    const name = `${plural}.${group}`;
    const definition = await client.get(customResourceDefinitionKind, { name });
    // Without the right to read it, or before it is there, the server's own answer has to do.
    if (definition === undefined) continue;
    const schema = schemaOfVersion(definition, version);
    const what = describe(customResourceDefinitionKind, { name });
    const phases = phasesOf(schema);
    if (phases !== undefined && !phases.includes(phaseIn(dialect, "Bound"))) {
      throw new RefusedError(
        `dialect is "seed", which writes phases in lower case, and ${what} allows ${phases.join(", ")} only; it stays as it is: ` +
          'use dialect "rook"',
      );
    }
    if (plural === objectBucketKind.plural && !keeps(schema, ["spec", "connection", "endpoint"])) {
      throw new RefusedError(
        `dialect is "seed", which writes spec.connection, and ${what} has no such field, which the API server would drop; it ` +
          'stays as it is: use dialect "rook"',
      );
    }
  }
}

/** The phases that a schema allows; `undefined` for any. */
function phasesOf(schema: unknown): string[] | undefined {
  const phase = ["status", "phase"].reduce<unknown>(
    (found, field) =>
      isRecord(found) && isRecord(found["properties"]) ? found["properties"][field] : undefined,
    schema,
  );
  const values = isRecord(phase) ? phase["enum"] : undefined;
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : undefined;
}
