import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { openTransport, type Transport, type TransportOptions } from "../../provider/kubernetes/transport";
import { CertificateAuthority } from "./certificate-authority";

export async function listen(server: NetServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** An https server that counts its connections, and answers with what it was sent. */
export class EchoServer {
  readonly sockets = new Set<Socket>();
  connections = 0;
  /** Requests that get no answer but the end of their connection. */
  refused = 0;
  answer = (request: IncomingMessage, response: ServerResponse): void => void this.#echo(request, response);
  readonly authority = new CertificateAuthority();
  readonly #server: Server;

  constructor(names: readonly string[] = ["127.0.0.1"]) {
    const options = { ...this.authority.issue(names), requestCert: true, rejectUnauthorized: false };
    this.#server = createServer(options, (request, response) => {
      this.refused -= 1;
      if (this.refused >= 0) request.socket.destroy();
      else this.answer(request, response);
    });
    this.#server.on("secureConnection", (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
    });
  }

  /** Text of a kubeconfig for this server. @param user `null` for a context without one. */
  async kubeconfig(
    cluster: Readonly<Record<string, unknown>> = {},
    user: Readonly<Record<string, unknown>> | null = { token: "token" },
  ): Promise<string> {
    const port = this.#server.listening ? this.port : await listen(this.#server);
    const own = {
      server: `https://127.0.0.1:${port}`,
      "certificate-authority-data": Buffer.from(this.authority.cert).toString("base64"),
    };
    return JSON.stringify({
      "current-context": "test",
      clusters: [{ name: "test", cluster: { ...own, ...cluster } }],
      users: user === null ? [] : [{ name: "test", user }],
      contexts: [{ name: "test", context: { cluster: "test", ...(user === null ? {} : { user: "test" }) } }],
    });
  }

  async open(
    cluster?: Readonly<Record<string, unknown>>,
    user?: Readonly<Record<string, unknown>> | null,
    options?: TransportOptions,
  ): Promise<Transport> {
    return openTransport(await this.kubeconfig(cluster, user), undefined, options);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }

  async #echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, authorization: headers.authorization, body }));
  }
}
