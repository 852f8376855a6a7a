import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const ipv4Bytes = 4;

/** True where the kernel tells of processes below /proc, as Linux does. */
export function hasProc(): boolean {
  return fs.existsSync("/proc/self/stat");
}

/** All processes of a process group. */
export function processesOf(group: number): number[] {
  const groupColumn = 2;
  return fs
    .readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      // The program's name, in parentheses, may hold spaces.
      const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(columns[groupColumn]) === group;
    });
}

/** Regular files that a process has open for writing, but for its standard streams. */
export function filesWritten(pid: number): string[] {
  return descriptorsOf(pid).flatMap(({ number, target }) => {
    const flags = /^flags:\s*(\d+)/m.exec(read(`/proc/${pid}/fdinfo/${number}`))?.[1] ?? "0";
    const accessMode = 0o3;
    const writes = (Number.parseInt(flags, 8) & accessMode) !== 0;
    return writes && number > 2 && isRegularFile(target) ? [target] : [];
  });
}

/** Where a process takes TCP connections. */
export interface Listener {
  readonly host: string;
  readonly port: number;
}

/** The TCP addresses on which a process listens, as one of this host can reach them. */
export function listeners(pid: number): Listener[] {
  const inodes = new Set(
    descriptorsOf(pid).flatMap(({ target }) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []),
  );
  const listen = "0A";
  return ["tcp", "tcp6"]
    .flatMap((table) => read(`/proc/${pid}/net/${table}`).split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === listen && inodes.has(inode ?? ""))
    .map(([, local = ""]) => {
      const [host = "", port = ""] = local.split(":");
      return { host: addressOf(host), port: Number.parseInt(port, 16) };
    });
}

/** The kernel writes an address as 32-bit words in the byte order of the host. That of any interface is the loopback. */
function addressOf(words: string): string {
  const bytes = Buffer.from(words, "hex");
  if (os.endianness() === "LE") bytes.swap32();
  const isAny = bytes.every((byte) => byte === 0);
  if (bytes.length === ipv4Bytes) return isAny ? "127.0.0.1" : bytes.join(".");
  const groups = bytes.toString("hex").match(/.{4}/g) ?? [];
  // In the short form of an address.
  return isAny ? "::1" : new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function descriptorsOf(pid: number): { readonly number: number; readonly target: string }[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return fs.readdirSync(folder).flatMap((name) => {
      try {
        return [{ number: Number(name), target: fs.readlinkSync(path.join(folder, name)) }];
      } catch {
        // It was closed in between.
        return [];
      }
    });
  } catch {
    return [];
  }
}

function isRegularFile(target: string): boolean {
  return target.startsWith("/") && fs.statSync(target, { throwIfNoEntry: false })?.isFile() === true;
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
