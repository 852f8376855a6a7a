import { once } from "node:events";
import * as net from "node:net";
import type { AddressInfo } from "node:net";
import * as tls from "node:tls";

/** A driver's door to the network: it ends TLS, and hands what comes through on to the driver's socket. */
export class TlsFront {
  readonly #server: tls.Server;
  readonly #sockets = new Set<net.Socket>();
  port = 0;

  /** @param options Certificate and key, and whether clients need one. */
  constructor(socket: string, options: tls.TlsOptions) {
    this.#server = tls.createServer({ ALPNProtocols: ["h2"], ...options }, (client) => {
      const driver = net.connect(socket);
      for (const end of [client, driver]) {
        this.#sockets.add(end);
        end.on("error", () => undefined);
        end.on("close", () => {
          client.destroy();
          driver.destroy();
        });
      }
      client.pipe(driver).pipe(client);
    });
  }

  async start(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** The endpoint by which a client finds it. */
  endpoint(host = "localhost"): string {
    return `dns:///${host}:${this.port}`;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
