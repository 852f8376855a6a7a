import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../provider/driver/connections";
import { forEachContract } from "../support/contracts-under-test";
import { answers, paths } from "../support/cosi-v1alpha1";
import type { FakeDriver } from "../support/fake-driver";
import type { Lifecycle, Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";

/** A refusal is final for the run that gets it; the next one sends what the program says by then. */
forEachContract("after a refusal", (contract) => {
  const { bucket, access, obligingDriver, driverReference, say, ids } = contract;
  let driver: FakeDriver;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    ofBucket = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
    const ofIt = { bucketName: "photos-1", bucketId: "photos-1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "photos-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  /** The text of a step that is refused for good: one call, no entry in the state. */
  async function refusal(
    resource: Lifecycle,
    news: Properties,
    path: string,
    code: number,
    message: string,
  ): Promise<string> {
    const before = driver.calls.length;
    driver.on(path, () => ({ code, message }));
    beginRun();
    const error: unknown = await resource.create(news).then(
      () => assert.fail("the driver has refused"),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Error && !("properties" in error), String(error));
    const sent = driver.calls.slice(before).filter((call) => call.path === path);
    assert.equal(sent.length, 1);
    return error.message;
  }

  /** The next run, with a driver that has no objection any more. */
  async function nextUp(resource: Lifecycle, news: Properties, path: string): Promise<void> {
    driver.on(path, () => (path === paths.create ? answers.created("b1") : answers.granted("a1")));
    const before = driver.calls.length;
    beginRun();
    await resource.create(news);
    const sent = driver.calls.slice(before).filter((call) => call.path === path);
    assert.equal(sent.length, 1);
  }

  for (const [code, next, cosi, deployment] of [
    [status.INVALID_ARGUMENT, /Next: correct the argument that the driver names/, "[GRPC-064]", "[DEP-055]"],
    [status.OUT_OF_RANGE, /Next: choose another value/, "[GRPC-071]", "[DEP-062]"],
    [
      status.FAILED_PRECONDITION,
      /Next: bring the store and the bucket into the state/,
      "[GRPC-076]",
      "[DEP-062]",
    ],
    [status.DATA_LOSS, /Next: the driver reports lost data: look at the store/, "[GRPC-076]", "[DEP-062]"],
    [
      status.PERMISSION_DENIED,
      /Next: ask the store's administrator to grant this/,
      "[GRPC-068]",
      "[DEP-058]",
    ],
  ] as const) {
    it(`by ${status[code]} the run ends, and the next one sends what is given then ${ids(cosi, deployment)}`, async () => {
      for (const [resource, path, inputs] of [
        [bucket, paths.create, ofBucket],
        [access, paths.grant, ofAccess],
      ] as const) {
        const text = await refusal(resource, inputs({ parameters: { tier: "1" } }), path, code, "tier=1: no");
        assert.match(text, new RegExp(`: ${status[code]}: tier=1: no `));
        assert.match(text, say(next));
        const isCorrected = code !== status.PERMISSION_DENIED;
        await nextUp(resource, inputs({ parameters: { tier: isCorrected ? "2" : "1" } }), path);
        const bodies = driver.calls
          .filter((call) => call.path === path)
          .map(({ body }) => body.toString("hex"));
        assert.equal(new Set(bodies).size, isCorrected ? 2 : 1);
      }
    });
  }

  it(`without words of the driver the run says what there is to say ${ids("[GRPC-062]", "[DEP-053]")}`, async () => {
    for (const code of [status.INVALID_ARGUMENT, status.PERMISSION_DENIED, status.UNAUTHENTICATED]) {
      const text = await refusal(bucket, ofBucket(), paths.create, code, "");
      assert.match(
        text,
        say(/^DriverCreateBucket: [A-Z_]+.* \[bucket photos-\w+, driver fake\.example\.com at unix:/),
      );
      assert.ok(text.includes(` at ${driver.endpoint}]. Next: `), text);
      assert.ok(text.includes(status[code]) && !text.includes("undefined"), text);
      assert.doesNotMatch(text, /^ {4}at /m);
    }
  });

  it(`by ALREADY_EXISTS the ways on are shown, and nothing is recorded ${ids("[GRPC-066]", "[DEP-057]")}`, async () => {
    const ofCreate = await refusal(
      bucket,
      ofBucket({ name: "b" }),
      paths.create,
      status.ALREADY_EXISTS,
      "taken",
    );
    assert.match(
      ofCreate,
      say(
        /change the arguments back, choose another name, or take the bucket over by its id \(existingBucketId\)/,
      ),
    );
    const ofGrant = await refusal(access, ofAccess(), paths.grant, status.ALREADY_EXISTS, "taken");
    assert.match(
      ofGrant,
      /change the arguments back, choose another name, or take the account over by its id/,
    );
    beginRun();
    const taken = await bucket.create(ofBucket({ existingBucketId: "b" }));
    assert.equal(taken.outputs["bucketId"], "b");
    assert.equal(driver.bodies("DriverCreateBucket").length, 1);
  });

  it(`by UNAUTHENTICATED the secrets are not tried again, and new ones are ${ids("[GRPC-069]", "[DEP-059]")}`, async () => {
    const [before, after] = ["old-secret-of-the-store", "new-secret-of-the-store"];
    const secret = (token: string): Properties => ({ parameters: { token }, secretParameters: true });
    const refused = `token ${before} has expired`;
    const text = await refusal(
      bucket,
      ofBucket(secret(before)),
      paths.create,
      status.UNAUTHENTICATED,
      refused,
    );
    assert.match(text, /UNAUTHENTICATED: token \[secret\] has expired .*Next: correct or renew the secrets/);
    assert.ok(!text.includes(before));
    await nextUp(bucket, ofBucket(secret(after)), paths.create);
    const sent = driver.bodies("DriverCreateBucket").map((body) => Buffer.from(body, "hex").toString());
    assert.deepEqual(
      sent.map((body) => [body.includes(before), body.includes(after)]),
      [
        [true, false],
        [false, true],
      ],
    );
  });

  it("to delete, the resource stays, and the next run sends the same call", async () => {
    const { outputs } = await bucket.create(ofBucket({ deletionPolicy: "Delete" }));
    driver.on(paths.delete, (_, earlier) =>
      earlier === 0 ? { code: status.FAILED_PRECONDITION, message: "3 objects" } : answers.deleted(),
    );
    beginRun();
    await assert.rejects(
      bucket.delete(outputs),
      say(/FAILED_PRECONDITION: 3 objects.*remove the objects in it/),
    );
    beginRun();
    await bucket.delete(outputs);
    assert.equal(new Set(driver.bodies("DriverDeleteBucket")).size, 1);
    assert.equal(driver.bodies("DriverDeleteBucket").length, 2);
  });
});
