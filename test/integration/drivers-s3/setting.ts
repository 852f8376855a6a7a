import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import type { DriverClient } from "../../drivers/s3/support/driver-client";
import {
  type DriverProcess,
  type StartOptions,
  makeFolders,
  startDriver,
} from "../../drivers/s3/support/driver-process";
import { type FaultProxy, startFaultProxy } from "../../drivers/s3/support/fault-proxy";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";

/** The name of every driver process in these tests: all act as one driver that was restarted. */
export const DRIVER_NAME = "s3.integration.test";

/** A driver process that serves, and a client of it. */
export interface RunningDriver {
  readonly driver: DriverProcess;
  readonly client: DriverClient;
  /** Path of its socket. */
  readonly socket: string;
}

/** A real store, a network to it in which faults can be made, and drivers as processes. */
export class Setting {
  readonly #running: RunningDriver[] = [];
  readonly #clear: (() => void)[] = [];

  private constructor(
    readonly store: Store,
    readonly admin: StoreAdmin,
    readonly proxy: FaultProxy,
  ) {}

  static async start(): Promise<Setting> {
    const store = await startStore();
    return new Setting(store, new StoreAdmin(store), await startFaultProxy(store.endpoint));
  }

  /** Starts a driver with a socket of its own. */
  async startDriver(
    env: Readonly<Record<string, string>> = {},
    through?: StartOptions["through"],
  ): Promise<RunningDriver> {
    const folders = makeFolders();
    this.#clear.push(() => {
      folders.remove();
    });
    const { socket } = folders;
    const started = await startDriver(socket, {
      workFolder: folders.workFolder,
      ...(through === undefined ? {} : { through }),
      env: {
        AWS_REGION: this.store.region,
        AWS_ACCESS_KEY_ID: this.store.accessKeyId,
        AWS_SECRET_ACCESS_KEY: this.store.secretAccessKey,
        S3_DRIVER_S3_ENDPOINT: this.proxy.endpoint,
        S3_DRIVER_CLIENT_ENDPOINT: this.store.endpoint,
        S3_DRIVER_NAME: DRIVER_NAME,
        S3_DRIVER_LOG_LEVEL: "debug",
        ...env,
      },
    });
    const running = { ...started, socket };
    this.#running.push(running);
    return running;
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
    await this.admin.cleanUp();
    await this.store.stop();
  }
}
