const keptBytes = 16 * 1024;
const keptLines = 20;

/** The line with which the host of providers asks a supervisor for what its driver wrote last. */
export const askForLines = "lines";

/** The end of an output of any length, in bounded memory. */
export class LastLines {
  #kept = Buffer.alloc(0);
  #cut = false;

  add(chunk: Buffer): void {
    this.#cut ||= this.#kept.length + chunk.length > keptBytes;
    this.#kept = Buffer.concat([this.#kept, chunk.subarray(-keptBytes)]).subarray(-keptBytes);
  }

  /** The last lines, at most 20. What is left of a line that was cut is none: no mask finds the rest of a secret. */
  get(): string[] {
    const lines = this.#kept.toString().split("\n");
    return lines
      .slice(this.#cut ? 1 : 0)
      .filter((line) => line.trim() !== "")
      .slice(-keptLines);
  }
}
