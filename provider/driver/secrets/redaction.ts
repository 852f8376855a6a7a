import * as fs from "node:fs";
import * as path from "node:path";
import {
  createFileRegistry,
  fromBinary,
  getOption,
  toJson,
  type DescExtension,
  type DescField,
  type DescMessage,
  type FileRegistry,
  type JsonValue,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { ContractName } from "../../contracts/contract";
import { contractOf } from "../../contracts/registry";
import { isAddressKey } from "../../credentials/address-keys";
import { secretsWithin } from "../../credentials/address-password";
import { errorText } from "../../dynamic/error-text";
import { isRecord } from "../../dynamic/values";
import { requireWireTypes } from "./wire-types";

const registries = new Map<string, FileRegistry>();

/** The contract's descriptors, with the options of its .proto. */
function registryOf(contract: ContractName): FileRegistry {
  const { descriptors } = contractOf(contract);
  const known = registries.get(descriptors);
  if (known !== undefined) return known;
  const image = path.join(__dirname, "..", "..", "..", "gen", descriptors, "image.binpb");
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readImage(image)));
  registries.set(descriptors, registry);
  return registry;
}

function readImage(file: string): Uint8Array {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new Error(
      `pulumi-cosi is not completely installed: ${errorText(error)}. Next: install the package again, then run the command again.`,
      { cause: error },
    );
  }
}

/** What contracts call their option for what is secret. */
const secretOptions = ["cosi_secret", "deployment_secret"];

/**
 * Contracts set their option for secrets on fields or on messages. A map can be no message with an option, and is
 * marked by protobuf's own `debug_redact` where the contract's is for messages.
 */
function isSecret(registry: FileRegistry, subject: DescField | DescMessage): boolean {
  const { file } = subject.kind === "field" ? subject.parent : subject;
  const options = secretOptions.map((name) => registry.getExtension(`${file.proto.package}.${name}`));
  if (subject.kind === "message") {
    return options.some(
      (option) => isOptionOf(option, "MessageOptions") && getOption(subject, option) === true,
    );
  }
  if (subject.proto.options?.debugRedact === true) return true;
  return options.some((option) => isOptionOf(option, "FieldOptions") && getOption(subject, option) === true);
}

function isOptionOf(option: DescExtension | undefined, kind: string): option is DescExtension {
  return option?.extendee.typeName === `google.protobuf.${kind}`;
}

/** A message as it may be logged, and the secrets that were in it. */
export interface Redacted {
  readonly json: JsonValue;
  /** Addresses among them left out, but not what opens the door alone within one, also in a map that is no secret. */
  readonly secrets: readonly string[];
}

/** Reads the bytes of one kind of message. @throws Error if they are no such message. */
export type Redactor = (bytes: Uint8Array) => Redacted;

/**
 * Makes the reader of a message's bytes that takes out what the contract's .proto marks as secret: what is
 * secret on the wire has one source, and no list of names is kept by hand.
 *
 * @param messageName Full protobuf name, `cosi.v1alpha1.DriverGrantBucketAccessResponse`.
 * @throws Error if the package lacks the contract's descriptors, or they lack the message; no bytes are at fault.
 */
export function redactorOf(contract: ContractName, messageName: string): Redactor {
  const registry = registryOf(contract);
  const message = registry.getMessage(messageName);
  if (message === undefined) throw new Error(`the contract ${contract} has no message ${messageName}`);
  return (bytes) => {
    const secrets: string[] = [];
    requireWireTypes(message, bytes);
    const json = redactMessage(registry, message, toJson(message, fromBinary(message, bytes)), secrets);
    return { json, secrets };
  };
}

/** Reads bytes once, as {@link redactorOf} does. */
export function redact(contract: ContractName, messageName: string, bytes: Uint8Array): Redacted {
  return redactorOf(contract, messageName)(bytes);
}

function redactMessage(
  registry: FileRegistry,
  message: DescMessage,
  json: JsonValue,
  secrets: string[],
): JsonValue {
  if (isSecret(registry, message)) {
    collectStrings(json, secrets);
    return "[secret]";
  }
  if (!isRecord(json)) return json;
  const result = { ...json };
  for (const field of message.fields) {
    const value = result[field.jsonName];
    if (value === undefined) continue;
    if (isSecret(registry, field)) {
      collectStrings(value, secrets);
      result[field.jsonName] = "[secret]";
    } else {
      result[field.jsonName] = redactField(registry, field, value, secrets);
    }
  }
  return result;
}

function redactField(
  registry: FileRegistry,
  field: DescField,
  value: JsonValue,
  secrets: string[],
): JsonValue {
  const inner = field.message;
  if (inner === undefined) {
    if (field.fieldKind === "map" && isRecord(value)) {
      for (const entry of Object.values(value)) collectWithin(entry, secrets);
    }
    return value;
  }
  if (field.fieldKind === "list" && Array.isArray(value)) {
    return value.map((entry) => redactMessage(registry, inner, entry, secrets));
  }
  if (field.fieldKind === "map" && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, redactMessage(registry, inner, entry, secrets)]),
    );
  }
  return redactMessage(registry, inner, value, secrets);
}

/**
 * What is redacted with the secrets around it and tells an address only is no secret in another text, but for a password
 * in it. A map or a list is none, whatever a driver calls it: the names of entries are its own.
 */
function collectStrings(value: JsonValue, into: string[], key = ""): void {
  if (typeof value === "string") into.push(...(isAddressKey(key) ? [] : [value]), ...secretsWithin(value));
  else if (Array.isArray(value)) for (const entry of value) collectStrings(entry, into);
  else if (isRecord(value)) {
    for (const [name, entry] of Object.entries(value)) collectStrings(entry, into, name);
  }
}

/** What opens the door alone within an address, of a value that is no secret; a name or an id is no address. */
function collectWithin(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(...secretsWithin(value));
}

/**
 * Texts that stand in a message in plain sight, beside its secrets: names and ids, what the orchestrator adds, and where
 * the bucket is.
 */
export function namesIn({ json }: Redacted): string[] {
  const fields = Object.values(isRecord(json) ? json : {});
  const added = fields.flatMap((field) =>
    Object.entries(isRecord(field) ? field : {}).flatMap(([key, value]) =>
      key.startsWith("cosi.io/") || isAddressKey(key) ? [value] : [],
    ),
  );
  return [...fields, ...added].filter((value) => typeof value === "string");
}
