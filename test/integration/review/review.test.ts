import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Finding } from "../../../cli/review/finding";
import type { Review } from "../../../cli/review/review";
import { reviewOf } from "../../support/ci/review";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";

const claims = `
const claim = (name: string, more: object = {}) =>
  new cosi.objectstorage.BucketClaim(name, { namespace, bucketClass: gold, protocols: ["S3"], ...more });
const access = (name: string, bucketClaim: cosi.objectstorage.BucketClaim, more: object = {}) =>
  new cosi.objectstorage.BucketAccess(name, {
    namespace, bucketClaim, bucketAccessClass: keys, credentialsSecretName: name + "-creds", ...more,
  });
`;

/** Before the change under review. */
const first = `${claims}
const lost = claim("lost");
access("lost-rw", lost);
const kept = claim("kept", { deletionPolicy: "Retain" });
access("kept-rw", kept);
const stays = claim("stays", { deletionPolicy: "Retain" });
access("rotated", stays);
access("gone", stays);
const bare = new cosi.Bucket("bare", { driver, deletionPolicy: "Delete", protectData: false });
new cosi.BucketAccess("bare-rw", { bucket: bare, parameters: { accessMode: "ro" } });
new cosi.BucketAccess("leaves-with-its-bucket", { bucket: bare });
new cosi.Bucket("theirs", { driver, existingBucketId: "company-archive" });
new cosi.Bucket("option", { driver, deletionPolicy: "Delete" }, { retainOnDelete: true });
`;

/** After it. */
const second = `${claims}
const stays = claim("stays", { deletionPolicy: "Delete" });
access("rotated", stays, { rotation: { trigger: "now" } });
access("added", stays);
const bare = new cosi.Bucket("bare", {
  driver, deletionPolicy: "Delete", protectData: false, parameters: { tier: "2" },
});
new cosi.BucketAccess("bare-rw", { bucket: bare, parameters: { accessMode: "rw" } });
`;

describe("the review of a preview, against what the up after it does", function () {
  this.timeout(600_000);
  let flow: Workflow;
  let stack: Stack;
  let preview: string;
  let review: Review;
  let markdown: string;

  before(async () => {
    flow = await Workflow.start();
    stack = await flow.stack(flow.programHead() + first);
    await stack.up();
    stack.write(flow.programHead() + second);
    const text = await stack.succeed(["preview", "--json", "--show-replacement-steps"]);
    preview = path.join(stack.environment.folder, "preview.json");
    fs.writeFileSync(preview, text);
    review = JSON.parse((await reviewOf([preview, "--json"])).out) as Review;
    markdown = (await reviewOf(["-"], text)).out;
    await flow.restart();
    await stack.up();
  });
  after(() => flow.stop());

  const of = (category: Finding["category"]): Finding[] =>
    review.findings.filter((finding) => finding.category === category);
  const objects = (category: Finding["category"]): string[] =>
    of(category)
      .map(({ object }) => object)
      .sort();

  it("names every bucket that is deleted, and no other", () => {
    const { delete: deleted } = flow.driver.requests();
    assert.deepEqual(objects("data-loss"), deleted.map(({ bucketId }) => bucketId).sort());
    const lost = of("data-loss").map(({ resource, policy, why }) => [resource, policy, why]);
    assert.deepEqual(lost.toSorted(), [
      ["Bucket bare", "Delete", "changed: parameters"],
      ["Bucket lost", "Delete", "it is not in the program any more"],
    ]);
  });

  it("names every bucket that stays without an owner, and says why it does", async () => {
    const state = JSON.stringify((await stack.state()).resources);
    const left = [...flow.driver.buckets.keys()].filter((id) => !state.includes(id)).sort();
    assert.deepEqual(objects("orphaned-data"), left);
    assert.equal(left.length, 2);
    const option = of("orphaned-data").find(({ resource }) => resource === "Bucket option");
    assert.match(option?.what ?? "", /as the option retainOnDelete says/);
  });

  it("names every account that is revoked, granted or rotated, with its Secret", () => {
    const { grant, revoke } = flow.driver.requests();
    const revoked = [...objects("credential-revoked"), ...objects("credential-rotated")].sort();
    assert.deepEqual(revoked, revoke.map(({ accountId }) => accountId).sort());
    assert.equal(of("credential-minted").length + of("credential-rotated").length, grant.length);
    const secrets = (category: Finding["category"]): (string | undefined)[] =>
      of(category)
        .map(({ secret }) => secret?.replace(flow.namespace, "shop"))
        .sort();
    assert.deepEqual(secrets("credential-rotated"), ["shop/rotated-creds"]);
    assert.deepEqual(secrets("credential-minted"), ["shop/added-creds", undefined]);
    assert.deepEqual(secrets("credential-revoked"), [
      "shop/gone-creds",
      "shop/kept-rw-creds",
      "shop/lost-rw-creds",
      undefined,
      undefined,
    ]);
  });

  it("says that a bucket is protected less from now on, and that an account may do more", () => {
    assert.deepEqual(
      of("protection-lowered").map(({ resource, why }) => [resource, why]),
      [["Bucket stays", "deletionPolicy changes from Retain to Delete"]],
    );
    assert.deepEqual(
      of("access-widening").map(({ resource, what }) => [resource, what]),
      [["BucketAccess bare-rw", "the account may read and write (accessMode rw)"]],
    );
  });

  it("says nothing of a bucket that was there before, and counts the rest", () => {
    assert.ok(!JSON.stringify(review.findings).includes("company-archive"));
    assert.ok(Object.values(review.counts).every((count) => count > 0));
    assert.equal(review.counts["same"], undefined);
  });

  it("is Markdown in the order of what matters, without a secret", () => {
    const headings = [...markdown.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, [
      "Data that will be deleted",
      "Data that will be left behind without an owner",
      "Data that will be protected less",
      "Access that widens",
      "Credentials that will be revoked",
      "Credentials that will be rotated",
      "Credentials that will be made",
    ]);
    for (const key of flow.driver.liveKeys()) assert.ok(!markdown.includes(key));
    assert.ok(!markdown.includes("s3cr3t"));
  });

  it("fails where it is told to, and only there", async () => {
    assert.equal((await reviewOf([preview, "--fail-on", "data-loss,access-widening"])).code, 1);
    assert.equal((await reviewOf([preview, "--fail-on", "credential-left"])).code, 0);
    const [one = "", other = ""] = objects("data-loss");
    const allowing = (names: string) => reviewOf([preview, "--fail-on", "data-loss", "--allow", names]);
    assert.equal((await allowing(one)).code, 1, "one of two is meant");
    assert.equal((await allowing(`${one},${other}`)).code, 0);
    const unknown = await reviewOf([preview, "--fail-on", "everything"]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /the categories are: data-loss, orphaned-data/);
  });

  it("finds nothing in an unchanged program, by the preview that it runs itself", async () => {
    const { folder, environment, variables } = stack;
    const env = { ...environment.env, ...variables };
    const cli = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");
    const found = await run(cli, ["review", "--fail-on", "data-loss"], folder, {
      ...env,
      PATH: `${path.dirname(environment.pulumi)}:${env["PATH"] ?? ""}`,
    });
    assert.match(found.text, /Nothing happens to data, credentials or access/);
    assert.equal(found.code, 0);
  });

  it("says why there is nothing to review where the preview is refused", async () => {
    const { folder, environment, variables } = stack;
    stack.write(`${flow.programHead()}new cosi.Bucket("x", { driver, name: "" });`);
    const env = { ...environment.env, ...variables };
    const cli = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");
    const found = await run(cli, ["review"], folder, {
      ...env,
      PATH: `${path.dirname(environment.pulumi)}:${env["PATH"] ?? ""}`,
    });
    assert.equal(found.code, 3);
    assert.match(found.text, /the preview in this folder has failed: .*Bucket resource 'x' .*name is empty/);
  });
});

function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd, env: { ...env } }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, text: stdout + stderr });
    });
  });
}
