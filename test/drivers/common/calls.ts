import { type CallOptions, type ServiceError, status } from "@grpc/grpc-js";
import assert from "node:assert/strict";

/** Parameters as a test writes them. */
export type Params = Readonly<Record<string, string>>;

/** The error of a call that must fail, with its code checked. */
export async function refusal(call: Promise<unknown>, code: status): Promise<ServiceError> {
  const outcome = await call.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );
  assert.ok("error" in outcome, `expected ${status[code]}, but the call succeeded`);
  const { error } = outcome;
  assert.ok(isServiceError(error), `expected a gRPC status, got ${String(error)}`);
  assert.equal(status[error.code], status[code], error.details);
  return error;
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}

/** Options of a call that its caller gives up after so many milliseconds. */
export function within(deadlineMs: number | undefined): Partial<CallOptions> {
  return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}

/** A call of a generated client as a promise. */
export function promised<T>(
  call: (done: (error: ServiceError | null, response: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) {
        reject(error);
      } else {
        resolve(response);
      }
    });
  });
}
