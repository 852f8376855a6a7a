import { setTimeout as pause } from "node:timers/promises";
import { Progress, wholeSeconds } from "../../driver/progress";
import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, secretKind, type KubernetesObject } from "../../kubernetes/object";
import { isOwnedByUid } from "../../kubernetes/ownership";
import type { BucketName } from "./names";
import type { SecretReference } from "./specs";

/** Seconds; Pulumi's `customTimeouts` do not reach a dynamic provider. Source: K02-026. */
const defaultSecretTimeoutSeconds = 120;
const pauseMs = 1_000;

/**
 * Waits until the name of the user's Secret is free, or taken by the one that was made for this Bucket.
 *
 * @param timeoutSeconds Longest wait, in seconds. @default 120
 * @returns The Secret of this Bucket; `undefined` if the name is free.
 * @throws RefusedError when the time is up. The other Secret stays as it is.
 */
export async function awaitSecretName(
  client: KubernetesClient,
  secret: SecretReference,
  bucket: BucketName,
  timeoutSeconds: number | null = defaultSecretTimeoutSeconds,
): Promise<KubernetesObject | undefined> {
  const seconds = timeoutSeconds ?? defaultSecretTimeoutSeconds;
  const began = Date.now();
  const progress = new Progress();
  for (;;) {
    const found = await client.get(secretKind, secret);
    if (found === undefined || isOwnedByUid(found, bucket.uid)) return found;
    const elapsed = Date.now() - began;
    const what = `${describe(secretKind, secret)} exists and was not made for Bucket ${bucket.namespace}/${bucket.name}`;
    if (elapsed >= seconds * 1000) {
      throw new RefusedError(
        `${what}, after a wait of ${wholeSeconds(elapsed)} (secretTimeout); it stays as it is. Next: delete it if nobody needs it, or give ` +
          "the Bucket another secretName, then run the command again",
      );
    }
    progress.report(elapsed, `${what}; waiting since ${wholeSeconds(elapsed)} for the name to become free`);
    await pause(Math.min(pauseMs, Math.max(seconds * 1000 - elapsed, 10)));
  }
}
