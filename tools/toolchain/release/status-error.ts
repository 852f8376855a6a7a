import type { IncomingMessage } from "node:http";

import { DownloadError, TransientError } from "./download-error";
import { shownUrl } from "./shown-url";

const BUSY = new Set([408, 429]);

/** What a status that brings no file means. */
export function statusError(url: URL, response: IncomingMessage): DownloadError {
  const status = response.statusCode ?? 0;
  const message = `${shownUrl(url)} answers ${`${status} ${response.statusMessage ?? ""}`.trim()}`;
  if (status >= 500 || BUSY.has(status)) {
    return new TransientError(message, retryAfter(response.headers["retry-after"], Date.now()));
  }
  if (status === 403 || status === 407) {
    return new DownloadError(
      message,
      "a proxy or firewall may forbid this address: ask for it to be allowed, or let PULUMI_COSI_TOOLS_MIRROR name a mirror of the releases",
    );
  }
  return new DownloadError(message);
}

/** Milliseconds to wait, as the header says in seconds or as a date. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
