import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";

const root = path.join(__dirname, "..", "..");

/** Text of every file in a folder, by its path there. */
function textsOf(folder: string): Map<string, string> {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return new Map(
    files
      .filter((file) => file.endsWith(".md"))
      .map((file) => [file, fs.readFileSync(path.join(folder, file), "utf8")]),
  );
}

describe("the reference", () => {
  const generated = fs.mkdtempSync(path.join(os.tmpdir(), "reference-"));

  after(() => {
    fs.rmSync(generated, { recursive: true, force: true });
  });

  it("is what the types' documentation says now; `npm run docs` writes it anew", async function () {
    this.timeout(180_000);
    const typedoc = path.join(root, "node_modules", "typedoc", "bin", "typedoc");
    await promisify(execFile)(process.execPath, [typedoc, "--out", generated], { cwd: root });
    const [now, committed] = [textsOf(generated), textsOf(path.join(root, "docs", "reference"))];
    assert.ok(now.size > 1);
    assert.deepEqual([...now.keys()], [...committed.keys()]);
    for (const [file, text] of now) assert.equal(committed.get(file), text, file);
  });
});
