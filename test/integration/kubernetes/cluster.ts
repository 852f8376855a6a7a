import { readFile } from "node:fs/promises";
import { connectKubernetes, type KubernetesClient } from "../../../provider/kubernetes/client";
import { namespaceKind, type ObjectMetadata } from "../../../provider/kubernetes/object";
import type { KubernetesTarget } from "../../../provider/kubernetes/target";
import { startControlPlane } from "../../../tools/local/control-plane";
import type { ControlPlane } from "../../../tools/local/control-plane-access";

/** A real API server for a test: one for all files of a run, without a controller manager. */
export interface Cluster {
  readonly target: KubernetesTarget;
  readonly client: KubernetesClient;
  readonly server: string;
  /** Text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
}

/** Id of the stack that the tests write as. */
export const stackId = "5f0e7a52-6a0f-4f6e-9a59-0d8b5b8d3c11";

let plane: Promise<ControlPlane> | undefined;
let namespaces = 0;

// Registered with the root suite, as the files that import this one are loaded: it runs after the last test.
after(async () => {
  await (await plane)?.stop();
});

/** The cluster; it is started by the first who asks. */
export async function cluster(): Promise<Cluster> {
  plane ??= startControlPlane({ controllerManager: false });
  const { kubeconfig, server } = await plane;
  const target = { kubeconfig, stackId };
  return {
    target,
    client: await connectKubernetes(target),
    server,
    kubeconfig: await readFile(kubeconfig, "utf8"),
  };
}

/** A new namespace; nothing of an earlier test is in it. */
export async function newNamespace({ client }: Cluster): Promise<string> {
  namespaces += 1;
  const metadata: ObjectMetadata = { name: `test-${process.pid}-${namespaces}` };
  await client.create(namespaceKind, { metadata });
  return metadata.name;
}

/** The kubeconfig for a user without any right. */
export function asNobody({ kubeconfig }: Cluster): string {
  const config = JSON.parse(kubeconfig) as { users: { user: object }[] };
  const users = config.users.map((entry) => ({ ...entry, user: { ...entry.user, as: "nobody" } }));
  return JSON.stringify({ ...config, users });
}
