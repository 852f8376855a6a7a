import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { secretKind } from "../../../provider/kubernetes/object";
import { answers } from "../../support/cosi-v1alpha1";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";

const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];
const continued = [...up, "--continue-on-error"];

describe("a rotation by commands that go on after an error, and at drivers with habits", function () {
  this.timeout(600_000);
  let flow: Workflow;
  /** Takes back what a test makes the driver do. */
  let back: (() => void)[];

  before(async () => {
    flow = await Workflow.start();
  });
  beforeEach(() => {
    flow.driver.buckets.clear();
    flow.driver.accounts.clear();
    flow.driver.forget();
    back = [];
  });
  afterEach(() => {
    for (const off of back) off();
  });
  after(() => flow.stop());

  /** An access to a claim, whose class objects and Secret have names of the test's own; `DRIVER` renames the driver. */
  const claimed = (name: string, more = ""): Promise<Stack> =>
    flow.stack(`${flow
      .programHead()
      .replace(
        "connectTimeoutSeconds",
        "driverName: process.env.DRIVER, retryBudgetSeconds: 1, connectTimeoutSeconds",
      )
      .replaceAll('" + namespace', `${name}-" + namespace`)}
const bucketClaim = new cosi.objectstorage.BucketClaim("${name}", { namespace, bucketClass: gold, protocols: ["S3"] });
new cosi.objectstorage.BucketAccess("${name}-rw", {
  namespace, bucketClaim, bucketAccessClass: keys, credentialsSecretName: "${name}-creds",
  rotation: { trigger: process.env.TRIGGER }, ${more}
});
`);
  /** An access without objects. */
  const bare = (more = ""): Promise<Stack> =>
    flow.stack(`
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(flow.driver.fake.endpoint)}, retryBudgetSeconds: 1, firstRetryDelayMilliseconds: 20,
});
const bucket = new cosi.Bucket("photos", { driver, deletionPolicy: "Delete" });
new cosi.BucketAccess("reader", { bucket, rotation: { trigger: process.env.TRIGGER }, ${more} });
`);

  const live = () => [...flow.driver.accounts.keys()];
  const secretText = async (name: string): Promise<string> => {
    const found = await flow.cluster.client.get(secretKind, { namespace: flow.namespace, name });
    const { BucketInfo = "" } = (found?.["data"] ?? {}) as Record<string, string>;
    return Buffer.from(BucketInfo, "base64").toString();
  };
  /** From now on grants are lost. */
  const loseGrants = (): (() => void) => {
    const lost = { code: status.UNAVAILABLE, message: "lost" };
    const off = flow.driver.on("received", ({ rpc }) => Promise.resolve(rpc === "grant" ? lost : undefined));
    back.push(off);
    return off;
  };
  const fails = async (
    stack: Stack,
    args: readonly string[],
    variables: Record<string, string>,
    text: RegExp,
  ) => {
    const result = await stack.run(args, variables);
    assert.notEqual(result.code, 0);
    assert.match(result.text, text);
  };

  for (const [what, program] of [
    ["without a cluster", () => bare()],
    ["of a claim", () => claimed("going")],
  ] as const) {
    it(`revokes no account ${what} whose successor is not granted, in whatever run, and does once it is`, async () => {
      const stack = await program();
      await stack.succeed(up, { TRIGGER: "1" });
      const [old] = live();
      const found = loseGrants();
      const works = /was not revoked, and still works: .*not granted in this run/;
      await fails(stack, continued, { TRIGGER: "2" }, works);
      await fails(stack, continued, { TRIGGER: "2" }, works);
      assert.deepEqual(live(), [old]);
      found();
      flow.driver.forget();
      await stack.succeed(up, { TRIGGER: "2" });
      assert.deepEqual(flow.driver.rpcs(), ["grant", "revoke"]);
      assert.equal(live().length, 1);
      assert.notEqual(live()[0], old);
      await stack.succeed(destroy, { TRIGGER: "2" });
      assert.deepEqual(live(), []);
    });
  }

  it("revokes no account of a claim whose keys the Secret has, in a run that does not come to its access", async () => {
    const stack = await claimed("behind");
    await stack.succeed(up, { TRIGGER: "1" });
    const [old] = live();
    const found = loseGrants();
    await fails(stack, up, { TRIGGER: "2" }, /lost/);
    found();
    // The Driver fails, and what depends on it is left out.
    const variables = { TRIGGER: "2", DRIVER: "other.example.com" };
    await fails(
      stack,
      continued,
      variables,
      /still has the keys of account .*, so that account was not revoked/,
    );
    assert.deepEqual(live(), [old]);
    await stack.succeed(up, { TRIGGER: "2" });
    assert.notDeepEqual(live(), [old]);
    await stack.succeed(destroy);
    assert.deepEqual(live(), []);
  });

  /** What a driver gives at its nth grant. */
  type Keys = (name: string, nth: number) => Record<string, string>;
  const gives = (keys: Keys): void => {
    let nth = 0;
    const place = { endpoint: "http://127.0.0.1:9", region: "eu-1" };
    back.push(
      flow.driver.on("done", ({ rpc, request }) => {
        if (rpc !== "grant") return Promise.resolve(undefined);
        nth += 1;
        return Promise.resolve(answers.granted(request.name, { ...keys(request.name, nth), ...place }));
      }),
    );
  };

  for (const [habit, keys] of [
    [
      "makes the key id from the account's name",
      (name, nth) => ({ accessKeyID: `hpe-${name}`, accessSecretKey: `s3cr3t/of+${nth}` }),
    ],
    [
      "tells the bucket beside the keys",
      (_name, nth) => ({
        accessKeyID: `AKEXAMPLE${nth}`,
        accessSecretKey: `s3cr3t/of+${nth}`,
        bucket: [...flow.driver.buckets.keys()].join(),
      }),
    ],
  ] satisfies [string, Keys][]) {
    it(`ends at a driver that ${habit}`, async () => {
      const name = habit.slice(0, 5);
      const stack = await claimed(name);
      gives(keys);
      await stack.succeed(up, { TRIGGER: "1" });
      await stack.succeed(up, { TRIGGER: "2" });
      assert.equal(live().length, 1);
      assert.match(await secretText(`${name}-creds`), /s3cr3t\/of\+2/);
      await stack.succeed(["preview", "--expect-no-changes"], { TRIGGER: "2" });
      await stack.succeed(destroy, { TRIGGER: "2" });
      assert.deepEqual(live(), []);
    });
  }

  it("says at a driver of one key for all that nothing was rotated, revokes nothing in use, and ends", async () => {
    const stack = await claimed("static");
    gives(() => ({ accessKeyID: "SHAREDSTATICKEY1", accessSecretKey: "shared/static+s3cr3t" }));
    await stack.succeed(up, { TRIGGER: "1" });
    flow.driver.forget();
    const { code, text } = await stack.run(up, { TRIGGER: "2" });
    assert.equal(code, 0, text);
    assert.match(text, /has given the account that replaces it the same credentials, so nothing was rotated/);
    assert.deepEqual(flow.driver.rpcs(), ["grant"]);
    await stack.succeed(["preview", "--refresh", "--expect-no-changes"], { TRIGGER: "2" });
    await stack.succeed(destroy, { TRIGGER: "2" });
    assert.deepEqual(live(), []);
  });

  it("takes the program's word on NOT_FOUND for the entry that waits for its deletion", async () => {
    const stack = await bare("revokeNotFound: process.env.WORD as 'ignore' | undefined");
    await stack.succeed(up, { TRIGGER: "1" });
    const gone = { code: status.NOT_FOUND, message: "no such user" };
    back.push(flow.driver.on("done", ({ rpc }) => Promise.resolve(rpc === "revoke" ? gone : undefined)));
    await fails(
      stack,
      up,
      { TRIGGER: "2" },
      /set revokeNotFound to "ignore", or PULUMI_COSI_REVOKE_NOT_FOUND=ignore/,
    );
    await stack.succeed(up, { TRIGGER: "2", WORD: "ignore" });
    await stack.succeed(["preview", "--expect-no-changes"], { TRIGGER: "2", WORD: "ignore" });
    await stack.succeed(destroy);
  });
});
