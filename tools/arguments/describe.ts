import * as path from "node:path";
import * as ts from "typescript";
import type { DescribedArguments, ObjectType } from "../../provider/inputs/described";
import { describedModules } from "./modules";
import { ArgumentTypes } from "./types";

const repository = path.join(__dirname, "..", "..");

/** Reads the arguments of all modules from their types. @returns them by the file that they are written to. */
export function describeArguments(): Map<string, DescribedArguments> {
  const program = ts.createProgram(
    describedModules.map(({ entry }) => path.join(repository, entry)),
    {
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      skipLibCheck: true,
      resolveJsonModule: true,
      types: ["node"],
    },
  );
  const checker = program.getTypeChecker();
  const types = new ArgumentTypes(checker);
  return new Map(
    describedModules.map(({ entry, file }) => {
      const source = program.getSourceFile(path.join(repository, entry));
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`there is no module ${entry}`);
      return [file, argumentsOf(module, checker, types)];
    }),
  );
}

function argumentsOf(module: ts.Symbol, checker: ts.TypeChecker, types: ArgumentTypes): DescribedArguments {
  const described: Record<string, ObjectType> = {};
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol =
      (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
    const type = argumentsType(symbol, checker);
    if (type !== undefined) described[exported.name] = types.ofArguments(type);
  }
  return described;
}

/** The type of what a class or a function calls `args`. */
function argumentsType(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Type | undefined {
  for (const declaration of symbol.declarations ?? []) {
    const called = ts.isClassDeclaration(declaration)
      ? declaration.members.find(ts.isConstructorDeclaration)
      : ts.isFunctionDeclaration(declaration)
        ? declaration
        : undefined;
    const parameter = called?.parameters.find((known) => known.name.getText() === "args");
    if (parameter?.type !== undefined) return checker.getTypeFromTypeNode(parameter.type);
  }
  return undefined;
}
