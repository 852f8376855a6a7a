import * as grpc from "@grpc/grpc-js";
import { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { serveEngine } from "../driver/process/host";
import { showUserThrough } from "../driver/process/user-lines";
import { plainProperties } from "../dynamic/values";
import { AskedAgain } from "./asked-again";
import { EngineLog } from "./engine-log";
import { failureOf } from "./failure";
import { kindOf } from "./kinds";
import { fromStruct, toStruct } from "./properties";
import * as calls from "./resource-calls";
import { rootsOf } from "./detailed-diff";
import { parseUrn } from "./urn";

type Unary<Request, Reply> = grpc.handleUnaryCall<Request, Reply>;

/** Answers a call with what a promise gives, and with the error that it ends in. */
function answer<Request, Reply>(reply: (request: Request) => Promise<Reply> | Reply): Unary<Request, Reply> {
  return ({ request }, callback) => {
    Promise.resolve(request)
      .then(reply)
      .then(
        (value) => {
          callback(null, value);
        },
        (error: unknown) => {
          callback(failureOf(error));
        },
      );
  };
}

/** What the engine says with every call for a resource. */
interface ResourceRequest {
  getUrn(): string;
}

/** A method of which the plugin has nothing; the engine knows this answer, and asks no more. */
function unimplemented<Request, Reply>(what: string): Unary<Request, Reply> {
  return (_call, callback) => {
    callback({ code: grpc.status.UNIMPLEMENTED, details: `pulumi-cosi has no ${what}` });
  };
}

const kindOfRequest = (request: ResourceRequest) => kindOf(parseUrn(request.getUrn()).type);

function noteEngine(address: string): void {
  if (address !== "") serveEngine(address);
}

/**
 * The plugin's side of Pulumi's protocol for providers, in front of the providers of the dynamic resources.
 *
 * @param version Of the package.
 * @param schema Text of the package's schema.
 */
export function providerService(
  version: string,
  schema: string,
  log: EngineLog = new EngineLog(),
): IResourceProviderServer {
  /** Answers a call for a resource, under which all stands that is said meanwhile. */
  const ofResource = <Request extends ResourceRequest, Reply>(
    reply: (request: Request) => Promise<Reply>,
  ): Unary<Request, Reply> => answer((request) => log.during(request.getUrn(), () => reply(request)));
  const askedAgain = new AskedAgain();
  showUserThrough(log.show);
  return {
    // The providers know what is secret; references to resources, and outputs with their dependencies, they do not know.
    handshake: answer((request: messages.ProviderHandshakeRequest) => {
      noteEngine(request.getEngineAddress());
      return new messages.ProviderHandshakeResponse().setAcceptSecrets(true);
    }),
    configure: answer(() => new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
    // Of a plugin that somebody has started by hand, to look at it with a debugger.
    attach: answer((request: PluginAttach) => {
      noteEngine(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: answer(() => new PluginInfo().setVersion(version)),
    getSchema: answer((request: messages.GetSchemaRequest) => {
      if (request.getVersion() !== 0)
        throw new Error(`there is no schema of version ${request.getVersion()}`);
      return new messages.GetSchemaResponse().setSchema(schema);
    }),

    // The provider resource has no settings: how a driver is reached stands with the Driver.
    checkConfig: answer((request: messages.CheckRequest) =>
      new messages.CheckResponse().setInputs(request.getNews()),
    ),
    diffConfig: answer(() =>
      new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE),
    ),

    check: ofResource(async (request: messages.CheckRequest) => {
      const { inputs, failures } = await calls.check(
        kindOfRequest(request),
        request.getUrn(),
        fromStruct(request.getOlds()),
        fromStruct(request.getNews()),
      );
      const told = failures.map(({ property, reason }) =>
        new messages.CheckFailure().setProperty(property).setReason(reason),
      );
      return new messages.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(told);
    }),

    diff: ofResource(async (request: messages.DiffRequest) => {
      const kind = kindOfRequest(request);
      const result = await calls.diff(
        kind,
        request.getId(),
        { inputs: fromStruct(request.getOldInputs()), outputs: fromStruct(request.getOlds()) },
        fromStruct(request.getNews()),
      );
      const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
      const reply = new messages.DiffResponse()
        .setChanges(result.changes ? DIFF_SOME : DIFF_NONE)
        .setReplacesList([...result.replaces])
        .setDeletebeforereplace(result.deleteBeforeReplace)
        .setStablesList([...kind.stable])
        .setDiffsList(rootsOf(result.detailed))
        .setHasdetaileddiff(result.detailed.size > 0);
      for (const [path, change] of result.detailed) {
        const described = new messages.PropertyDiff().setKind(change).setInputdiff(true);
        reply.getDetaileddiffMap().set(path, described);
      }
      return reply;
    }),

    create: ofResource(async (request: messages.CreateRequest) => {
      const kind = kindOfRequest(request);
      const inputs = fromStruct(request.getProperties());
      if (request.getPreview()) {
        return new messages.CreateResponse().setProperties(toStruct(calls.previewOfCreate(kind, inputs)));
      }
      const { id, outputs } = await calls.create(kind, inputs);
      askedAgain.note(request.getUrn(), id);
      return new messages.CreateResponse().setId(id).setProperties(toStruct(outputs));
    }),

    read: ofResource(async (request: messages.ReadRequest) => {
      const seen = await calls.read(kindOfRequest(request), request.getId(), {
        inputs: fromStruct(request.getInputs()),
        outputs: fromStruct(request.getProperties()),
      });
      if (seen === undefined) return new messages.ReadResponse();
      return new messages.ReadResponse()
        .setId(seen.id)
        .setInputs(toStruct(seen.inputs))
        .setProperties(toStruct(seen.outputs));
    }),

    update: ofResource(async (request: messages.UpdateRequest) => {
      const kind = kindOfRequest(request);
      const olds = { inputs: fromStruct(request.getOldInputs()), outputs: fromStruct(request.getOlds()) };
      const news = fromStruct(request.getNews());
      const outputs = request.getPreview()
        ? calls.previewOfUpdate(kind, olds, news)
        : await calls.update(kind, request.getId(), olds, news);
      return new messages.UpdateResponse().setProperties(toStruct(outputs));
    }),

    delete: ofResource(async (request: messages.DeleteRequest) => {
      const kind = kindOfRequest(request);
      const outputs = fromStruct(request.getProperties());
      await calls.remove(kind, request.getId(), outputs);
      askedAgain.tell(kind, request.getUrn(), request.getId(), plainProperties(outputs));
      return new Empty();
    }),

    // A call that is given up has an outcome that nobody knows: those in flight end, at their deadlines at the latest.
    cancel: answer(() => new Empty()),

    construct: unimplemented("components for other languages"),
    invoke: unimplemented("functions"),
    call: unimplemented("methods"),
    parameterize: unimplemented("parameters"),
    getMapping: answer(() => new messages.GetMappingResponse()),
    getMappings: answer(() => new messages.GetMappingsResponse()),
    list: (call) => {
      call.emit("error", { code: grpc.status.UNIMPLEMENTED, details: "no driver's contract can list" });
    },
  };
}
