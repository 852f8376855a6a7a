import { once } from "node:events";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";

/** What a network does with the bytes of a reply. */
export type Treatment =
  /** Passes so many bytes, then ends the connection. */
  | { readonly cutAfter: number }
  /** Passes so many bytes, and never another one. */
  | { readonly stallAfter: number };

/** A network between a caller and a driver's socket that knows nothing of gRPC: it passes, cuts and holds back bytes. */
export class SocketProxy {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "socket-proxy-"));
  readonly #path = path.join(this.#folder, "cosi.sock");
  readonly endpoint = `unix://${this.#path}`;
  readonly #open = new Set<net.Socket>();
  readonly #server: net.Server;
  #treatment: Treatment | undefined;
  #passed = 0;
  #callers: net.Socket[] = [];

  /** @param target Path of the driver's socket. */
  constructor(target: string) {
    this.#server = net.createServer((caller) => {
      this.#relay(caller, net.connect(target));
    });
  }

  async start(): Promise<this> {
    this.#server.listen(this.#path);
    await once(this.#server, "listening");
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Does this, once, with what the driver sends from now on. */
  treat(treatment: Treatment): void {
    this.#treatment = treatment;
    this.#passed = 0;
  }

  /** Passes everything from now on, on new connections. */
  heal(): void {
    this.#treatment = undefined;
  }

  /** Starts to count what the driver sends. @returns The number of bytes so far. */
  count(): () => number {
    this.#treatment = undefined;
    this.#passed = 0;
    return () => this.#passed;
  }

  /** Sends bytes to all callers, as if they came from the driver. */
  inject(bytes: Uint8Array): void {
    for (const caller of this.#callers) caller.write(bytes);
  }

  #relay(caller: net.Socket, driver: net.Socket): void {
    this.#callers.push(caller);
    for (const [socket, other] of [
      [caller, driver],
      [driver, caller],
    ] as const) {
      this.#open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#open.delete(socket);
        this.#callers = this.#callers.filter((known) => known !== socket);
        other.destroy();
      });
    }
    caller.pipe(driver);
    let stalled = false;
    driver.on("data", (bytes: Buffer) => {
      if (stalled) return;
      const treatment = this.#treatment;
      if (treatment === undefined) {
        this.#passed += bytes.length;
        caller.write(bytes);
        return;
      }
      const cuts = "cutAfter" in treatment;
      const left = (cuts ? treatment.cutAfter : treatment.stallAfter) - this.#passed;
      this.#passed += bytes.length;
      if (bytes.length < left) {
        caller.write(bytes);
        return;
      }
      this.#treatment = undefined;
      const rest = bytes.subarray(0, left);
      if (!cuts) {
        stalled = true;
        caller.write(rest);
      } else if (left === 0) caller.destroy();
      else caller.write(rest, () => caller.destroy());
    });
  }
}

/**
 * A GOAWAY frame without an error. Source: RFC 9113, section 6.8.
 *
 * @param lastStream The last stream that the driver takes; the streams after it were not seen.
 */
export function goaway(lastStream: number): Buffer {
  const frame = Buffer.alloc(17);
  frame.writeUIntBE(8, 0, 3);
  frame.writeUInt8(0x7, 3);
  frame.writeUInt32BE(lastStream, 9);
  return frame;
}
