import assert from "node:assert/strict";
import * as path from "node:path";
import ts from "typescript";
import { Page } from "../support/docs/page";

const root = path.join(__dirname, "..", "..");

/** Optional inputs of everything that the package exports, with what their documentation says of their absence. */
function optionalInputs(): { input: string; absent: string | undefined }[] {
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const entry = path.join(root, "index.ts");
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  assert.ok(module);
  const exported = (of: ts.Symbol): ts.Symbol[] =>
    checker.getExportsOfModule(of).flatMap((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return target.flags & ts.SymbolFlags.ValueModule ? exported(target) : [target];
    });
  return exported(module)
    .filter(({ flags, name }) => flags & ts.SymbolFlags.Interface && /Args$|^DriverTls$/.test(name))
    .flatMap((symbol) =>
      checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()
        .filter(({ flags }) => flags & ts.SymbolFlags.Optional)
        .map((property) => ({ property, tags: property.getJsDocTags(checker) }))
        .filter(({ tags }) => !tags.some(({ name }) => name === "internal"))
        .map(({ property, tags }) => ({
          input: `${symbol.name}.${property.name}`,
          absent: ts.displayPartsToString(tags.find(({ name }) => name === "default")?.text),
        })),
    );
}

describe("the documentation of absence", () => {
  it("says of every optional input what its absence means, and of drivers what they need [GRPC-122] [DEP-085]", function () {
    this.timeout(120_000);
    const inputs = optionalInputs();
    assert.ok(inputs.length > 40);
    assert.deepEqual(
      inputs.filter(({ absent }) => absent === undefined || absent === ""),
      [],
    );
    const readme = new Page("README.md").text;
    const page = new Page("docs/deployments.md").text;
    assert.match(page, /No CSI driver and no ephemeral volume, on either side/);
    assert.match(readme, /No CSI driver and no ephemeral volumes are needed: only a UNIX host/);
  });
});
