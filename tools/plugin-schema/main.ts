/** Writes provider/plugin/schema.json anew. */
import * as fs from "node:fs";
import * as path from "node:path";
import * as prettier from "prettier";
import { schemaOfClasses } from "./schema";

const file = path.join(__dirname, "..", "..", "provider", "plugin", "schema.json");

async function write(): Promise<void> {
  const text = JSON.stringify(schemaOfClasses());
  const options = await prettier.resolveConfig(file);
  fs.writeFileSync(file, await prettier.format(text, { ...options, filepath: file }));
}

void write();
