import assert from "node:assert/strict";
import { findingsOf, found, languages, secretOfState, step, unknownText, type StateOptions } from "./steps";

const allowing = (...actions: readonly string[]) =>
  JSON.stringify({ Statement: [{ Effect: "Allow", Principal: "*", Action: actions }] });
const [read, write] = [allowing("s3:GetObject"), allowing("s3:GetObject", "s3:PutObject")];
const parameters = (bucketPolicy: unknown) => ({ parameters: { bucketPolicy } });
const resent = (bucketPolicy: unknown) => ({ ...parameters(bucketPolicy), parametersChange: "resend" });
const wider = ["access-widening Bucket b"];

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`access without credentials by a bucket policy, of a program in ${language}`, () => {
    const bucket = typeOf("Bucket");
    const only = (categories: readonly string[]) => categories.filter((found) => found.startsWith("access"));

    it("is told at the create", () => {
      const [finding] = findingsOf(step("create", bucket, "b", undefined, parameters(write)));
      assert.equal(finding?.category, "access-widening");
      assert.match(
        finding.what,
        /^anybody may read and write without credentials \(parameters.bucketPolicy is/,
      );
      const named = JSON.stringify({
        Statement: { Effect: "Allow", Principal: { AWS: "1" }, Action: "s3:*" },
      });
      assert.deepEqual(found(step("create", bucket, "b", undefined, parameters(named))), []);
      const taken = { ...parameters(write), existingBucketId: "b" };
      assert.deepEqual(found(step("create", bucket, "b", undefined, taken)), [], "nothing is sent for it");
      const later = { ...parameters(write), existingBucketId: unknownText };
      assert.deepEqual(found(step("create", bucket, "b", undefined, later)), wider, "there may be none");
    });

    it("is told at a replacement that gives more of it", () => {
      const replaced = (was: object, is: object) => only(found(step("replace", bucket, "b", was, is)));
      assert.deepEqual(replaced(parameters(read), parameters(write)), wider);
      assert.deepEqual(replaced({}, parameters(read)), wider);
      assert.deepEqual(replaced(parameters(write), parameters(read)), []);
      assert.deepEqual(replaced({ anonymousAccess: "rw" }, parameters(write)), []);
    });

    it("is told of a policy that cannot be read for sure, and in the place of one", () => {
      const replaced = (was: string, is: string) =>
        only(found(step("replace", bucket, "b", parameters(was), parameters(is))));
      const doubled =
        '{"Statement":[{"Principal":{"AWS":"1"},"principal":"*","Effect":"Allow","Action":"s3:*"}]}';
      for (const text of ["{", doubled, write.toLowerCase().replace("allow", "Allow")]) {
        assert.deepEqual(found(step("create", bucket, "b", undefined, parameters(text))), wider, text);
      }
      assert.deepEqual(replaced("{", write), wider);
      assert.deepEqual(replaced("{", "{"), []);
      assert.deepEqual(replaced("[secret]", write), wider);
    });

    it("is told at an update whose parameters are sent again, and at no other", () => {
      const updated = (was: object, is: object, more: StateOptions = {}) =>
        found(step("update", bucket, "b", was, is, more));
      assert.deepEqual(updated(resent(read), resent(write)), wider);
      assert.deepEqual(updated({}, resent(read)), wider);
      assert.deepEqual(updated(resent(write), resent(read)), []);
      assert.deepEqual(updated(resent(write), resent(write)), []);
      assert.deepEqual(updated(parameters(read), parameters(write)), []);
      // The state keeps what the driver has taken beside what it was sent.
      const unsettled = { outputs: { ...parameters(read), parametersUnsettled: true } };
      assert.deepEqual(updated(resent(write), resent(write), unsettled), wider);
    });

    it("is told at the update of a bucket whose create has failed, as that is sent again", () => {
      const updated = (bucketId: unknown) =>
        found(
          step(
            "update",
            bucket,
            "b",
            { anonymousAccess: "private", deletionPolicy: "Retain" },
            { anonymousAccess: "rw" },
            { outputs: { bucketId } },
          ),
        );
      assert.deepEqual(updated(null), wider);
      assert.deepEqual(updated("b"), []);
    });

    it("counts as given where the preview does not show what is", () => {
      for (const hidden of ["[secret]", secretOfState, unknownText]) {
        assert.deepEqual(found(step("create", bucket, "b", undefined, parameters(hidden))), wider);
        assert.deepEqual(found(step("create", bucket, "b", undefined, { anonymousAccess: hidden })), wider);
        assert.deepEqual(found(step("update", bucket, "b", resent(hidden), resent(hidden))), wider);
        assert.deepEqual(found(step("update", bucket, "b", parameters(hidden), parameters(hidden))), []);
      }
      const [finding] = findingsOf(step("create", bucket, "b", undefined, { parameters: "[secret]" }));
      assert.match(finding?.what ?? "", /the preview does not show parameters\)/);
      // As that of a claim in the preview of its create; whether it has a policy nobody can say.
      assert.deepEqual(found(step("create", bucket, "b", undefined, { parameters: unknownText })), []);
    });
  });
}

describe("access without credentials by an object bucket claim", () => {
  const parent = "urn:pulumi:prod::shop::cosi:objectbucket:ObjectBucketClaim::b";
  const bucket = step(
    "create",
    "pulumi-nodejs:dynamic/cosi:Bucket",
    "b",
    undefined,
    { parameters: unknownText },
    { parent },
  );
  const claim = (inputs: object, above = parent) =>
    step("create", "pulumi-nodejs:dynamic/cosi/objectbucket:Claim", "b", undefined, inputs, {
      parent: above,
    });

  it("is told once, of the bucket, where its parameters are known in their parts alone", () => {
    assert.deepEqual(found(claim({ additionalConfig: { bucketPolicy: write } }), bucket), wider);
    assert.deepEqual(found(claim({ storageClass: parameters(write) }), bucket), wider);
    assert.deepEqual(found(claim({ storageClass: parameters(""), additionalConfig: {} }), bucket), []);
    assert.deepEqual(found(claim({ storageClass: parameters(write) }, `${parent}2`), bucket), []);
  });

  it("is told of a bucket that an administrator offers (COSI proposal of 2020-07-08)", () => {
    const type = "pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket";
    const offered = ["access-widening AdminBucket b"];
    assert.deepEqual(found(step("create", type, "b", undefined, parameters(write))), offered);
    assert.deepEqual(
      found(step("create", type, "b", undefined, { anonymousAccessMode: "publicRead" })),
      offered,
    );
  });
});
