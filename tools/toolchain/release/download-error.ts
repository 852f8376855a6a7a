/** A file cannot be had: asking for it again in this run would not help. */
export class DownloadError extends Error {
  override readonly name: string = "DownloadError";

  /**
   * @param remedy - What the user can do about it.
   */
  constructor(
    message: string,
    readonly remedy?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** It may be had at another try: a broken connection, a server that is busy. */
export class TransientError extends DownloadError {
  override readonly name = "TransientError";

  /**
   * @param waitMs - How long the server asks to wait.
   */
  constructor(
    message: string,
    readonly waitMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, undefined, options);
  }
}

/** Nothing can be had from a host, in this run. */
export class HostError extends DownloadError {
  override readonly name = "HostError";
}
