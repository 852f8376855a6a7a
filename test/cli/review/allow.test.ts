import assert from "node:assert/strict";
import { reviewOf } from "../../support/ci/review";
import { driver, languages, step } from "./steps";

const [bucket, access] = [languages.TypeScript("Bucket"), languages.TypeScript("BucketAccess")];

describe("what --allow lets pass", () => {
  const at = (driverName: string) => ({ ...driver, driverName });
  const photos = { name: "photos", deletionPolicy: "Delete" };
  const test = step("delete", bucket, "test", { ...photos, driver: at("test-store") });
  const prod = step("delete", bucket, "prod", { ...photos, driver: at("prod-store") });
  const account = step("delete", access, "a", { name: "photos", driver: at("prod-store") });
  const ended = (allow: string, ...steps: readonly object[]) =>
    reviewOf(["-", "--fail-on", "data-loss,credential-revoked", "--allow", allow], JSON.stringify({ steps }));

  it("is one object by its name", async () => {
    assert.equal((await ended("photos", test)).code, 0);
    assert.equal((await ended("other", test)).code, 1);
  });

  it("is nothing by a name that means several, and says what to write", async () => {
    const { code, err } = await ended("photos", test, prod, account);
    assert.equal(code, 1);
    assert.match(
      err,
      /--allow photos matches several objects, so it lets none of them pass\. Next: say which: data-loss:photos@test-store, data-loss:photos@prod-store, credential-revoked:photos@prod-store\n/,
    );
    assert.equal((await ended("photos", prod, account)).code, 1);
  });

  it("is named by its driver and its category then", async () => {
    assert.equal((await ended("photos@test-store", test, prod)).code, 1);
    assert.equal((await ended("photos@test-store,photos@prod-store", test, prod)).code, 0);
    assert.equal((await ended("data-loss:photos", prod, account)).code, 1);
    assert.equal((await ended("data-loss:photos,credential-revoked:photos", prod, account)).code, 0);
    const all =
      "data-loss:photos@test-store,data-loss:photos@prod-store,credential-revoked:photos@prod-store";
    assert.equal((await ended(all, test, prod, account)).code, 0);
  });
});
