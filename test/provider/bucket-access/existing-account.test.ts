import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { answers, obligingDriver, paths, s3Secrets } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const unknown = pulumi.runtime.unknownValue;
const existingAccount = {
  accountId: "made-by-hand",
  accessKeyId: "AKIAEXISTING",
  accessSecretKey: "secret-of-the-existing-account",
};

describe("an access with an account that exists", () => {
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    inputs = (changes = {}) => ({
      driver: reference,
      logicalName: "photos-rw",
      bucketName: "photos-1",
      bucketId: "b1",
      existingAccount,
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  it("has its credentials as outputs, secret ones, and sends nothing from create to delete", async () => {
    const { outputs, raw } = await access.create(inputs());
    assert.equal(outputs["accountId"], "made-by-hand");
    assert.equal(outputs["accessKeyId"], "AKIAEXISTING");
    assert.equal(outputs["accessSecretKey"], existingAccount.accessSecretKey);
    const plain = JSON.stringify(raw, (_, value: unknown) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).includes("1b47061264138c4ac30d75fd1eb44270")
        ? "[secret]"
        : value,
    );
    assert.ok(!plain.includes(existingAccount.accessSecretKey), "every place of the secret is marked");
    beginRun();
    const news = (await access.check(outputs, inputs())).inputs;
    assert.deepEqual(await access.diff(outputs, news), { changes: false, replaces: [] });
    const renewed = { ...existingAccount, accessSecretKey: "renewed-by-hand" };
    const updated = await access.update(outputs, inputs({ existingAccount: renewed }));
    assert.equal(updated["accessSecretKey"], "renewed-by-hand");
    assert.notEqual(updated["checksum"], outputs["checksum"]);
    beginRun();
    const warnings = await printed(() => access.delete(updated));
    assert.match(warnings.join(), /the account made-by-hand was there before, and stays/);
    assert.deepEqual(driver.calls, []);
  });

  it("hands over to one of the driver's with a rotation, and stays itself", async () => {
    const old = (await access.create(inputs({ rotation: { trigger: 1 } }))).outputs;
    beginRun();
    const rotated = inputs({ rotation: { trigger: 2 } });
    const diff = await access.diff(old, (await access.check(old, rotated)).inputs);
    assert.deepEqual(diff, { changes: true, replaces: ["rotation"], deleteBeforeReplace: false });
    const { outputs } = await access.create(rotated);
    assert.notEqual(outputs["accountId"], "made-by-hand");
    await printed(() => access.delete(old));
    assert.deepEqual(driver.paths(), ["DriverGetInfo", "DriverGrantBucketAccess"]);
    beginRun();
    await access.delete(outputs);
    assert.ok(driver.paths().includes("DriverRevokeBucketAccess"));
  });

  describe("which has given way to one of the driver's", () => {
    const grants = (): number => driver.bodies("DriverGrantBucketAccess").length;
    let rotated: Properties;

    beforeEach(async () => {
      const old = (await access.create(inputs({ rotation: { trigger: 1 } }))).outputs;
      beginRun();
      const news = inputs({ rotation: { trigger: 2 } });
      await access.diff(old, (await access.check(old, news)).inputs);
      rotated = (await access.create(news)).outputs;
      await printed(() => access.delete(old));
      assert.equal(grants(), 1);
      beginRun();
    });

    /** The engine's question for what goes with the bucket, with the inputs of the state. */
    const askedWithBucket = async (olds: Properties) => {
      const { replaces } = await access.diff(olds, { ...olds, bucketName: unknown, bucketId: unknown });
      assert.deepEqual(replaces, ["bucketName"]);
    };
    const ofNewBucket = { bucketName: "photos-2", bucketId: "b2" };

    for (const [what, rotation] of [
      ["with the same trigger", { trigger: 2 }],
      ["without a rotation any more", undefined],
    ] as const) {
      it(`stays so when the access goes with its bucket, ${what}`, async () => {
        await askedWithBucket(rotated);
        await access.delete(rotated);
        const { outputs } = await access.create(inputs({ ...ofNewBucket, rotation }));
        assert.notEqual(outputs["accountId"], "made-by-hand");
        assert.equal((outputs["rotation"] as Properties)["generation"], 1);
        assert.equal(grants(), 2);
      });

      it(`stays so when the access is replaced, asked for by diff or by --replace, ${what}`, async () => {
        for (const [changes, isAsked] of [
          [{ parameters: { mode: "ro" } }, true],
          [{}, false],
        ] as const) {
          beginRun();
          const news = inputs({ rotation, ...changes });
          const { inputs: checked } = await access.check(rotated, news);
          if (isAsked) assert.deepEqual((await access.diff(rotated, checked)).replaces, ["parameters"]);
          const { inputs: again } = await access.check({}, news);
          assert.equal((again["rotation"] as Properties)["generation"], 1);
        }
      });
    }

    it("gives way once more where the trigger changes with the bucket", async () => {
      await askedWithBucket(rotated);
      const { inputs: news } = await access.check({}, inputs({ ...ofNewBucket, rotation: { trigger: 3 } }));
      assert.equal((news["rotation"] as Properties)["generation"], 2);
    });

    it("gives way where its first trigger comes with another bucket", async () => {
      const { outputs } = await access.create(inputs({ logicalName: "other" }));
      beginRun();
      await askedWithBucket(outputs);
      const news = inputs({ logicalName: "other", ...ofNewBucket, rotation: { trigger: 1 } });
      assert.notEqual((await access.create(news)).outputs["accountId"], "made-by-hand");
    });

    it("is nothing to another access, which takes its account as it is", async () => {
      await askedWithBucket(rotated);
      const { outputs } = await access.create(inputs({ logicalName: "other", rotation: { trigger: 1 } }));
      assert.equal(outputs["accountId"], "made-by-hand");
    });
  });

  describe("that the driver granted to it before", () => {
    beforeEach(() => {
      driver.on(paths.grant, (_, earlier) =>
        answers.granted(`account-${earlier}`, { ...s3Secrets(), accessKeyID: `AK-${earlier}` }),
      );
    });

    const revokes = (): number => driver.bodies("DriverRevokeBucketAccess").length;
    const granted = async (changes: Properties = {}): Promise<Properties> =>
      (await access.create(inputs({ existingAccount: undefined, ...changes }))).outputs;
    const taken = ({ accountId }: Properties): Properties => ({
      existingAccount: { ...existingAccount, accountId },
    });

    it("works on", async () => {
      const olds = await granted();
      beginRun();
      const news = inputs(taken(olds));
      const { inputs: checked } = await access.check(olds, news);
      assert.deepEqual((await access.diff(olds, checked)).replaces, ["existingAccount"]);
      await access.check({}, news);
      await printed(() => access.delete(olds));
      const { outputs } = await access.create(news);
      beginRun();
      await printed(() => access.delete(outputs));
      assert.equal(revokes(), 0);
    });

    it("stays where it gives way in the same change", async () => {
      const olds = await granted({ rotation: { trigger: 1 } });
      beginRun();
      const news = inputs({ ...taken(olds), rotation: { trigger: 2 } });
      const { inputs: checked } = await access.check(olds, news);
      assert.deepEqual((await access.diff(olds, checked)).replaces, ["rotation"]);
      await access.check({}, news);
      await access.create(news);
      await printed(() => access.delete(olds));
      assert.equal(revokes(), 0);
    });

    it("stays where it is the one of a rotation", async () => {
      const first = await granted({ rotation: { trigger: 1 } });
      beginRun();
      const rotating = inputs({ existingAccount: undefined, rotation: { trigger: 2 } });
      await access.diff(first, (await access.check(first, rotating)).inputs);
      const second = (await access.create(rotating)).outputs;
      beginRun();
      const updated = await access.update(second, { ...rotating, ...taken(second) });
      beginRun();
      await printed(() => access.delete(updated));
      assert.equal(revokes(), 0);
    });
  });

  it("asks for no account under its name, which another access gives up", async () => {
    const old = (await access.create(inputs({ existingAccount: undefined, name: "app" }))).outputs;
    beginRun();
    await access.check({}, inputs({ logicalName: "taking", name: "app" }));
    const news = inputs({ existingAccount: undefined, name: "app-2" });
    await access.diff(old, (await access.check(old, news)).inputs);
    await access.delete(old);
    assert.equal(driver.bodies("DriverRevokeBucketAccess").length, 1);
  });

  it("is another access when the program names another account, or none", async () => {
    const { outputs } = await access.create(inputs());
    for (const other of [{ ...existingAccount, accountId: "another" }, undefined]) {
      beginRun();
      const news = (await access.check(outputs, inputs({ existingAccount: other }))).inputs;
      const { replaces } = await access.diff(outputs, news);
      assert.deepEqual(replaces, ["existingAccount"]);
    }
    for (const other of [unknown, { ...existingAccount, accountId: unknown }]) {
      const { inputs: news, failures } = await access.check(outputs, inputs({ existingAccount: other }));
      assert.deepEqual(failures, []);
      assert.deepEqual((await access.diff(outputs, news)).replaces, []);
    }
  });

  it("is refused in the preview without id or keys, with keys of two kinds, or under another protocol, and no key is shown", async () => {
    const { accountId, accessKeyId, accessSecretKey } = existingAccount;
    const wrong: [Properties, RegExp][] = [
      [{ existingAccount: { ...existingAccount, accountId: "" } }, /has an empty accountId/],
      [
        { existingAccount: { accountId, accessKeyId } },
        /needs either accessKeyId and accessSecretKey, or accessToken/,
      ],
      [{ existingAccount: { ...existingAccount, accessToken: "sv=1" } }, /needs either/],
      [{ existingAccount: { accountId } }, /needs either/],
      [{ protocol: "Azure" }, /has credentials of S3, and protocol is "Azure"/],
      [{ authenticationType: "IAM" }, /has no keys to take over/],
    ];
    for (const [changes, reason] of wrong) {
      const failures = (await access.check({}, inputs(changes))).failures.join();
      assert.match(failures, reason);
      assert.ok(!failures.includes(accessSecretKey));
    }
  });

  it("takes a token of Azure", async () => {
    const token = { accountId: "sas-1", accessToken: "sv=2024&sig=abc" };
    const { outputs } = await access.create(inputs({ existingAccount: token }));
    assert.equal(outputs["accessToken"], token.accessToken);
    assert.equal(outputs["accessKeyId"], null);
  });
});
