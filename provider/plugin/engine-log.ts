import { AsyncLocalStorage } from "node:async_hooks";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { engineAddress } from "../driver/process/host";

/** Nothing waits longer for the engine to take a line, in milliseconds. */
const patience = 2_000;

const warningMark = "warning: ";

/** Lines for the user, which the engine shows under the resource that they are about. */
export class EngineLog {
  readonly #resource = new AsyncLocalStorage<string>();
  readonly #underWay = new Set<Promise<void>>();
  #client: EngineClient | undefined;

  /** Has all that a call says stand under its resource, and be there before the call's answer. */
  during<Result>(urn: string, call: () => Promise<Result>): Promise<Result> {
    return this.#resource.run(urn, async () => {
      try {
        return await call();
      } finally {
        await Promise.all(this.#underWay);
      }
    });
  }

  /** Shows a line; without an engine it is printed. */
  readonly show = (line: string): void => {
    const address = engineAddress();
    if (address === undefined) {
      process.stdout.write(`${line}\n`);
      return;
    }
    this.#client ??= new EngineClient(address, grpc.credentials.createInsecure());
    const isWarning = line.startsWith(warningMark);
    const request = new LogRequest()
      .setSeverity(isWarning ? LogSeverity.WARNING : LogSeverity.INFO)
      .setMessage(isWarning ? line.slice(warningMark.length) : line)
      .setUrn(this.#resource.getStore() ?? "");
    const told = this.#send(this.#client, request).finally(() => this.#underWay.delete(told));
    this.#underWay.add(told);
  };

  /** A line that cannot be told stops nothing. */
  #send(client: EngineClient, request: LogRequest): Promise<void> {
    return new Promise((resolve) => {
      const options = { deadline: Date.now() + patience };
      client.log(request, new grpc.Metadata(), options, () => {
        resolve();
      });
    });
  }
}
