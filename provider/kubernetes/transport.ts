import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { checkServerIdentity } from "node:tls";
import { secretMask } from "../driver/secrets/secret-mask";
import { isRecord } from "../dynamic/values";
import type { KubeConfig } from "../../gen/kubeconfig";
import { readKubeconfig, renewed } from "./kubeconfig";
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
/** Connections to one API server; more requests than that wait for their turn. */
const maxConnections = 32;

/** No connection came about, or it broke: asking again is worth it. */
const connectionCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);
/** Name of the error of a signal that aborts at a deadline. */
const timedOut = "TimeoutError";
const retriedStatus = new Set([429, 500, 502, 503, 504]);

/** How requests are sent: TLS, a proxy, credentials. */
type Connection = Omit<https.RequestOptions, "headers"> & { readonly headers: http.OutgoingHttpHeaders };

/** Node keeps there what each connection of an agent is made with; its types do not say so of every agent. */
type AgentWithOptions = http.Agent & { readonly options?: https.AgentOptions };

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends requests to one API server.
 *
 * The library's own clients are not used: they know no deadline, open a new connection for each request, and
 * have no generic way to the status subresource. Its kubeconfig, authentication, TLS and proxies are. HTTP/1.1 on kept
 * connections takes half the CPU that HTTP/2 does.
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
  let config = await readKubeconfig(kubeconfig, context);
  const server = (config.getCurrentCluster()?.server ?? "").replace(/\/$/, "");

  const attempt = async (request: ApiRequest, signal: AbortSignal): Promise<unknown> => {
    const connection = await connectionOf(config, request.about);
    const { status, text } = await exchange(server, request, { ...connection, signal });
    if (status >= 200 && status < 300) return parseJson(text);
    // A client certificate may have been renewed since the connections were made.
    if (status === 401) config = await renewed(config);
    throw statusError(request, status, text);
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

/** What the kubeconfig says of connections: TLS, proxy and credentials. */
async function connectionOf(config: KubeConfig, about: ApiRequest["about"]): Promise<Connection> {
  const options: Connection = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    // The message of an exec plugin may hold a token.
    throw new KubernetesError({
      ...about,
      code: undefined,
      reason: authenticationFailed,
      detail:
        `the kubeconfig's user cannot authenticate to ${config.getCurrentCluster()?.server ?? ""} ` +
        `(${nameOf(error)})`,
    });
  }
  // The library has one agent for all requests, which closes its connections after each of them.
  if (options.agent instanceof http.Agent) {
    Object.assign(options.agent, { keepAlive: true, maxSockets: maxConnections });
    knowName(options.agent, options.servername ?? hostOf(config.getCurrentCluster()?.server));
  }
  return options;
}

/** Through a SOCKS proxy Node does not know which address a certificate has to be for. */
function knowName({ options }: AgentWithOptions, name: string | undefined): void {
  if (options === undefined || name === undefined) return;
  options.checkServerIdentity ??= (_host, certificate) => checkServerIdentity(name, certificate);
}

/** Without the brackets of an IPv6 address, which no certificate has. */
function hostOf(server: string | undefined): string | undefined {
  return server === undefined || !URL.canParse(server)
    ? undefined
    : new URL(server).hostname.replace(/^\[(.*)\]$/, "$1");
}

async function exchange(
  server: string,
  { method, path, query, contentType = "application/json", body }: ApiRequest,
  connection: Connection,
): Promise<Answer> {
  const url = new URL(server + path);
  url.search = new URLSearchParams(query).toString();
  // As text: head and body then go out in one write.
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { request } = url.protocol === "http:" ? http : https;
  const outgoing = request(url, {
    ...connection,
    method,
    headers: {
      ...connection.headers,
      Accept: "application/json",
      "User-Agent": "pulumi-cosi",
      // Of itself Node tells no length of the body of a DELETE.
      ...(sent === undefined
        ? {}
        : { "Content-Type": contentType, "Content-Length": Buffer.byteLength(sent) }),
    },
  });
  const answered = once(outgoing, "response") as Promise<[http.IncomingMessage]>;
  // One that comes after the answer's head is an error of the answer, too.
  outgoing.on("error", () => undefined);
  outgoing.end(sent);
  const [answer] = await answered;
  return { status: answer.statusCode ?? 0, text: await textOf(answer) };
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
  const what = reason === timedOut ? `did not answer within ${deadlineMs / 1000} s` : "cannot be reached";
  return new KubernetesError({
    ...request.about,
    code: undefined,
    reason,
    detail: `the API server ${server} ${what}`,
  });
}

/** The code is that of the error, or of one below it. */
function connectionCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === timedOut) return timedOut;
    if ("code" in cause && typeof cause.code === "string" && cause.code !== "ABORT_ERR") return cause.code;
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
