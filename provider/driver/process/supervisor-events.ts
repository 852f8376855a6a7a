import * as readline from "node:readline";
import type { Readable } from "node:stream";
import type { SupervisorEvent } from "./supervisor";

/**
 * Reads what a supervisor reports, line by line. An exception in a handler of events, and an error that nobody listens to,
 * would end the host of providers, whose other calls have no part in it: neither leaves this function.
 *
 * @param handle Called for each event.
 * @param fail Called with what `handle` throws, and if the stream cannot be read any more.
 */
export function readEvents(
  input: Readable,
  handle: (event: SupervisorEvent) => void,
  fail: (error: unknown) => void,
): void {
  const lines = readline.createInterface({ input });
  // Both tell of an error of the stream.
  input.on("error", fail);
  lines.on("error", fail);
  lines.on("line", (line) => {
    const event = readEvent(line);
    if (event === undefined) return;
    try {
      handle(event);
    } catch (error) {
      fail(error);
    }
  });
}

/** @returns `undefined` for the beginning of a line, which a supervisor leaves that was killed in the middle of one. */
function readEvent(line: string): SupervisorEvent | undefined {
  try {
    return (JSON.parse(line) ?? undefined) as SupervisorEvent | undefined;
  } catch {
    return undefined;
  }
}
