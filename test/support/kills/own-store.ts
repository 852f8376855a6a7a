import { ListBucketsCommand } from "@aws-sdk/client-s3";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";

/** A user in a store. */
export interface StoreUser {
  readonly name: string;
  /** Ids of the active keys. */
  readonly keys: readonly string[];
}

/** A store that nobody else uses meanwhile: what is in it and was not there before is the program's. */
export class OwnStore {
  #before = new Set<string>();

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

  /** Leaves out what is there by now. */
  async ignorePresent(): Promise<void> {
    this.#before = new Set();
    this.#before = new Set([...(await this.users()), ...(await this.buckets())]);
  }

  async buckets(): Promise<string[]> {
    const { Buckets = [] } = await this.admin.s3.send(new ListBucketsCommand({}));
    return this.#own(Buckets.map(({ Name = "" }) => Name));
  }

  async users(): Promise<string[]> {
    return this.#own(await this.admin.users());
  }

  /** Ids of a user's active keys. */
  keysOf(user: string): Promise<string[]> {
    return this.admin.keysOf(user);
  }

  stop(): Promise<void> {
    return this.access.stop();
  }

  #own(names: readonly string[]): string[] {
    return names.filter((name) => !this.#before.has(name)).sort();
  }
}
