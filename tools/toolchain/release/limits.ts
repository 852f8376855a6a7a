/** The bounds of a download. It has none in all: a slow line is not a fault. */
export interface DownloadLimits {
  /** Until a host has answered the connection. */
  readonly connectMs: number;
  /** Without a byte. */
  readonly stallMs: number;
  /** Tries in a row that bring less than {@link progressBytes}. */
  readonly tries: number;
  readonly progressBytes: number;
  /** Before the second try; doubles from then on. */
  readonly firstDelayMs: number;
  /** A server that asks to wait longer than this is not waited for. */
  readonly longestWaitMs: number;
}

export const defaultLimits: DownloadLimits = {
  connectMs: 5_000,
  stallMs: 30_000,
  tries: 4,
  progressBytes: 1024 * 1024,
  firstDelayMs: 1_000,
  longestWaitMs: 60_000,
};
