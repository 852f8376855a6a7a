import { createLog } from "../../../drivers/common/log";
import { createDriver, type Driver } from "../../../drivers/postgres/core/driver";
import { readConfig } from "../../../drivers/postgres/config";
import { startPostgres } from "../../../tools/local/postgres";
import type { Postgres } from "../../../tools/local/postgres-access";
import type { StartOptions } from "../../drivers/common/driver-process";
import { makeFolders } from "../../drivers/common/folders";
import { DriverClient } from "../../drivers/postgres/support/driver-client";
import { type StartedDriver, startDriver } from "../../drivers/postgres/support/driver-process";
import { PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import { type StatementProxy, startStatementProxy } from "../../drivers/postgres/support/statement-proxy";

/** The name of every driver in these tests: all act as one driver that was restarted. */
export const DRIVER_NAME = "postgres.integration.test";

/** A driver without a wire at the server of an environment. */
export function coreAt(env: Readonly<Record<string, string>>): Driver {
  const config = readConfig({
    POSTGRES_DRIVER_NAME: DRIVER_NAME,
    Deployment_ENDPOINT: "unix:///unused.sock",
    ...env,
  });
  return createDriver(
    config.driverName,
    config.server,
    createLog("error", () => undefined),
  );
}

/** A driver process that serves, and a client of it. */
export interface RunningDriver extends StartedDriver {
  /** Path of its socket. */
  readonly socket: string;
}

/** A real server, a network to it in which faults can be made, and drivers at the other end. */
export class Setting {
  readonly #running: RunningDriver[] = [];
  readonly #clear: (() => void)[] = [];

  private constructor(
    readonly server: Postgres,
    readonly admin: PostgresAdmin,
    readonly proxy: StatementProxy,
  ) {}

  static async start(): Promise<Setting> {
    const server = await startPostgres();
    return new Setting(server, new PostgresAdmin(server), await startStatementProxy(server.port));
  }

  /** What a driver is told; it comes to the server through the network with faults. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...this.server.environment,
      PGPORT: `${this.proxy.port}`,
      POSTGRES_DRIVER_CLIENT_PORT: `${this.server.port}`,
      POSTGRES_DRIVER_NAME: DRIVER_NAME,
      POSTGRES_DRIVER_LOG_LEVEL: "debug",
    };
  }

  /** Starts a driver with a socket of its own. */
  async startDriver(
    env: Readonly<Record<string, string>> = {},
    through?: StartOptions["through"],
  ): Promise<RunningDriver> {
    const folders = makeFolders();
    const { socket, workFolder } = folders;
    this.#clear.push(() => {
      folders.remove();
    });
    const started = await startDriver(socket, {
      workFolder,
      ...(through === undefined ? {} : { through }),
      env: { ...this.env, ...env },
    });
    const running = { ...started, socket };
    this.#running.push(running);
    return running;
  }

  /** What the driver has instead of a wire: as after each restart, it knows nothing of what was before. */
  core(env: Readonly<Record<string, string>> = {}): Driver {
    return coreAt({ ...this.env, ...env });
  }

  /** One more client of a driver, which asks for an owner. */
  clientFor(owner: string, { socket }: RunningDriver): DriverClient {
    const client = new DriverClient(socket, owner);
    this.#clear.push(() => {
      client.close();
    });
    return client;
  }

  /** What all drivers so far have written. */
  logs(): string {
    return this.#running.map(({ driver }) => driver.stdout + driver.stderr).join("");
  }

  async stop(): Promise<void> {
    for (const { driver, client } of this.#running) {
      client.close();
      await driver.stop("SIGKILL");
    }
    for (const clear of this.#clear) {
      clear();
    }
    await this.proxy.stop();
    if (!this.server.local) await this.admin.cleanUp();
    await this.server.stop();
  }
}
