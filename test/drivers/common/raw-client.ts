import { Client, credentials } from "@grpc/grpc-js";
import { promised } from "./calls";

/** A client that knows only paths and bytes, as a caller of another make would send them. */
export class RawClient extends Client {
  constructor(socket: string) {
    super(`unix://${socket}`, credentials.createInsecure());
  }

  /** Sends a message, in hexadecimal. @returns the reply, likewise. */
  call(path: string, bytes: string): Promise<string | undefined> {
    return promised((done) =>
      this.makeUnaryRequest(
        path,
        (message: string) => Buffer.from(message, "hex"),
        (reply) => reply.toString("hex"),
        bytes,
        done,
      ),
    );
  }
}
