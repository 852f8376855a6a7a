import assert from "node:assert/strict";
import { isAddressKey } from "../../../provider/credentials/address-keys";

describe("isAddressKey", () => {
  it("is true for what says where something is, however it is written", () => {
    for (const key of [
      "bucketName",
      "AWS_ENDPOINT_URL_S3",
      "PGHOST",
      "PGPORT",
      "PGDATABASE",
      "PGSSLMODE",
      "DB_HOST",
      "dbPort",
      "db.hostname",
    ]) {
      assert.equal(isAddressKey(key), true, key);
    }
  });

  it("is false for what lets somebody in, and for words that only end alike", () => {
    for (const key of [
      "PGPASSWORD",
      "PGUSER",
      "DATABASE_URL",
      "passport",
      "host_key",
      "accessSecretKey",
      "",
    ]) {
      assert.equal(isAddressKey(key), false, key);
    }
  });
});
