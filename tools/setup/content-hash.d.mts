/**
 * A hash of what is in files and folders: of their names and contents, never of their times.
 *
 * @param root - What the names are relative to.
 * @param paths - Files and folders below `root`, in any order; one that is absent counts as absent. `node_modules` is
 * left out.
 * @param salt - Anything else that the result depends on.
 * @returns 16 hexadecimal digits.
 */
export function contentHash(
  root: string,
  paths: readonly string[],
  salt?: readonly string[],
): Promise<string>;

/** All files below a folder, relative to it, sorted; none when it is absent. `node_modules` is left out. */
export function filesBelow(folder: string): Promise<string[]>;
