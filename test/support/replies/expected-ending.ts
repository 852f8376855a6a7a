import type { Reply } from "./reply-case";
import type { Rpc } from "./reply-bytes";
import { credentialsIn, idIn } from "./wire-reading";

/**
 * How a step ends: its resource is as it should be, or stays in the state as failed, or is not in the state, or stays as
 * it was.
 */
export type Ending = "done" | "kept" | "dropped" | "stays";

/** What a step comes to by the requirement list of cosi.v1alpha1, sections 1 and 9. */
export interface Expected {
  /** Attempts of the RPC. */
  readonly attempts: number;
  readonly ending: Ending;
  /** Id of what was made, if the driver told it. */
  readonly id?: string;
}

const retried = [1, 4, 8, 10, 14];
const final = [3, 5, 6, 7, 9, 11, 12, 15, 16];
/** Codes after which nobody but the driver knows what happened; a code without a name is one too. */
const unknown = [1, 2, 4, 13, 14];
const notFound = 5;
const alreadyExists = 6;
const internal = 13;
/** Attempts that may end in a code that tells nothing of the fault: neither retried at will nor final. */
const maximumFaults = 3;

/**
 * How the step must end after these answers, the last of which is a good one.
 *
 * @param sent Name that is sent; a name that nobody else sends is taken for the id after ALREADY_EXISTS.
 * @returns `undefined` where an answer is such that it may be read or not.
 */
export function expectedEnding(
  rpc: Exclude<Rpc, "getInfo">,
  replies: readonly Reply[],
  sent: { readonly name: string; readonly named: boolean },
): Expected | undefined {
  let doubt = false;
  let faults = 0;
  for (const [index, reply] of replies.entries()) {
    const attempts = index + 1;
    if (reply.kind === "odd") return undefined;
    let code = internal;
    if (reply.kind === "status") code = reply.code;
    else if (reply.message.readable === "maybe") return undefined;
    else if (reply.message.readable === "yes") return { attempts, ...afterOk(rpc, reply.message.bytes) };
    doubt ||= unknown.includes(code) || code > 16;
    const repeated = !(rpc === "grant" && reply.kind === "message");
    if (!retried.includes(code) && !final.includes(code)) faults += 1;
    const goesOn = !final.includes(code) && repeated && faults < maximumFaults;
    if (!goesOn) return { attempts, ...afterCode(rpc, code, doubt, sent) };
  }
  return undefined;
}

function afterOk(rpc: Rpc, bytes: Buffer): Omit<Expected, "attempts"> {
  if (rpc === "delete" || rpc === "revoke") return { ending: "done" };
  const id = String(idIn(bytes));
  if (id === "") return { ending: "kept" };
  return rpc === "create" || isUsable(bytes) ? { ending: "done", id } : { ending: "dropped", id };
}

function afterCode(
  rpc: Rpc,
  code: number,
  doubt: boolean,
  { name, named }: { readonly name: string; readonly named: boolean },
): Omit<Expected, "attempts"> {
  if (rpc === "create" && code === alreadyExists && doubt && !named) return { ending: "done", id: name };
  if (rpc === "create" || rpc === "grant") return { ending: doubt ? "kept" : "dropped" };
  const gone = (code === notFound && (doubt || rpc === "delete")) || (code === alreadyExists && doubt);
  return { ending: gone ? "done" : "stays" };
}

/** True if the credentials are of one protocol, and enough to log in with. Source: GRPC-048, GRPC-125. */
function isUsable(bytes: Buffer): boolean {
  const granted = credentialsIn(bytes);
  const [protocol, ...others] = ["s3", "azure", "gcs"].filter((entry) => granted.has(entry));
  if (protocol === undefined || others.length > 0) return false;
  const given = granted.get(protocol) ?? new Map<string, string>();
  const has = (wanted: string): boolean => {
    if ((given.get(wanted) ?? "") !== "") return true;
    const last = [...given].findLast(([key]) => key.toLowerCase() === wanted.toLowerCase());
    return (last?.[1] ?? "") !== "";
  };
  if (protocol === "s3") return has("accessKeyID") && has("accessSecretKey");
  return protocol === "gcs" || has("accessToken");
}
