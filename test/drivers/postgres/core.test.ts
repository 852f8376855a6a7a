import assert from "node:assert/strict";
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { postgresCredentials } from "../../../drivers/postgres/contracts/deployment-v1alpha1/credentials";
import { allOf, deploymentRoles } from "../../../drivers/postgres/core/role-names";
import { newPassword, scramVerifier } from "../../../drivers/postgres/core/scram";
import { identifier, literal, sql } from "../../../drivers/postgres/core/sql";

describe("the core of the PostgreSQL driver", () => {
  it("makes a verifier by which the keys of the password, and of no other one, are known", async () => {
    const password = newPassword();
    const verifier = await scramVerifier(password);
    const parts =
      /^SCRAM-SHA-256\$4096:([A-Za-z0-9+/=]{24})\$([A-Za-z0-9+/=]{44}):([A-Za-z0-9+/=]{44})$/.exec(verifier);
    assert.ok(parts !== null, verifier);
    const [, salt = "", storedKey, serverKey] = parts;
    const salted = pbkdf2Sync(password, Buffer.from(salt, "base64"), 4096, 32, "sha256");
    const key = (text: string) => createHmac("sha256", salted).update(text).digest();
    assert.equal(createHash("sha256").update(key("Client Key")).digest("base64"), storedKey);
    assert.equal(key("Server Key").toString("base64"), serverKey);
    assert.notEqual(await scramVerifier(password), verifier);
    assert.match(password, /^[A-Za-z0-9_-]{43}$/);
    assert.notEqual(newPassword(), password);
  });

  it("quotes what is put into a statement, and nothing else of it is changed", () => {
    assert.equal(
      sql`ALTER   ROLE ${identifier('a"b  c')}
        PASSWORD ${literal("it's\\  x")} LIMIT ${7}`,
      `ALTER ROLE "a""b  c" PASSWORD  E'it''s\\\\  x' LIMIT 7`,
    );
  });

  it("gives each driver and deployment roles of their own, of names that a server takes", () => {
    const pairs: readonly (readonly [driver: string, deployment: string])[] = [
      ["a.dev", "orders"],
      ["b.dev", "orders"],
      ["a.dev", "Orders"],
      ["a.dev", "é".repeat(31)],
      ["a.dev", `${"x".repeat(62)}1`],
      ["a.dev", `${"x".repeat(62)}2`],
    ];
    const names = pairs.flatMap((pair) => allOf(deploymentRoles(...pair)));
    assert.equal(new Set(names).size, 24);
    assert.ok(names.every((name) => Buffer.byteLength(name) <= 63 && name.startsWith("deployment-")));
  });

  for (const [host, database, url] of [
    ["db.example.org", "orders", "db.example.org:1/orders"],
    ["::1", "orders", "[::1]:1/orders"],
    ["fe80::1%eth0", "orders", "[fe80::1%25eth0]:1/orders"],
    ["/run/postgresql", "orders", "%2Frun%2Fpostgresql:1/orders"],
    ["db", "a b/c?d#e%é;&=", "db:1/a%20b%2Fc%3Fd%23e%25%C3%A9;&="],
  ] as const) {
    it(`names ${host} and "${database}" in a URL that is one`, () => {
      const grant = { accountId: "us/er@x", password: "p-w" };
      const { secrets } = postgresCredentials({ host, port: 1, sslMode: "require" }, database, grant);
      assert.equal(secrets.get("DATABASE_URL"), `postgresql://us%2Fer%40x:p-w@${url}?sslmode=require`);
      assert.equal(secrets.get("PGHOST"), host);
      assert.equal(secrets.get("PGDATABASE"), database);
    });
  }
});
