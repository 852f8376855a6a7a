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
 * @param own Finalizers that this package sets on objects of this kind.
 * @throws RefusedError after 30 seconds, naming the finalizers that hold the object.
 */
export async function untilGone(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  uid: string | undefined,
  own: readonly string[] = [],
): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    const object = await client.get(kind, reference);
    if (object === undefined || object.metadata.uid !== uid) return;
    if (Date.now() >= deadline) {
      throw new RefusedError(
        `${describe(kind, reference)} was deleted but is still there after ${longestWaitMs / 1000} s: ` +
          holderText(object.metadata.finalizers ?? [], own),
      );
    }
    await pause(pauseMs);
  }
}

/** Who holds an object, and what to do: ours is taken off by a resource of a stack, any other by whoever set it. */
function holderText(finalizers: readonly string[], own: readonly string[]): string {
  if (finalizers.length === 0) return "no finalizer holds it; run the command again";
  const ours = finalizers.filter((finalizer) => own.includes(finalizer));
  const others = finalizers.filter((finalizer) => !own.includes(finalizer));
  const steps = [
    ...(ours.length === 0
      ? []
      : [
          `${ours.join(", ")} is set by pulumi-cosi, and was put on by another run meanwhile: let that run end, and ` +
            "`pulumi up` with the resource in the program takes up what it made",
        ]),
    ...(others.length === 0
      ? []
      : [
          `${ours.length === 0 ? "" : `${others.join(", ")} is not: `}whoever set the finalizer has to take it off`,
        ]),
  ];
  return `held by ${finalizers.join(", ")}; ${steps.join("; ")}, then run the command again`;
}
