import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { closeConnections } from "../../provider/driver/connections";
import { provider as nameGuard } from "../../provider/kubernetes/name-guard";
import { provider as claimBinding } from "../../provider/models/objectstorage-v1alpha1/claim-binding";
import { obligingDriver, paths } from "../support/cosi-v1alpha1";
import type { FakeDriver } from "../support/fake-driver";
import { Lifecycle, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference } from "../support/settings";

const password = "hunter-22-of-the-class";
const secret = { parameters: { password }, secretParameters: true };

/** The property as Pulumi gets it: marked as secret, so that state and previews hide it. */
const marked = (value: unknown) => ({
  [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig,
  value,
});

type Check = (olds: Properties, news: Properties) => Promise<{ inputs: Properties }>;
const checkOf = (provider: unknown) => (provider as { check: Check }).check;

describe("secret parameters that were copied from a class", () => {
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const bucketOf = (parameters: Properties): Properties => ({
    driver: driverReference(driver.endpoint),
    logicalName: "photos",
    bucketClassName: "gold",
    deletionPolicy: "Delete",
    ...parameters,
  });
  const accessOf = (parameters: Properties): Properties => ({
    driver: driverReference(driver.endpoint),
    logicalName: "photos-rw",
    bucketName: "b1",
    bucketId: "b1",
    bucketAccessClassName: "keys",
    ...parameters,
  });
  const edited = { parameters: { tier: "hot" } };

  for (const [what, lifecycle, provider, inputsOf] of [
    ["bucket", bucket, bucketProvider, bucketOf],
    ["access", access, accessProvider, accessOf],
  ] as const) {
    it(`stay secret in the inputs of a(n) ${what} when the class has no secret any more`, async () => {
      const { outputs, raw } = await lifecycle.create(inputsOf(secret));
      assert.deepEqual(raw["parameters"], { password: marked(password) });

      const { inputs } = await checkOf(provider)(outputs, inputsOf(edited));
      assert.deepEqual(inputs["parameters"], { password: marked(password) });
      assert.equal(inputs["secretParameters"], true);
      assert.equal((await lifecycle.diff(outputs, wire(inputs))).changes, false);
    });

    it(`become secret for a(n) ${what} when the program marks what was copied, and nothing else of the class`, async () => {
      const { outputs } = await lifecycle.create(inputsOf({ parameters: { password } }));
      const markedNow = await lifecycle.check(outputs, inputsOf(secret));
      assert.equal(markedNow.inputs["secretParameters"], true);
      assert.deepEqual(await lifecycle.diff(outputs, markedNow.inputs), { changes: true, replaces: [] });

      const other = await lifecycle.check(
        outputs,
        inputsOf({ ...secret, parameters: { password: "other" } }),
      );
      assert.equal(other.inputs["secretParameters"], undefined);
      assert.deepEqual(other.inputs["parameters"], { password });
    });
  }

  it("stay secret in the state through update and refresh, and masked in what the driver says", async () => {
    driver.on(paths.delete, () => ({ code: status.PERMISSION_DENIED, message: `wrong: ${password}` }));
    const { outputs } = await bucket.create(bucketOf(secret));
    const news = wire((await checkOf(bucketProvider)(outputs, bucketOf(edited))).inputs);
    const { update, read } = bucketProvider as unknown as {
      update: (id: string, olds: Properties, news: Properties) => Promise<{ outs: Properties }>;
      read: (id: string, props: Properties) => Promise<{ props: Properties; inputs: Properties }>;
    };
    const { outs } = await update("id", outputs, news);
    assert.deepEqual(outs["parameters"], { password: marked(password) });
    const seen = await read("id", wire(outs));
    assert.deepEqual(seen.props["parameters"], { password: marked(password) });
    assert.deepEqual(seen.inputs["parameters"], { password: marked(password) });

    beginRun();
    await assert.rejects(bucket.delete(outs), (error: Error) => {
      assert.match(error.message, /wrong: \[secret\]/);
      return !error.message.includes(password);
    });
  });

  it("stay secret in the binding of a claim", async () => {
    const claim = { namespace: "shop", name: "photos", uid: "u-1" };
    const gold = { name: "gold", driverName: "d.example.com", deletionPolicy: "Delete" };
    const inputs = (bucketClass: Properties): Properties => ({
      owner: "o",
      resource: "photos",
      claim,
      bucketClass,
    });
    const check = checkOf(claimBinding);
    const olds = inputs({ ...gold, ...secret });
    const news = inputs({ ...gold, parameters: null });
    for (const checked of [await check({}, olds), await check(olds, news)]) {
      assert.deepEqual(checked.inputs["bucketClass"], {
        ...gold,
        ...secret,
        parameters: { password: marked(password) },
      });
    }
  });

  it("stay secret in the guard of a static Bucket", async () => {
    const inputs = (copied: Properties): Properties => ({
      kind: { kind: "Bucket" },
      name: "archive",
      owner: "o",
      resource: "archive",
      copied: { key: "gold", ...copied },
    });
    const check = checkOf(nameGuard);
    const olds = inputs({ value: { password }, secret: true });
    for (const checked of [await check({}, olds), await check(olds, inputs({ value: { tier: "hot" } }))]) {
      assert.deepEqual(checked.inputs["copied"], {
        key: "gold",
        value: { password: marked(password) },
        secret: true,
      });
    }
  });
});
