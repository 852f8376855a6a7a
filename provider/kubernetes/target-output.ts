import { secretOutput, withoutNulls } from "../dynamic/values";
import type { KubernetesTarget } from "./target";

/** A target as an output: the text of a kubeconfig holds credentials. */
export function targetOutput(target: KubernetesTarget | null | undefined): KubernetesTarget | null {
  if (target === null || target === undefined) return null;
  const { kubeconfig, ...rest } = withoutNulls(target);
  return kubeconfig === undefined ? rest : { kubeconfig: secretOutput(kubeconfig), ...rest };
}
