import { providerContextOf } from "../../contracts/cosi-2020-07/provider-context";
import type { BucketInfo, ProviderContext } from "../../contracts/contract";
import { isRecord } from "../../dynamic/values";
import type { BucketRecord } from "./records";
import type { ProtocolFields } from "./specs";
import { bucketNameField, protocolOf, type ApiProtocol } from "../cosi-proposals/protocols";

/** What a create told, as the fields of a Bucket's protocol: K07-048. Fields without a value are left out. */
export function fieldsOf(
  protocol: ApiProtocol,
  bucketId: string,
  info: BucketInfo | null | undefined,
  parameters: Readonly<Record<string, string>>,
): ProtocolFields {
  const fields = { [bucketNameField(protocol)]: bucketId, ...infoFields(protocol, info, parameters) };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

function infoFields(
  protocol: ApiProtocol,
  info: BucketInfo | null | undefined,
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const generic = info?.providerContext?.kind === "generic" ? info.providerContext.bucketData : {};
  const field = (name: string): string => present(generic[name]) ?? parameters[name] ?? "";
  switch (info?.protocol) {
    case "S3": {
      const { region, signatureVersion } = info;
      return { endpoint: field("endpoint"), region, signatureVersion: signatureVersion?.slice(2) ?? "" };
    }
    case "Azure":
      return { storageAccount: info.storageAccount };
    case "GCS": {
      const { privateKeyName, projectId, serviceAccount } = info;
      return { privateKeyName, projectId, serviceAccount };
    }
    case undefined:
      return protocol === "s3" ? { endpoint: field("endpoint") } : {};
  }
}

/** What later calls need to know of a Bucket, whoever made it. */
export function bucketInfoOf(bucket: BucketRecord): BucketInfo | null {
  const { protocol: apiProtocol, protocolFields: fields, parameters } = bucket;
  if (apiProtocol === undefined) return null;
  const protocol = protocolOf(apiProtocol);
  const info = plainInfo(protocol, fields);
  const providerContext =
    readContext(bucket.providerContext) ?? providerContextOf({ protocol, parameters, bucketInfo: info });
  return { ...info, providerContext };
}

function plainInfo(protocol: BucketInfo["protocol"], fields: ProtocolFields): BucketInfo {
  const field = (name: string): string => fields[name] ?? "";
  switch (protocol) {
    case "S3": {
      const version = field("signatureVersion");
      const signatureVersion = version === "V2" ? "S3V2" : version === "V4" ? "S3V4" : null;
      return { protocol, region: field("region"), signatureVersion };
    }
    case "Azure":
      return { protocol, storageAccount: field("storageAccount") };
    case "GCS":
      return {
        protocol,
        privateKeyName: field("privateKeyName"),
        projectId: field("projectId"),
        serviceAccount: field("serviceAccount"),
      };
  }
}

/** A context as the annotation has it: K07-049. */
export function writeContext(context: ProviderContext | undefined): string | null {
  return context === undefined ? null : JSON.stringify(context);
}

/** Reads what {@link writeContext} wrote; `undefined` for anything else, which is then worked out anew. */
function readContext(json: string | undefined): ProviderContext | undefined {
  const value = json === undefined ? undefined : parse(json);
  if (!isRecord(value)) return undefined;
  const text = (key: string): string => (typeof value[key] === "string" ? value[key] : "");
  switch (value["kind"]) {
    case "s3":
      return { kind: "s3", location: text("location") };
    case "gcs":
      return { kind: "gcs", location: text("location"), project: text("project") };
    case "azure":
      return { kind: "azure" };
    case "generic":
      return { kind: "generic", bucketData: textsOf(value["bucketData"]) };
    default:
      return undefined;
  }
}

function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([key, entry]) => (typeof entry === "string" ? [[key, entry]] : [])),
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function present(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
