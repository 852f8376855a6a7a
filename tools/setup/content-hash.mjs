import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** @param {unknown} error */
const isAbsent = (error) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** @type {typeof import("./content-hash.d.mts").filesBelow} */
export const filesBelow = async (folder) => {
  /** @type {string[]} */
  const files = [];
  /** @param {string} below */
  const walk = async (below) => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules") await walk(path);
      if (entry.isFile()) files.push(path);
    }
  };
  try {
    await walk("");
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return files.sort();
};

/** @type {typeof import("./content-hash.d.mts").contentHash} */
export const contentHash = async (root, paths, salt = []) => {
  const hash = createHash("sha256").update(JSON.stringify(salt));
  for (const path of [...paths].sort()) {
    const below = await filesBelow(join(root, path));
    const files = below.length > 0 ? below.map((name) => join(path, name)) : [path];
    for (const file of files) {
      const content = await readFile(join(root, file)).catch((/** @type {unknown} */ error) => {
        if (isAbsent(error) || (error instanceof Error && "code" in error && error.code === "EISDIR"))
          return undefined;
        throw error;
      });
      hash.update(JSON.stringify([file, content?.length ?? null]));
      if (content !== undefined) hash.update(content);
    }
  }
  return hash.digest("hex").slice(0, 16);
};
