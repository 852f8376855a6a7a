import type { ProviderContext as WireContext } from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import type { BucketInfo, Protocol, ProviderContext } from "../contract";

type Parameters = Readonly<Record<string, string>>;

/** What is known of a bucket before its driver has said anything of it. */
export interface KnownOfBucket {
  readonly protocol: Protocol;
  readonly parameters: Parameters;
  /** What the driver, or the owner of a bucket that was there before, says of it. */
  readonly bucketInfo?: BucketInfo | null | undefined;
}

/**
 * The context of a call: what the driver gave at the create, else what the protocol's fields and the parameters say.
 * Source: COSI proposal of 2020-07-08, gRPC Definitions; which parameters count is decided.
 */
export function contextOf(known: KnownOfBucket): WireContext {
  return toWire(providerContextOf(known));
}

/** The context as the package has it, {@link contextOf} as the wire has it. */
export function providerContextOf({ protocol, parameters, bucketInfo }: KnownOfBucket): ProviderContext {
  if (bucketInfo?.providerContext !== undefined) return bucketInfo.providerContext;
  switch (protocol) {
    case "S3": {
      const region = bucketInfo?.protocol === "S3" ? bucketInfo.region : "";
      return { kind: "s3", location: locationOf(parameters, region) };
    }
    case "GCS": {
      const project = bucketInfo?.protocol === "GCS" ? bucketInfo.projectId : "";
      return {
        kind: "gcs",
        location: locationOf(parameters),
        project: projectOf(parameters, project),
      };
    }
    case "Azure":
      return { kind: "azure" };
  }
}

/** What the driver told of the bucket that it made; `null` if that is nothing. */
export function readContext(wire: WireContext | undefined): ProviderContext | null {
  const context = wire?.context;
  switch (context?.$case) {
    case "s3Context":
      return { kind: "s3", location: context.value.location };
    case "gcsContext":
      return { kind: "gcs", location: context.value.location, project: context.value.project };
    case "azureContext":
      return { kind: "azure" };
    case "genericContext":
      return { kind: "generic", bucketData: Object.fromEntries(context.value.bucketData) };
    case undefined:
      return null;
  }
}

/**
 * What workloads have to know of the bucket, from what the driver told and, where it is silent, from equally named
 * parameters of the class. The protocol is always there: later calls name it.
 */
export function bucketInfoOf(
  protocol: Protocol,
  context: ProviderContext | null,
  parameters: Parameters,
): BucketInfo {
  const told = context === null ? {} : fieldsOf(context);
  const field = (name: string): string => present(told[name]) ?? parameters[name] ?? "";
  const kept = context === null ? {} : { providerContext: context };
  switch (protocol) {
    case "S3":
      return {
        protocol,
        region: field("region"),
        signatureVersion: signatureVersionOf(field("signatureVersion")),
        ...kept,
      };
    case "Azure":
      return { protocol, storageAccount: field("storageAccount"), ...kept };
    case "GCS":
      return {
        protocol,
        privateKeyName: field("privateKeyName"),
        projectId: field("projectId"),
        serviceAccount: field("serviceAccount"),
        ...kept,
      };
  }
}

/** A context by the names of the fields of a Bucket's protocol. */
function fieldsOf(context: ProviderContext): Parameters {
  switch (context.kind) {
    case "s3":
      return { region: context.location };
    case "gcs":
      return { projectId: context.project };
    case "azure":
      return {};
    case "generic":
      return context.bucketData;
  }
}

function signatureVersionOf(text: string): "S3V2" | "S3V4" | null {
  switch (text.toUpperCase()) {
    case "V2":
      return "S3V2";
    case "V4":
      return "S3V4";
    default:
      return null;
  }
}

function toWire(context: ProviderContext): WireContext {
  switch (context.kind) {
    case "s3":
      return { context: { $case: "s3Context", value: { location: context.location } } };
    case "gcs": {
      const { location, project } = context;
      return { context: { $case: "gcsContext", value: { location, project } } };
    }
    case "azure":
      return { context: { $case: "azureContext", value: {} } };
    case "generic":
      return {
        context: {
          $case: "genericContext",
          value: { bucketData: new Map(Object.entries(context.bucketData)) },
        },
      };
  }
}

/** The parameter that a create sends comes first, so that later calls say the same. */
function locationOf({ location, region }: Parameters, known = ""): string {
  return present(location) ?? present(known) ?? region ?? "";
}

function projectOf({ project, projectId }: Parameters, known = ""): string {
  return present(project) ?? present(known) ?? projectId ?? "";
}

function present(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
