import { anonymousWordsOf } from "../resources/anonymous-access";
import type { AnonymousRight } from "../resources/bucket-policy";
import { describe } from "../resources/judged-resource";
import { resourcePolicy } from "../rule";

/** Settings of `cosi-no-anonymous-write`. */
export interface NoAnonymousWriteConfig {
  /**
   * Whether callers without credentials may read.
   *
   * @default "allow"
   */
  readonly anonymousRead: "allow" | "deny";
}

const defaults: NoAnonymousWriteConfig = { anonymousRead: "allow" };

/** Nobody writes without credentials. */
export const noAnonymousWrite = resourcePolicy<NoAnonymousWriteConfig>({
  name: "cosi-no-anonymous-write",
  description: "No bucket can be written to without credentials.",
  severity: "critical",
  remediationSteps:
    'Set anonymousAccess (of a class: anonymousAccessMode) to "private", or to "ro" where anybody may read, and take statements ' +
    "for everybody out of bucketPolicy. Who has to write gets a BucketAccess.",
  defaults,
  settings: {
    anonymousRead: {
      type: "string",
      enum: ["allow", "deny"],
      description: "Whether callers without credentials may read",
      default: defaults.anonymousRead,
    },
  },
  judge: (resource, { anonymousRead }) => {
    const isRefused = (right: AnonymousRight): boolean => right === "write" || anonymousRead === "deny";
    return anonymousWordsOf(resource)?.flatMap(({ field, value, rights }) => {
      const refused = rights.filter(isRefused);
      if (refused.length === 0) return [];
      return [
        `${describe(resource)}: ${field} is ${value}, by which anybody may ${refused.join(" and ")} without credentials. ` +
          `Next: ${wayOut(field, anonymousRead)}.`,
      ];
    });
  },
});

function wayOut(field: string, anonymousRead: NoAnonymousWriteConfig["anonymousRead"]): string {
  if (field.endsWith("bucketPolicy"))
    return "name in full each principal that a statement is for, and write every key once, as S3 spells it; or take the statements out";
  return `set ${field} to "private"${anonymousRead === "allow" ? ' or "ro"' : ""}`;
}
