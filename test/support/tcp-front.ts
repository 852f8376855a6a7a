import { once } from "node:events";
import * as net from "node:net";

/** A port of this machine that leads to a socket, in plain text. */
export class TcpFront {
  readonly #server: net.Server;
  readonly #connections = new Set<net.Socket>();

  constructor(socket: string) {
    this.#server = net.createServer((connection) => {
      const onward = net.connect(socket);
      for (const end of [connection, onward]) {
        this.#connections.add(end);
        end.on("error", () => undefined);
      }
      connection.pipe(onward).pipe(connection);
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the front does not listen");
    return address.port;
  }

  stop(): void {
    for (const connection of this.#connections) connection.destroy();
    this.#server.close();
  }
}
