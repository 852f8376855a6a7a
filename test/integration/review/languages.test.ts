import assert from "node:assert/strict";
import type { Finding } from "../../../cli/review/finding";
import type { Review } from "../../../cli/review/review";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { reviewOf } from "../../support/ci/review";
import { obligingDriver, paths, secretKey } from "../../support/cosi-v1alpha1";
import { quickProgram } from "../../support/end-to-end/program";
import type { FakeDriver } from "../../support/fake-driver";
import { linkPlugin } from "../../support/linked-plugin";
import { Stack } from "../../support/stack";

/** The same resources, as a program in TypeScript has them, and one in a language without an SDK, by their types. */
const heads = {
  TypeScript: `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
const driverAt = (name: string, variable: string) => new cosi.Driver(name, { endpoint: process.env[variable] });
const [here, there] = [driverAt("here", "HERE"), driverAt("there", "THERE")];
const bucket = (name: string, inputs: object = {}) =>
  new cosi.Bucket(name, { driver: here, deletionPolicy: "Delete", ...inputs });
const access = (name: string, to: cosi.Bucket, inputs: object = {}) =>
  new cosi.BucketAccess(name, { bucket: to, ...inputs });
`,
  "another language": `
import * as pulumi from "@pulumi/pulumi";
class Cosi extends pulumi.CustomResource {
  declare readonly reference: pulumi.Output<unknown>;
  constructor(kind: string, name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions = {}) {
    super(\`cosi:index:\${kind}\`, name, { reference: undefined, ...inputs }, { deleteBeforeReplace: true, ...opts });
  }
}
const driverAt = (name: string, variable: string) =>
  new Cosi("Driver", name, { endpoint: process.env[variable] }).reference;
const [here, there] = [driverAt("here", "HERE"), driverAt("there", "THERE")];
const bucket = (name: string, inputs: pulumi.Inputs = {}) =>
  new Cosi("Bucket", name, { driver: here, deletionPolicy: "Delete", ...inputs }).reference;
const access = (name: string, to: pulumi.Input<unknown>, inputs: pulumi.Inputs = {}) =>
  new Cosi("BucketAccess", name, { bucket: to, ...inputs }, { deleteBeforeReplace: !("existingAccount" in inputs) });
`,
};

const theirs = `
const theirs = { accountId: "theirs", accessKeyId: "AKTHEIRS", accessSecretKey: pulumi.secret("${secretKey}") };
`;

/** Before the change under review. */
const first = `${theirs}
bucket("lost");
bucket("hidden", { name: "hidden", deletionPolicy: pulumi.secret("Delete") });
bucket("elsewhere", { name: "photos" });
bucket("renamed", { name: "renamed" });
bucket("shared", { name: "shared" });
bucket("user", { existingBucketId: "shared", deletionPolicy: "Retain" });
bucket("orphan", { deletionPolicy: "Retain" });
const stays = bucket("stays", { deletionPolicy: "Retain" });
access("gone", stays);
access("leaked", stays, { existingAccount: theirs });
`;

/** After it. */
const second = `${theirs}
bucket("taken", { driver: there, existingBucketId: "photos", deletionPolicy: "Retain" });
bucket("renamed-now", { name: "renamed" });
bucket("user", { existingBucketId: "shared", deletionPolicy: "Retain" });
const stays = bucket("stays");
access("leaked", stays, { existingAccount: theirs, rotation: { trigger: "now" } });
const statement = { Effect: "Allow", Principal: "*", Action: "s3:PutObject" };
const open = bucket("open", { deletionPolicy: "Retain", parameters: { bucketPolicy: JSON.stringify({ Statement: [statement] }) } });
access("added", open);
`;

for (const [language, head] of Object.entries(heads)) {
  describe(`the review of a program in ${language}, against what the up after it does`, function () {
    this.timeout(600_000);
    let drivers: readonly FakeDriver[];
    let stack: Stack;
    /** Of the first change, which makes all. */
    let firstReview: Review;
    let review: Review;
    /** Calls of the up, as the driver here has seen them. */
    let calls: FakeDriver["calls"];

    before(async () => {
      const [here, there] = await Promise.all(
        ["here.example.com", "there.example.com"].map((name) => obligingDriver(name).start()),
      );
      assert.ok(here !== undefined && there !== undefined);
      drivers = [here, there];
      stack = await Stack.create(
        { source: head + first },
        { ...quickProgram, HERE: here.endpoint, THERE: there.endpoint },
      );
      linkPlugin(stack);
      stack.know("the account's key", secretKey);
      const reviewed = async (): Promise<Review> => {
        const preview = await stack.succeed([
          "preview",
          "--json",
          "--show-replacement-steps",
          "--show-sames",
        ]);
        return JSON.parse((await reviewOf(["-", "--json"], preview)).out) as Review;
      };
      firstReview = await reviewed();
      await stack.up();
      stack.write(head + second);
      review = await reviewed();
      const earlier = here.calls.length;
      await stack.up();
      calls = here.calls.slice(earlier);
      assert.deepEqual(
        there.paths().filter((rpc) => rpc !== "DriverGetInfo"),
        [],
      );
    });
    after(async () => {
      await stack.remove();
      for (const driver of drivers) driver.stop();
    });

    const sent = (rpc: string): Buffer[] => calls.filter(({ path }) => path === rpc).map(({ body }) => body);
    const of = (category: Finding["category"]): Finding[] =>
      review.findings.filter((finding) => finding.category === category);
    const resources = (category: Finding["category"]): string[] =>
      of(category)
        .map(({ resource }) => resource)
        .sort();

    it("finds in the first preview, which knows no driver, what is granted and nothing else", () => {
      assert.deepEqual(
        firstReview.findings.map(({ category, resource }) => `${category} ${resource}`),
        ["credential-minted BucketAccess gone"],
      );
    });

    it("names every bucket that is deleted, and no other", () => {
      const deleted = sent(paths.delete).map((body) => DriverDeleteBucketRequest.decode(body).bucketId);
      assert.deepEqual(
        of("data-loss")
          .map(({ object }) => object)
          .sort(),
        deleted.sort(),
      );
      assert.deepEqual(resources("data-loss"), ["Bucket elsewhere", "Bucket hidden", "Bucket lost"]);
      assert.deepEqual(resources("orphaned-data"), ["Bucket orphan"]);
    });

    it("names every account that is revoked, granted or left", () => {
      const revoked = sent(paths.revoke).map(
        (body) => DriverRevokeBucketAccessRequest.decode(body).accountId,
      );
      assert.deepEqual(
        of("credential-revoked").map(({ object }) => object),
        revoked,
      );
      const granted = sent(paths.grant).map((body) => DriverGrantBucketAccessRequest.decode(body).name);
      assert.equal(granted.length, of("credential-minted").length);
      assert.deepEqual(resources("credential-revoked"), ["BucketAccess gone"]);
      assert.deepEqual(
        of("credential-left").map(({ resource, driver, object }) => [resource, driver, object]),
        [["BucketAccess leaked", "here.example.com", "theirs"]],
      );
      assert.deepEqual(resources("credential-minted"), ["BucketAccess added", "BucketAccess leaked"]);
    });

    it("says that a bucket is protected less from now on, and that anybody may write to one", () => {
      assert.deepEqual(resources("protection-lowered"), ["Bucket stays"]);
      const [wider, ...others] = of("access-widening");
      assert.deepEqual(others, []);
      assert.equal(wider?.resource, "Bucket open");
      assert.match(wider.what, /^anybody may write without credentials/);
      const parameters = sent(paths.create).map((body) => DriverCreateBucketRequest.decode(body).parameters);
      const policies = parameters.map((known) => known.get("bucketPolicy"));
      assert.ok(
        policies.some((policy) => policy?.includes("s3:PutObject")),
        policies.join(),
      );
    });
  });
}
