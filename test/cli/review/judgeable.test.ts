import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { isUnheardOf } from "../../../cli/review/known-types";
import { PreviewError, readPreview } from "../../../cli/review/preview";
import { reviewOf } from "../../support/ci/review";
import { findingsOf, found, languages, step } from "./steps";

const repository = path.join(__dirname, "..", "..", "..");

describe("what a review cannot judge", () => {
  it("is no resource of this package", () => {
    const files = fs.readdirSync(path.join(repository, "provider"), { recursive: true, encoding: "utf8" });
    const sources = files.filter((file) => file.endsWith(".ts"));
    const types = sources.flatMap((file) => {
      const source = fs.readFileSync(path.join(repository, "provider", file), "utf8");
      return [...source.matchAll(/__pulumiType = "([^"]+)"/g)].map(([, type = ""]) => type);
    });
    const schema = fs.readFileSync(path.join(repository, "provider", "plugin", "schema.json"), "utf8");
    const { resources } = JSON.parse(schema) as { resources: Record<string, unknown> };
    const all = [...types, ...Object.keys(resources)];
    assert.ok(all.length > 25, all.join());
    assert.deepEqual(
      all.filter((type) => isUnheardOf(type, true)),
      [],
    );
  });

  it("is refused with exit code 3, and never passed over", async () => {
    const unheard = [
      "pulumi-nodejs:dynamic/cosi:Volume",
      "pulumi-nodejs:dynamic/cosi/later:Claim",
      "cosi:index:Volume",
    ].map((type) => step("delete", type, "v", {}));
    const custom = step("delete", "cosi:later:Volume", "v", {}, undefined, { custom: true });
    for (const one of [...unheard, custom]) {
      const { code, out, err } = await reviewOf(
        ["-", "--fail-on", "data-loss"],
        JSON.stringify({ steps: [one] }),
      );
      assert.equal(code, 3);
      assert.equal(out, "");
      assert.match(
        err,
        /what the preview does to (Volume|Claim) v cannot be said: .* has no \S+\. Next: review with/,
      );
    }
  });

  it("is a step of data or of an account without a state, or with a name that nobody knows", () => {
    for (const typeOf of Object.values(languages)) {
      for (const type of [typeOf("Bucket"), typeOf("DeploymentAccess")]) {
        assert.throws(() => found(step("delete", type, "x")), PreviewError);
        assert.throws(() => found(step("replace", type, "x", {})), /newState is missing/);
        assert.throws(
          () => found(step("forget", type, "x", {})),
          /"forget" is no step that it is known to have/,
        );
        assert.deepEqual(found(step("same", type, "x"), step("refresh", type, "x", {}, {})), []);
      }
    }
    assert.throws(
      () => readPreview('{ "steps": [{ "op": "delete" }] }', "a file"),
      /has a step that does not come from/,
    );
  });

  it("is neither a component, nor what others call as we do", () => {
    for (const type of [
      "cosi:objectstorage:BucketClaim",
      "cosi:later:Claim",
      "pulumi-nodejs:dynamic/cosium:Bucket",
    ]) {
      assert.deepEqual(found(step("delete", type, "x", {})), []);
    }
    assert.deepEqual(
      found(step("delete", "pulumi:providers:cosi", "x", {}, undefined, { custom: true })),
      [],
    );
  });
});

describe("what a review reads of the plugin's resources", () => {
  const reference = {
    name: "photos-1",
    bucketId: "id-1",
    bucketInfo: null,
    driver: { driverName: "db.example.com" },
  };

  it("is the bucket and the driver out of the reference that an access has", () => {
    const access = step("delete", "cosi:index:BucketAccess", "a", { bucket: reference, name: "account" });
    const [finding] = findingsOf(access);
    assert.equal(finding?.driver, "db.example.com");
    assert.match(finding.what, /^the account account of the bucket photos-1 is revoked/);
  });

  it("is what a dynamic resource has left, whose state it takes over by an alias", () => {
    const kept = step(
      "update",
      "cosi:index:Bucket",
      "b",
      { __internal: "{'parent':'p'}" },
      {},
      {
        type: "pulumi-nodejs:dynamic/cosi:Bucket",
        outputs: { __recorded: "{'schemaVersion':1}" },
      },
    );
    const [read] = readPreview(JSON.stringify({ steps: [kept] }), "a test");
    assert.equal(read?.before?.inputs["parent"], "p");
    assert.deepEqual(read.before.outputs, { schemaVersion: 1 });
    const type = "cosi:index:BucketAccess";
    const back = step(
      "update",
      languages.TypeScript("BucketAccess"),
      "a",
      { bucket: reference },
      {},
      { type },
    );
    const [given] = readPreview(JSON.stringify({ steps: [back] }), "a test");
    assert.equal(given?.before?.inputs["bucketName"], "photos-1", "and the other way round");
  });
});
