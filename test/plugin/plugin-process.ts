import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import * as readline from "node:readline";
import * as grpc from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../support/lifecycle";

const repository = path.join(__dirname, "..", "..");
const program = path.join(repository, "dist", "provider", "plugin", "main.js");

/** What the plugin says of a change. */
export interface PluginDiff {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly diffs: string[];
  readonly stables: string[];
  readonly deleteBeforeReplace: boolean;
  /** Kinds of change by path, as the engine's messages name them: `UPDATE_REPLACE`. */
  readonly detailed: Readonly<Record<string, string>>;
}

/** A resource as the engine's state has it. */
export interface PluginResource {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** Where an engine is found. */
export interface Engine {
  readonly address: string;
}

/** The plugin as a process, spoken to as the engine does. */
export class PluginProcess {
  /** All that it wrote to standard output after its port, and to standard error. */
  output = "";

  private constructor(
    readonly process: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  /** @param command Arguments of Node.js up to the engine's address. */
  static async start(
    engine: Engine,
    command: readonly string[] = [program],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<PluginProcess> {
    const child = spawn(process.execPath, [...command, engine.address], {
      cwd: repository,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = readline.createInterface({ input: child.stdout });
    const [port] = (await once(lines, "line")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const plugin = new PluginProcess(child, client);
    lines.on("line", (line) => (plugin.output += `${line}\n`));
    child.stderr.on("data", (chunk: Buffer) => (plugin.output += chunk.toString()));
    return plugin;
  }

  handshake(engine: Engine): Promise<messages.ProviderHandshakeResponse> {
    const request = new messages.ProviderHandshakeRequest().setEngineAddress(engine.address);
    return unary((done) => this.client.handshake(request, done));
  }

  configure(): Promise<messages.ConfigureResponse> {
    return unary((done) => this.client.configure(new messages.ConfigureRequest(), done));
  }

  info(): Promise<PluginInfo> {
    return unary((done) => this.client.getPluginInfo(new Empty(), done));
  }

  async schema(version = 0): Promise<Record<string, unknown>> {
    const request = new messages.GetSchemaRequest().setVersion(version);
    const reply = await unary<messages.GetSchemaResponse>((done) => this.client.getSchema(request, done));
    return JSON.parse(reply.getSchema()) as Record<string, unknown>;
  }

  cancel(): Promise<Empty> {
    return unary((done) => this.client.cancel(new Empty(), done));
  }

  async checkConfig(news: Properties): Promise<Properties> {
    const request = new messages.CheckRequest().setNews(toStruct(news));
    const reply = await unary<messages.CheckResponse>((done) => this.client.checkConfig(request, done));
    return fromStruct(reply.getInputs());
  }

  async diffConfig(olds: Properties, news: Properties): Promise<messages.DiffResponse.DiffChanges> {
    const request = new messages.DiffRequest().setOlds(toStruct(olds)).setNews(toStruct(news));
    const reply = await unary<messages.DiffResponse>((done) => this.client.diffConfig(request, done));
    return reply.getChanges();
  }

  /** The answer to a method that the plugin may not have: a gRPC code. */
  async codeOf(method: "construct" | "invoke" | "call" | "parameterize"): Promise<grpc.status | undefined> {
    const requests = {
      construct: (done: Done) => this.client.construct(new messages.ConstructRequest(), done),
      invoke: (done: Done) => this.client.invoke(new messages.InvokeRequest(), done),
      call: (done: Done) => this.client.call(new messages.CallRequest(), done),
      parameterize: (done: Done) => this.client.parameterize(new messages.ParameterizeRequest(), done),
    };
    try {
      await unary(requests[method]);
      return undefined;
    } catch (error) {
      return error instanceof Error && "code" in error ? (error.code as grpc.status) : undefined;
    }
  }

  async mappings(): Promise<string> {
    const one = new messages.GetMappingRequest().setKey("terraform");
    const reply = await unary<messages.GetMappingResponse>((done) => this.client.getMapping(one, done));
    const all = new messages.GetMappingsRequest().setKey("terraform");
    const names = await unary<messages.GetMappingsResponse>((done) => this.client.getMappings(all, done));
    return [reply.getProvider(), ...names.getProvidersList()].join();
  }

  async check(
    urn: string,
    news: Properties,
    olds: Properties = {},
  ): Promise<{ inputs: Properties; failures: string[] }> {
    const request = new messages.CheckRequest().setUrn(urn).setOlds(toStruct(olds)).setNews(toStruct(news));
    const reply = await unary<messages.CheckResponse>((done) => this.client.check(request, done));
    const failures = reply
      .getFailuresList()
      .map((failure) => `${failure.getProperty()}${failure.getReason()}`);
    return { inputs: fromStruct(reply.getInputs()), failures };
  }

  /** Checks, as the engine does before each create, and creates. */
  async make(urn: string, news: Properties): Promise<PluginResource> {
    const { inputs, failures } = await this.check(urn, news);
    if (failures.length > 0) throw new Error(failures.join("; "));
    const request = new messages.CreateRequest().setUrn(urn).setProperties(toStruct(inputs));
    const reply = await unary<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: reply.getId(), inputs, outputs: fromStruct(reply.getProperties()) };
  }

  async previewCreate(urn: string, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
    const request = new messages.CreateRequest().setUrn(urn).setProperties(toStruct(inputs)).setPreview(true);
    const reply = await unary<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: reply.getId(), outputs: fromStruct(reply.getProperties()) };
  }

  async diff(urn: string, olds: PluginResource, news: Properties): Promise<PluginDiff> {
    const request = new messages.DiffRequest()
      .setUrn(urn)
      .setId(olds.id)
      .setOldInputs(toStruct(olds.inputs))
      .setOlds(toStruct(olds.outputs))
      .setNews(toStruct(news));
    const reply = await unary<messages.DiffResponse>((done) => this.client.diff(request, done));
    const detailed: Record<string, string> = {};
    reply.getDetaileddiffMap().forEach((change, path) => {
      const [name = ""] =
        Object.entries(messages.PropertyDiff.Kind).find(([, value]) => value === change.getKind()) ?? [];
      detailed[path] = name;
    });
    return {
      changes: reply.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: reply.getReplacesList(),
      diffs: reply.getDiffsList(),
      stables: reply.getStablesList(),
      deleteBeforeReplace: reply.getDeletebeforereplace(),
      detailed,
    };
  }

  async update(
    urn: string,
    { id, inputs, outputs }: PluginResource,
    news: Properties,
    preview = false,
  ): Promise<PluginResource> {
    const request = new messages.UpdateRequest()
      .setUrn(urn)
      .setId(id)
      .setOldInputs(toStruct(inputs))
      .setOlds(toStruct(outputs))
      .setNews(toStruct(news))
      .setPreview(preview);
    const reply = await unary<messages.UpdateResponse>((done) => this.client.update(request, done));
    return { id, inputs: news, outputs: fromStruct(reply.getProperties()) };
  }

  async read(urn: string, { id, inputs, outputs }: PluginResource): Promise<PluginResource> {
    const request = new messages.ReadRequest()
      .setUrn(urn)
      .setId(id)
      .setInputs(toStruct(inputs))
      .setProperties(toStruct(outputs));
    const reply = await unary<messages.ReadResponse>((done) => this.client.read(request, done));
    return {
      id: reply.getId(),
      inputs: fromStruct(reply.getInputs()),
      outputs: fromStruct(reply.getProperties()),
    };
  }

  async delete(urn: string, { id, inputs, outputs }: PluginResource): Promise<void> {
    const request = new messages.DeleteRequest()
      .setUrn(urn)
      .setId(id)
      .setOldInputs(toStruct(inputs))
      .setProperties(toStruct(outputs));
    await unary((done) => this.client.delete(request, done));
  }

  /** True until the process has ended. */
  get runs(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Ends the process, and waits for the end. */
  async kill(): Promise<void> {
    this.client.close();
    if (!this.runs) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await ended;
  }
}

type Done = (error: grpc.ServiceError | null, reply: unknown) => void;

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

/** Properties as they travel, the marks of secrets with them. */
function toStruct(properties: Properties): Struct {
  const plain: unknown = JSON.parse(JSON.stringify(properties));
  return Struct.fromJavaScript(plain as Parameters<typeof Struct.fromJavaScript>[0]);
}

function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
