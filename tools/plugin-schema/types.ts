import * as ts from "typescript";

/** A type as Pulumi's schemas write it. */
export type TypeSpec =
  | { type: "string" | "number" | "integer" | "boolean" }
  | { type: "array"; items: TypeSpec }
  | { type: "object"; additionalProperties: TypeSpec }
  | { $ref: string };

/** A property of a resource or of an object type. */
export type PropertySpec = TypeSpec & { description?: string; secret?: true };

/** An object type, or one of texts. */
export type ComplexType =
  | {
      type: "object";
      description?: string;
      properties: Record<string, PropertySpec>;
      required: string[];
    }
  | { type: "string"; description?: string; enum: { value: string }[] };

export const anyType: TypeSpec = { $ref: "pulumi.json#/Any" };

/** Writes the types of a TypeScript program as those of a schema. */
export class SchemaTypes {
  /** Types that have a name of their own, by their tokens. */
  readonly named: Record<string, ComplexType> = {};

  constructor(
    readonly checker: ts.TypeChecker,
    private readonly packageName: string,
  ) {}

  /**
   * @param within Name for a type that has none.
   * @throws Error for a type that a schema has no form for.
   */
  of(node: ts.TypeNode, within: string): TypeSpec {
    if (ts.isParenthesizedTypeNode(node)) return this.of(node.type, within);
    if (ts.isTypeOperatorNode(node)) return this.of(node.type, within);
    if (ts.isArrayTypeNode(node)) return { type: "array", items: this.of(node.elementType, within) };
    if (ts.isUnionTypeNode(node)) return this.#ofUnion(node, within);
    if (ts.isTypeLiteralNode(node)) return this.#object(within, node.members, undefined);
    if (ts.isTypeReferenceNode(node)) return this.#ofReference(node, within);
    switch (node.kind) {
      case ts.SyntaxKind.StringKeyword:
        return { type: "string" };
      case ts.SyntaxKind.NumberKeyword:
        return { type: "number" };
      case ts.SyntaxKind.BooleanKeyword:
        return { type: "boolean" };
      default:
        throw new Error(`${within}: no schema has a form for ${node.getText()}`);
    }
  }

  /** The properties of an interface, and which of them must be given. @param keep False leaves one out. */
  members(
    members: ts.NodeArray<ts.TypeElement>,
    within: string,
    keep: (name: string) => boolean = () => true,
  ): { properties: Record<string, PropertySpec>; required: string[] } {
    const properties: Record<string, PropertySpec> = {};
    const required: string[] = [];
    for (const member of members) {
      if (!ts.isPropertySignature(member) || member.type === undefined) continue;
      const name = member.name.getText();
      if (isInternal(member) || !keep(name)) continue;
      properties[name] = { ...this.of(member.type, within + capital(name)), ...this.described(member.name) };
      if (member.questionToken === undefined && !mayBeNull(member.type)) required.push(name);
    }
    return { properties, required };
  }

  /** What its comment says of a declaration, with its default. */
  described(name: ts.Node): { description?: string } {
    const symbol = this.checker.getSymbolAtLocation(name);
    if (symbol === undefined) return {};
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.checker));
    const tag = symbol.getJsDocTags(this.checker).find((known) => known.name === "default");
    const byDefault = tag === undefined ? "" : `Default: ${inOneLine(ts.displayPartsToString(tag.text))}`;
    const description = [inOneLine(text), byDefault].filter((part) => part !== "").join("\n\n");
    return description === "" ? {} : { description };
  }

  #ofUnion(node: ts.UnionTypeNode, within: string): TypeSpec {
    const [first, ...others] = node.types.filter((type) => !isNull(type));
    if (first === undefined) throw new Error(`${within}: ${node.getText()} has no value`);
    return others.length === 0 ? this.of(first, within) : anyType;
  }

  #ofReference(node: ts.TypeReferenceNode, within: string): TypeSpec {
    const name = ts.isQualifiedName(node.typeName) ? node.typeName.right.text : node.typeName.text;
    const [first, second] = node.typeArguments ?? [];
    if (["Input", "Output", "Readonly"].includes(name) && first !== undefined) return this.of(first, within);
    if (name === "Record" && second !== undefined) {
      return { type: "object", additionalProperties: this.of(second, within) };
    }
    const declaration = this.#declarationOf(node);
    if (ts.isInterfaceDeclaration(declaration)) {
      return this.#object(name, declaration.members, declaration.name);
    }
    const type = this.checker.getTypeAtLocation(node);
    const literals = type.isUnion() ? type.types.filter((part) => part.isStringLiteral()) : [];
    if (type.isUnion() && literals.length === type.types.length) {
      const values = literals.map(({ value }) => ({ value }));
      return this.#name(name, { type: "string", ...this.described(declaration.name), enum: values });
    }
    return this.#name(name, { ...this.#merged(declaration.type, name), ...this.described(declaration.name) });
  }

  #declarationOf(node: ts.TypeReferenceNode): ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
    const symbol = this.checker.getSymbolAtLocation(node.typeName);
    const target =
      symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
        ? this.checker.getAliasedSymbol(symbol)
        : symbol;
    const found = target?.declarations?.find(
      (known) => ts.isInterfaceDeclaration(known) || ts.isTypeAliasDeclaration(known),
    );
    if (found === undefined) throw new Error(`no declaration of ${node.getText()}`);
    return found;
  }

  /** One object type with what any of the alternatives has: a schema has no other form for them. */
  #merged(node: ts.TypeNode, within: string): ComplexType & { type: "object" } {
    const properties: Record<string, PropertySpec> = {};
    const visit = (part: ts.TypeNode): void => {
      if (ts.isParenthesizedTypeNode(part)) visit(part.type);
      else if (ts.isUnionTypeNode(part) || ts.isIntersectionTypeNode(part)) part.types.forEach(visit);
      else if (ts.isTypeLiteralNode(part)) {
        for (const member of part.members) {
          if (!ts.isPropertySignature(member) || member.type === undefined) continue;
          const name = member.name.getText();
          const spec = ts.isLiteralTypeNode(member.type) || isLiteralUnion(member.type);
          properties[name] ??= {
            ...(spec ? { type: "string" as const } : this.of(member.type, within + capital(name))),
            ...this.described(member.name),
          };
        }
      } else throw new Error(`${within}: no schema has a form for ${part.getText()}`);
    };
    visit(node);
    return { type: "object", properties, required: [] };
  }

  #object(name: string, members: ts.NodeArray<ts.TypeElement>, declared: ts.Node | undefined): TypeSpec {
    const { properties, required } = this.members(members, name);
    const description = declared === undefined ? {} : this.described(declared);
    return this.#name(name, { type: "object", ...description, properties, required });
  }

  #name(name: string, type: ComplexType): TypeSpec {
    const token = `${this.packageName}:index:${name}`;
    this.named[token] = type;
    return { $ref: `#/types/${token}` };
  }
}

/** True for a declaration whose comment says that it is none of the user's. */
export function isInternal(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some((tag) => tag.tagName.text === "internal");
}

/** True for a type that has `null` among its values. */
export function mayBeNull(node: ts.TypeNode): boolean {
  if (ts.isUnionTypeNode(node)) return node.types.some(isNull);
  const [first] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  return first !== undefined && /\b(Input|Output)$/.test(nameOf(node)) && mayBeNull(first);
}

function nameOf(node: ts.TypeNode): string {
  return ts.isTypeReferenceNode(node) ? node.typeName.getText() : "";
}

function isNull(node: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
}

function isLiteralUnion(node: ts.TypeNode): boolean {
  return ts.isUnionTypeNode(node) && node.types.every((type) => ts.isLiteralTypeNode(type));
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A comment's lines are as long as the source is wide; a paragraph is one line, and a link the name that it leads to. */
function inOneLine(text: string): string {
  return text
    .replace(/\{@link\s+(\S+)\s*\}/g, "`$1`")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " ").trim())
    .join("\n\n");
}
