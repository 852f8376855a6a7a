/** Writes the descriptions of arguments anew. */
import * as fs from "node:fs";
import * as path from "node:path";
import * as prettier from "prettier";
import { describeArguments } from "./describe";

async function write(): Promise<void> {
  for (const [name, described] of describeArguments()) {
    const file = path.join(__dirname, "..", "..", name);
    const options = await prettier.resolveConfig(file);
    const text = await prettier.format(JSON.stringify(described), { ...options, filepath: file });
    fs.writeFileSync(file, text);
  }
}

void write();
