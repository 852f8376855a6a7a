const STEP = 0.25;
const STEP_BYTES = 50_000_000;
const APART_MS = 3_000;

/** Takes how much of a file is there, and how much it will be. */
export type OnProgress = (received: number, total: number | undefined) => void;

/**
 * Tells of a download in a few lines: one when it begins, then at most one for each quarter, and none for what is done in
 * seconds.
 *
 * @param what - Names the file.
 * @param now - In milliseconds.
 */
export function progressLines(
  what: string,
  report: (line: string) => void,
  now: () => number = () => performance.now(),
): OnProgress {
  let told: { at: number; received: number } | undefined;
  return (received, total) => {
    if (told === undefined) {
      const size = total === undefined ? "" : ` (${megabytes(total)} MB)`;
      const rest = received > 0 ? `, going on after ${megabytes(received)} MB` : "";
      report(`downloading ${what}${size}${rest}`);
      told = { at: now(), received };
      return;
    }
    const step = total === undefined ? STEP_BYTES : total * STEP;
    // The line that closes the step tells of the end.
    if (received === total || received - told.received < step || now() - told.at < APART_MS) return;
    const part =
      total === undefined
        ? `${megabytes(received)} MB`
        : `${Math.floor((received / total) * 100)} %, ${megabytes(received)} of ${megabytes(total)} MB`;
    report(`${what}: ${part}`);
    told = { at: now(), received };
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
