import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { createRunFolder, type RunFolder } from "../../tools/local/run-folder";
import { runProgram } from "../support/end-to-end/installed-package";

const root = path.join(__dirname, "..", "..");

describe("the soak", function () {
  this.timeout(300_000);
  let folder: RunFolder;

  before(async () => {
    folder = await createRunFolder("soak");
  });
  after(() => folder.remove());

  it("tries points and replies, and tells in its report what it tried", async () => {
    const report = path.join(folder.path, "report.txt");
    const { code, text } = await runProgram(
      process.execPath,
      [
        "--require=ts-node/register/transpile-only",
        "tools/soak/main.ts",
        ...["--seed", "7", "--report", report],
        ...["--part", "kills", "--point", "up/22/all"],
        ...["--part", "replies", "--replies", "20"],
      ],
      { cwd: root },
    );
    assert.equal(code, 0, text);
    assert.match(text, /^1\/1 up\/22\/all ok$/m);
    const written = fs.readFileSync(report, "utf8");
    assert.match(written, /^soak with seed 7$/m);
    assert.match(written, /^kills of up .*: 1 tried, 0 failed$/m);
    assert.match(written, /^replies .*: \d+ tried, 0 failed$/m);
  });
});
