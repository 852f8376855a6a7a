import assert from "node:assert/strict";
import type { ApiPoint, ApiProxy, Refusal } from "./api-proxy";
import type { RunResult } from "./small-stack";

/** What an API server says to somebody who may not. */
export const forbidden: Refusal = {
  code: 403,
  reason: "Forbidden",
  message: 'User "deployer" cannot do this in this namespace',
};

/** Method, path and body of a write, against which rules for writes are held. */
export function textOf({ method, path, body }: Pick<ApiPoint, "method" | "path" | "body">): string {
  return `${method} ${path} ${body}`;
}

/** Has something befall the first write that a rule fits. @returns what takes it back, and fails where the write did not come. */
export function befallOnce(
  api: ApiProxy,
  request: RegExp,
  stage: ApiPoint["stage"],
  befall: () => Refusal | Promise<Refusal | undefined>,
): () => void {
  let isOver = false;
  api.at = (point) => {
    if (isOver || point.stage !== stage || !request.test(textOf(point))) return undefined;
    isOver = true;
    return befall();
  };
  return () => {
    api.at = () => undefined;
    assert.ok(isOver, "the write did not come");
  };
}

/** Refuses a write, once. @returns what takes it back. */
export function refuseOnce(api: ApiProxy, request: RegExp): () => void {
  return befallOnce(api, request, "before", () => forbidden);
}

/** Notes the text of every write before it is done. */
export function noteWrites(api: ApiProxy, written: string[]): void {
  api.at = (point) => {
    if (point.stage === "before") written.push(textOf(point));
    return undefined;
  };
}

/** The run stopped at a resource, with the words of {@link forbidden} and a next step. */
export function assertForbidden({ stoppedAt, message }: RunResult, stopsAt: string, what: string): void {
  assert.equal(stoppedAt, stopsAt, `${what}: ${message}`);
  assert.ok(message.includes(`: 403 Forbidden: ${forbidden.message}`), message);
  assert.match(message, /Next: \S/);
}

/** What a run says of an API server that did not answer in time. */
export const lateText = /the API server \S+ did not answer within 30 s/;

/** The run stopped at a resource, as the API server did not answer, with a next step. */
export function assertLate({ stoppedAt, message }: RunResult, stopsAt: string, what: string): void {
  assert.equal(stoppedAt, stopsAt, `${what}: ${message}`);
  assert.match(message, lateText);
  assert.match(message, /Next: \S/);
}
