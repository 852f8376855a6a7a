import * as path from "node:path";
import * as ts from "typescript";
import { describedResources, type DescribedResource } from "./resources";
import { anyType, isInternal, mayBeNull, SchemaTypes, type ComplexType, type PropertySpec } from "./types";

const repository = path.join(__dirname, "..", "..");
const packageName = "cosi";

interface ResourceSpec {
  description?: string;
  inputProperties: Record<string, PropertySpec>;
  requiredInputs: string[];
  properties: Record<string, PropertySpec>;
  required: string[];
  /** Types that the resource has had, in whatever stack: Pulumi takes over what the state has of one of them. */
  aliases: { type: string }[];
}

/** The schema of the plugin, but for its version. */
export interface Schema {
  name: string;
  displayName: string;
  description: string;
  keywords: string[];
  license: string;
  meta: { moduleFormat: string };
  config: Record<string, never>;
  provider: { description: string };
  types: Record<string, ComplexType>;
  resources: Record<string, ResourceSpec>;
}

/** Writes the schema from the arguments, outputs and comments of the TypeScript classes, so that it cannot say others. */
export function schemaOfClasses(): Schema {
  const files = describedResources.map(({ file }) => path.join(repository, file));
  const program = ts.createProgram(files, {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    types: [],
  });
  const types = new SchemaTypes(program.getTypeChecker(), packageName);
  const resources: Record<string, ResourceSpec> = {};
  for (const described of describedResources) {
    const source = program.getSourceFile(path.join(repository, described.file));
    if (source === undefined) throw new Error(`there is no ${described.file}`);
    resources[`${packageName}:index:${described.type}`] = resourceOf(described, source, types);
  }
  return {
    name: packageName,
    displayName: "COSI",
    description: "Buckets and databases through any driver of the Container Object Storage Interface",
    keywords: ["cosi", "object-storage", "s3", "category/infrastructure"],
    license: "Apache-2.0",
    meta: { moduleFormat: "(.*)" },
    config: {},
    provider: { description: "Has no settings: how a driver is reached stands with the Driver." },
    types: types.named,
    resources,
  };
}

function resourceOf(described: DescribedResource, source: ts.SourceFile, types: SchemaTypes): ResourceSpec {
  const { type, references, otherNames, secretInputs, secretOutputs, isReferred } = described;
  const args = find(source, ts.isInterfaceDeclaration, `${type}Args`);
  const { properties: inputProperties, required: requiredInputs } = types.members(
    args.members,
    type,
    (name) => !otherNames.includes(name) && !(name in references),
  );
  for (const [input, of] of Object.entries(references)) {
    const member = args.members.find(({ name }) => name?.getText() === input);
    if (member === undefined) throw new Error(`${type}Args has no ${input}`);
    const { description = "" } = member.name === undefined ? {} : types.described(member.name);
    const how = `The output \`reference\` of a ${of}, as it is.`;
    inputProperties[input] = {
      ...anyType,
      description: description === "" ? how : `${how}\n\n${description}`,
    };
    if (member.questionToken === undefined) requiredInputs.push(input);
  }
  markSecret(inputProperties, secretInputs);

  const declared = find(source, ts.isClassDeclaration, type);
  const properties: Record<string, PropertySpec> = {};
  const required: string[] = [];
  for (const member of declared.members) {
    if (!ts.isPropertyDeclaration(member) || member.type === undefined || isInternal(member)) continue;
    // The others are made by the class from what it was given.
    if (member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) !== true) continue;
    const name = member.name.getText();
    properties[name] = { ...types.of(member.type, type), ...types.described(member.name) };
    if (!mayBeNull(member.type)) required.push(name);
  }
  if (isReferred) {
    properties["reference"] = {
      ...anyType,
      description: `What others need to know of this ${type}: give it to them as it is.`,
    };
    required.push("reference");
  }
  markSecret(
    properties,
    secretOutputs.filter((name) => name in properties),
  );
  const { description } = declared.name === undefined ? {} : types.described(declared.name);
  return {
    ...(description === undefined ? {} : { description }),
    inputProperties,
    requiredInputs,
    properties,
    required,
    aliases: [{ type: dynamicTypeOf(declared) }],
  };
}

/** The type of the dynamic resource, as its class has it. */
function dynamicTypeOf(declared: ts.ClassDeclaration): string {
  for (const member of declared.members) {
    if (!ts.isPropertyDeclaration(member) || member.name.getText() !== "__pulumiType") continue;
    if (member.initializer !== undefined && ts.isStringLiteral(member.initializer))
      return member.initializer.text;
  }
  throw new Error(`${declared.name?.text ?? "a class"} does not say its type`);
}

function markSecret(properties: Record<string, PropertySpec>, names: readonly string[]): void {
  for (const name of names) {
    const property = properties[name];
    if (property === undefined) throw new Error(`there is no property ${name} to mark as secret`);
    properties[name] = { ...property, secret: true };
  }
}

function find<Node extends ts.InterfaceDeclaration | ts.ClassDeclaration>(
  source: ts.SourceFile,
  is: (node: ts.Node) => node is Node,
  name: string,
): Node {
  for (const statement of source.statements) {
    if (is(statement) && statement.name?.text === name) return statement;
  }
  throw new Error(`${source.fileName} has no ${name}`);
}
