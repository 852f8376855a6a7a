import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as ts from "typescript";
import { Bucket, BucketAccess, Deployment, DeploymentAccess, Driver } from "../../core";
import schema from "../../provider/plugin/schema.json";
import { kindOf } from "../../provider/plugin/kinds";
import { describedResources } from "../../tools/plugin-schema/resources";
import { schemaOfClasses, type Schema } from "../../tools/plugin-schema/schema";

const classes = { Driver, Bucket, BucketAccess, Deployment, DeploymentAccess };
const repository = path.join(__dirname, "..", "..");

describe("the schema for other languages", function () {
  this.timeout(60_000);
  let written: Schema;

  before(() => {
    written = schemaOfClasses();
  });

  it("is what the TypeScript classes say: after a change, ts-node tools/plugin-schema/main.ts writes it anew", () => {
    assert.deepEqual(schema, written);
  });

  for (const { type, file, otherNames } of describedResources) {
    it(`has each argument of ${type}, and says what it is for`, () => {
      const { inputProperties } = resource(written, type);
      const expected = argumentsOf(file, `${type}Args`).filter((name) => !otherNames.includes(name));
      assert.deepEqual(Object.keys(inputProperties).sort(), expected.sort());
      for (const [name, { description = "" }] of Object.entries(inputProperties)) {
        assert.ok(description.length > 10, `${type}.${name} has no description`);
        assert.doesNotMatch(description, /\{@|[^\n]\n[^\n]/, `${type}.${name}`);
      }
    });
  }

  it("takes each resource over from the type that its class has, whatever the stack is called", () => {
    for (const [type, { __pulumiType }] of Object.entries(classes)) {
      assert.deepEqual(resource(written, type).aliases, [{ type: __pulumiType }], type);
    }
    assert.deepEqual(Object.keys(classes).sort(), describedResources.map(({ type }) => type).sort());
  });

  it("has no input under a second name, which is told to whoever uses it", () => {
    for (const { type, otherNames } of describedResources) {
      const { otherNames: told } = kindOf(`cosi:index:${type}`);
      assert.deepEqual(Object.keys(told).sort(), [...otherNames].sort(), type);
      for (const name of Object.values(told))
        assert.ok(name in resource(written, type).inputProperties, name);
    }
  });

  it("asks for nothing that the classes do not ask for", () => {
    const required = describedResources.map(({ type }) => resource(written, type).requiredInputs);
    assert.deepEqual(required, [[], ["driver"], ["bucket"], ["driver"], ["deployment"]]);
  });

  it("names every type that it refers to", () => {
    const text = JSON.stringify(written);
    for (const [, token = ""] of text.matchAll(/"#\/types\/([^"]+)"/g))
      assert.ok(token in written.types, token);
  });
});

function resource({ resources }: Schema, type: string): Schema["resources"][string] {
  const found = resources[`cosi:index:${type}`];
  if (found === undefined) throw new Error(`the schema has no ${type}`);
  return found;
}

/** The names of the arguments, read from the text alone: those that are the user's. */
function argumentsOf(file: string, name: string): string[] {
  const text = fs.readFileSync(path.join(repository, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`${file} has no ${name}`);
  return found.members
    .filter((member) => !ts.getJSDocTags(member).some(({ tagName }) => tagName.text === "internal"))
    .map((member) => member.name?.getText() ?? "");
}
