import * as grpc from "@grpc/grpc-js";
import { paths } from "../../support/cosi-v1alpha1";
import { Refusal, type MemoryDriver } from "./memory-driver";

/** Bytes of a reply, a refusal, or silence. */
export type Outcome = Uint8Array | Refusal | "silence";

const verbs = ["getInfo", "create", "delete", "grant", "revoke"] as const;

/**
 * Changes what the driver would answer; called before it does, with the path that the RPC has in cosi.v1alpha1 whatever
 * the contract. `undefined`: the driver answers.
 */
export type Interceptor = (path: string, body: Buffer) => Outcome | undefined | Promise<undefined>;

/** Serves a driver on a socket. */
export async function serve(
  driver: MemoryDriver,
  socket: string,
  intercept: Interceptor = () => undefined,
): Promise<grpc.Server> {
  const server = new grpc.Server();
  const { speech } = driver;
  const served: (readonly [spoken: string, path: string])[] = verbs.map((verb) => [
    speech.paths[verb],
    paths[verb],
  ]);
  if (driver.tellsStatus && speech.statusPath !== undefined) {
    served.push([speech.statusPath, speech.statusPath]);
  }
  for (const [spoken, path] of served) {
    const definition = {
      path: spoken,
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
    server.addService({ [spoken]: definition }, { [spoken]: handler });
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
  try {
    const instead = await intercept(path, body);
    if (instead !== undefined) return instead;
    return path === driver.speech.statusPath ? driver.status(body) : driver.answer(path, body);
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
