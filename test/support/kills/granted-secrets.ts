import { createHash } from "node:crypto";
import type { RpcName } from "../faults/rpc-proxy";
import type { Stack } from "../stack";
import type { Subject } from "./subject";

/** Has the keys and passwords of a reply looked for in all that the stack's commands print. */
export function knowGranted(
  stack: Pick<Stack, "know">,
  { secretsOfReply }: Pick<Subject, "secretsOfReply">,
  rpc: RpcName,
  reply: Uint8Array,
): void {
  for (const [name, value] of secretsOfReply(rpc, reply)) {
    const isKey = /key|token|password/i.test(name) && typeof value === "string" && value !== "";
    if (isKey) stack.know(`${name} of a ${rpc} (${digest(value)})`, value);
  }
}

/** Tells several keys apart. */
function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 8);
}
