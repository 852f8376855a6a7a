import assert from "node:assert/strict";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";

/** Names that an API model has for what a workload logs in with. */
export interface LoginFields {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A workload, which knows of a store what its Secret says. */
export class ExampleWorkload {
  readonly #client: StoreAdmin;

  /** @param secret The Secret's data, with `endpoint` and `region`. */
  constructor(
    store: Store,
    readonly secret: Readonly<Record<string, string>>,
    fields: LoginFields,
  ) {
    const { endpoint = "", region = "" } = secret;
    const accessKeyId = secret[fields.accessKeyId] ?? "";
    const secretAccessKey = secret[fields.secretAccessKey] ?? "";
    this.#client = new StoreAdmin({ ...store, accessKeyId, secretAccessKey, endpoint, region });
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
