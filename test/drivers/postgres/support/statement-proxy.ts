import { once } from "node:events";
import { type Socket, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What happens at a statement: it goes through; all connections are lost before it, while it is at work, or once the
 * server is done with it and before the client hears of it; it waits until the promise is kept and then goes through.
 */
export type Fate = "pass" | "lost before" | "lost during" | "lost after" | Promise<void>;

/** A network with faults between a driver and a server, in plain text. */
export interface StatementProxy {
  readonly port: number;
  /** Asked for each statement, in the order in which they come. */
  fateOf: (statement: string) => Fate;
  /** Whether a connection is silent from its client's goodbye on: that does not get through, nor does anything else. */
  silentAtEnd: boolean;
  /** Resolves when the connections have been lost. */
  loss(): Promise<void>;
  /** Lets connections through again after a loss. */
  restore(): void;
  stop(): Promise<void>;
}

/** Types of messages (PostgreSQL documentation, "Message Formats"). */
const QUERY = "Q";
const PARSE = "P";
const READY_FOR_QUERY = "Z";
const TERMINATE = "X";

/** Starts a proxy in front of a server. */
export async function startStatementProxy(serverPort: number): Promise<StatementProxy> {
  const sockets = new Set<Socket>();
  let lost = false;
  const lose = () => {
    lost = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (lost) {
      client.destroy();
      return;
    }
    const upstream = connect(serverPort, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let silent = false;
    client.on("end", () => {
      if (!silent) client.end();
    });
    let loseWhenReady = false;
    const toServer = new Frames(false);
    const toClient = new Frames(true);
    let work = Promise.resolve();
    client.on("data", (data: Buffer) => {
      for (const frame of toServer.of(data)) {
        silent ||= proxy.silentAtEnd && frame.type === TERMINATE;
        if (silent) return;
        work = work.then(async () => {
          const statement = statementIn(frame);
          const fate = statement === undefined ? "pass" : proxy.fateOf(statement);
          if (fate === "lost before") {
            lose();
            return;
          }
          loseWhenReady ||= fate === "lost after";
          await fate;
          upstream.write(frame.bytes);
          // The statement must have got there before the connection ends.
          if (fate === "lost during") setTimeout(lose, 20);
        });
        work.catch(lose);
      }
    });
    upstream.on("data", (data: Buffer) => {
      for (const frame of toClient.of(data)) {
        if (!loseWhenReady) client.write(frame.bytes);
        else if (frame.type === READY_FOR_QUERY) lose();
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxy: StatementProxy = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    fateOf: () => "pass",
    silentAtEnd: false,
    loss: async () => {
      while (!lost) await sleep(5);
    },
    restore: () => {
      lost = false;
    },
    stop: async () => {
      lose();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}

interface Frame {
  /** Empty for the first message of a client. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts one direction of a connection into messages. */
class Frames {
  #rest = Buffer.alloc(0);

  constructor(private hasType: boolean) {}

  *of(data: Buffer): Generator<Frame> {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const start = this.hasType ? 1 : 0;
      if (this.#rest.length < start + 4) return;
      const length = start + this.#rest.readUInt32BE(start);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: bytes.toString("latin1", 0, start), bytes };
      this.hasType = true;
    }
  }
}

function statementIn({ type, bytes }: Frame): string | undefined {
  const [first = "", second = ""] = bytes.toString("utf8", 5).split("\0");
  if (type === QUERY) return first;
  // The name of the prepared statement comes first.
  return type === PARSE ? second : undefined;
}
