import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { DriverCreateBucketRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { ownedBucket } from "../../../provider/bucket/state";
import { closeConnections } from "../../../provider/driver/connections";
import type { DriverReference } from "../../../provider/driver-resource/reference";
import { bucketsOfRun } from "../../../provider/run/run-ownership";
import { contractsUnderTest, forEachContract } from "../../support/contracts-under-test";
import { answers, paths } from "../../support/cosi-v1alpha1";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { lost, type Script, type StrictDriver } from "../../support/strict-driver";

const unknown = pulumi.runtime.unknownValue;
const refused: Script = [{ code: status.PERMISSION_DENIED, message: "not now" }];
const deleting = { deletionPolicy: "Delete", protectData: false };
const otherSeed = "ab".repeat(16);

forEachContract("what a run owns", (contract) => {
  const { bucket, access, endpointVariable, strictDriver, driverReference, say, ids } = contract;
  let driver: StrictDriver;
  let reference: DriverReference;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    // One attempt per call: its answer is lost, and its outcome is not known.
    reference = driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001 });
    ofBucket = (changes = {}) => ({
      driver: reference,
      logicalName: "old",
      name: "photos",
      ...deleting,
      ...changes,
    });
    const ofIt = { bucketName: "b1", bucketId: "b1" };
    ofAccess = (changes = {}) => ({
      driver: reference,
      logicalName: "old",
      name: "reader",
      ...ofIt,
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
    Reflect.deleteProperty(process.env, endpointVariable);
  });

  /** The entry of a bucket whose create had its effect and lost its answer, at a driver whose ids are not its names. */
  async function failedBucket(changes: Properties = {}): Promise<Properties> {
    driver.fake.on(paths.create, (body, earlier) =>
      earlier === 0 ? lost : answers.created(`eu/${DriverCreateBucketRequest.decode(body).name}`),
    );
    const failed = await failedResource(bucket.create(ofBucket(changes)));
    beginRun();
    return wire(failed.properties);
  }

  for (const [what, logicalName, name] of [
    ["in its place", "old", "pictures"],
    ["by another resource", "taken", "videos"],
  ] as const) {
    it(`is a failed bucket that is taken over by its id ${what}: no Delete for the id that is learned ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const olds = await failedBucket({ name });
      const news = { driver: reference, logicalName, existingBucketId: `eu/${name}` };
      await bucket.check({}, news);
      const lines = await printed(() => bucket.delete(olds));
      assert.equal((await bucket.create(news)).outputs["bucketId"], `eu/${name}`);
      assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
      assert.match(lines.join(), say(/^warning: bucket \w+: .*only this entry is dropped$/));
    });
  }

  it("is not what a failed bucket learns under another id: that one is deleted", async () => {
    const olds = await failedBucket();
    await bucket.check({}, { driver: reference, logicalName: "taken", existingBucketId: "eu/other" });
    driver.answer("delete", answers.deleted());
    await bucket.delete(olds);
    assert.deepEqual(driver.rpcs(), ["Create", "Create", "Delete"]);
  });

  it(`is protected in a replacement of a bucket that may exist, until protectData is false in the state ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const news = { driver: reference, logicalName: "old", existingBucketId: "eu/photos" };
    const olds = await failedBucket({ protectData: true });
    const { inputs } = await bucket.check(olds, news);
    await assert.rejects(
      bucket.diff(olds, inputs),
      say(/bucket photos .*which may exist.*because of existingBucketId.*protectData to false/),
    );
    const { replaces } = await bucket.diff({ ...olds, protectData: false }, inputs);
    assert.deepEqual(replaces, ["existingBucketId"]);
  });

  it(`is an account that a failed access learns and another one has: no Revoke ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    driver.answer("grant", answers.granted("shared"), lost, answers.granted("shared"));
    const kept = (await access.create(ofAccess({ logicalName: "kept", name: "kept" }))).outputs;
    const gone = wire((await failedResource(access.create(ofAccess()))).properties);
    beginRun();
    const { inputs } = await access.check(kept, ofAccess({ logicalName: "kept", name: "kept" }));
    await access.diff(kept, inputs);
    const lines = await printed(() => access.delete(gone));
    assert.deepEqual(driver.rpcs(), ["Grant", "Grant", "Grant"]);
    assert.match(lines.at(-1) ?? "", /^warning: access reader: .*only this entry is dropped$/);
  });

  it("is an account that a driver gives twice, once with nothing usable: no Revoke", async () => {
    driver.answer("grant", answers.granted("shared"), answers.granted("shared", {}));
    await access.create(ofAccess({ logicalName: "kept", name: "kept" }));
    await assert.rejects(
      access.create(ofAccess()),
      /account shared also belongs to another access of this program/,
    );
    assert.deepEqual(driver.rpcs(), ["Grant", "Grant"]);
  });

  for (const [what, script, name, isRefused] of [
    ["has no known outcome", [lost], "doubted", false],
    ["is refused for sure", refused, "refused", true],
  ] as const) {
    it(`is what a renamed resource asks for, if its call ${what}: no Delete and no Revoke for the old one ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const oldBucket = (await bucket.create(ofBucket({ name }))).outputs;
      const oldAccess = (await access.create(ofAccess({ name }))).outputs;
      beginRun();
      driver.answer("create", ...script);
      driver.answer("grant", ...script);
      await assert.rejects(bucket.create(ofBucket({ name, logicalName: "new" })));
      await assert.rejects(access.create(ofAccess({ name, logicalName: "new" })));
      const deletes = [() => access.delete(oldAccess), () => bucket.delete(oldBucket)];
      const lines = await printed(async () => {
        for (const go of deletes) {
          if (!isRefused) await go();
          // The new one is not in the state, so the old entry stays there.
          else
            await assert.rejects(
              go(),
              /refused .*was not (revoked|deleted): new of this program asks for it/,
            );
        }
      });
      assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Create", "Grant"]);
      assert.deepEqual([...driver.buckets.keys()], [name]);
      assert.deepEqual([...driver.accounts.keys()], [name]);
      const dropped = lines.filter((line) => line.endsWith("only this entry is dropped"));
      assert.equal(dropped.length, isRefused ? 0 : 2);
    });
  }

  describe("and a name that is handed on with other terms", () => {
    const other = { parameters: { tier: "2" } };
    let oldBucket: Properties;
    let oldAccess: Properties;

    beforeEach(async () => {
      oldBucket = (await bucket.create(ofBucket({ parameters: { tier: "1" } }))).outputs;
      oldAccess = (await access.create(ofAccess({ parameters: { tier: "1" } }))).outputs;
      beginRun();
    });

    /** What the engine asks for a resource that gives its name up. */
    const giveUp = async (): Promise<void> => {
      for (const [resource, olds, news] of [
        [access, oldAccess, ofAccess({ name: "reader-1", parameters: { tier: "1" } })],
        [bucket, oldBucket, ofBucket({ name: "photos-1", parameters: { tier: "1" } })],
      ] as const) {
        const { inputs } = await resource.check(olds, news);
        assert.deepEqual((await resource.diff(olds, inputs)).replaces, ["name"]);
        await resource.check({}, news);
        await resource.delete(olds);
        await resource.create(news);
      }
    };

    for (const [order, isFirst] of [
      ["is wanted", false],
      ["was asked for in vain", true],
    ] as const) {
      it(`ends the old one where the new one ${order} ${ids("[GRPC-015]", "[DEP-018]")}`, async () => {
        const [newBucket, newAccess] = [ofBucket, ofAccess].map((of) => of({ logicalName: "new", ...other }));
        assert.ok(newBucket !== undefined && newAccess !== undefined);
        await bucket.check({}, newBucket);
        await access.check({}, newAccess);
        if (isFirst) {
          await assert.rejects(bucket.create(newBucket), /ALREADY_EXISTS/);
          await assert.rejects(access.create(newAccess), /ALREADY_EXISTS/);
        }
        assert.deepEqual(await printed(giveUp), []);
        if (isFirst) beginRun();
        await bucket.create(newBucket);
        await access.create(newAccess);
        assert.deepEqual([...driver.buckets.keys()], ["photos-1", "photos"]);
        assert.deepEqual([...driver.accounts.keys()], ["reader-1", "reader"]);
      });
    }

    it(`leaves the old one where that left the program, and names the new one ${ids("[GRPC-015]", "[DEP-018]")}`, async () => {
      await assert.rejects(access.create(ofAccess({ logicalName: "new", ...other })), /ALREADY_EXISTS/);
      await assert.rejects(bucket.create(ofBucket({ logicalName: "new", ...other })), /ALREADY_EXISTS/);
      await assert.rejects(access.delete(oldAccess), /access reader .*was not revoked: new of this program/);
      await assert.rejects(
        bucket.delete(oldBucket),
        say(/bucket photos .*was not deleted: new .* give it another name/),
      );
      assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Grant", "Create"]);
    });
  });

  it("is an account that the program takes by its id, for the resource itself or for another one: no Revoke", async () => {
    for (const logicalName of ["old", "new"]) {
      const { outputs } = await access.create(ofAccess({ name: logicalName }));
      const id = outputs["accountId"];
      beginRun();
      const { inputs: kept } = await access.check(outputs, ofAccess({ name: `${logicalName}-2` }));
      assert.deepEqual((await access.diff(outputs, kept)).replaces, ["name"]);
      const credentials = { s3: { accessKeyID: "AK", accessSecretKey: "secret-of-it" } };
      const keys = contract.credentialsAreFree
        ? { credentials }
        : { accessKeyId: "AK", accessSecretKey: "secret-of-it" };
      const taking = ofAccess({ logicalName, name: "taking", existingAccount: { accountId: id, ...keys } });
      assert.deepEqual((await access.check({}, taking)).failures, []);
      const before = driver.rpcs().length;
      const lines = await printed(async () => {
        await access.delete(outputs);
        await access.create(taking);
      });
      assert.deepEqual(driver.rpcs().slice(before), []);
      assert.match(lines.join(), /^warning: access \w+: .*only this entry is dropped$/);
      beginRun();
    }
  });

  for (const [what, changes] of [
    ["of another server name", { tls: { serverName: "b" } }],
    ["of another name", { driverName: "other.example.com" }],
  ] as const) {
    it(`is not what a driver ${what} has behind the same address ${ids("[GRPC-015]", "[DEP-018]")}`, async () => {
      const here = { ...reference, tls: { serverName: "a" } };
      const there = { ...here, seed: otherSeed, ...changes };
      const oldBucket = (await bucket.create(ofBucket({ driver: here }))).outputs;
      const oldAccess = (await access.create(ofAccess({ driver: here }))).outputs;
      beginRun();
      // The program has those of the other driver alone.
      for (const [resource, olds, news] of [
        [access, oldAccess, ofAccess({ driver: there, logicalName: "there" })],
        [bucket, oldBucket, ofBucket({ driver: there, logicalName: "there" })],
      ] as const) {
        const state = { ...olds, driver: there, logicalName: "there" };
        const { inputs } = await resource.check(state, news);
        assert.deepEqual((await resource.diff(state, inputs)).replaces, []);
        assert.deepEqual(await printed(() => resource.delete(olds)), []);
      }
      assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Revoke", "Delete"]);
    });
  }

  it(`is the same at a socket and at a link to it ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const link = path.join(path.dirname(driver.fake.socket), "link.sock");
    fs.symlinkSync(driver.fake.socket, link);
    const { outputs } = await bucket.create(ofBucket());
    beginRun();
    const linked = { ...reference, endpoint: `unix://${link}`, seed: otherSeed };
    await bucket.create(ofBucket({ logicalName: "new", driver: linked }));
    await printed(() => bucket.delete(outputs));
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
  });

  it("is in doubt where one of its id was given at another address by a driver of its name: an error names both, once", async () => {
    const { outputs } = await bucket.create(ofBucket());
    beginRun();
    const moved = { ...reference, endpoint: "dns:///store.example.com:443", seed: otherSeed };
    bucketsOfRun.made(ownedBucket({ driver: moved, name: "photos" }, "photos"), "pictures");
    await assert.rejects(
      bucket.delete(outputs),
      say(/bucket photos .*was not deleted: .*pictures was given .* at dns:\S+ .*cosi\.sock/),
    );
    beginRun();
    bucketsOfRun.keep(ownedBucket({ driver: moved, name: "photos" }, "photos"), "pictures");
    await bucket.delete(outputs);
    assert.deepEqual(driver.rpcs(), ["Create", "Delete"]);
  });

  it("is nothing to a resource that replaceOnChanges makes anew, though its diff says that it stays", async () => {
    const { outputs } = await bucket.create(ofBucket());
    beginRun();
    const news = ofBucket({ nameAsId: true });
    const { inputs } = await bucket.check(outputs, news);
    assert.deepEqual((await bucket.diff(outputs, inputs)).replaces, []);
    await bucket.check({}, news);
    assert.deepEqual(await printed(() => bucket.delete(outputs)), []);
    await bucket.create(news);
    assert.deepEqual(driver.rpcs(), ["Create", "Delete", "Create"]);
  });

  it(`is not what a resource wants anew for itself, renamed with an alias or not ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    for (const logicalName of ["old", "new"]) {
      const before = driver.rpcs().length;
      const oldBucket = (await bucket.create(ofBucket())).outputs;
      const oldAccess = (await access.create(ofAccess())).outputs;
      beginRun();
      for (const [resource, olds, news] of [
        [access, oldAccess, ofAccess({ logicalName })],
        [bucket, oldBucket, ofBucket({ logicalName })],
      ] as const) {
        await resource.check(olds, news);
        await resource.check({}, news);
        await resource.delete(olds);
      }
      assert.deepEqual(driver.rpcs().slice(before), ["Create", "Grant", "Revoke", "Delete"]);
      beginRun();
    }
  });

  it(`is the same at the endpoint in the environment and at the same endpoint written out ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    process.env[endpointVariable] = driver.fake.endpoint;
    const inherited: Properties = { ...reference };
    delete inherited["endpoint"];
    const { outputs } = await bucket.create(ofBucket({ driver: inherited }));
    beginRun();
    await bucket.create(ofBucket({ logicalName: "new", driver: { ...reference, seed: otherSeed } }));
    await printed(() => bucket.delete(outputs));
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
  });

  for (const [what, first, second] of [
    ["in the first preview, which knows no Driver yet", unknown, unknown],
    ["by two Drivers on one socket", "00".repeat(16), otherSeed],
  ] as const) {
    it(`has one sender for a name: it is an error ${what} ${ids("[GRPC-029]", "[DEP-029]")}`, async () => {
      for (const [resource, kind, inputs] of [
        [bucket, "bucket", ofBucket],
        [access, "access", ofAccess],
      ] as const) {
        const of = (seed: string, logicalName: string) => {
          const driverName = seed === unknown ? unknown : reference.driverName;
          return inputs({ driver: { ...reference, seed, driverName }, logicalName });
        };
        assert.deepEqual((await resource.check({}, of(first, "one"))).failures, []);
        assert.deepEqual((await resource.check({}, of(first, "one"))).failures, [], "the same, asked again");
        const { failures } = await resource.check({}, of(second, "two"));
        assert.match(failures.join(), say(new RegExp(`^name ".*" is sent to .* by the ${kind} one too`)));
        assert.ok(!failures.join().includes(unknown));
      }
      assert.deepEqual(driver.rpcs(), []);
    });
  }

  it("has a sender for each store behind one address, and for each Driver whose place is not known", async () => {
    const at = (tls: Properties) => ({ ...reference, tls });
    assert.deepEqual((await bucket.check({}, ofBucket({ driver: at({ serverName: "a" }) }))).failures, []);
    const other = { ...at({ serverName: "b" }), seed: otherSeed };
    assert.deepEqual((await bucket.check({}, ofBucket({ driver: other, logicalName: "b" }))).failures, []);
    beginRun();
    for (const logicalName of ["one", "two"]) {
      const nowhere = { ...reference, endpoint: unknown, seed: unknown, driverName: unknown };
      assert.deepEqual((await bucket.check({}, ofBucket({ driver: nowhere, logicalName }))).failures, []);
    }
  });
});

describe("a process that serves buckets and deployments at one socket", () => {
  const { cosi, deployment } = contractsUnderTest;

  it("has both under one name, and each has an entry of its own", async () => {
    beginRun();
    const endpoint = "unix:///run/cosi/both.sock";
    for (const { bucket, driverReference } of [cosi, deployment]) {
      const driver = driverReference(endpoint, { seed: unknown });
      const { failures } = await bucket.check({}, { driver, logicalName: "orders", name: "orders" });
      assert.deepEqual(failures, []);
    }
    const [one, two] = [cosi, deployment].map(({ driverReference }) => driverReference(endpoint));
    assert.ok(one !== undefined && two !== undefined);
    bucketsOfRun.enter(one, "orders", "orders");
    bucketsOfRun.keep(ownedBucket({ driver: one, name: "kept" }, "kept"), "orders");
    bucketsOfRun.enter(two, "orders", undefined);
    assert.ok(bucketsOfRun.isKept(ownedBucket({ driver: one, name: "kept" }, "kept"), "old"));
    assert.ok(!bucketsOfRun.isKept(ownedBucket({ driver: two, name: "kept" }, "kept"), "old"));
  });
});
