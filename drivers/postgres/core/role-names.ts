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

/** The names of a deployment's roles: readable, and the same for the same driver and deployment. */
export function deploymentRoles(driver: string, deployment: string): DeploymentRoles {
  const hash = createHash("sha256")
    .update(`${driver}\ndeployment\n${deployment}`)
    .digest("hex")
    .slice(0, HASH);
  const readable = deployment.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, READABLE);
  const name = (part: string) => `deployment-${part}-${readable}-${hash}`;
  return { owner: name("owner"), admin: name("admin"), writer: name("writer"), reader: name("reader") };
}

/** All of them, the owner last. */
export function allOf({ admin, writer, reader, owner }: DeploymentRoles): readonly string[] {
  return [admin, writer, reader, owner];
}
