import { outputMask } from "./output-mask";
import type { SupervisedDriver } from "./supervised-driver";
import type { ConnectionSettings } from "../settings";

/** What is shown of a driver that was started for the run. Its output is its only log, and nobody else sees it. */
export interface DriverOutput {
  /** Masks the secrets that the driver was given, in its answers as in its output. */
  readonly mask: (text: string) => string;
  /** The lines that it wrote last, masked; none where it has ended. */
  readonly lastLines: () => Promise<readonly string[]>;
}

/** What this driver, started by these settings, may be shown to have written. */
export function outputOf(driver: SupervisedDriver, settings: ConnectionSettings): DriverOutput {
  const mask = outputMask(settings);
  return {
    mask,
    // Together, as a secret may have several lines.
    lastLines: async () =>
      mask((await driver.lastLines()).join("\n"))
        .split("\n")
        .filter(isShown),
  };
}

function isShown(line: string): boolean {
  return line.trim() !== "";
}
