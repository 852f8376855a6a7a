import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

import type { Release } from "./release";

type Algorithm = Release["checksums"]["algorithm"];

const DIGITS: Readonly<Record<Algorithm, number>> = { sha256: 64, md5: 32 };

/**
 * The sum of a file, as a checksum file has it: lines of `<sum>  <name>` as sha256sum writes them, also with `*` or `./`
 * before the name, or nothing but the sum.
 *
 * @returns `undefined` when the file has none of this algorithm.
 */
export function checksumOf(text: string, file: string, algorithm: Algorithm): string | undefined {
  const sum = `([0-9a-f]{${DIGITS[algorithm]}})`;
  const alone = new RegExp(`^${sum}$`, "i").exec(text.trim())?.[1];
  if (alone !== undefined) return alone.toLowerCase();
  const line = new RegExp(`^${sum}\\s+\\*?(?:\\./)?(.+?)\\s*$`, "i");
  for (const each of text.split("\n")) {
    const [, found, name] = line.exec(each) ?? [];
    if (found !== undefined && name === file) return found.toLowerCase();
  }
  return undefined;
}

/** The sum of what is in a file. */
export async function checksumOfFile(path: string, algorithm: Algorithm): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
