import type { KubernetesKind } from "../../../provider/kubernetes/object";
import type { Cluster } from "../../integration/kubernetes/cluster";
import { mutatingBindingKind, mutatingPolicyKind } from "./admission-kinds";
import { untilHeeded } from "./heeded";

/** What a policy takes off the objects of a kind. */
export interface TakenOff {
  readonly kind: KubernetesKind;
  /** The expression is true for the objects that are meant. */
  readonly where: string;
  /** JSON pointer in the object. */
  readonly pointer: string;
  /** CEL that is true where there is something at the pointer. */
  readonly has: string;
}

/**
 * Has the API server take something off what is written, by a MutatingAdmissionPolicy, until the promise of `during` ends.
 *
 * @param heeded True once a probe sees the policy at work, or no longer: the server takes a moment to heed one.
 */
export async function withPolicy(
  { client }: Cluster,
  { kind, where, pointer, has }: TakenOff,
  heeded: () => Promise<boolean>,
  during: () => Promise<void>,
): Promise<void> {
  const name = `takes-off-${process.pid}-${Date.now()}`;
  const [apiGroup = "", version = ""] = kind.apiVersion.split("/");
  await client.create(mutatingPolicyKind, {
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      reinvocationPolicy: "Never",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [apiGroup],
            apiVersions: [version],
            resources: [kind.plural],
            operations: ["CREATE", "UPDATE"],
          },
        ],
      },
      matchConditions: [
        { name: "where", expression: where },
        { name: "has", expression: has },
      ],
      mutations: [
        {
          patchType: "JSONPatch",
          jsonPatch: { expression: `[JSONPatch{op: "remove", path: "${pointer}"}]` },
        },
      ],
    },
  });
  try {
    await client.create(mutatingBindingKind, { metadata: { name }, spec: { policyName: name } });
    await untilHeeded(`the policy ${name} works`, heeded);
    await during();
  } finally {
    await client.delete(mutatingBindingKind, { name });
    await client.delete(mutatingPolicyKind, { name });
    await untilHeeded(`the policy ${name} is gone`, async () => !(await heeded()));
  }
}
