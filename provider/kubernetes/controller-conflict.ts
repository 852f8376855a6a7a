import { isRecord } from "../dynamic/values";
import { warn } from "../run/warning";
import type { KubernetesClient } from "./client";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import { deploymentKind, describe } from "./object";

const lookups = new WeakMap<KubernetesClient, Map<string, Promise<void>>>();

/**
 * Refuses to go on beside a running controller that would act on the same objects; asked once per run. Where
 * Deployments may not be listed, one line says so.
 *
 * @param name Name of the controller's Deployment, in any namespace. So far it is that of objectstorage alone, whose option the
 *   error names.
 * @throws RefusedError if such a Deployment has an available replica.
 */
export function refuseController(client: KubernetesClient, name: string): Promise<void> {
  const known = lookups.get(client) ?? new Map<string, Promise<void>>();
  lookups.set(client, known);
  const lookup = known.get(name) ?? lookUp(client, name);
  known.set(name, lookup);
  return lookup;
}

async function lookUp(client: KubernetesClient, name: string): Promise<void> {
  try {
    const deployments = await client.list(deploymentKind, { fieldSelector: `metadata.name=${name}` });
    for (const { metadata, status } of deployments) {
      const available = isRecord(status) ? status["availableReplicas"] : undefined;
      if (typeof available !== "number" || available === 0) continue;
      throw new RefusedError(
        `${describe(deploymentKind, metadata)} runs in this cluster and would act on the same claims as this ` +
          "program; stop it, or, if it is told to leave these objects alone, call " +
          "objectstorage.install({ allowController: true }) before the first component",
      );
    }
  } catch (error) {
    if (!(error instanceof KubernetesError && error.forbidden)) throw error;
    warn(
      deploymentKind.kind,
      name,
      "cannot be looked for, as Deployments may not be listed; none is expected",
    );
  }
}
