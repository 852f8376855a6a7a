import { createHash } from "node:crypto";
import * as path from "node:path";

/** What of a folder's name stands in that of its project, at most. */
const longestStart = 40;

/**
 * Name of a new project, for Pulumi and npm: that of the folder, and a hash of where it is and what it declares. A stack is
 * known by its project: with one name for two programs the second `up` would remove the claims of the first, as its program
 * does not have them. Folders alone do not tell two programs apart, since CI jobs have theirs at one place.
 */
export function newProjectName(folder: string, declared: string): string {
  const place = path.resolve(folder);
  const start = path
    .basename(place)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestStart)
    .replace(/^-+|-+$/g, "");
  const hash = createHash("sha256")
    .update(JSON.stringify([place, declared]))
    .digest("hex");
  return `${start === "" ? "object-bucket-claims" : start}-${hash.slice(0, 8)}`;
}
