import { warn } from "./warning";

/** Warns of a name that a program marks as secret: it is the id of its resource, which Pulumi shows and keeps as it is. */
export function warnOfPlainId(kind: string, logicalName: string, properties: string): void {
  warn(
    kind,
    logicalName,
    `${properties} is marked as secret, but still appears in plain text in state and previews, as it is the id of the ` +
      "resource: give one that need not be secret",
  );
}
