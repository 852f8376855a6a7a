import assert from "node:assert/strict";
import type { ApiProxy, Refusal } from "./api-proxy";
import { textOf } from "./write-faults";

/** What a proxy before the API server says while that is restarted. */
const unavailable: Refusal = { code: 503, reason: "ServiceUnavailable", message: "the server is restarted" };

/** What a server says that does not know what became of a write; the request is not repeated for as long as after the other. */
const broken: Refusal = { code: 500, reason: "InternalError", message: "the store did not answer" };

/** So often a write is sent that has {@link broken} as its only answer. */
export const allAttempts = 5;

/**
 * Has a write done, and its answer lost: whoever sent it sends it once more.
 *
 * @param request Method, path and body.
 * @param times So many answers are lost.
 * @returns What takes it back.
 */
export function loseAnswer(api: ApiProxy, request: RegExp, times = 1): () => void {
  let lost = 0;
  api.at = (point) => {
    if (point.stage === "before" || lost === times || !request.test(textOf(point))) return undefined;
    lost += 1;
    return times === allAttempts ? broken : unavailable;
  };
  return () => {
    api.at = () => undefined;
    assert.equal(lost, times, "the write did not come");
  };
}
