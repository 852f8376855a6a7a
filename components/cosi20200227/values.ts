import type { AccessMode } from "../../provider/contracts/contract";
import { isRecord } from "../../provider/dynamic/values";
import { parametersProblem } from "../../provider/fields/parameters";
import { asFound } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";

const accessModes: readonly AccessMode[] = ["ro", "wo", "rw"];

/** K02-052: what credentials allow; empty is `rw`. */
export function accessModeNamed(value: unknown): AccessMode {
  if (value === undefined || value === null || value === "") return "rw";
  const mode = accessModes.find((known) => known === value);
  if (mode !== undefined) return mode;
  throw new ProblemError(`accessMode ${asFound(value)}: give one of ${quoted(accessModes)}`);
}

/** K02-051: names of protocols, whatever they are; at least one. */
export function supportedProtocolsNamed(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const names = entries.filter((entry) => typeof entry === "string").filter((entry) => entry !== "");
  if (names.length > 0 && names.length === entries.length) return names;
  throw new ProblemError(
    `supportedProtocols ${asFound(value)}: give a list of at least one name, such as "s3", "gcs" or "azureBlob"`,
  );
}

/** K02-056, K02-058: strings by their keys. */
export function textsNamed(argument: string, value: unknown): Record<string, string> {
  const problem = parametersProblem(value, { contract: "cosi-2020-02" });
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof text === "string") texts[key] = text;
  }
  return texts;
}

/** Longest name of a bucket, and what of it the UID of its Bucket takes. */
const longestBucketName = 63;
const uidLength = 36;

/** K02-022: a prefix as it is written, capitals included; empty for none. */
export function prefixNamed(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  const found = `bucketPrefix ${asFound(value)}`;
  if (typeof value !== "string") throw new ProblemError(`${found}: give a string`);
  const longest = longestBucketName - uidLength;
  if (value.length > longest) {
    throw new ProblemError(
      `${found} of ${value.length} characters: give at most ${longest}, as the bucket's name has at most ` +
        `${longestBucketName}, and the Bucket's UID takes ${uidLength} of them`,
    );
  }
  if (/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(value)) return value;
  throw new ProblemError(`${found}: give letters, digits, "." and "-", with a letter or digit first`);
}

/** K02-026: a wait in seconds. */
export function secretTimeoutNamed(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  throw new ProblemError(`secretTimeout ${asFound(value)}: give a number of seconds above 0`);
}
