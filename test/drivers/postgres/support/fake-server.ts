import { once } from "node:events";
import { type Socket, createServer } from "node:net";

/** A server that lets nobody in: it answers each connection with the same error. */
export interface FakeServer {
  readonly port: number;
  /** How many connections there were. */
  connections: number;
  /** What it answers: a code and a text, or nothing for a connection that is cut. */
  answer: { readonly code: string; readonly message: string } | undefined;
  /** What it waits for before it answers. */
  wait: Promise<void>;
  stop(): Promise<void>;
}

/** Starts a {@link FakeServer} on 127.0.0.1. */
export async function startFakeServer(): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    fake.connections += 1;
    socket.on("error", () => undefined);
    socket.once("data", () => {
      void fake.wait.then(() => {
        if (fake.answer === undefined) socket.destroy();
        else socket.end(errorResponse(fake.answer));
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const fake: FakeServer = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    connections: 0,
    answer: undefined,
    wait: Promise.resolve(),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return fake;
}

/** Source: PostgreSQL documentation, "Message Formats", ErrorResponse. */
function errorResponse({ code, message }: { readonly code: string; readonly message: string }): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
