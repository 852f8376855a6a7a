import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";

import { describeError } from "./describe-error";
import { DownloadError, TransientError } from "./download-error";
import type { HttpClient } from "./http-client";
import { PartialFile } from "./partial-file";
import type { OnProgress } from "./progress-lines";
import { withRetries, type Retries } from "./retry";
import { shownUrl } from "./shown-url";
import { statusError } from "./status-error";

/** A checksum file is some kilobytes. */
const MOST_TEXT_BYTES = 1024 * 1024;

/** Who is told of a download while it runs. */
export interface DownloadReport {
  readonly onProgress: OnProgress;
  readonly onRetry: Retries["onRetry"];
}

/**
 * Downloads a file to `<path>.partial`, and goes on with the beginning that an earlier run has left there, when the
 * server still has the same file.
 *
 * @returns the path of the complete, unchecked file.
 * @throws HostError when its host cannot be used in this run.
 * @throws DownloadError when the server does not give it. What has been received by then is kept for the next run.
 */
export async function downloadFile(
  client: HttpClient,
  url: URL,
  path: string,
  report: DownloadReport,
): Promise<string> {
  const partial = new PartialFile(`${path}.partial`, shownUrl(url));
  let received = await partial.size();
  const attempt = async () => {
    const { response, start } = await askForRest(client, url, partial);
    received = start;
    const length = Number(response.headers["content-length"] ?? Number.NaN);
    const total = Number.isNaN(length) ? undefined : start + length;
    report.onProgress(received, total);
    await append(response, partial.path, start, (bytes) => {
      received += bytes;
      report.onProgress(received, total);
    });
    if (total !== undefined && received !== total) {
      throw new TransientError(`${shownUrl(url)} ended after ${received} of ${total} bytes`);
    }
  };
  await untilGivenUp(client, url, attempt, {
    limits: client.limits,
    received: () => received,
    onRetry: report.onRetry,
  });
  return partial.path;
}

/** Writes a body to the end of a file, or over it when it begins at its start. */
async function append(
  response: IncomingMessage,
  path: string,
  start: number,
  onBytes: (bytes: number) => void,
): Promise<void> {
  try {
    const file = await open(path, start > 0 ? "a" : "w");
    try {
      for await (const chunk of bodyOf(response)) {
        await file.appendFile(chunk);
        onBytes(chunk.length);
      }
    } finally {
      await file.close();
    }
  } finally {
    response.destroy();
  }
}

/**
 * Reads a text of at most a megabyte.
 *
 * @throws HostError when its host cannot be used in this run.
 * @throws DownloadError when the server does not give it.
 */
export async function downloadText(
  client: HttpClient,
  url: URL,
  onRetry: Retries["onRetry"],
): Promise<string> {
  const attempt = async () => {
    const response = await client.get(url, {});
    if (response.statusCode !== 200) throw refused(url, response);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of bodyOf(response)) {
      size += chunk.length;
      if (size > MOST_TEXT_BYTES) throw new DownloadError(`${shownUrl(url)} is too long for a checksum file`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  };
  return untilGivenUp(client, url, attempt, { limits: client.limits, received: () => 0, onRetry });
}

/** Nothing else of a host is waited for when it has failed at all tries. */
async function untilGivenUp<T>(
  client: HttpClient,
  url: URL,
  attempt: () => Promise<T>,
  retries: Retries,
): Promise<T> {
  try {
    return await withRetries(attempt, retries);
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    throw client.hosts.add(
      url.host,
      `${error.message}; given up after ${retries.limits.tries} tries`,
      "run the same command again later",
    );
  }
}

/** The body of a file from where the partial one ends, else from its beginning. */
async function askForRest(
  client: HttpClient,
  url: URL,
  partial: PartialFile,
): Promise<{ readonly response: IncomingMessage; readonly start: number }> {
  const { size, headers } = await partial.resumption();
  const response = await client.get(url, { "accept-encoding": "identity", ...headers });
  if (response.statusCode === 200) {
    await partial.begin(response.headers);
    return { response, start: 0 };
  }
  if (size === 0) throw refused(url, response);
  if (response.statusCode === 206 && (await partial.accepts(response.headers, size))) {
    return { response, start: size };
  }
  if (response.statusCode !== 206 && response.statusCode !== 416) throw refused(url, response);
  // Another file than the beginning is of, or no such rest.
  response.destroy();
  await partial.remove();
  return askForRest(client, url, partial);
}

function refused(url: URL, response: IncomingMessage): DownloadError {
  response.destroy();
  return statusError(url, response);
}

/** The chunks of a body. Only what the network does to it is a reason to try again, not what the reader does. */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    const chunks: AsyncIterable<unknown> = response;
    for await (const chunk of chunks) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    throw new TransientError(`the connection broke: ${describeError(error)}`, undefined, { cause: error });
  }
}
