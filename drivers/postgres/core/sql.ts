import { escapeIdentifier, escapeLiteral } from "pg";

/** Part of a statement that is already quoted. */
class Quoted {
  constructor(readonly text: string) {}
}

/** A name of a role, database, schema or extension, quoted so that it is nothing else whatever it holds. */
export function identifier(name: string): Quoted {
  return new Quoted(escapeIdentifier(name));
}

/** Several names, joined by commas. */
export function identifiers(names: readonly string[]): Quoted {
  return new Quoted(names.map(escapeIdentifier).join(", "));
}

/** A text as a value. Statements that define something take no parameters. */
export function literal(text: string): Quoted {
  return new Quoted(escapeLiteral(text));
}

/** A statement; what is put into it must be quoted or a number, so that the compiler finds what is forgotten. */
export function sql(texts: TemplateStringsArray, ...values: readonly (Quoted | number)[]): string {
  return texts
    .map((text, index) => {
      const value = values[index];
      return text.replace(/\s+/g, " ") + (value instanceof Quoted ? value.text : String(value ?? ""));
    })
    .join("")
    .trim();
}
