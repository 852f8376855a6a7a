import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A SOCKS 5 proxy on loopback that lets everybody through (RFC 1928). */
export class SocksProxy {
  /** Where connections were asked for, as `host:port`. */
  readonly asked: string[] = [];
  readonly #open = new Set<Socket>();
  readonly #server = createServer((client) => {
    this.#keep(client);
    void this.#serve(client);
  });

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }

  async #serve(client: Socket): Promise<void> {
    await once(client, "data");
    client.write(Buffer.from([5, 0]));
    const [request] = (await once(client, "data")) as [Buffer];
    const host = hostOf(request);
    const port = request.readUInt16BE(request.length - 2);
    this.asked.push(`${host}:${port}`);
    const upstream = connect(port, host, () => {
      client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      client.pipe(upstream).pipe(client);
    });
    this.#keep(upstream);
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => undefined);
  }
}

const addressType = { ipv4: 1, name: 3 } as const;

function hostOf(request: Buffer): string {
  const address = request.subarray(4, -2);
  if (request[3] === addressType.ipv4) return [...address].join(".");
  if (request[3] === addressType.name) return address.subarray(1).toString();
  throw new Error(`address type ${request[3]} is not expected`);
}
