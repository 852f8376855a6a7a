import { setTimeout as pause } from "node:timers/promises";
import type { KubernetesClient } from "./client";
import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type ObjectReference } from "./object";

const longestWaitMs = 30_000;
/** The API server tries again, at ever longer intervals, while it cannot list the objects of a definition yet. */
const longestServerWaitMs = 180_000;
const pauseMs = 100;

/** What the API server itself sets on a definition, and takes off when it has removed the objects of the kind. */
const ofServer = "customresourcecleanup.apiextensions.k8s.io";

/**
 * Waits until an object that was deleted is gone.
 *
 * @param uid Of the deleted object: another one of the same name counts as gone.
 * @param own Finalizers that this package sets on objects of this kind.
 * @throws RefusedError after 30 seconds, naming the finalizers that hold the object; after 180 where only the API server's
 * own does.
 */
export async function untilGone(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  uid: string | undefined,
  own: readonly string[] = [],
): Promise<void> {
  const began = Date.now();
  for (;;) {
    const object = await client.get(kind, reference);
    if (object === undefined || object.metadata.uid !== uid) return;
    const finalizers = object.metadata.finalizers ?? [];
    const longest = isOfServer(finalizers) ? longestServerWaitMs : longestWaitMs;
    if (Date.now() - began >= longest) {
      throw new RefusedError(
        `${describe(kind, reference)} was deleted but is still there after ${longest / 1000} s: ` +
          holderText(finalizers, own),
      );
    }
    await pause(pauseMs);
  }
}

function isOfServer(finalizers: readonly string[]): boolean {
  return finalizers.length === 1 && finalizers[0] === ofServer;
}

/** Who holds an object, and what to do: ours is taken off by a resource of a stack, any other by whoever set it. */
function holderText(finalizers: readonly string[], own: readonly string[]): string {
  if (finalizers.length === 0) return "no finalizer holds it; run the command again";
  if (isOfServer(finalizers))
    return `the API server has not yet removed what its finalizer ${ofServer} is for; run the command again`;
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
