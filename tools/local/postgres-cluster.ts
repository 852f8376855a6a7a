import { execFile } from "node:child_process";
import { chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import type { PostgresAccess } from "./postgres-access";
import { copyPrograms, handOver, serverIdentity, type Identity } from "./postgres-programs";

/** What {@link prepareCluster} prepares. */
export interface ClusterOptions {
  /** Certificate and key, PEM: the server then offers TLS too. @default plain text only */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Settings of `postgresql.conf`. @default none beside those of a server that is thrown away */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A server that can be started. */
export interface Cluster {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whom it must run as, where that is not this user. */
  readonly identity: Identity | undefined;
}

/**
 * Prepares a server in an empty folder, which then holds all of it: programs, data and what it writes.
 *
 * @param access - where it is to listen, and its superuser.
 */
export async function prepareCluster(
  folder: string,
  access: PostgresAccess,
  { tls, settings = {} }: ClusterOptions = {},
): Promise<Cluster> {
  const identity = serverIdentity();
  // Nothing of this process's own environment, whose `PG…` variables the programs would read.
  const env = { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder, LC_ALL: "C", TZ: "UTC" };
  await handOver(folder, identity);
  const programs = await copyPrograms(folder);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  await handOver(data, identity);
  const passwordFile = await writeFor(identity, join(folder, "password"), access.password);
  await promisify(execFile)(
    join(programs, "initdb"),
    [
      `--pgdata=${data}`,
      `--username=${access.user}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--no-locale",
      "--no-sync",
    ],
    { cwd: folder, env, ...identity },
  );
  await rm(passwordFile);
  const all = {
    listen_addresses: access.host,
    port: `${access.port}`,
    unix_socket_directories: "",
    // The data ends with the run, and so does all that is shared with other processes.
    fsync: "off",
    full_page_writes: "off",
    dynamic_shared_memory_type: "mmap",
    max_connections: "60",
    ...(tls === undefined
      ? {}
      : {
          ssl: "on",
          ssl_cert_file: await writeFor(identity, join(folder, "server.crt"), tls.cert),
          ssl_key_file: await writeFor(identity, join(folder, "server.key"), tls.key),
        }),
    ...settings,
  };
  return {
    command: join(programs, "postgres"),
    args: ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    env,
    identity,
  };
}

async function writeFor(identity: Identity | undefined, path: string, text: string): Promise<string> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
  if (identity !== undefined) await chown(path, identity.uid, identity.gid);
  return path;
}
