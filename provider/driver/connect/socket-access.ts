import * as fs from "node:fs/promises";
import * as path from "node:path";
import { warn } from "../../run/warning";

const othersMayWrite = 0o002;
const othersMayEnter = 0o001;

/**
 * Warns of a socket that any user of this machine can connect to: they could have the driver do what this program may
 * (GRPC-092). A socket whose own mode, or that of a folder above, keeps others out is none.
 */
export async function warnOfOpenSocket(socket: string, driverName: string): Promise<void> {
  const mode = await openMode(socket);
  if (mode === undefined) return;
  warn(
    "driver",
    driverName,
    `its socket ${socket} has mode ${mode}, so every user of this machine can call the driver: give the socket mode 0660, ` +
      "or put it into a folder that others may not enter",
  );
}

/**
 * Never with `statSync`: Node 22 remembers the kind of the file, and its module loader then breaks off at a symbolic
 * link, so that the next `require` of this package loads a second copy of it.
 */
async function openMode(socket: string): Promise<string | undefined> {
  try {
    const { mode } = await fs.stat(socket);
    if ((mode & othersMayWrite) === 0) return undefined;
    for (const folder of foldersAbove(await fs.realpath(socket))) {
      if (((await fs.stat(folder)).mode & othersMayEnter) === 0) return undefined;
    }
    return `0${(mode & 0o777).toString(8)}`;
  } catch {
    // The driver has just removed it; the next call says so.
    return undefined;
  }
}

function foldersAbove(file: string): string[] {
  const parent = path.dirname(file);
  return parent === file ? [] : [parent, ...foldersAbove(parent)];
}
