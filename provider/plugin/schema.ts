import schema from "./schema.json";

/** The text of the schema of a version of the plugin. Its file is written from the TypeScript classes. */
export function schemaText(version: string): string {
  return JSON.stringify({ ...schema, version });
}
