import { provisionerNaming } from "../../contracts/cosi-2020-07/provisioner";
import type { CheckFailures } from "../../dynamic/check-failures";
import { containsUnknown, isRecord } from "../../dynamic/values";
import { namespaceProblem, objectNameProblem } from "../../kubernetes/names";
import type { AdminBucketInputs } from "./admin-bucket-state";
import { provisionerLabel } from "../cosi-proposals/provisioner-label";
import { secretParametersProblem } from "./provisioner-secrets";
import { accessModeNames, protocolFields, readAccessMode } from "./specs";
import { apiProtocols, bucketNameField, readProtocol, type ApiProtocol } from "../cosi-proposals/protocols";

/** Where the package keeps marks of its own. */
const ownAnnotations = "pulumi-cosi/";

const signatureVersions = ["V2", "V4"];

/** Judges what a program says of an admin's Bucket. What is not known yet fails nothing. */
export function judgeAdminBucket(failures: CheckFailures, news: AdminBucketInputs): void {
  failures.judge("name", news.name, objectNameProblem);
  judgeGiven(failures, "provisioner", news.provisioner, (value) =>
    typeof value === "string" ? provisionerNaming.problem(value) : "is no text",
  );
  judgeGiven(failures, "permittedNamespaces", news.permittedNamespaces, namespacesProblem);
  judgeGiven(failures, "protocol", news.protocol, protocolProblem);
  const protocol = readProtocol(news.protocol);
  if (protocol !== undefined) {
    judgeGiven(failures, "protocolFields", news.protocolFields, (value) => fieldsProblem(protocol, value));
  }
  failures.judge("releasePolicy", news.releasePolicy ?? undefined, policyProblem);
  failures.judge("anonymousAccessMode", news.anonymousAccessMode, accessModeProblem);
  failures.judge("labels", news.labels ?? undefined, (labels) =>
    reservedProblem(labels, (key) => key === provisionerLabel),
  );
  failures.judge("annotations", news.annotations ?? undefined, (annotations) =>
    reservedProblem(annotations, (key) => key.startsWith(ownAnnotations)),
  );
  failures.judge("parameters", news.parameters ?? undefined, parametersProblem);
}

function judgeGiven(
  failures: CheckFailures,
  property: string,
  value: unknown,
  problem: (value: unknown) => string | undefined,
): void {
  if (value === undefined)
    failures.add(property, "is missing: a Bucket that is not made for a request needs it");
  else if (!containsUnknown(value)) failures.judge(property, value, problem);
}

function namespacesProblem(value: unknown): string | undefined {
  const form = "give a list of { name } or { name, uid }; an empty one permits nobody";
  if (!Array.isArray(value)) return `is no list: ${form}`;
  for (const entry of value) {
    if (!isRecord(entry) || typeof entry["name"] !== "string") return `has ${JSON.stringify(entry)}: ${form}`;
    const problem = namespaceProblem(entry["name"]);
    if (problem !== undefined) return `has a name that ${problem}`;
  }
  return undefined;
}

function protocolProblem(value: unknown): string | undefined {
  return readProtocol(value) === undefined
    ? `is ${JSON.stringify(value)}: give one of ${apiProtocols.join(", ")}`
    : undefined;
}

function fieldsProblem(protocol: ApiProtocol, value: unknown): string | undefined {
  const known = protocolFields[protocol];
  if (!isRecord(value)) return `is no map: give ${known.join(", ")} of ${protocol}`;
  for (const [field, content] of Object.entries(value)) {
    if (!known.includes(field)) return `has ${field}, and the fields of ${protocol} are: ${known.join(", ")}`;
    if (typeof content !== "string") return `has ${field} that is no text: put it in quotes`;
  }
  const nameField = bucketNameField(protocol);
  if ((value[nameField] ?? "") === "") return `has no ${nameField}: give the bucket's name in the backend`;
  const version = value["signatureVersion"];
  if (version === undefined || (typeof version === "string" && signatureVersions.includes(version)))
    return undefined;
  return `has signatureVersion ${JSON.stringify(version)}: give one of ${signatureVersions.join(", ")}`;
}

function policyProblem(value: string): string | undefined {
  if (value === "Retain") return undefined;
  return (
    `is ${JSON.stringify(value)}: a bucket that was there before is never deleted, so its policy is "Retain"; leave it out, ` +
    "or give that"
  );
}

function accessModeProblem(value: string): string | undefined {
  return readAccessMode(value) === undefined
    ? `is ${JSON.stringify(value)}: give one of ${accessModeNames.join(", ")}`
    : undefined;
}

function reservedProblem(
  map: Readonly<Record<string, unknown>>,
  isReserved: (key: string) => boolean,
): string | undefined {
  const reserved = Object.keys(map).find(isReserved);
  return reserved === undefined ? undefined : `has ${reserved}, which the package sets: leave it out`;
}

/** Keys are named, values never: they may be secret. */
function parametersProblem(parameters: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(parameters)) {
    if (typeof value !== "string") {
      return `has a value that is not a string at the key ${JSON.stringify(key)}: put it in quotes, as the driver reads texts`;
    }
  }
  return secretParametersProblem(parameters);
}
