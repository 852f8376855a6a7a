import type { IncomingHttpHeaders } from "node:http";
import { secretMask } from "../driver/secrets/secret-mask";
import { isRecord } from "../dynamic/values";
import { readRetryAfter } from "./attempts";
import { foreignAnswer, notFoundReason, type KubernetesFailure } from "./kubernetes-error";
import type { KubernetesKind } from "./object";

/** An HTTP answer, whoever sent it. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What an API server sends where it does not know the group or version, as any other server in Go does. */
const unknownPath = "404 page not found";

/** The JSON object of a success; `undefined` for anything else. */
export function objectOf({ status, text }: Answer): Readonly<Record<string, unknown>> | undefined {
  const object = status >= 200 && status < 300 ? parseJson(text) : undefined;
  return isRecord(object) ? object : undefined;
}

/** What an answer says that is no success. */
export function failureOf(
  answer: Answer,
  kind: KubernetesKind,
): Pick<KubernetesFailure, "code" | "reason" | "detail" | "retryAfterMs"> {
  const code = answer.status;
  const status = parseJson(answer.text);
  const retryAfterMs = readRetryAfter(answer.headers["retry-after"]);
  const failure = { code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  if (isRecord(status) && status["kind"] === "Status") {
    const message = typeof status["message"] === "string" ? status["message"] : "no message";
    // A webhook that denies may give none.
    const reason = typeof status["reason"] === "string" ? status["reason"] : "Unknown";
    return { ...failure, reason, detail: secretMask.apply(message) };
  }
  if (saysUnknownGroup(answer, kind)) {
    return { ...failure, reason: notFoundReason, detail: `the API server does not have ${kind.apiVersion}` };
  }
  return {
    ...failure,
    reason: foreignAnswer,
    detail: code < 400 ? "the answer is no JSON object" : "the answer is no Status of an API server",
  };
}

/** Only an API server has an id for its audit; the core group is always there. */
function saysUnknownGroup({ status, headers, text }: Answer, { apiVersion }: KubernetesKind): boolean {
  return (
    status === 404 &&
    headers["audit-id"] !== undefined &&
    text.trim() === unknownPath &&
    apiVersion.includes("/")
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
