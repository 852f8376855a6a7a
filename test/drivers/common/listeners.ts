import { readFileSync, readdirSync, readlinkSync } from "node:fs";

/** State of a socket in the tables of the kernel. */
const LISTEN = "0A";

/** What a process has open: sockets that listen for TCP, in lines of the kernel's tables, and files, by path. */
export function openOf(pid: number): {
  readonly sockets: number;
  readonly listeners: readonly string[];
  readonly files: readonly string[];
} {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkOrNothing(`/proc/${pid}/fd/${fd}`));
  const sockets = targets
    .map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1])
    .filter((inode) => inode !== undefined);
  const listeners = ["tcp", "tcp6"]
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n").slice(1))
    .filter((line) => {
      const columns = line.trim().split(/\s+/);
      return columns[3] === LISTEN && sockets.includes(columns[9] ?? "");
    });
  const files = targets.filter((target) => target.startsWith("/") && !target.startsWith("/dev/"));
  return { sockets: sockets.length, listeners, files };
}

/** The target of a link, or nothing if the link has gone meanwhile. */
function readlinkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
