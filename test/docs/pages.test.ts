import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import ts from "typescript";

const root = path.join(__dirname, "..");
const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text,
  );
}

/** Programs that the README shows whole: the comment before the block names the file. */
function wholePrograms(): { file: string; text: string }[] {
  return [...readme.matchAll(/<!-- (\S+) -->\n```ts\n([\s\S]*?)^```/gm)].map(([, file = "", text = ""]) => ({
    file,
    text,
  }));
}

/** Messages of the compiler for a program that lies in the folder of the quickstart. */
function typeErrors(source: string): string[] {
  const file = path.join(root, "examples", "quickstart", "readme.ts");
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? source : readFile(name));
  const program = ts.createProgram([file], { ...options, noUnusedLocals: false }, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** Where each command of the README is run: a file and what in it does so. */
const runs: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "npm run demo": ["test/integration/demo.test.ts", '"demo"'],
  "npm test": [".ci/run", "npm test"],
  "npm install pulumi-cosi @pulumi/pulumi": ["test/support/end-to-end/installed-package.ts", '"install"'],
  "pulumi up": ["test/integration/end-to-end/without-cluster.test.ts", ".up("],
};

describe("the README", () => {
  it("shows the programs of examples/ as they are run", () => {
    const programs = wholePrograms();
    assert.deepEqual(
      programs.map(({ file }) => file),
      ["examples/without-cluster/index.ts", "examples/quickstart/index.ts"],
    );
    for (const { file, text } of programs) {
      assert.equal(text, fs.readFileSync(path.join(root, file), "utf8"), file);
    }
  });

  it("shows program parts that compile after the quickstart", function () {
    this.timeout(120_000);
    const whole = new Set(wholePrograms().map(({ text }) => text));
    const parts = blocks("ts").filter((text) => !whole.has(text));
    assert.ok(parts.length > 4);
    const quickstart = fs.readFileSync(path.join(root, "examples", "quickstart", "index.ts"), "utf8");
    assert.deepEqual(typeErrors([quickstart, ...parts.map((part) => `{\n${part}}\n`)].join("\n")), []);
    assert.notDeepEqual(typeErrors(`${quickstart}\nnew cosi.Bucket("x", {});`), [], "a wrong part is found");
  });

  it("names no command that nothing runs", () => {
    const commands = blocks("sh")
      .flatMap((text) => text.trim().split("\n"))
      .filter((line) => !line.startsWith("export "));
    assert.deepEqual(new Set(commands), new Set(Object.keys(runs)));
    for (const [command, [file, text]] of Object.entries(runs)) {
      assert.ok(fs.readFileSync(path.join(root, file), "utf8").includes(text), `${command}: ${file}`);
    }
  });
});
