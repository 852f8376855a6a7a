import { warn } from "../run/warning";
import type { KubernetesClient } from "./client";
import { namespaceKind, type ObjectReference } from "./object";

/** What was looked up: one request for each namespace of a run. */
const found = new WeakMap<KubernetesClient, Map<string, Promise<boolean>>>();

/**
 * Says at once, and once, that the namespace of objects is missing. `@pulumi/kubernetes` waits for it without a word, since
 * another resource of the program may be about to make it, and fails after more than a minute.
 */
export async function warnOfMissingNamespace(
  client: KubernetesClient,
  { namespace }: ObjectReference,
): Promise<void> {
  if (namespace === undefined || namespace === null || (await exists(client, namespace))) return;
  warn(
    namespaceKind.kind,
    namespace,
    "does not exist, and @pulumi/kubernetes waits a minute for it. Next: if this program makes it, give the output " +
      "metadata.name of that Namespace as namespace; else make it, or correct the name",
  );
}

function exists(client: KubernetesClient, namespace: string): Promise<boolean> {
  const known = found.get(client) ?? new Map<string, Promise<boolean>>();
  found.set(client, known);
  const answer =
    known.get(namespace) ??
    client.get(namespaceKind, { name: namespace }).then(
      (object) => object !== undefined,
      // Who may not read namespaces is told by the write.
      () => true,
    );
  known.set(namespace, answer);
  return answer;
}
