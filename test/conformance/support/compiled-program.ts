import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as ts from "typescript";

const root = resolve(__dirname, "../../..");
const sources = [
  "test/conformance/support/driver-program.ts",
  "test/conformance/support/memory-driver.ts",
  "test/conformance/support/serve.ts",
  "test/conformance/support/speech.ts",
  "test/support/cosi-v1alpha1.ts",
  "test/support/fake-driver.ts",
  "gen/cosi.v1alpha1/cosi/v1alpha1/cosi.ts",
  "gen/deployment.v1alpha1/deployment/v1alpha1/deployment.ts",
];

/** driver-program.ts as JavaScript: a run starts it a dozen times, and a compiler in each start would take minutes. */
export class CompiledProgram {
  readonly #folder = mkdtempSync(join(tmpdir(), "conformance-program-"));
  readonly file = join(this.#folder, "test/conformance/support/driver-program.js");

  constructor() {
    const compilerOptions = {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    };
    for (const source of sources) {
      const { outputText } = ts.transpileModule(readFileSync(join(root, source), "utf8"), {
        compilerOptions,
      });
      const file = join(this.#folder, source.replace(/\.ts$/, ".js"));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, outputText);
    }
    symlinkSync(join(root, "node_modules"), join(this.#folder, "node_modules"));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
