import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "./echo-server";

/** A proxy for tunnels, as `proxy-url` of a kubeconfig or `HTTPS_PROXY` names it. */
export class TunnelProxy {
  /** Hosts and ports that were asked for. */
  readonly asked: string[] = [];
  url = "";
  readonly #open = new Set<Socket>();
  readonly #server: Server = createServer();

  /** @param portOf Every tunnel leads to this port of this machine. @default the one that is asked for */
  static async start(portOf?: () => number): Promise<TunnelProxy> {
    const proxy = new TunnelProxy();
    proxy.#server.on("connect", (request: IncomingMessage, client: Socket) => {
      const target = request.url ?? "";
      proxy.asked.push(target);
      const { hostname, port } = new URL(`http://${target}`);
      const answer = (): void => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(upstream).pipe(client);
      };
      const upstream =
        portOf === undefined
          ? connect(Number(port), hostname, answer)
          : connect(portOf(), "127.0.0.1", answer);
      for (const socket of [client, upstream]) {
        proxy.#open.add(socket);
        socket.on("error", () => undefined);
      }
    });
    proxy.url = `http://127.0.0.1:${await listen(proxy.#server)}`;
    return proxy;
  }

  stop(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }
}
