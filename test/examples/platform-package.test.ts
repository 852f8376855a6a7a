import assert from "node:assert/strict";
import * as path from "node:path";
import { npm } from "../support/end-to-end/installed-package";

const example = path.join(__dirname, "..", "..", "examples", "platform-package");

describe("the example of an organisation's package", function () {
  this.timeout(240_000);

  it("passes its own tests, by mocks alone", async () => {
    const printed = await npm(["test"], example);
    assert.match(printed, /6 passing/);
    assert.doesNotMatch(printed, /failing/);
  });
});
