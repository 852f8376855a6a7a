import { rm } from "node:fs/promises";
import { basename, join } from "node:path";

import { versionOf } from "../user-source";
import { checksumOf, checksumOfFile } from "./checksums";
import { DownloadError } from "./download-error";
import type { DownloadReport } from "./download";
import { addressOf } from "./mirror";
import type { Origin } from "./origin";
import type { Release } from "./release";
import { shownUrl } from "./shown-url";
import { unpack } from "./unpack";

/** What it takes to fetch a release. */
export interface ReleaseFetch {
  readonly release: Release;
  readonly origin: Origin;
  readonly mirror: string | undefined;
  /** Takes the programs. */
  readonly folder: string;
  /** Where the download is kept meanwhile: for the next run, when this one is broken off. */
  readonly download: string;
  readonly report: DownloadReport;
}

/**
 * Downloads a release, checks it against its checksum file, takes the programs out, and checks that they run and are of
 * the version that is wanted.
 *
 * @throws DownloadError when any of it fails. A file with a wrong sum, or with wrong programs in it, is removed.
 */
export async function fetchRelease(fetch: ReleaseFetch): Promise<void> {
  const { release, origin, mirror, folder, download, report } = fetch;
  const url = addressOf(release.url, mirror);
  const expected = await expectedChecksum(fetch);
  const file = await origin.fetchFile(url, download, report);
  try {
    const actual = await checksumOfFile(file, release.checksums.algorithm);
    if (actual !== expected) {
      throw new DownloadError(
        `${shownUrl(url)} is damaged: its ${release.checksums.algorithm} sum is ${actual}, but the release says ${expected}`,
        "run the same command again; if the sum is wrong again, something on the way changes the file",
      );
    }
    await unpack(file, release, folder);
    await checkVersion(release, folder, url);
  } finally {
    for (const path of [file, `${file}.json`]) await rm(path, { force: true });
  }
}

async function expectedChecksum({ release, origin, mirror, report }: ReleaseFetch): Promise<string> {
  const { algorithm } = release.checksums;
  const url = addressOf(release.checksums.url, mirror);
  const name = basename(new URL(release.url).pathname);
  const sum = checksumOf(await origin.readText(url, report), name, algorithm);
  if (sum === undefined) throw new DownloadError(`${shownUrl(url)} has no ${algorithm} sum of ${name}`);
  return sum;
}

async function checkVersion({ version, versionCheck }: Release, folder: string, url: URL): Promise<void> {
  if (versionCheck === undefined) return;
  const { program } = versionCheck;
  const found = await versionOf(join(folder, program), versionCheck.arguments);
  if (found === version) return;
  throw new DownloadError(
    found === undefined
      ? `${program} of ${shownUrl(url)} does not run here`
      : `${program} of ${shownUrl(url)} is ${found}, not ${version}`,
  );
}
