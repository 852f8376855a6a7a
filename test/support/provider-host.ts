import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import * as readline from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { wire, type Properties } from "./lifecycle";

const repository = path.join(__dirname, "..", "..");

/** What stands at the address that Pulumi's host gets: as much of the engine as the host can see of it. */
export class FakeEngine {
  readonly #server = http2.createServer();
  readonly #sessions = new Set<http2.ServerHttp2Session>();

  async start(): Promise<this> {
    this.#server.on("session", (session) => this.#sessions.add(session));
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends as a killed CLI does. */
  kill(): void {
    for (const session of this.#sessions) session.destroy();
    this.#server.close();
  }
}

/** Pulumi's host of dynamic providers as a process, spoken to as the engine does. */
export class ProviderHost {
  /** All that it wrote to standard output after its port. */
  output = "";
  /** All that it wrote to standard error. */
  errors = "";

  private constructor(
    readonly process: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  /** @param variables Environment beside the inherited one. */
  static async start(
    engine: FakeEngine,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ProviderHost> {
    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [script, engine.address], {
      cwd: repository,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = readline.createInterface({ input: child.stdout });
    const [port] = (await once(lines, "line")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const host = new ProviderHost(child, client);
    lines.on("line", (line) => (host.output += `${line}\n`));
    child.stderr.on("data", (chunk: Buffer) => (host.errors += chunk.toString()));
    return host;
  }

  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new messages.ConfigureRequest().setArgs(toStruct(config));
    await unary<messages.ConfigureResponse>((done) => this.client.configure(request, done));
  }

  async check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }> {
    const request = new messages.CheckRequest().setOlds(toStruct(olds)).setNews(toStruct(news));
    const reply = await unary<messages.CheckResponse>((done) => this.client.check(request, done));
    const failures = reply
      .getFailuresList()
      .map((failure) => `${failure.getProperty()} ${failure.getReason()}`);
    return { inputs: fromStruct(reply.getInputs()), failures };
  }

  async diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: boolean; replaces: string[] }> {
    const request = new messages.DiffRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    const reply = await unary<messages.DiffResponse>((done) => this.client.diff(request, done));
    const changes = reply.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
    return { changes, replaces: reply.getReplacesList() };
  }

  async create(inputs: Properties): Promise<{ id: string; outputs: Properties }> {
    const request = new messages.CreateRequest().setProperties(toStruct(inputs));
    const reply = await unary<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: reply.getId(), outputs: fromStruct(reply.getProperties()) };
  }

  async read(id: string, outputs: Properties): Promise<{ outputs: Properties; inputs: Properties }> {
    const request = new messages.ReadRequest().setId(id).setProperties(toStruct(outputs));
    const reply = await unary<messages.ReadResponse>((done) => this.client.read(request, done));
    return { outputs: fromStruct(reply.getProperties()), inputs: fromStruct(reply.getInputs()) };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.UpdateRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    const reply = await unary<messages.UpdateResponse>((done) => this.client.update(request, done));
    return fromStruct(reply.getProperties());
  }

  async delete(id: string, outputs: Properties): Promise<void> {
    const request = new messages.DeleteRequest().setId(id).setProperties(toStruct(outputs));
    await unary((done) => this.client.delete(request, done));
  }

  /** True until the process has ended. */
  get runs(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Ends the process, and waits for the end. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.client.close();
    if (!this.runs) return;
    const ended = once(this.process, "exit");
    this.process.kill(signal);
    await ended;
  }
}

/** The resource that the engine keeps as failed, from the error of a create or update; `undefined` if it keeps none. */
export function failedResourceOf(
  error: unknown,
): { id: string; properties: Properties; reasons: string[] } | undefined {
  const metadata = error instanceof Error && "metadata" in error ? error.metadata : undefined;
  if (!(metadata instanceof grpc.Metadata)) throw error;
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (!(bytes instanceof Buffer)) return undefined;
  const [detail] = Status.deserializeBinary(bytes).getDetailsList();
  const failed = detail?.unpack(
    (packed) => messages.ErrorResourceInitFailed.deserializeBinary(packed),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (failed === undefined || failed === null) return undefined;
  return {
    id: failed.getId(),
    properties: fromStruct(failed.getProperties()),
    reasons: failed.getReasonsList(),
  };
}

function unary<Reply>(
  call: (done: (error: grpc.ServiceError | null, reply: Reply) => void) => unknown,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    call((error, reply) => {
      if (error === null) resolve(reply);
      else reject(error);
    });
  });
}

/** Properties as they travel: the engine strips the wrapper of secrets, since the host does not accept it. */
function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(wire(properties) as Parameters<typeof Struct.fromJavaScript>[0]);
}

function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
