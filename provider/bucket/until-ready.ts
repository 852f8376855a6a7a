import { status } from "@grpc/grpc-js";
import { keptAsFailed, outputsOf, type CheckedInputs, type KnownBucket } from "./state";
import { targetOf } from "./target";
import type { Readiness } from "../contracts/contract";
import { wordsOf } from "../contracts/registry";
import { hasCode } from "../driver/call/outcome";
import { pauseBeforeRetry, sleep } from "../driver/call/retry";
import { Progress } from "../driver/progress";
import { outputMask } from "../driver/process/output-mask";
import { connectionSettingsOf } from "../driver/settings";
import { connect } from "../driver-resource/driver-reference";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError } from "../dynamic/failed";
import { warn } from "../run/warning";

/** How long a deployment may take until it is ready, in seconds. Source: requirements, DEP-012. */
export const defaultReadyTimeoutSeconds = 600;

/**
 * Waits until the driver says that what it made can be used, where the program asks for that and the contract has a call for
 * it. A driver without the call has answered its create with OK, which is all there is.
 *
 * @throws FailedResourceError when the driver says that it failed, or does not say that it is ready in time; what was made
 * stays in the state, and the next `up` asks again.
 */
export async function untilReady(inputs: CheckedInputs, made: KnownBucket): Promise<void> {
  if (inputs.waitUntilReady !== true) return;
  const { driver, name, readyTimeoutSeconds = defaultReadyTimeoutSeconds } = inputs;
  const { object } = wordsOf(driver);
  const started = Date.now();
  const progress = new Progress();
  for (let round = 1; ; round += 1) {
    const answer = await ask(inputs, made, readyTimeoutSeconds - (Date.now() - started) / 1000);
    if (answer === "has no such call") {
      warn(
        object,
        name,
        "the driver has no call that tells whether it is ready: its answer to the create counts as ready",
      );
      return;
    }
    const { state, message } = answer;
    // The driver's words may repeat a parameter, or a variable that it was given.
    const said = message === "" ? "" : `: ${outputMask(connectionSettingsOf(driver))(message)}`;
    if (state === "ready") return;
    if (state === "error") {
      throw keptUnready(
        inputs,
        made,
        `the driver ${driver.driverName} says that the ${object} ${name} failed${said}.`,
      );
    }
    const pause = pauseBeforeRetry(round, connectionSettingsOf(driver).firstRetryDelayMilliseconds);
    const elapsed = Date.now() - started;
    if (elapsed + pause > readyTimeoutSeconds * 1000) {
      const text =
        `the driver ${driver.driverName} did not say within ${readyTimeoutSeconds} s (readyTimeoutSeconds) that the ${object} ` +
        `${name} is ready${said}.`;
      throw keptUnready(inputs, made, text);
    }
    progress.report(elapsed, `waiting for the ${object} ${name} to be ready${said}`);
    await sleep(pause);
  }
}

/** @param limitSeconds What is left of the wait; a driver that does not answer in it has not said that it is ready. */
async function ask(
  inputs: CheckedInputs,
  made: KnownBucket,
  limitSeconds: number,
): Promise<Readiness | "has no such call"> {
  const { bucketId } = made;
  const { client } = connect(inputs.driver);
  if (client.readiness === undefined) return "has no such call";
  try {
    const target = { ...targetOf(inputs, bucketId), limitSeconds };
    return (await client.readiness({ bucketId }, target)).reply;
  } catch (error) {
    if (hasCode(error, status.UNIMPLEMENTED)) return "has no such call";
    if (hasCode(error, status.DEADLINE_EXCEEDED)) return { state: "pending", message: "it did not answer" };
    throw keptUnready(inputs, made, errorText(error), error);
  }
}

function keptUnready(
  inputs: CheckedInputs,
  made: KnownBucket,
  reason: string,
  cause?: unknown,
): FailedResourceError {
  const { object } = wordsOf(inputs.driver);
  const text =
    `${reason} The ${object} was made and stays in the state as failed: the next pulumi up asks again whether it is ready, and a ` +
    "destroy deals with it as its policy says.";
  const { message, id } = keptAsFailed(inputs, made, text);
  return new FailedResourceError(message, id, { ...outputsOf(inputs, made), notReady: true }, { cause });
}
