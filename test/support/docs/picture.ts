import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { graph } from "../../cli/graph/terminal";

const folder = path.join(__dirname, "..", "..", "..", "docs", "images");
/** An account as a driver names it: what its grant is named for, and a hash. */
const account = /\b(cosi-[a-z]+-)([0-9a-f-]{30,})/g;
/** The tail of a name that @pulumi/kubernetes makes up. */
const autoNamed = /(?<="web-)[0-9a-f]{8}(?=")/g;
const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Has `pulumi-cosi graph` make a picture of the documentation again. With `UPDATE_GOLDEN=1` it is written.
 *
 * @param file Name of it below `docs/images/`.
 * @param state What `pulumi stack export` wrote.
 */
export async function assertPicture(file: string, state: string): Promise<void> {
  const { code, out, err } = await graph(["-", "--format", "svg"], withEqualIds(state));
  assert.equal(code, 0, err);
  const place = path.join(folder, file);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(place, out);
  }
  const committed = fs.existsSync(place) ? fs.readFileSync(place, "utf8") : "";
  assert.equal(out, committed, `docs/images/${file} is another picture: run this test with UPDATE_GOLDEN=1`);
}

/** The state with its UIDs numbered, which every cluster gives anew. */
function withEqualIds(state: string): string {
  const exported = JSON.parse(state) as { deployment: { resources: { urn: string }[] } };
  exported.deployment.resources.sort((one, other) => (one.urn < other.urn ? -1 : 1));
  const known = new Map<string, string>();
  const text = JSON.stringify(exported).replaceAll(account, (_, prefix: string, rest: string) => {
    return `${prefix}${"5c0f1e9a3b52d46e".repeat(4).slice(0, rest.length)}`;
  });
  return text.replaceAll(autoNamed, "5c0f1e9a").replaceAll(uid, (found) => {
    const number = known.get(found) ?? String(known.size + 1).padStart(12, "0");
    known.set(found, number);
    return `7c0f5e1a-3b52-4d6e-9a41-${number}`;
  });
}
