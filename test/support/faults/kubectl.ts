import type { KubernetesClient } from "../../../provider/kubernetes/client";
import type { KubernetesKind } from "../../../provider/kubernetes/object";

/** Commands of kubectl in a message, as a user copies them. */
export function kubectlCommands(message: string): string[] {
  return [...message.matchAll(/kubectl [^&;]*?(?='?(?: &&| ,|$))'?/g)].map(([command]) => command);
}

/** Does what the few forms of kubectl's commands do that messages tell: nothing else is needed to try them. */
export async function doKubectl(
  client: KubernetesClient,
  kinds: readonly KubernetesKind[],
  command: string,
): Promise<void> {
  const form =
    /^kubectl (patch|delete|annotate)(?: -n (\S+))? (\S+) (\S+)(?: --type=merge -p '(.*)'| --ignore-not-found --wait=false| ([^\s=-]\S*)=(\S+))?$/.exec(
      command,
    );
  if (form === null) throw new Error(`not understood: ${command}`);
  const [, verb, namespace, resource, name = "", patch = "", key = "", value = ""] = form;
  const kind = kinds.find(
    ({ plural, apiVersion }) => resource === `${plural}.${apiVersion.split("/", 1).join()}`,
  );
  if (kind === undefined) throw new Error(`not understood: ${String(resource)}`);
  const reference = { namespace, name };
  if (verb === "delete") await client.delete(kind, reference);
  else {
    const annotated = { metadata: { annotations: { [key]: value } } };
    await client.patch(kind, reference, verb === "patch" ? JSON.parse(patch) : annotated);
  }
}
