import { copyFile, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { downloadFile, downloadText, type DownloadReport } from "./download";
import { DownloadError } from "./download-error";
import type { HttpClient } from "./http-client";

/** Where the files of releases come from: the network, or a folder. */
export interface Origin {
  /** @throws DownloadError when it cannot be had. */
  readText(url: URL, report: DownloadReport): Promise<string>;
  /**
   * @param path - Nothing else uses it.
   * @returns the path of the complete, unchecked file.
   * @throws DownloadError when it cannot be had.
   */
  fetchFile(url: URL, path: string, report: DownloadReport): Promise<string>;
}

export function httpOrigin(client: HttpClient): Origin {
  return {
    readText: (url, { onRetry }) => downloadText(client, url, onRetry),
    fetchFile: (url, path, report) => downloadFile(client, url, path, report),
  };
}

/** A mirror in a folder, for a machine without a network. */
export const fileOrigin: Origin = {
  readText: (url) => fromFolder(url, (path) => readFile(path, "utf8")),
  fetchFile: (url, path, { onProgress }) =>
    fromFolder(url, async (source) => {
      const { size } = await stat(source);
      onProgress(0, size);
      await copyFile(source, `${path}.partial`);
      return `${path}.partial`;
    }),
};

async function fromFolder<T>(url: URL, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(fileURLToPath(url));
  } catch (error) {
    throw new DownloadError(error instanceof Error ? error.message : String(error), undefined, {
      cause: error,
    });
  }
}
