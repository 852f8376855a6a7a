import * as grpc from "@grpc/grpc-js";
import { paths } from "../../support/cosi-v1alpha1";
import { Refusal, type MemoryDriver } from "./memory-driver";

/** Bytes of a reply, a refusal, or silence. */
export type Outcome = Uint8Array | Refusal | "silence";

/** Changes what the driver would answer; called before it does. `undefined`: the driver answers. */
export type Interceptor = (path: string, body: Buffer) => Outcome | undefined | Promise<undefined>;

/** Serves a driver on a socket. */
export async function serve(
  driver: MemoryDriver,
  socket: string,
  intercept: Interceptor = () => undefined,
): Promise<grpc.Server> {
  const server = new grpc.Server();
  for (const path of Object.values(paths)) {
    const definition = {
      path,
      requestStream: false,
      responseStream: false,
      requestSerialize: (bytes: Buffer) => bytes,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
    } as const;
    const handler: grpc.handleUnaryCall<Buffer, Buffer> = (call, callback) => {
      void outcomeOf(driver, path, call.request, intercept).then((outcome) => {
        if (outcome === "silence") return;
        if (outcome instanceof Uint8Array) callback(null, Buffer.from(outcome));
        else callback(errorOf(driver, outcome));
      });
    };
    server.addService({ [path]: definition }, { [path]: handler });
  }
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket}`, grpc.ServerCredentials.createInsecure(), (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
  return server;
}

async function outcomeOf(
  driver: MemoryDriver,
  path: string,
  body: Buffer,
  intercept: Interceptor,
): Promise<Outcome> {
  const instead = await intercept(path, body);
  if (instead !== undefined) return instead;
  try {
    return driver.answer(path, body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function errorOf({ faults }: MemoryDriver, { code, message }: Refusal): Partial<grpc.StatusObject> {
  const metadata = new grpc.Metadata();
  if (faults.has("status details")) metadata.set("grpc-status-details-bin", Buffer.from([8, code]));
  return { code, details: faults.has("empty message") ? "" : message, metadata };
}
