import * as ts from "typescript";
import type { ObjectType, ValueType } from "../../provider/inputs/described";

/** Writes the types of arguments in the form that they are judged by when a program runs. */
export class ArgumentTypes {
  constructor(private readonly checker: ts.TypeChecker) {}

  /** The arguments of a class or a function. */
  ofArguments(type: ts.Type): ObjectType {
    return this.#members([type]);
  }

  #members(alternatives: readonly ts.Type[]): ObjectType {
    const properties: Record<string, ValueType> = {};
    const needed: string[][] = [];
    for (const alternative of alternatives) {
      const symbols = this.checker.getPropertiesOfType(alternative);
      for (const symbol of symbols) {
        properties[symbol.name] ??= isInternal(symbol, this.checker)
          ? { isInternal: true }
          : this.#ofSymbol(symbol);
      }
      needed.push(symbols.filter((symbol) => !isOptional(symbol)).map(({ name }) => name));
    }
    const [first = [], ...others] = needed;
    return { properties, required: first.filter((name) => others.every((names) => names.includes(name))) };
  }

  #ofSymbol(symbol: ts.Symbol): ValueType {
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
    if (declaration === undefined) throw new Error(`${symbol.name} is declared nowhere`);
    return this.#of(this.checker.getTypeOfSymbolAtLocation(symbol, declaration));
  }

  /** A type that has no form here is one that takes any value. */
  #of(type: ts.Type): ValueType {
    const alternatives = (type.isUnion() ? type.types : [type]).filter(isValue);
    if (alternatives.length === 0) return {};
    const forms = alternatives.map((alternative) => this.#ofOne(alternative));
    const [first = {}] = forms;
    if (forms.every((form) => form.resource !== undefined)) {
      return { ...first, resource: forms.flatMap(({ resource = [] }) => resource) };
    }
    if (forms.every((form) => form.properties !== undefined)) return this.#members(alternatives);
    const [text] = forms.map((form) => JSON.stringify(form));
    return forms.every((form) => JSON.stringify(form) === text) ? first : {};
  }

  #ofOne(type: ts.Type): ValueType {
    if ((type.flags & ts.TypeFlags.StringLike) !== 0) return { type: "string" };
    if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return { type: "number" };
    if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return { type: "boolean" };
    const resource = this.#resource(type);
    if (resource !== undefined) return resource;
    if (this.checker.isArrayType(type)) {
      const [items] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: "array", items: items === undefined ? {} : this.#of(items) };
    }
    if ((type.flags & ts.TypeFlags.Object) === 0 || type.getCallSignatures().length > 0) return {};
    const entries = type.getStringIndexType();
    if (entries !== undefined) return { type: "object", additionalProperties: this.#of(entries) };
    if (this.checker.getPropertiesOfType(type).length === 0 || type.isClass()) return {};
    return this.#members([type]);
  }

  /** A resource of this package, or the part of one that is asked for. */
  #resource(type: ts.Type): ValueType | undefined {
    const [picked] = type.aliasSymbol?.name === "Pick" ? (type.aliasTypeArguments ?? []) : [];
    const whole = picked ?? this.#pickedBy(type) ?? type;
    const declared = whole.getSymbol()?.declarations?.find(ts.isClassDeclaration);
    const token = declared === undefined ? undefined : typeTokenOf(declared);
    if (token === undefined) return undefined;
    if (whole === type) return { resource: [token] };
    return { resource: [token], parts: this.checker.getPropertiesOfType(type).map(({ name }) => name) };
  }

  /** The class of `type Accessed = Pick<Class, …>`, which has the name of the alias alone. */
  #pickedBy(type: ts.Type): ts.Type | undefined {
    const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
    if (alias === undefined || !ts.isTypeReferenceNode(alias.type)) return undefined;
    const [whole] = alias.type.typeName.getText() === "Pick" ? (alias.type.typeArguments ?? []) : [];
    return whole === undefined ? undefined : this.checker.getTypeFromTypeNode(whole);
  }
}

/** The type that Pulumi knows a class by; `undefined` for a class that is no resource of this package. */
export function typeTokenOf(declared: ts.ClassDeclaration): string | undefined {
  for (const member of declared.members) {
    if (!ts.isPropertyDeclaration(member) || member.name.getText() !== "__pulumiType") continue;
    if (member.initializer !== undefined && ts.isStringLiteral(member.initializer))
      return member.initializer.text;
  }
  return undefined;
}

/** False for what stands for no value, or for one that a program gets from elsewhere. */
function isValue(type: ts.Type): boolean {
  if ((type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0) return false;
  const name = type.getSymbol()?.name ?? type.aliasSymbol?.name;
  return name !== "Promise" && name !== "OutputInstance";
}

function isOptional(symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Optional) !== 0;
}

function isInternal(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.getJsDocTags(checker).some(({ name }) => name === "internal");
}
