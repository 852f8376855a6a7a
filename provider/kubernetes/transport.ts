import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { failureOf, objectOf, type Answer } from "./answer";
import { ApiConnections, type ApiConnection } from "./api-connection";
import { pauseBeforeNext } from "./attempts";
import { CredentialsError } from "./credentials-error";
import { errorCode } from "./error-code";
import { isKubeconfigText, readKubeconfig, type KubeconfigGiver } from "./kubeconfig";
import {
  authenticationFailed,
  KubernetesError,
  type ConnectionOrigin,
  type KubernetesFailure,
} from "./kubernetes-error";

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

/** How a transport is opened. */
export interface TransportOptions {
  /** Who gives the kubeconfig. @default "program" */
  readonly giver?: KubeconfigGiver;
  /** Time for one request with all its attempts, in milliseconds. @default 30 seconds */
  readonly requestMs?: number;
  /** Time for an exec plugin, in milliseconds; it comes before that of the request. @default 60 seconds */
  readonly credentialsMs?: number;
}

/** Name of the error of a signal that aborts at a deadline. */
const timedOut = "TimeoutError";

/**
 * Sends requests to one API server.
 *
 * The library's own clients are not used: they know no deadline, open a new connection for each request, and
 * have no generic way to the status subresource. Its agents, TLS and proxies are. HTTP/1.1 on kept
 * connections takes half the CPU that HTTP/2 does.
 */
export interface Transport {
  /** Address of the API server, for messages. */
  readonly server: string;
  /**
   * Sends a request until it is answered for good: in 30 seconds as often as it takes while the server is overloaded or
   * away (HTTP 429, 502, 503, 504), with growing pauses or as long as `Retry-After` says; at most 5 times while no
   * connection comes about and after another error of the server; once more after a 401, if there are other credentials
   * by then. A repeated create may meet what the attempt before it made (409), a repeated delete may find nothing (404): who asks
   * for them takes such an answer as its own work.
   *
   * @returns The JSON object of the answer.
   * @throws {@link KubernetesError}
   */
  send(request: ApiRequest): Promise<Readonly<Record<string, unknown>>>;
}

/** Opens the way to the API server of a kubeconfig; no request is made yet. */
export async function openTransport(
  kubeconfig: string | undefined,
  context: string | undefined,
  { giver, requestMs = 30_000, credentialsMs = 60_000 }: TransportOptions = {},
): Promise<Transport> {
  const config = await readKubeconfig(kubeconfig, context, giver);
  const { server, source } = config;
  const origin: ConnectionOrigin = {
    text: `${source}, context ${JSON.stringify(config.context)}`,
    isRecorded: kubeconfig !== undefined && isKubeconfigText(kubeconfig),
  };
  return new HttpTransport(server, origin, new ApiConnections(config, credentialsMs), requestMs);
}

class HttpTransport implements Transport {
  readonly server: string;
  readonly #origin: ConnectionOrigin;
  readonly #connections: ApiConnections;
  readonly #requestMs: number;

  constructor(server: string, origin: ConnectionOrigin, connections: ApiConnections, requestMs: number) {
    this.server = server;
    this.#origin = origin;
    this.#connections = connections;
    this.#requestMs = requestMs;
  }

  async send(request: ApiRequest): Promise<Readonly<Record<string, unknown>>> {
    let deadline = Date.now() + this.#requestMs;
    let isRenewed = false;
    for (let attempts = 1; ; attempts += 1) {
      const before = Date.now();
      const connection = await this.#credentials(request, () => this.#connections.next());
      // A plugin has a time of its own, here and after a 401.
      deadline += Date.now() - before;
      try {
        return await this.#attempt(request, connection, deadline);
      } catch (error) {
        if (!(error instanceof KubernetesError)) throw error;
        if (error.failure.code === 401 && !isRenewed) {
          const asked = Date.now();
          isRenewed = await this.#credentials(request, () => this.#connections.renew(connection));
          deadline += Date.now() - asked;
          if (isRenewed) continue;
        }
        const wait = pauseBeforeNext(error.failure, attempts);
        if (wait === undefined || Date.now() + wait >= deadline) throw error;
        await pause(wait);
      }
    }
  }

  async #credentials<T>({ about }: ApiRequest, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof CredentialsError)) throw error;
      throw new KubernetesError({
        ...about,
        code: undefined,
        reason: authenticationFailed,
        detail: `the kubeconfig's user cannot authenticate to ${this.server}: ${error.message}`,
        origin: this.#origin,
      });
    }
  }

  async #attempt(
    request: ApiRequest,
    connection: ApiConnection,
    deadline: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
    const { about } = request;
    let answer: Answer;
    try {
      answer = await exchange(this.server, request, { ...connection, signal });
    } catch (error) {
      throw new KubernetesError({ ...about, ...this.#noAnswer(error), origin: this.#origin });
    }
    const object = objectOf(answer);
    if (object !== undefined) return object;
    throw new KubernetesError({ ...about, ...failureOf(answer, about.kind), origin: this.#origin });
  }

  #noAnswer(error: unknown): Pick<KubernetesFailure, "code" | "reason" | "detail"> {
    const reason = isTimeout(error) ? timedOut : (errorCode(error) ?? nameOf(error));
    const what =
      reason === timedOut ? `did not answer within ${this.#requestMs / 1000} s` : "cannot be reached";
    return { code: undefined, reason, detail: `the API server ${this.server} ${what}` };
  }
}

async function exchange(
  server: string,
  { method, path, query, contentType = "application/json", body }: ApiRequest,
  connection: ApiConnection,
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
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await textOf(answer) };
}

/** The deadline's error is the cause of the one that the request throws. */
function isTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === timedOut) return true;
  }
  return false;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown error";
}
