import * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../../provider/dynamic/values";
import { identifierFields, type BucketCase } from "../../provider/models/cosi-2020-02/specs";
import {
  bucketNameField,
  readProtocol,
  type ApiProtocol,
} from "../../provider/models/cosi-proposals/protocols";
import { asFound } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";
import { textsNamed } from "./values";

/** It has to be known immediately whether these fields are there, as they decide what kind of bucket a class is for. */
function requirePlain(argument: string, value: unknown): void {
  if (!pulumi.Output.isInstance(value) && !(value instanceof Promise)) return;
  throw new ProblemError(
    `${argument} is an output as a whole: give an object whose values may be outputs, as its presence decides whether a ` +
      "bucket is made",
  );
}

/** K02-055: a map as an argument gives it; `undefined` for none, and for an empty one. */
export function identifierGiven(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined;
  requirePlain("bucketIdentifier", value);
  if (!isRecord(value))
    throw new ProblemError(`bucketIdentifier ${asFound(value)}: give strings by their keys`);
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A class that has an identifier. */
export interface IdentifiedClass {
  readonly bucketCase: BucketCase;
  readonly supportedProtocols: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/** K02-056: where an existing bucket is. @throws ProblemError if no driver could find a bucket by it. */
export function identifierNamed(
  value: unknown,
  { bucketCase, supportedProtocols, parameters }: IdentifiedClass,
): Record<string, string> {
  const identifier = textsNamed("bucketIdentifier", value);
  const protocols = supportedProtocols.flatMap((name) => readProtocol(name) ?? []);
  if (bucketCase === "brownfield") {
    const fields = [...new Set(protocols.map(bucketNameField))];
    if (!fields.some((field) => (identifier[field] ?? "") !== "")) {
      throw new ProblemError(
        `bucketIdentifier has no ${fields.join(" or ") || "bucketName or containerName"}: give the backend's name of the bucket`,
      );
    }
  }
  const { signatureVersion } = identifier;
  if (
    signatureVersion !== undefined &&
    protocols.includes("s3") &&
    !signatureVersions.includes(signatureVersion)
  ) {
    throw new ProblemError(
      `bucketIdentifier.signatureVersion ${asFound(signatureVersion)}: give one of ${quoted(signatureVersions)}`,
    );
  }
  const both = keyTwice(identifier, parameters, protocols);
  if (both !== undefined) {
    throw new ProblemError(
      `bucketIdentifier and parameters both have ${JSON.stringify(both)}, which the driver would get as one parameter: leave ` +
        "one of them out",
    );
  }
  return identifier;
}

const signatureVersions: readonly string[] = ["V2", "V4"];

/** A key that would be sent to the driver as a parameter, as no protocol has a field for it, but already is a parameter. */
export function keyTwice(
  identifier: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>>,
  protocols: readonly ApiProtocol[],
): string | undefined {
  const fields = protocols.flatMap((protocol) => identifierFields[protocol]);
  return Object.keys(identifier).find((key) => !fields.includes(key) && key in parameters);
}
