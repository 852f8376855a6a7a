import type { KubernetesKind } from "../../../provider/kubernetes/object";
import type { Cluster } from "../../integration/kubernetes/cluster";
import { createOwned } from "../../integration/kubernetes/objects";
import type { Properties } from "../lifecycle";
import type { ProgramResource } from "./small-stack";

/**
 * A custom resource as `@pulumi/kubernetes` keeps it: its deletion waits for the finalizers of others, not for long. Its
 * outputs are its inputs, and its UID.
 *
 * @param name Of the resource.
 * @param inputs `name`, `namespace` of what has one, and `spec`.
 */
export function programObject(
  cluster: Cluster,
  name: string,
  kind: KubernetesKind,
  inputs: ProgramResource["inputs"],
): ProgramResource {
  const { client } = cluster;
  const textOf = (properties: Properties, key: string): string => {
    const value = properties[key];
    if (typeof value !== "string") throw new Error(`the ${key} of ${name} is not known`);
    return value;
  };
  const referenceOf = (properties: Properties): { namespace?: string; name: string } => ({
    ...(properties["namespace"] === undefined ? {} : { namespace: textOf(properties, "namespace") }),
    name: textOf(properties, "name"),
  });
  const provider = {
    check: (_olds: Properties, news: Properties) => Promise.resolve({ inputs: news }),
    diff: () => Promise.resolve({ changes: false }),
    create: async (news: Properties) => {
      const made = await createOwned(cluster, kind, { ...referenceOf(news), spec: news["spec"] as object });
      return { id: made.metadata.name, outs: { ...news, uid: made.metadata.uid } };
    },
    delete: async (_id: string, outputs: Properties) => {
      await client.delete(kind, referenceOf(outputs));
      const held = await client.get(kind, referenceOf(outputs));
      if (held === undefined) return;
      throw new Error(`${name} is held by ${(held.metadata.finalizers ?? []).join()}`);
    },
  };
  return { name, provider, inputs };
}
