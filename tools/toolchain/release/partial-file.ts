import { readFile, rm, stat, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";

/** What tells whether a server still has the file that the beginning of one is of. */
interface Validators {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/**
 * A file that is being downloaded: `<path>` holds its beginning, `<path>.json` what the rest may be appended to. The
 * beginning of a file whose server told nothing to recognise it by is worth nothing.
 */
export class PartialFile {
  /**
   * @param path - Ends in `.partial`.
   * @param url - Where it is had from.
   */
  constructor(
    readonly path: string,
    readonly url: string,
  ) {}

  /** The headers that ask for the rest, and how much there is. */
  async resumption(): Promise<{ readonly size: number; readonly headers: Record<string, string> }> {
    const [size, validators] = await Promise.all([this.size(), this.#validators()]);
    const validator = validators === undefined ? undefined : validatorOf(validators);
    if (size === 0 || validator === undefined) return { size: 0, headers: {} };
    return { size, headers: { range: `bytes=${size}-`, "if-range": validator } };
  }

  /** How many bytes there are. */
  async size(): Promise<number> {
    return stat(this.path).then(
      ({ size }) => size,
      () => 0,
    );
  }

  /** Whether a rest that a server sends belongs to the beginning that is here. */
  async accepts(headers: IncomingHttpHeaders, size: number): Promise<boolean> {
    const known = await this.#validators();
    const start = /^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1];
    if (known === undefined || Number(start) !== size) return false;
    const { etag, "last-modified": lastModified } = headers;
    // A server may leave out what it has compared.
    return (
      (etag === undefined || etag === known.etag) &&
      (lastModified === undefined || lastModified === known.lastModified)
    );
  }

  /** Begins anew with a file that a server describes by its headers. */
  async begin(headers: IncomingHttpHeaders): Promise<void> {
    await this.remove();
    const validators: Validators = {
      url: this.url,
      etag: headers.etag,
      lastModified: headers["last-modified"],
    };
    await writeFile(`${this.path}.json`, JSON.stringify(validators));
  }

  async remove(): Promise<void> {
    for (const path of [this.path, `${this.path}.json`]) await rm(path, { force: true });
  }

  async #validators(): Promise<Validators | undefined> {
    const text = await readFile(`${this.path}.json`, "utf8").catch(() => "");
    try {
      const value: unknown = JSON.parse(text);
      return isValidators(value) && value.url === this.url ? value : undefined;
    } catch {
      // A kill left only its beginning.
      return undefined;
    }
  }
}

function isValidators(value: unknown): value is Validators {
  return typeof value === "object" && value !== null && "url" in value;
}

/** A weak ETag promises no equal bytes (RFC 9110, 13.1.5). */
function validatorOf({ etag, lastModified }: Validators): string | undefined {
  return etag === undefined || etag.startsWith("W/") ? lastModified : etag;
}
