import assert from "node:assert/strict";
import { driver as named, findingsOf, found, languages, step, withStates } from "./steps";

const [bucket, access] = [languages.TypeScript("Bucket"), languages.TypeScript("BucketAccess")];
const secret = "pulumi-nodejs:dynamic/cosi/kubernetes:Secret";
const binding = "pulumi-nodejs:dynamic/cosi/cosi20200227:BucketBinding";
const dependencies = [`urn:pulumi:prod::shop::${access}::a`];
const [one, two] = [
  { namespace: "shop", name: "one" },
  { namespace: "shop", name: "two" },
];

describe("the Secret of an account that stays", () => {
  const moved = (op: string, was: object | undefined, is: object | undefined) =>
    withStates(step(op, secret, "s", was, is), { before: { dependencies }, after: { dependencies } });
  const outputs = { outputs: { accountId: "a-1" } };
  const stays = step("same", access, "a", {}, {}, outputs);

  it("is told where it moves, with the credentials in it", () => {
    const [revoked, minted, ...others] = findingsOf(moved("replace", one, two), stays);
    assert.equal(revoked?.category, "credential-revoked");
    assert.match(revoked.what, /^the Secret shop\/one goes, while the account a-1 stays; what uses it loses/);
    assert.equal(minted?.category, "credential-minted");
    assert.equal(minted.secret, "shop/two");
    assert.equal(minted.object, "a-1");
    assert.deepEqual(others, []);
    assert.deepEqual(found(moved("replace", one, one), stays), []);
    assert.equal(findingsOf(moved("replace", one, two)).length, 2, "without --show-sames, too");
    const hidden = { namespace: "shop", name: "[secret]" };
    assert.equal(findingsOf(moved("replace", hidden, hidden), stays).length, 2);
  });

  it("is told where it goes or comes alone", () => {
    assert.deepEqual(found(moved("delete", one, undefined), stays), ["credential-revoked Secret s"]);
    assert.deepEqual(found(moved("create", undefined, one), stays), ["credential-minted Secret s"]);
  });

  it("is told once, with its account, where that goes or comes, too", () => {
    assert.deepEqual(found(moved("delete", one, undefined), step("delete", access, "a", {})), [
      "credential-revoked BucketAccess a",
    ]);
    assert.deepEqual(found(moved("create", undefined, one), step("create", access, "a", undefined, {})), [
      "credential-minted BucketAccess a",
    ]);
  });
});

describe("the Secret of a bucket that comes with its account (COSI proposal of 2020-02-27)", () => {
  const parent = "urn:pulumi:prod::shop::cosi:cosi20200227:Bucket::photos";
  const inputs = { driver: { ...named, contract: "cosi-2020-02" } };
  const bound = (secretName?: string) => ({ bucket: { name: "photos", namespace: "shop" }, secretName });

  it("is the one that its binding writes", () => {
    const made = step("create", bucket, "photos", undefined, inputs, { parent });
    const all = findingsOf(
      made,
      step("create", binding, "photos", undefined, bound("photos-creds"), { parent }),
    );
    assert.deepEqual(
      all.map(({ category, resource, secret: place }) => [category, resource, place]),
      [["credential-minted", "Bucket photos", "shop/photos-creds"]],
    );
    assert.match(all[0]?.what ?? "", /its credentials reach the Secret shop\/photos-creds/);
    const [bare] = findingsOf(made, step("create", binding, "photos", undefined, bound(), { parent }));
    assert.equal(bare?.secret, undefined);
  });

  it("moves without its bucket", () => {
    const stays = step("same", bucket, "photos", inputs, inputs, { parent });
    assert.deepEqual(
      found(stays, step("update", binding, "photos", bound("one"), bound("two"), { parent })),
      ["credential-revoked BucketBinding photos", "credential-minted BucketBinding photos"],
    );
    assert.deepEqual(
      found(stays, step("update", binding, "photos", bound("one"), bound("one"), { parent })),
      [],
    );
  });
});
