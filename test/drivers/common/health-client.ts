import { Client, credentials } from "@grpc/grpc-js";

/** Replies of `grpc.health.v1.Health`: field 1, an enum. */
export const SERVING = "0801";
export const NOT_SERVING = "0802";

/** A client of the health service that knows only bytes, as a prober of another make would send them. */
export class HealthClient extends Client {
  constructor(socket: string) {
    super(`unix://${socket}`, credentials.createInsecure());
  }

  /** The reply in hexadecimal. */
  check(service: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const path = "/grpc.health.v1.Health/Check";
      this.makeUnaryRequest(path, encode, decode, service, (error, reply) => {
        if (error) {
          reject(error);
        } else {
          resolve(reply);
        }
      });
    });
  }

  /** Resolves at the end of the stream, whatever its status. */
  watch(service: string, onReply: (reply: string) => void): Promise<void> {
    const path = "/grpc.health.v1.Health/Watch";
    const stream = this.makeServerStreamRequest(path, encode, decode, service);
    stream.on("data", onReply);
    stream.on("error", () => undefined);
    return new Promise((resolve) =>
      stream.once("status", () => {
        resolve();
      }),
    );
  }
}

/** HealthCheckRequest: field 1, a string. */
function encode(service: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, Buffer.byteLength(service)]), Buffer.from(service)]);
}

function decode(reply: Buffer): string {
  return reply.toString("hex");
}
