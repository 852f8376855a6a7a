import { isRecord } from "../../provider/dynamic/values";
import { namesCallers } from "./policy-callers";

/**
 * Keys by which a condition says who the caller is, in small letters: their case does not count. Source: Amazon S3, the meaning
 * of "public". The tags of a caller are none of them: everybody sets his own.
 */
const callerKeys: readonly string[] = [
  "aws:principalaccount",
  "aws:principalarn",
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:principalservicename",
  "aws:userid",
];

/**
 * Operators that no request without the key meets. `…IfExists` and `ForAllValues:…` are met without it, and so is whatever begins
 * with Not.
 */
const requiringOperator =
  /^(ForAnyValue:)?(StringEquals|StringEqualsIgnoreCase|StringLike|ArnEquals|ArnLike)$/;

/** True for the condition of a statement that only callers with credentials meet, since it names those who do. */
export function needsCredentials(condition: unknown): boolean {
  if (!isRecord(condition)) return false;
  // All that a condition asks for has to be met: one that names callers is enough.
  return Object.entries(condition).some(
    ([operator, asked]) =>
      requiringOperator.test(operator) &&
      isRecord(asked) &&
      Object.entries(asked).some(
        ([key, value]) => callerKeys.includes(key.toLowerCase()) && namesCallers(value),
      ),
  );
}
