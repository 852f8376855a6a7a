import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { SocketConfig } from "./socket-config";
import { claimSocketPath } from "./socket";

/** One gRPC service of a contract and what answers its calls. */
export interface Service {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/** A driver that serves. */
export interface DriverServer {
  /** Takes no new calls, lets those in flight end, and removes the socket. */
  stop(): Promise<void>;
}

/**
 * Serves the services on the socket, and nowhere else.
 *
 * Sets the umask of the process while the socket is made, since its permissions must be right from the first moment.
 *
 * @throws ConfigError if the driver cannot listen there.
 */
export async function startServer(socket: SocketConfig, services: readonly Service[]): Promise<DriverServer> {
  await claimSocketPath(socket.path);
  const server = new Server();
  for (const { definition, implementation } of services) {
    server.addService(definition, implementation);
  }
  const umask = process.umask(0o777 & ~socket.mode);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket.path}`, ServerCredentials.createInsecure(), (error) => {
      if (error) {
        reject(error);
      } else {
        resolve();
      }
    });
  }).finally(() => {
    process.umask(umask);
  });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        server.tryShutdown((error) => {
          if (error) {
            reject(error);
          } else {
            resolve();
          }
        });
      }),
  };
}
