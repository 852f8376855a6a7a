import { execFile } from "node:child_process";
import { chmod, copyFile, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { DownloadError } from "./download-error";
import { describeError } from "./describe-error";
import type { Release } from "./release";

/**
 * Takes the programs out of the file of a release, into a folder, under the names of the tools. Nothing else of an
 * archive is unpacked, so a path in it that leads elsewhere writes nothing.
 *
 * The system's tar and unzip do it: every Linux and macOS that this runs on has tar, macOS has unzip, and only its
 * releases are zip files.
 *
 * @throws DownloadError when a program is not in it, or is not a file.
 */
export async function unpack(file: string, release: Release, folder: string): Promise<void> {
  const names = Object.keys(release.programs);
  if (release.format === "program") {
    for (const name of names) await copyFile(file, join(folder, name));
  } else {
    const work = join(folder, "unpacked");
    await mkdir(work);
    await extract(file, release.format, Object.values(release.programs), work);
    for (const [name, path] of Object.entries(release.programs)) {
      await rename(await regularFile(work, path), join(folder, name));
    }
    await rm(work, { recursive: true, force: true });
  }
  for (const name of names) await chmod(join(folder, name), 0o755);
}

async function extract(
  file: string,
  format: "tar.gz" | "zip",
  paths: readonly string[],
  folder: string,
): Promise<void> {
  const [command, args] =
    format === "zip"
      ? ["unzip", ["-q", "-o", file, ...paths, "-d", folder]]
      : // As root, tar would give the files to whom the archive says.
        ["tar", ["-xzf", file, "-C", folder, "--no-same-owner", ...paths]];
  try {
    await promisify(execFile)(command, args, { env: { ...process.env, LC_ALL: "C" } });
  } catch (error) {
    throw new DownloadError(`${command} cannot unpack it: ${saidBy(error)}`, undefined, { cause: error });
  }
}

function saidBy(error: unknown): string {
  const output = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return output === "" ? describeError(error) : output;
}

/** The path of an unpacked file, which neither is a link nor lies behind one. */
async function regularFile(folder: string, path: string): Promise<string> {
  const full = join(folder, path);
  const inside = join(await realpath(folder), dirname(path));
  if ((await lstat(full)).isFile() && (await realpath(dirname(full))) === inside) return full;
  throw new DownloadError(`${path} in the archive is not a file`);
}
