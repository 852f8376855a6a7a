import type { ServerConfig } from "../../../../drivers/postgres/config";

/** The administrator's password at a fake server; it must not show up anywhere. */
export const SECRET = "secret-of-the-administrator";

/** The configuration of a driver whose server is a fake one. */
export function fakeServerConfig(port: number): ServerConfig {
  return {
    host: "127.0.0.1",
    port,
    user: "admin",
    password: SECRET,
    maintenanceDatabase: "maintenance",
    sslMode: "disable",
    certificateAuthorities: undefined,
    client: { host: "db.example.org", port: 5433, sslMode: "verify-full" },
  };
}

/** The same as the environment of a process. */
export function fakeServerEnv(port: number): Readonly<Record<string, string>> {
  return {
    PGHOST: "127.0.0.1",
    PGPORT: `${port}`,
    PGUSER: "admin",
    PGPASSWORD: SECRET,
    PGSSLMODE: "disable",
  };
}
