import { setTimeout as pause } from "node:timers/promises";
import type { KubernetesClient } from "./client";
import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type ObjectReference } from "./object";

const longestWaitMs = 30_000;
const pauseMs = 100;

/**
 * Waits until an object that was deleted is gone.
 *
 * @param uid Of the deleted object: another one of the same name counts as gone.
 * @throws RefusedError after 30 seconds, naming the finalizers that hold the object.
 */
export async function untilGone(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  uid: string | undefined,
): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    const object = await client.get(kind, reference);
    if (object === undefined || object.metadata.uid !== uid) return;
    if (Date.now() >= deadline) {
      const finalizers = object.metadata.finalizers ?? [];
      throw new RefusedError(
        `${describe(kind, reference)} was deleted but is still there after ${longestWaitMs / 1000} s: ` +
          `${finalizers.length === 0 ? "no finalizer holds it" : `held by ${finalizers.join(", ")}`}; ` +
          "whoever set the finalizer has to take it off, then run the command again",
      );
    }
    await pause(pauseMs);
  }
}
