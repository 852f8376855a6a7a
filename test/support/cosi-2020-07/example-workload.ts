import assert from "node:assert/strict";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";

/** A workload, which knows of a store what its Secret says. */
export class ExampleWorkload {
  readonly #client: StoreAdmin;

  /** @param secret The Secret's data. */
  constructor(
    store: Store,
    readonly secret: Readonly<Record<string, string>>,
  ) {
    const { accessKeyID = "", accessSecretKey = "", endpoint = "", region = "" } = secret;
    const keys = { accessKeyId: accessKeyID, secretAccessKey: accessSecretKey };
    this.#client = new StoreAdmin({ ...store, ...keys, endpoint, region });
  }

  write(bucket: string, key: string, text: string): Promise<void> {
    return this.#client.put(bucket, key, text);
  }

  read(bucket: string, key: string): Promise<string | undefined> {
    return this.#client.get(bucket, key);
  }

  /** Asserts that the store lets it neither read nor write there. */
  async isKeptOut(bucket: string, key: string): Promise<void> {
    await assert.rejects(this.#client.get(bucket, key), { name: "AccessDenied" });
    await this.mayNotWrite(bucket);
  }

  async mayNotWrite(bucket: string): Promise<void> {
    await assert.rejects(this.#client.put(bucket, "intruder"), { name: "AccessDenied" });
  }

  /** Asserts that its keys work no more. */
  async hasDeadKeys(bucket: string, key: string): Promise<void> {
    await assert.rejects(this.#client.get(bucket, key), { name: "InvalidAccessKeyId" });
  }
}
