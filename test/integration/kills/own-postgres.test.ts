import assert from "node:assert/strict";
import type { BackendAccount } from "../../support/kills/backend";
import { OwnPostgres } from "../../support/kills/own-postgres";

describe("what the kills see of a PostgreSQL server", function () {
  this.timeout(120_000);
  let postgres: OwnPostgres;

  before(async () => {
    postgres = await OwnPostgres.start();
    await postgres.query("CREATE DATABASE orders");
    for (const role of ["reader", "other"]) {
      await postgres.query(`CREATE ROLE ${role} LOGIN PASSWORD 'of ${role}'`);
      await postgres.query(`GRANT CREATE ON SCHEMA public TO ${role}`, "orders");
    }
  });

  after(() => postgres.stop());

  const urlOf = (role: string, password = `of ${role}`, database = "orders"): string =>
    `postgresql://${role}:${encodeURIComponent(password)}@${postgres.address}/${database}?sslmode=disable`;

  async function reader(): Promise<BackendAccount> {
    const found = (await postgres.accounts()).find(({ name }) => name === "reader");
    return found ?? assert.fail("there is no such role");
  }

  it("is what has come since, and no database or role of the server itself", async () => {
    assert.deepEqual(await postgres.buckets(), ["orders"]);
    assert.deepEqual(
      (await postgres.accounts()).map(({ name }) => name),
      ["other", "reader"],
    );
  });

  it("is of a key whether somebody gets in with it, as that role, and may work there", async () => {
    const { liveKeys, accepts } = await reader();
    assert.equal(liveKeys, 1);
    assert.equal(await accepts(urlOf("reader")), true);
    for (const dead of [
      urlOf("reader", "of yesterday"),
      urlOf("other"),
      urlOf("reader", "of reader", "gone"),
      urlOf("reader", "of reader", "postgres"),
      "nothing",
    ]) {
      assert.equal(await accepts(dead), false, dead);
    }
  });

  it("is of a role without login, or without password, that no key works", async () => {
    for (const [change, back] of [
      ["NOLOGIN", "LOGIN"],
      ["PASSWORD NULL", "PASSWORD 'of reader'"],
    ] as const) {
      await postgres.query(`ALTER ROLE reader ${change}`);
      const { liveKeys, accepts } = await reader();
      assert.deepEqual([liveKeys, await accepts(urlOf("reader"))], [0, false], change);
      await postgres.query(`ALTER ROLE reader ${back}`);
      assert.equal((await reader()).liveKeys, 1);
    }
  });
});
