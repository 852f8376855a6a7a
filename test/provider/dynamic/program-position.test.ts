import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { fromProgram } from "../../../provider/dynamic/program-position";

/** Runs a program of two files, one of them in `node_modules`, and of a function of this package. */
function stackOf(inner: () => string): string[] {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "program-")));
  try {
    const library = path.join(folder, "node_modules", "library");
    fs.mkdirSync(library, { recursive: true });
    fs.writeFileSync(path.join(library, "index.js"), "exports.through = (call) => call();");
    const program = path.join(folder, "index.js");
    fs.writeFileSync(
      program,
      'const { through } = require("library");\nexports.run = function run(call) { return through(() => call()); };',
    );
    const { run } = createRequire(__filename)(program) as { run: (call: () => string) => string };
    return run(inner)
      .split("\n")
      .slice(1)
      .map((line) => line.replace(folder, ""));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** As many frames as the SDK has of its own. */
function fiveFramesDeep(): string {
  const one = () => new Error("here").stack ?? "";
  const two = () => one();
  const three = () => two();
  const four = () => three();
  return four();
}

describe("the position of a resource in the program", () => {
  it("is the program's, without frames of packages and of Node.js, below those that the SDK leaves out", () => {
    const lines = stackOf(() => {
      const undo = fromProgram();
      try {
        return fiveFramesDeep();
      } finally {
        undo();
      }
    });
    assert.equal(lines.length, 7);
    for (const line of lines.slice(5)) assert.match(line, /\(?\/index\.js:2:\d+\)?$/);
  });

  it("stands for the traces that the SDK takes for its promises", () => {
    let traces = 0;
    const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
    Error.prepareStackTrace = () => `trace ${(traces += 1)}`;
    const undo = fromProgram();
    try {
      const debuggablePromise = (): unknown => new Error().stack;
      assert.equal(debuggablePromise(), "");
      assert.equal(new Error("of the registration").stack, "trace 1");
      assert.equal(debuggablePromise(), "trace 1");
      assert.equal(traces, 1);
    } finally {
      undo();
      if (before === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
      else Object.defineProperty(Error, "prepareStackTrace", before);
    }
  });

  it("is left as it was afterwards, but for the traces of promises", () => {
    fromProgram()();
    const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
    fromProgram()();
    assert.deepEqual(Object.getOwnPropertyDescriptor(Error, "prepareStackTrace"), before);
    const lines = stackOf(() => new Error("here").stack ?? "");
    assert.ok(lines.some((line) => line.includes("node_modules")));
    const debuggablePromise = (): unknown => new Error().stack;
    assert.match(String(debuggablePromise()), /^\(pulumi-cosi skips the traces of promises/);
  });

  it("leaves the hook of Node.js, which alone maps stacks as --enable-source-maps asks for", () => {
    const name = execFileSync(process.execPath, ["-p", "Error.prepareStackTrace.name"], { encoding: "utf8" });
    const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
    const ofNode = Object.defineProperty(() => "written by Node.js", "name", { value: name.trim() });
    try {
      Error.prepareStackTrace = ofNode;
      fromProgram()();
      assert.equal(Reflect.get(Error, "prepareStackTrace"), ofNode);
    } finally {
      if (before !== undefined) Object.defineProperty(Error, "prepareStackTrace", before);
    }
  });

  it("sets no hook where there is none, so that Node.js writes stacks by itself", () => {
    const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
    try {
      Reflect.deleteProperty(Error, "prepareStackTrace");
      fromProgram()();
      assert.equal(Reflect.get(Error, "prepareStackTrace"), undefined);
    } finally {
      if (before !== undefined) Object.defineProperty(Error, "prepareStackTrace", before);
    }
  });
});
