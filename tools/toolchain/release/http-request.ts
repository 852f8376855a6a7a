import http from "node:http";
import https from "node:https";

import { TransientError } from "./download-error";
import type { DownloadLimits } from "./limits";
import { proxyEnvironment } from "./proxy-environment";

/** An option of Node's agents that its types do not know yet. */
interface ProxyOptions extends https.AgentOptions {
  readonly proxyEnv: Readonly<NodeJS.ProcessEnv>;
}

/** The connections of a client, by the protocol of the address. */
export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/**
 * @param environment - HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case.
 */
export function agentsOf(environment: Readonly<NodeJS.ProcessEnv>, limits: DownloadLimits): Agents {
  // The timeout bounds the wait for the tunnel of a proxy; that of each request takes its place from then on.
  const options: ProxyOptions = { proxyEnv: proxyEnvironment(environment), timeout: limits.connectMs };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** There is no answer to a request. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";

  /**
   * @param connected - Whether there was a connection.
   */
  constructor(
    readonly connected: boolean,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/**
 * Sends a GET request.
 *
 * @returns the answer. Its body fails with a TransientError when nothing comes for too long.
 * @throws UnansweredError when there is none in time.
 */
export function sendRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  agents: Agents,
  { connectMs, stallMs }: DownloadLimits,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { "user-agent": "pulumi-cosi-setup", ...headers } };
    const request =
      url.protocol === "https:"
        ? https.request(url, { ...options, agent: agents.https })
        : http.request(url, { ...options, agent: agents.http });
    let connected = false;
    let answer: http.IncomingMessage | undefined;
    const fail = (error: Error) => {
      clearTimeout(connecting);
      reject(new UnansweredError(connected, error));
    };
    // It bounds the look-up of the name and the way through a proxy, too, which end later than they are given up.
    const connecting = setTimeout(() => {
      const error = new Error(`no connection within ${connectMs / 1000} s`);
      fail(error);
      request.destroy(error);
    }, connectMs);
    const onConnect = () => {
      connected = true;
      clearTimeout(connecting);
    };
    request.once("socket", (socket) => {
      if (socket.connecting) socket.once("connect", onConnect);
      else onConnect();
    });
    request.setTimeout(stallMs, () => {
      if (!connected) return;
      (answer ?? request).destroy(new TransientError(`${url.host} sent nothing for ${stallMs / 1000} s`));
    });
    request.once("response", (response) => {
      clearTimeout(connecting);
      answer = response;
      // Who reads the body gets its errors; until then nobody may listen.
      response.on("error", () => undefined);
      resolve(response);
    });
    request.on("error", fail);
    request.end();
  });
}
