import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { afterExample, Page, productTexts, typeErrors, unknownMessage } from "../support/docs/page";

const root = path.join(__dirname, "..", "..");
const readme = new Page("README.md");
const july = new Page("docs/cosi-2020-07.md");
const pages = [readme, new Page("docs/tasks.md"), new Page("docs/driver-authors.md"), july];

/** Where each command of the pages is run: a file and what in it does so. */
const runs: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "npm run demo": ["test/integration/demo.test.ts", '"demo"'],
  "npm test": [".ci/run", "npm test"],
  "npm install pulumi-cosi @pulumi/pulumi": ["test/support/end-to-end/installed-package.ts", '"install"'],
  "npx pulumi-cosi conformance --command cosi-driver-s3": [
    "test/integration/conformance.test.ts",
    '"--command"',
  ],
  "pulumi up": ["test/integration/end-to-end/without-cluster.test.ts", ".up("],
};

describe("the documentation", () => {
  it("shows the programs of examples/ as they are run", () => {
    const programs = pages.flatMap((page) => page.wholePrograms());
    assert.deepEqual(
      programs.map(({ file }) => file),
      [
        "examples/without-cluster/index.ts",
        "examples/quickstart/index.ts",
        "examples/cosi-2020-07/greenfield/index.ts",
      ],
    );
    for (const { file, text } of programs) {
      assert.equal(text, fs.readFileSync(path.join(root, file), "utf8"), file);
    }
  });

  it("shows program parts that compile after the program that they go on from", function () {
    this.timeout(120_000);
    const parts = pages.filter((page) => page !== july).flatMap((page) => page.programParts());
    assert.ok(parts.length > 8);
    assert.ok(july.programParts().length > 8);
    const [afterQuickstart, afterGreenfield, wrong] = typeErrors([
      afterExample("quickstart", parts),
      afterExample("cosi-2020-07/greenfield", july.programParts()),
      afterExample("quickstart", ['new cosi.Bucket("x", {});\n']),
    ]);
    assert.deepEqual([afterQuickstart, afterGreenfield], [[], []]);
    assert.notDeepEqual(wrong, [], "a wrong part is found");
  });

  it("explains messages that the package has", () => {
    const texts = productTexts();
    const messages = pages.flatMap((page) => page.messages());
    assert.ok(messages.length > 10);
    assert.deepEqual(
      messages.map((message) => unknownMessage(message, texts)).filter((text) => text !== undefined),
      [],
    );
    assert.notEqual(unknownMessage("has no such … text", texts), undefined, "an unknown one is found");
  });

  it("names no command that nothing runs", () => {
    const commands = pages.flatMap((page) => page.commands());
    assert.deepEqual(new Set(commands), new Set(Object.keys(runs)));
    for (const [command, [file, text]] of Object.entries(runs)) {
      assert.ok(fs.readFileSync(path.join(root, file), "utf8").includes(text), `${command}: ${file}`);
    }
  });

  it("links to files and headings that are there", () => {
    const broken = pages.flatMap((page) => page.links().map((target) => page.brokenLink(target)));
    assert.ok(broken.length > 5);
    assert.deepEqual(
      broken.filter((text) => text !== undefined),
      [],
    );
  });
});
