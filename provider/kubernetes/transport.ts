import { setTimeout as pause } from "node:timers/promises";
import { secretMask } from "../driver/secrets/secret-mask";
import { isRecord } from "../dynamic/values";
import { loadClientLibrary, readKubeconfig } from "./kubeconfig";
import { authenticationFailed, KubernetesError, type KubernetesFailure } from "./kubernetes-error";

/** One request of the Kubernetes API. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: unknown;
  /** What an error says about the request. */
  readonly about: Pick<KubernetesFailure, "verb" | "kind" | "reference">;
}

/** Time for one request with all its attempts, in milliseconds. */
const deadlineMs = 30_000;
const attempts = 5;
const firstPauseMs = 200;

/** No connection came about, or it broke: asking again is worth it. */
const connectionCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
]);
const retriedStatus = new Set([429, 500, 502, 503, 504]);

type Request = InstanceType<Awaited<ReturnType<typeof loadClientLibrary>>["RequestContext"]>;
/** A pool of connections. */
type Dispatcher = NonNullable<ReturnType<Request["getDispatcher"]>>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends requests to one API server.
 *
 * The library's own clients are not used: they know no deadline, open a new connection for each request, and
 * have no generic way to the status subresource. Its kubeconfig, authentication, TLS and HTTP are.
 */
export interface Transport {
  /** Address of the API server, for messages. */
  readonly server: string;
  /**
   * Sends a request until it is answered for good: at most 5 attempts in 30 seconds, after connection errors and
   * HTTP 429 and 5xx. A repeated create may meet what the attempt before it made (409), a repeated delete may
   * find nothing (404): who asks for them takes such an answer as its own work.
   *
   * @returns The JSON of the answer.
   * @throws {@link KubernetesError}
   */
  send(request: ApiRequest): Promise<unknown>;
}

/** Opens the way to the API server of a kubeconfig; no request is made yet. */
export async function openTransport(
  kubeconfig: string | undefined,
  context: string | undefined,
): Promise<Transport> {
  const { RequestContext, createConfiguration } = await loadClientLibrary();
  const config = await readKubeconfig(kubeconfig, context);
  const server = (config.getCurrentCluster()?.server ?? "").replace(/\/$/, "");
  const { httpApi } = createConfiguration();
  let dispatcher: Dispatcher | undefined;

  const attempt = async (request: ApiRequest, signal: AbortSignal): Promise<unknown> => {
    const http = new RequestContext(server + request.path, request.method);
    http.setHeaderParam("Accept", "application/json");
    http.setHeaderParam("User-Agent", "pulumi-cosi");
    for (const [key, value] of Object.entries(request.query ?? {})) http.setQueryParam(key, value);
    if (request.body !== undefined) {
      http.setHeaderParam("Content-Type", request.contentType ?? "application/json");
      http.setBody(JSON.stringify(request.body));
    }
    try {
      await config.applySecurityAuthentication(http);
    } catch (error) {
      // The message of an exec plugin may hold a token.
      throw new KubernetesError({
        ...request.about,
        code: undefined,
        reason: authenticationFailed,
        detail: `the kubeconfig's user cannot authenticate to ${server} (${nameOf(error)})`,
      });
    }
    // The library makes a connection pool for each request; the first one serves them all.
    dispatcher ??= http.getDispatcher();
    http.setSignal(signal);
    const { status, text } = await (dispatcher === undefined
      ? fetched(http)
      : exchange(dispatcher, http, signal));
    if (status >= 200 && status < 300) return parseJson(text);
    // A client certificate may have been renewed since the pool was made.
    if (status === 401) dispatcher = undefined;
    throw statusError(request, status, text);
  };

  const fetched = async (http: Request): Promise<Answer> => {
    const { httpStatusCode, body } = await httpApi.send(http).toPromise();
    return { status: httpStatusCode, text: await body.text() };
  };

  const send = async (request: ApiRequest): Promise<unknown> => {
    const deadline = Date.now() + deadlineMs;
    for (let count = 1; ; count += 1) {
      try {
        return await attempt(request, AbortSignal.timeout(Math.max(1, deadline - Date.now())));
      } catch (error) {
        const failure = asKubernetesError(request, server, error);
        const wait = firstPauseMs * 2 ** (count - 1);
        if (!isRetried(failure) || count === attempts || Date.now() + wait >= deadline) throw failure;
        await pause(wait);
      }
    }
  };
  return { server, send };
}

/** Sends a request by the pool itself: `fetch`, by which the library does, takes twice the CPU. */
async function exchange(dispatcher: Dispatcher, http: Request, signal: AbortSignal): Promise<Answer> {
  const { origin, pathname, search } = new URL(http.getUrl());
  const given = http.getBody();
  const { statusCode, body } = await dispatcher.request({
    origin,
    path: `${pathname}${search}`,
    method: http.getHttpMethod(),
    headers: http.getHeaders(),
    ...(typeof given === "string" ? { body: given } : {}),
    signal,
  });
  return { status: statusCode, text: await body.text() };
}

function isRetried({ failure }: KubernetesError): boolean {
  return failure.code === undefined ? connectionCodes.has(failure.reason) : retriedStatus.has(failure.code);
}

function statusError(request: ApiRequest, code: number, text: string): KubernetesError {
  const status = parseJson(text);
  const message =
    isRecord(status) && typeof status["message"] === "string" ? status["message"] : "no message";
  const reason = isRecord(status) && typeof status["reason"] === "string" ? status["reason"] : "HTTP";
  return new KubernetesError({
    ...request.about,
    code,
    reason,
    detail: secretMask.apply(message),
  });
}

function asKubernetesError(request: ApiRequest, server: string, error: unknown): KubernetesError {
  if (error instanceof KubernetesError) return error;
  const reason = connectionCode(error) ?? nameOf(error);
  const what =
    reason === "TimeoutError" ? `did not answer within ${deadlineMs / 1000} s` : "cannot be reached";
  return new KubernetesError({
    ...request.about,
    code: undefined,
    reason,
    detail: `the API server ${server} ${what}`,
  });
}

/** `fetch` hides the code of a connection's error below the error that it throws. */
function connectionCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown error";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
