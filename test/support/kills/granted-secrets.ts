import { createHash } from "node:crypto";
import type { Stack } from "../stack";
import type { Subject } from "./subject";

/** Has the keys of a grant's reply looked for in all that the stack's commands print. */
export function knowGranted(
  stack: Pick<Stack, "know">,
  { secretsOfGrant }: Pick<Subject, "secretsOfGrant">,
  reply: Uint8Array,
): void {
  for (const [name, value] of secretsOfGrant(reply)) {
    if (/key|token/i.test(name)) stack.know(`${name} of a grant (${digest(value)})`, value);
  }
}

/** Tells several keys apart. */
function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 8);
}
