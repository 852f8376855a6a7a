import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { fixture } from "./fixtures";
import { stateOf } from "./hand-made";
import { graph } from "./terminal";

const state = stateOf([{ name: "photos", namespace: "shop" }]);

describe("pulumi-cosi graph", () => {
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "graph-"));
    fs.writeFileSync(path.join(folder, "state.json"), state);
  });
  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  it("writes Mermaid of a state or a preview, from a file or from standard input", async () => {
    const ofFile = await graph([path.join(folder, "state.json")]);
    assert.equal(ofFile.code, 0);
    assert.match(ofFile.out, /^flowchart LR\n/);
    assert.equal((await graph(["-"], state)).out, ofFile.out);
    assert.match(
      (await graph(["-"], fixture("bare.preview.json"))).out,
      /REPLACED<br\/>up: DELETES the bucket/,
    );
  });

  it("reads past what was said before the document", async () => {
    assert.equal((await graph(["-"], `warning: old\n${state}`)).out, (await graph(["-"], state)).out);
  });

  it("has made the picture of the page that tells of it", async () => {
    const page = fs.readFileSync(path.join(__dirname, "..", "..", "..", "docs", "graph.md"), "utf8");
    assert.ok(page.includes(`\n\`\`\`mermaid\n${(await graph(["-"], state)).out}\`\`\`\n`));
  });

  it("writes SVG, into a file where one is given", async () => {
    const out = path.join(folder, "picture.svg");
    const ended = await graph([path.join(folder, "state.json"), "--format", "svg", "--out", out]);
    assert.deepEqual(ended, { code: 0, out: "", err: "" });
    assert.match(fs.readFileSync(out, "utf8"), /^<svg .*<\/svg>\n$/s);
  });

  it("writes the order of a destroy, of a preview only where it has what stays", async () => {
    const order = await graph(["-", "--order"], fixture("bare.preview-with-sames.json"));
    assert.match(
      order.out,
      /^flowchart TB\n {2}s1\["destroy, step 1<br\/>account photos-rw: revokes the account"\]\n/,
    );
    const partial = await graph(["-", "--order"], fixture("bare.preview.json"));
    assert.equal(partial.code, 3);
    assert.match(partial.err, /run pulumi preview --json --show-sames/);
  });

  for (const [what, text, message] of [
    ["no JSON", "Updating (prod)", /the input is not JSON: give the whole of what pulumi stack export/],
    ["another document", '{ "a": 1 }', /the input has neither resources nor steps/],
    ["a state without anything of the package", '{ "deployment": {} }', /it has nothing of this package/],
    [
      "a preview that failed",
      '{ "steps": [], "diagnostics": [{ "severity": "error", "message": "error: no such class" }] }',
      /the preview in the input has failed: no such class/,
    ],
  ] as const) {
    it(`says what is wrong with ${what}`, async () => {
      const { code, out, err } = await graph(["-"], text);
      assert.deepEqual([code, out], [3, ""]);
      assert.match(err, message);
    });
  }

  it("says what to do where pulumi is not installed, or a file is not there", async () => {
    const run = await graph([]);
    assert.equal(run.code, 3);
    assert.match(run.err, /pulumi cannot be run: .*ENOENT.* Next: install it, or pipe in/);
    const missing = await graph([path.join(folder, "none.json")]);
    assert.match(missing.err, /none\.json cannot be read: /);
    const unwritable = await graph(["-", "--out", path.join(folder, "none", "a.svg")], state);
    assert.equal(unwritable.code, 3);
    assert.match(unwritable.err, /a\.svg cannot be written: /);
  });

  for (const [args, message] of [
    [["a", "b"], /"b" is a second file/],
    [["a", "--", "--stack", "x"], /both a file and arguments for pulumi stack export are given/],
    [["--format", "png"], /--format is "png", and there are: mermaid, svg/],
    [["--colour"], /--colour/],
    [["-"], /nothing is piped in/],
  ] as const) {
    it(`refuses the command line ${args.join(" ")}`, async () => {
      const { code, err } = await graph(args);
      assert.equal(code, 2);
      assert.match(err, message);
    });
  }
});
