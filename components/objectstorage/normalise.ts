import type { CredentialProtocol } from "../../provider/credentials/credentials";
import { normalised, ProblemError, quoted, type Normalised } from "../kubernetes/problem";

/** Protocols of objectstorage.k8s.io/v1alpha1; `GCP` is its constant, although its comments say GCS. */
const protocols: readonly string[] = ["S3", "Azure", "GCP"];

/** OS1-017. */
export function claimProtocols(texts: unknown): Normalised<string[]> {
  // A program without types may give one protocol, or nothing.
  if (!Array.isArray(texts) || texts.length === 0) {
    const found = texts === undefined ? "missing" : JSON.stringify(texts);
    throw new ProblemError(`protocols is ${found}: give a list with at least one of ${quoted(protocols)}`);
  }
  const all = texts.map((text) => protocol("protocols", String(text)));
  return {
    value: [...new Set(all.map(({ value }) => value))],
    warnings: all.flatMap(({ warnings }) => warnings),
  };
}

/** OS1-027: an access has one of its claim's protocols, or none. */
export function accessProtocol(
  text: string | undefined,
  ofClaim: readonly string[],
): Normalised<string | undefined> {
  if (text === undefined || text === "") return { value: undefined, warnings: [] };
  const result = protocol("protocol", text);
  if (ofClaim.includes(result.value)) return result;
  throw new ProblemError(
    `protocol is ${JSON.stringify(text)}, and the claim has ${quoted(ofClaim)}: give one of these, or leave it out`,
  );
}

/** The protocol of the credentials to ask the driver for. */
export function credentialProtocol(ofAccess: string | undefined): CredentialProtocol | undefined {
  switch (ofAccess) {
    case "S3":
    case "Azure":
      return ofAccess;
    case "GCP":
      return "GCS";
    default:
      return undefined;
  }
}

function protocol(argument: string, text: string): Normalised<string> {
  const wanted = text.toUpperCase() === "GCS" ? "GCP" : text;
  const known = protocols.find((entry) => entry.toLowerCase() === wanted.toLowerCase());
  if (known === undefined) {
    throw new ProblemError(`${argument} has ${JSON.stringify(text)}: the protocols are ${quoted(protocols)}`);
  }
  return normalised(argument, text, known);
}
