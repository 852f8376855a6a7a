import { resolve } from "node:path";

import type { ControlPlane } from "./control-plane-access";

/**
 * The cluster that the user gives with `PULUMI_COSI_TEST_KUBECONFIG`, the path of a kubeconfig whose current context
 * is meant; `undefined` when the variable is not set.
 *
 * @throws Error when the kubeconfig cannot be read or its current context names no cluster.
 */
export async function givenControlPlane(
  environment: Readonly<NodeJS.ProcessEnv>,
): Promise<ControlPlane | undefined> {
  const value = environment["PULUMI_COSI_TEST_KUBECONFIG"];
  if (value === undefined || value === "") return undefined;
  const kubeconfig = resolve(value);
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    config.loadFromFile(kubeconfig);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`PULUMI_COSI_TEST_KUBECONFIG names ${kubeconfig}, which cannot be read: ${why}`, {
      cause: error,
    });
  }
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) {
    throw new Error(
      `PULUMI_COSI_TEST_KUBECONFIG names ${kubeconfig}, whose current context "${config.getCurrentContext()}" ` +
        "has no cluster: set current-context to the one to use.",
    );
  }
  return { kubeconfig, server, token: undefined, local: false, stop: () => Promise.resolve() };
}
