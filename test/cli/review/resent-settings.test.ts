import assert from "node:assert/strict";
import { findingsOf, found, languages, secretOfState, step, unknownText } from "./steps";

const rules = (...given: readonly object[]): string => JSON.stringify({ Rules: given });
const rule = { ID: "old", Status: "Enabled", Filter: {} };
const expiring = { ...rule, Expiration: { Days: 1 } };
const policy = (changes: object): string =>
  JSON.stringify({
    Statement: [
      {
        Effect: "Allow",
        Principal: { AWS: "1" },
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::b/*",
        ...changes,
      },
    ],
  });
const [loss, wider] = [["data-loss Bucket b"], ["access-widening Bucket b"]];

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`settings that are sent to a bucket again, of a program in ${language}`, () => {
    const bucket = typeOf("Bucket");
    const resent = (parameters: unknown) => ({ parameters, parametersChange: "resend" });
    const update = (was: unknown, is: unknown) => step("update", bucket, "b", resent(was), resent(is));
    const foundBy = (was: unknown, is: unknown): string[] => found(update(was, is));

    it("may delete what the bucket holds, where rules for the life of its objects are other ones", () => {
      const lifecycle = (bucketLifecycle: unknown) => ({ bucketLifecycle });
      const [finding] = findingsOf(update({}, lifecycle(rules(expiring))));
      assert.equal(finding?.category, "data-loss");
      assert.equal(
        finding.what,
        "objects of the bucket b may be deleted, by the rules for their life that are sent to it",
      );
      assert.equal(finding.why, "parameters.bucketLifecycle is another one");
      const told = [
        rules({ ...rule, Expiration: { Days: 1 } }, expiring),
        rules({ ...rule, NoncurrentVersionExpiration: { NoncurrentDays: 1 } }),
        rules({ ...expiring, Status: "disabled" }),
        rules({ ...expiring, expiration: { Days: 1 }, Status: "Disabled" }),
        rules({ ...rule, Transitions: [], Expire: {} }),
        '{"Rules":[],"rules":[{}]}',
        "no JSON",
        "{}",
      ];
      for (const text of told) assert.deepEqual(foundBy(lifecycle("{}"), lifecycle(text + " ")), loss, text);
      for (const text of [
        "",
        rules({ ...expiring, Status: "Disabled" }),
        rules({ ...rule, Transitions: [] }),
      ]) {
        assert.deepEqual(foundBy({}, lifecycle(text)), [], text);
      }
      const both = rules(expiring, { ...expiring, ID: "more" });
      assert.deepEqual(foundBy(lifecycle(both), lifecycle(rules(expiring))), [], "less of it");
      assert.deepEqual(foundBy(lifecycle(rules(expiring)), lifecycle(both)), loss);
      assert.deepEqual(foundBy(lifecycle(rules(expiring)), {}), [], "nothing is sent for it");
    });

    it("let a user do everything, where an owner is another one", () => {
      const owned = (bucketOwner: unknown) => ({ bucketOwner });
      assert.deepEqual(foundBy({}, owned("somebody")), wider);
      assert.match(
        findingsOf(update({}, owned("some"))).at(0)?.what ?? "",
        /^the user "some" may do everything/,
      );
      assert.deepEqual(foundBy(owned("somebody"), owned("")), []);
      assert.deepEqual(foundBy(owned("somebody"), { ...owned("somebody"), maxSize: "2G" }), []);
    });

    it("let somebody do more, where a bucket policy is a wider one", () => {
      const given = (bucketPolicy: string) => ({ bucketPolicy });
      const everybody = { Principal: "*" };
      const wide: readonly [was: object, is: object][] = [
        [{}, { Principal: { AWS: "2" } }],
        [{ ...everybody, Resource: "arn:aws:s3:::b/public/*" }, everybody],
        [{ ...everybody, Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } } }, everybody],
      ];
      for (const [was, is] of wide) {
        assert.deepEqual(foundBy(given(policy(was)), given(policy(is))), wider);
        assert.deepEqual(foundBy(given(policy(is)), given(policy(is))), []);
      }
      assert.deepEqual(foundBy({}, given(policy({}))), wider);
      assert.deepEqual(foundBy(given(policy(everybody)), given(policy({}))), [], "less for it");
      assert.deepEqual(foundBy(given("{"), given("{ ")), wider, "what nobody can read");
      assert.deepEqual(foundBy(given("{"), { ...given("{"), maxSize: "2G" }), []);
      assert.deepEqual(foundBy(given("{"), given(policy(everybody))), wider, "what was may have been less");
    });

    it("count as the worst where the preview does not show them, and are not printed", () => {
      for (const hidden of ["[secret]", secretOfState, unknownText]) {
        assert.deepEqual(foundBy({}, { bucketLifecycle: hidden }), loss);
        assert.deepEqual(foundBy({}, { bucketOwner: hidden }), wider);
        assert.deepEqual(foundBy({ bucketLifecycle: hidden }, { bucketLifecycle: rules(expiring) }), loss);
        assert.deepEqual(foundBy({ bucketOwner: hidden }, { bucketOwner: "" }), []);
        const [finding] = findingsOf(update({}, { bucketOwner: hidden }));
        assert.equal(finding?.what, "a user may do everything with the bucket b");
        assert.equal(finding.why, "the preview does not show parameters.bucketOwner");
      }
      assert.deepEqual([...new Set(foundBy({}, "[secret]"))], [...loss, ...wider]);
      assert.deepEqual(foundBy({}, unknownText), [], "of which nothing is said");
      const change = { parameters: { bucketOwner: "somebody" }, parametersChange: "[secret]" };
      assert.deepEqual(found(step("update", bucket, "b", resent({}), change)), wider);
    });

    it("are nothing where they are not sent", () => {
      const parameters = { bucketOwner: "somebody", bucketLifecycle: rules(expiring) };
      assert.deepEqual(found(step("update", bucket, "b", { parameters: {} }, { parameters })), []);
      assert.deepEqual(found(step("create", bucket, "b", undefined, resent(parameters))), [], "it is empty");
      const failed = { outputs: { bucketId: null } };
      assert.deepEqual(found(step("update", bucket, "b", resent({}), resent(parameters), failed)), []);
      const existing = { ...resent(parameters), existingBucketId: "b" };
      assert.deepEqual(found(step("update", bucket, "b", { ...existing, parameters: {} }, existing)), []);
    });
  });
}
