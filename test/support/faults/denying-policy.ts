import type { KubernetesClient } from "../../../provider/kubernetes/client";
import { requireCreatable } from "../../../provider/kubernetes/dry-run";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";
import { validatingBindingKind, validatingPolicyKind } from "./admission-kinds";
import { untilHeeded } from "./heeded";

/** What the policy says. */
export const deniedText = "not in production";

type Operation = "CREATE" | "DELETE";

let policies = 0;

/**
 * A policy of the cluster that denies one object its creation, or its deletion, from when it works on.
 *
 * @returns What takes it away again.
 */
export async function deny(
  client: KubernetesClient,
  operation: Operation,
  kind: KubernetesKind,
  reference: ObjectReference,
): Promise<() => Promise<void>> {
  policies += 1;
  const name = `denied-${process.pid}-${policies}`;
  const { namespace = null, name: object } = reference;
  const [group = ""] = kind.apiVersion.includes("/") ? kind.apiVersion.split("/") : [];
  const rule = { apiGroups: [group], apiVersions: ["*"], resources: [kind.plural], operations: [operation] };
  const place = namespace === null ? {} : { namespaceSelector: labelled(namespace) };
  await client.create(validatingPolicyKind, {
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { resourceRules: [rule], ...place },
      matchConditions: [{ name: "object", expression: `request.name == ${JSON.stringify(object)}` }],
      validations: [{ expression: "false", message: deniedText, reason: "Forbidden" }],
    },
  });
  await client.create(validatingBindingKind, {
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  });
  const until = (denied: boolean): Promise<void> =>
    untilHeeded(
      `the policy ${name} ${denied ? "works" : "is gone"}`,
      async () => (await isDenied(client, operation, kind, reference)) === denied,
    );
  await until(true);
  return async () => {
    await client.delete(validatingBindingKind, { name });
    await client.delete(validatingPolicyKind, { name });
    await until(false);
  };
}

function labelled(namespace: string): object {
  return { matchLabels: { "kubernetes.io/metadata.name": namespace } };
}

async function isDenied(
  client: KubernetesClient,
  operation: Operation,
  kind: KubernetesKind,
  reference: ObjectReference,
): Promise<boolean> {
  try {
    if (operation === "DELETE") await client.dryRunDelete(kind, reference);
    else
      await requireCreatable(client, kind, {
        metadata: { namespace: reference.namespace ?? "", name: reference.name },
      });
    return false;
  } catch (error) {
    if (error instanceof KubernetesError && error.failure.detail.includes(deniedText)) return true;
    throw error;
  }
}
