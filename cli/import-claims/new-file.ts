import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { ImportError } from "./import-error";

/**
 * Writes a file that is absent, as a whole or not at all: a disk may be full.
 *
 * @throws ImportError where something has its name, a link too; it stays as it is.
 */
export function writeNewFile(file: string, text: string): void {
  // A run that is killed leaves its part: by this name it is none of the files that Pulumi looks for.
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`);
  try {
    fs.writeFileSync(part, text, { flag: "wx" });
    // Not a rename, which would replace what another run has written since this one looked.
    fs.linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new ImportError(
      `${file} was not there a moment ago and is now, so another run writes into this folder; it stays as it is. Next: ` +
        "give each run its own folder",
    );
  } finally {
    fs.rmSync(part, { force: true });
  }
}
