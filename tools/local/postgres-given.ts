import { environmentOf, type Postgres } from "./postgres-access";

const PREFIX = "PULUMI_COSI_TEST_POSTGRES_";

/**
 * The server that the user gives with `PULUMI_COSI_TEST_POSTGRES_HOST`, `…_USER`, `…_PASSWORD` and `…_PORT` (default
 * 5432), to be spoken to in plain text; `undefined` when no host is set.
 *
 * @throws Error that names the variables that are missing beside the host.
 */
export function givenPostgres(environment: Readonly<NodeJS.ProcessEnv>): Postgres | undefined {
  const value = (name: string) => environment[`${PREFIX}${name}`] ?? "";
  const host = value("HOST");
  if (host === "") return undefined;
  const missing = ["USER", "PASSWORD"].filter((name) => value(name) === "");
  if (missing.length > 0) {
    const names = missing.map((name) => `${PREFIX}${name}`).join(" and ");
    throw new Error(`${PREFIX}HOST is ${host}, but ${names} must be set too: the server's administrator.`);
  }
  const port = value("PORT") === "" ? 5432 : Number(value("PORT"));
  const access = { host, port, user: value("USER"), password: value("PASSWORD") };
  return {
    ...access,
    local: false,
    environment: environmentOf(access),
    stop: () => Promise.resolve(),
  };
}
