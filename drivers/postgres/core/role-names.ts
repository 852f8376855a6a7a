import { createHash } from "node:crypto";

/** The roles of a deployment; nobody logs in with them. */
export interface DeploymentRoles {
  /** Owns the database. No account is a member of it, so none can drop or change the database as a whole. */
  readonly owner: string;
  /** Owns the schema `public` and what `admin` accounts make; a member of `writer`. */
  readonly admin: string;
  /** May write; a member of `reader`. */
  readonly writer: string;
  /** May connect and read. */
  readonly reader: string;
}

const READABLE = 20;
const HASH = 20;

/**
 * The names of a deployment's roles: readable, and the same for the same driver and deployment.
 *
 * @param driver - name of the driver in lower case.
 */
export function deploymentRoles(driver: string, deployment: string): DeploymentRoles {
  const name = (part: string) => nameOf(part, deployment, [driver, "deployment", deployment]);
  return { owner: name("owner"), admin: name("admin"), writer: name("writer"), reader: name("reader") };
}

/** All of them, the owner last. */
export function allOf({ admin, writer, reader, owner }: DeploymentRoles): readonly string[] {
  return [admin, writer, reader, owner];
}

/**
 * The name of an heir of one role, which may be made again under the same name: the same for the same one.
 *
 * @param part - `heir` for what is left in the deployment's database, `rest` for what is left in others.
 */
export function heirName(
  part: "heir" | "rest",
  { driver, deployment }: { readonly driver: string; readonly deployment: string },
  roleOid: string,
): string {
  return nameOf(part, deployment, [driver, part, deployment, roleOid]);
}

function nameOf(part: string, deployment: string, unique: readonly string[]): string {
  const hash = createHash("sha256").update(unique.join("\n")).digest("hex").slice(0, HASH);
  const readable = deployment.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, READABLE);
  return `deployment-${part}-${readable}-${hash}`;
}
