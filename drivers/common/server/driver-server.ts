import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { promisify } from "node:util";
import { Health } from "./health";
import type { SocketConfig } from "./socket-config";
import { claimSocketPath, keepingOther, socketFile } from "./socket";

/** One gRPC service of a contract and what answers its calls. */
export interface Service {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/** A driver that serves. */
export interface DriverServer {
  /**
   * Takes no new calls, lets those in flight end, and removes the socket. A stream that stays open after that, such
   * as `Watch` of the health service, is cut.
   *
   * @param work - settles once no call is at work.
   */
  stop(work: Promise<unknown>): Promise<void>;
}

/** Time for the last replies to get out, in milliseconds. */
const FLUSH_MS = 1_000;

/**
 * Serves the services, and their health, on the socket and nowhere else.
 *
 * Sets the umask of the process while the socket is made, since its permissions must be right from the first moment.
 *
 * @throws ConfigError if the driver cannot listen there.
 */
export async function startServer(socket: SocketConfig, services: readonly Service[]): Promise<DriverServer> {
  await claimSocketPath(socket);
  const server = new Server();
  for (const { definition, implementation } of services) {
    server.addService(definition, implementation);
  }
  const health = new Health(services.map(({ definition }) => definition));
  health.addTo(server);
  const umask = process.umask(0o777 & ~socket.mode);
  try {
    await promisify(server.bindAsync.bind(server))(
      `unix://${socket.path}`,
      ServerCredentials.createInsecure(),
    );
  } finally {
    process.umask(umask);
  }
  const own = socketFile(socket.path);
  return {
    stop: async (work) => {
      health.stop();
      const closed = keepingOther(socket.path, own, () => promisify(server.tryShutdown.bind(server))());
      await work.catch(() => undefined);
      const cut = setTimeout(() => {
        server.forceShutdown();
      }, FLUSH_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}
