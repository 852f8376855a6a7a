const keptBytes = 16 * 1024;
const keptLines = 20;

/** The end of an output of any length, in bounded memory. */
export class LastLines {
  #text = "";

  add(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString()).slice(-keptBytes);
  }

  /** The last lines, at most 20. */
  get(): string[] {
    return this.#text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(-keptLines);
  }
}
