/** From the quietest to the most talkative. */
export const LOG_LEVELS = ["error", "info", "debug"] as const;

/** How much is written. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a line says besides time, level and message. Never a credential, a parameter's value or a key. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Writes lines that people and programs can read. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, info: 1, debug: 2 };

/**
 * A log of one JSON object per line.
 *
 * @param threshold - the most talkative level that is written.
 * @param write - takes a line with its end, by default to stderr.
 */
export function createLog(
  threshold: LogLevel,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (RANK[level] <= RANK[threshold]) {
        write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
      }
    };
  return { error: at("error"), info: at("info"), debug: at("debug") };
}
