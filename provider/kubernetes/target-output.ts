import { secretOutput } from "../dynamic/values";
import type { KubernetesTarget } from "./target";

/** A target as an output: the text of a kubeconfig holds credentials. */
export function targetOutput(target: KubernetesTarget | null | undefined): KubernetesTarget | null {
  if (target === null || target === undefined) return null;
  const { kubeconfig = null, context = null, clusterUid = null, stackId = null } = target;
  return { kubeconfig: secretOutput(kubeconfig), context, clusterUid, stackId };
}
