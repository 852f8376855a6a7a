import * as fs from "node:fs/promises";
import * as net from "node:net";
import type { Endpoint } from "./endpoint";

/** Longest time for the one connection, in milliseconds: on this machine it stands, or fails, at once. */
const patience = 500;

/** Why nobody answers at an endpoint. */
export interface Unreachable {
  readonly why: string;
  /** What the user does about it, where that is known better than by the code. */
  readonly next?: string;
}

/**
 * Finds out why nobody answers at an endpoint, for the error at the end of a wait: gRPC takes all that stands in the way for
 * a passing fault, and does not say what it was.
 *
 * @returns `undefined` where there is no such socket, which is all that can be said.
 */
export async function whyUnreachable(endpoint: Endpoint): Promise<Unreachable | undefined> {
  if (endpoint.kind === "network") {
    const host = endpoint.host.replace(/^\[|\]$/g, "");
    return { why: wordsOf(await faultOfConnection({ host, port: endpoint.port })) };
  }
  const { path } = endpoint;
  // Not `statSync`: see socket-access.ts.
  const found = await fs.stat(path).catch((error: unknown) => error as NodeJS.ErrnoException);
  if (found instanceof Error) return found.code === "ENOENT" ? undefined : unreachable(found);
  if (found.isSocket()) return unreachable(await faultOfConnection({ path }));
  return {
    why: `it is a ${found.isDirectory() ? "folder" : "file"}, not a socket`,
    next: "remove what is there and start the driver, or correct the endpoint of the Driver, then run the command again",
  };
}

const denied = new Set(["EACCES", "EPERM"]);
/** No driver has to be started for a user who may not go where it is. */
const permit =
  "give the user that runs pulumi the right to enter the folders of the socket and to write to it (mode 0660 and a common " +
  "group), or run pulumi as a user who has it, then run the command again";

function unreachable(fault: NodeJS.ErrnoException): Unreachable {
  return { why: wordsOf(fault), ...(denied.has(fault.code ?? "") ? { next: permit } : {}) };
}

/** Where a host has several addresses, Node's error has a code and no message. */
function wordsOf({ message, code = "" }: NodeJS.ErrnoException): string {
  return message === "" ? code : message;
}

/** What is wrong with one connection: that it fails, or that it stands, as gRPC waited for more. */
function faultOfConnection(options: net.NetConnectOpts): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const socket = net.connect({ ...options, timeout: patience });
    const end = (fault: Error): void => {
      socket.destroy();
      resolve(fault);
    };
    socket.on("error", end);
    socket.once("timeout", () => {
      end(new Error("no answer"));
    });
    socket.once("connect", () => {
      end(new Error("the connection is open, but no gRPC is spoken on it"));
    });
  });
}
