import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as path from "node:path";

const root = path.join(__dirname, "..", "..");

describe("the ids in the titles of the tests", () => {
  it("are those of the lists, and none that waits", () => {
    const said = execFileSync(process.execPath, ["tools/requirements.mjs"], { cwd: root, encoding: "utf8" });
    assert.match(said, /^deployment-interface\.md: 97 of 97 covered/m);
  });
});
