import { ListBucketsCommand } from "@aws-sdk/client-s3";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import type { Folders } from "../../drivers/common/folders";
import { startDriver } from "../../drivers/s3/support/driver-process";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { s3DriverEnvironment } from "../end-to-end/s3-driver-environment";
import type { Backend, BackendAccount, RunningDriver } from "./backend";
import { Newcomers } from "./newcomers";

/** An S3 store that nobody else uses meanwhile. A key of it is the id of an access key. */
export class OwnStore implements Backend {
  readonly #own = new Newcomers();

  private constructor(
    readonly access: Store,
    private readonly admin: StoreAdmin,
  ) {}

  static async start(): Promise<OwnStore> {
    const access = await startStore();
    const store = new OwnStore(access, new StoreAdmin(access));
    await store.ignorePresent();
    return store;
  }

  get address(): string {
    return this.access.endpoint;
  }

  async ignorePresent(): Promise<void> {
    this.#own.ignore([]);
    this.#own.ignore([...(await this.users()), ...(await this.buckets())]);
  }

  async buckets(): Promise<string[]> {
    const { Buckets = [] } = await this.admin.s3.send(new ListBucketsCommand({}));
    return this.#own.among(Buckets.map(({ Name = "" }) => Name));
  }

  async users(): Promise<string[]> {
    return this.#own.among(await this.admin.users());
  }

  async accounts(): Promise<BackendAccount[]> {
    const users = await this.users();
    return Promise.all(
      users.map(async (name) => {
        const keys = await this.keysOf(name);
        return { name, liveKeys: keys.length, accepts: (key) => keys.includes(key) };
      }),
    );
  }

  /** Ids of a user's active keys. */
  keysOf(user: string): Promise<string[]> {
    return this.admin.keysOf(user);
  }

  startDriver({ socket, workFolder }: Folders): Promise<RunningDriver> {
    return startDriver(socket, { workFolder, env: s3DriverEnvironment(this.access) });
  }

  stop(): Promise<void> {
    return this.access.stop();
  }
}
