import type { Server, ServiceDefinition } from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";

/** The name under which gRPC asks for the health of a server as a whole. */
const WHOLE_SERVER = "";

/** The standard service `grpc.health.v1.Health`: a service is healthy from the start of the server to its stop. */
export class Health {
  readonly #names: readonly string[];
  readonly #implementation: HealthImplementation;

  constructor(services: readonly ServiceDefinition[]) {
    this.#names = [WHOLE_SERVER, ...services.map(nameOf)];
    this.#implementation = new HealthImplementation(
      Object.fromEntries(this.#names.map((name) => [name, "SERVING"])),
    );
  }

  addTo(server: Server): void {
    this.#implementation.addToServer(server);
  }

  /** Tells those who watch that nothing is served any more. */
  stop(): void {
    for (const name of this.#names) {
      this.#implementation.setStatus(name, "NOT_SERVING");
    }
  }
}

/** `package.Service`, from the path `/package.Service/Method` of any of its methods. */
function nameOf(service: ServiceDefinition): string {
  return Object.values(service)[0]?.path.split("/")[1] ?? "";
}
