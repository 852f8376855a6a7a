import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** A line that the engine was told. */
export interface ToldLine {
  readonly severity: string | undefined;
  readonly urn: string;
  readonly message: string;
}

/** As much of the engine as a plugin speaks to: it takes lines for the user. */
export class RecordingEngine {
  readonly told: ToldLine[] = [];
  readonly #server = new grpc.Server();
  #port = 0;

  async start(): Promise<this> {
    this.#server.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, done: grpc.sendUnaryData<Empty>) => {
        const [severity] =
          Object.entries(LogSeverity).find(([, value]) => value === request.getSeverity()) ?? [];
        this.told.push({ severity, urn: request.getUrn(), message: request.getMessage() });
        done(null, new Empty());
      },
    });
    this.#port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
    return this;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Ends as a killed CLI does. */
  kill(): void {
    this.#server.forceShutdown();
  }
}
