import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folders of one test: one for the socket alone, one that the driver is started in. */
export interface Folders {
  readonly socketFolder: string;
  readonly socket: string;
  readonly workFolder: string;
  remove(): void;
}

/** Makes {@link Folders}. */
export function makeFolders(): Folders {
  const path = mkdtempSync(join(tmpdir(), "cosi-driver-"));
  const socketFolder = join(path, "run");
  const workFolder = join(path, "work");
  mkdirSync(socketFolder);
  mkdirSync(workFolder);
  return {
    socketFolder,
    socket: join(socketFolder, "driver.sock"),
    workFolder,
    remove: () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
