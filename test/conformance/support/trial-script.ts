import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Asks a {@link FakeStore} for the bucket with the key, as a program of `--try-credentials` does at a backend. */
const script = `
const http = require("node:http");
let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
  const { name, credentials: { cred } } = JSON.parse(text);
  const headers = { authorization: "Credential=" + cred.DB_USER + "/" };
  http.get(cred.DB_HOST + "/" + name, { headers }, (response) => {
    response.resume();
    process.exitCode = response.statusCode === 200 ? 0 : 1;
  });
});
`;

/** Writes a program into a folder. @returns its path. */
export function trialScript(folder: string, body: string = script): string {
  const file = join(folder, "try-credentials.cjs");
  writeFileSync(file, `#!${process.execPath}\n${body}`, { mode: 0o755 });
  return file;
}
