import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, paths } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const unknown = pulumi.runtime.unknownValue;

forEachContract("Bucket", (contract) => {
  const { bucket, obligingDriver, driverReference, say, ids } = contract;
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    inputs = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  describe("check", () => {
    it("needs neither driver nor cluster, and fails on no unknown value", async () => {
      driver.stop();
      const everything = {
        parameters: unknown,
        deletionPolicy: unknown,
        name: unknown,
        bucketClassName: unknown,
      };
      const { failures } = await bucket.check({}, inputs({ ...everything, driver: unknownReference() }));
      assert.deepEqual(failures, []);
      assert.deepEqual(driver.calls, []);
    });

    it(`computes the same name from the same state, and another one for another identity ${ids("[GRPC-029]", "[DEP-029]")}`, async () => {
      const nameOf = async (changes: Properties) => (await bucket.check({}, inputs(changes))).inputs["name"];
      const name = await nameOf({});
      assert.match(String(name), /^photos-[0-9a-f]{16}$/);
      assert.equal(await nameOf({}), name);
      const long = "n".repeat(79);
      const others = await Promise.all([
        nameOf({ logicalName: "a-b", parent: "c" }),
        nameOf({ logicalName: "a", parent: "b-c" }),
        nameOf({ parent: "urn:other" }),
        nameOf({ parameters: { k: "v" } }),
        nameOf({ driver: driverReference(driver.endpoint, { seed: "another" }) }),
        nameOf({ logicalName: `${long}1` }),
        nameOf({ logicalName: `${long}2` }),
      ]);
      assert.equal(new Set([name, ...others]).size, others.length + 1);
      for (const other of others) assert.match(String(other), /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/);
    });

    it(`keeps the name that is in the state, whatever the resource is called now ${ids("[GRPC-028]", "[DEP-028]")}`, async () => {
      const { outputs } = await bucket.create(inputs());
      const renamed = await bucket.check(outputs, inputs({ logicalName: "pictures", parent: "urn:new" }));
      assert.equal(renamed.inputs["name"], outputs["name"]);
      assert.deepEqual(await bucket.diff(outputs, renamed.inputs), { changes: false, replaces: [] });
    });

    it("says that a preview does not know whether the bucket stays, where what names it comes from elsewhere", async () => {
      const { outputs } = await bucket.create(inputs({ name: "photos-1" }));
      const said = async (changes: Properties): Promise<string[]> => {
        beginRun();
        const { inputs: checked } = await bucket.check(outputs, inputs(changes));
        return printed(() => bucket.diff(outputs, checked));
      };
      const replaced =
        "is not known yet: if it turns out to be another one, the bucket is replaced along with every access to it, whose " +
        "keys end; this preview does not show that";
      assert.deepEqual(await said({ name: unknown }), [say(`warning: bucket photos-1: name ${replaced}`)]);
      assert.deepEqual(await said({ existingBucketId: unknown }), [
        say(`warning: bucket photos-1: existingBucketId ${replaced}`),
      ]);
      assert.deepEqual(await said({ name: "photos-1" }), []);
    });

    it("keeps seed and name of the driver where a preview does not know them", async () => {
      const { outputs } = await bucket.create(inputs());
      const preview = await bucket.check(outputs, inputs({ driver: unknownReference() }));
      assert.deepEqual(await bucket.diff(outputs, preview.inputs), { changes: false, replaces: [] });
    });

    it("fills in Retain, and says in words what a delete does", async () => {
      const retained = (await bucket.check({}, inputs())).inputs;
      assert.equal(retained["deletionPolicy"], "Retain");
      assert.match(String(retained["onDelete"]), say(/^keeps the bucket and its data/));
      const deleted = (await bucket.check({}, inputs({ deletionPolicy: "Delete", name: "b" }))).inputs;
      assert.match(String(deleted["onDelete"]), say(/^DELETES the bucket b /));
    });

    for (const [what, changes, text] of [
      ["a name of 64 characters", { name: "n".repeat(64) }, /^name has 64 characters.*at most 63/],
      ["an empty name", { name: "" }, /^name is empty/],
      ["an empty brownfield id", { existingBucketId: "" }, say(/^existingBucketId is empty: give the id/)],
      [
        "Delete for a bucket that existed before",
        { existingBucketId: "b", deletionPolicy: "Delete" },
        say(/^existingBucketId .*deletionPolicy "Delete".*use "Retain"/),
      ],
      ["a policy in lower case", { deletionPolicy: "delete" }, /^deletionPolicy is "delete".*Retain, Delete/],
      ["a map of 4097 bytes", { parameters: { k: "v".repeat(4096) } }, /^parameters has 4097 bytes.*4096/],
      [
        "a map of 4096 characters, one of two bytes",
        { parameters: { k: `${"v".repeat(4094)}é` } },
        /^parameters has 4097 bytes/,
      ],
    ] as const) {
      it(`refuses ${what}, and sends nothing`, async () => {
        const { failures } = await bucket.check({}, inputs(changes));
        assert.equal(failures.length, 1);
        assert.match(failures[0] ?? "", text);
        assert.deepEqual(driver.calls, []);
      });
    }

    it("takes a name of 63 characters and a map of 4096 bytes", async () => {
      const news = inputs({ name: "n".repeat(63), parameters: { k: "v".repeat(4095) } });
      assert.deepEqual((await bucket.check({}, news)).failures, []);
    });

    it("refuses a name that another bucket of the program sends to the same driver, and names both", async () => {
      assert.deepEqual((await bucket.check({}, inputs({ name: "one" }))).failures, []);
      assert.deepEqual(
        (await bucket.check({}, inputs({ name: "one" }))).failures,
        [],
        "the same one, asked again",
      );
      const { failures } = await bucket.check({}, inputs({ name: "one", logicalName: "thumbs" }));
      assert.match(
        failures.join(),
        say(/^name "one" is sent to driver fake\.example\.com by the bucket photos too/),
      );
      assert.deepEqual((await bucket.check({}, inputs({ name: "two", logicalName: "thumbs" }))).failures, []);
    });

    it("keeps what was copied from a class while the class name stays", async () => {
      const classed = { bucketClassName: "gold", parameters: { tier: "1" }, deletionPolicy: "Delete" };
      const { outputs } = await bucket.create(inputs(classed));
      const edited = { bucketClassName: "gold", parameters: { tier: "2" }, deletionPolicy: "Retain" };
      const kept = (await bucket.check(outputs, inputs(edited))).inputs;
      assert.deepEqual(kept["parameters"], { tier: "1" });
      assert.equal(kept["deletionPolicy"], "Delete");
      const other = (await bucket.check(outputs, inputs({ ...edited, bucketClassName: "silver" }))).inputs;
      assert.deepEqual(other["parameters"], { tier: "2" });
    });
  });

  describe("create", () => {
    it(`sends name and parameters as they are, and records the driver's id byte for byte ${ids("[GRPC-032]", "[DEP-031]")}`, async () => {
      const parameters = { a: " x ", b: '{"a":1}', c: "01", d: "true", e: "" };
      const odd = "eu/lab:force=%2F+@ é";
      driver.on(paths.create, () => answers.created(odd));
      const { id, outputs } = await bucket.create(inputs({ name: "B.1", parameters }));
      assert.equal(id, "B.1");
      assert.equal(outputs["bucketId"], odd);
      assert.deepEqual(outputs["bucketInfo"], { protocol: "S3", region: "eu-1", signatureVersion: "S3V4" });

      const [body] = driver.bodies("DriverCreateBucket");
      const request = DriverCreateBucketRequest.decode(Buffer.from(body ?? "", "hex"));
      assert.equal(request.name, "B.1");
      assert.deepEqual(Object.fromEntries(request.parameters), parameters);
    });

    it("returns every declared output, null where there is none, and all inputs", async () => {
      driver.on(paths.create, () => Buffer.from("0a026231", "hex"));
      const { outputs } = await bucket.create(inputs({ parameters: { k: "v" } }));
      assert.equal(outputs["bucketId"], "b1");
      assert.equal(outputs["bucketInfo"], null);
      assert.equal(outputs["drift"], null);
      for (const [key, value] of Object.entries(
        (await bucket.check({}, inputs({ parameters: { k: "v" } }))).inputs,
      )) {
        assert.deepEqual(outputs[key], value, key);
      }
    });

    it(`takes a bucket over by its id and never creates or deletes it ${ids("[GRPC-012] [CASE-C23] [CASE-C34]", "[DEP-015]")}`, async () => {
      const { id, outputs } = await bucket.create(inputs({ existingBucketId: "eu/old" }));
      assert.equal(id, "eu/old");
      assert.equal(outputs["bucketId"], "eu/old");
      beginRun();
      await bucket.delete(outputs);
      const { failures } = await bucket.check(
        {},
        inputs({ existingBucketId: "eu/old", deletionPolicy: "Delete" }),
      );
      assert.match(failures.join(), say(/existingBucketId.*deletionPolicy/));
      assert.deepEqual(driver.paths(), []);
    });

    it("keeps a secret parameter out of the driver's message and out of the trace", async () => {
      const token = "t0ken-of-a-parameter";
      driver.on(paths.create, () => ({
        code: status.INVALID_ARGUMENT,
        message: `token=${token} is expired`,
      }));
      const secret = inputs({ parameters: { token }, secretParameters: true });
      process.env["PULUMI_COSI_TRACE"] = "1";
      const lines = await printed(async () => {
        await assert.rejects(bucket.create(secret), /token=\[secret\] is expired/);
      });
      delete process.env["PULUMI_COSI_TRACE"];
      assert.match(lines.join(), say(/rpc .*DriverCreateBucket INVALID_ARGUMENT/));
      assert.ok(!lines.join().includes(token));
    });

    it("leaves no entry when the driver refuses for sure", async () => {
      driver.on(paths.create, () => ({ code: status.INVALID_ARGUMENT, message: "nope=1 is unknown" }));
      await assert.rejects(bucket.create(inputs()), (error: unknown) => {
        assert.ok(error instanceof Error);
        assert.ok(!("properties" in error));
        assert.match(error.message, say(/DriverCreateBucket: INVALID_ARGUMENT: nope=1 is unknown/));
        return true;
      });
    });

    it(`stays in the state after an unknown outcome, and finishes with the same call ${ids("[GRPC-053]", "[DEP-048]")}`, async () => {
      driver.on(paths.create, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN, message: "?" } : answers.created("b-77"),
      );
      const failed = await failedResource(bucket.create(inputs()));
      assert.equal(failed.id, failed.properties["name"]);
      assert.equal(failed.properties["bucketId"], null);
      const kept = wire(failed.properties);
      assert.equal((await bucket.diff(kept, (await bucket.check(kept, inputs())).inputs)).changes, true);
      assert.equal((await bucket.update(kept, inputs()))["bucketId"], "b-77");
      assert.equal(new Set(driver.bodies("DriverCreateBucket")).size, 1);
    });

    it("reads ALREADY_EXISTS as its own success only after an attempt without an answer", async () => {
      driver.on(paths.create, (_, earlier) =>
        earlier === 0 ? { code: status.UNAVAILABLE } : { code: status.ALREADY_EXISTS, message: "taken" },
      );
      let outputs: Properties = {};
      const lines = await printed(async () => ({ outputs } = await bucket.create(inputs())));
      assert.equal(outputs["bucketId"], outputs["name"]);
      assert.match(lines.join(), say(/warning: bucket photos-.*attempt whose answer was lost/));

      driver.on(paths.create, () => ({ code: status.ALREADY_EXISTS, message: "taken" }));
      await assert.rejects(
        bucket.create(inputs({ logicalName: "other" })),
        say(/ALREADY_EXISTS.*existingBucketId/),
      );
    });

    it("does not take a user's name for its own after an attempt without an answer", async () => {
      driver.on(paths.create, (_, earlier) =>
        earlier === 0 ? { code: status.UNAVAILABLE } : { code: status.ALREADY_EXISTS, message: "taken" },
      );
      await failedResource(bucket.create(inputs({ name: "mine" })));
    });

    it(`keeps a failed entry when OK comes without an id, and sends the same again ${ids("[GRPC-035]", "[DEP-034]")}`, async () => {
      driver.on(paths.create, (_, earlier) => (earlier === 0 ? Buffer.alloc(0) : answers.created("b1")));
      const failed = await failedResource(bucket.create(inputs()));
      assert.match(failed.message, say(/fake\.example\.com answered OK without bucket_id/));
      assert.match(failed.message, /may exist in the backend/);
      assert.equal((await bucket.update(wire(failed.properties), inputs()))["bucketId"], "b1");
      assert.equal(new Set(driver.bodies("DriverCreateBucket")).size, 1);
    });
  });

  describe("diff", () => {
    it("finds no change in an unchanged program, also after a refresh, and sends nothing", async () => {
      const { outputs } = await bucket.create(inputs({ parameters: { k: "v" } }));
      const calls = driver.calls.length;
      const read = await bucket.read(outputs);
      const { inputs: news } = await bucket.check(read.inputs, inputs({ parameters: { k: "v" } }));
      assert.deepEqual(await bucket.diff(read.outputs, news), { changes: false, replaces: [] });
      assert.deepEqual(read.inputs, (await bucket.check({}, inputs({ parameters: { k: "v" } }))).inputs);
      assert.equal(driver.calls.length, calls);
    });

    it("names what forces a replacement, and deletes first", async () => {
      const { outputs } = await bucket.create(inputs());
      const { inputs: news } = await bucket.check(outputs, inputs({ parameters: { k: "v" } }));
      assert.deepEqual(await bucket.diff(outputs, news), {
        changes: true,
        replaces: ["parameters"],
        deleteBeforeReplace: true,
      });
    });

    it("updates for another endpoint, and replaces nothing", async () => {
      const { outputs } = await bucket.create(inputs());
      const moved = driverReference("unix:///elsewhere.sock");
      const { inputs: news } = await bucket.check(outputs, inputs({ driver: moved }));
      assert.deepEqual(await bucket.diff(outputs, news), { changes: true, replaces: [] });
    });

    it("takes an unknown value for a possible change, and an unknown claim for a replacement", async () => {
      const { outputs } = await bucket.create(inputs());
      const maybe = (await bucket.check(outputs, inputs({ parameters: unknown }))).inputs;
      assert.deepEqual(await bucket.diff(outputs, maybe), { changes: true, replaces: [] });
      const objects = { claim: { namespace: "shop", name: "photos", uid: unknown } };
      const orphaned = (await bucket.check(outputs, inputs({ name: unknown, objects }))).inputs;
      assert.deepEqual((await bucket.diff(outputs, orphaned)).replaces, ["name"]);
    });

    it("refuses a replacement that would delete data until protectData is false in the state", async () => {
      const policy = { deletionPolicy: "Delete" };
      const { outputs } = await bucket.create(inputs(policy));
      const change = async (olds: Properties) =>
        bucket.diff(olds, (await bucket.check(olds, inputs({ ...policy, parameters: { k: "v" } }))).inputs);
      await assert.rejects(change(outputs), say(/bucket photos-.*because of parameters.*protectData/s));
      const freed = await bucket.update(outputs, inputs({ ...policy, protectData: false }));
      assert.deepEqual((await change(freed)).replaces, ["parameters"]);
    });

    it("protects no data where nothing was made", async () => {
      const policy = { deletionPolicy: "Delete" };
      const { outputs } = await bucket.create(inputs(policy));
      const olds = { ...outputs, bucketId: null, nothingMade: true };
      const { inputs: news } = await bucket.check(olds, inputs({ ...policy, parameters: { k: "v" } }));
      assert.deepEqual((await bucket.diff(olds, news)).replaces, ["parameters"]);
      const failed = { ...olds, nothingMade: undefined };
      await assert.rejects(bucket.diff(failed, news), say(/bucket photos-.*which may exist.*protectData/s));
    });
  });

  describe("delete", () => {
    it("keeps the bucket unless the program says Delete [CASE-U19]", async () => {
      const { outputs } = await bucket.create(inputs());
      beginRun();
      await bucket.delete(outputs);
      assert.ok(!driver.paths().includes("DriverDeleteBucket"));
    });

    it("sends the id and the parameters of the create", async () => {
      driver.on(paths.create, () => answers.created("q2:a%2Fb"));
      const { outputs } = await bucket.create(inputs({ deletionPolicy: "Delete", parameters: { k: "v" } }));
      beginRun();
      await bucket.delete(outputs);

      const request = DriverDeleteBucketRequest.decode(
        Buffer.from(driver.bodies("DriverDeleteBucket")[0] ?? "", "hex"),
      );
      assert.equal(request.bucketId, "q2:a%2Fb");
      assert.deepEqual(Object.fromEntries(request.deleteContext), { k: "v" });
    });

    it(`counts NOT_FOUND as deleted, with a warning ${ids("[GRPC-074]", "[DEP-064]")}`, async () => {
      driver.on(paths.delete, () => ({ code: status.NOT_FOUND, message: "gone" }));
      const { outputs } = await bucket.create(inputs({ deletionPolicy: "Delete" }));
      beginRun();
      assert.match(
        (await printed(() => bucket.delete(outputs))).join(),
        say(/warning: bucket photos-.*NOT_FOUND/),
      );
    });

    it("fails with the driver's words while the bucket holds objects", async () => {
      driver.on(paths.delete, () => ({ code: status.FAILED_PRECONDITION, message: "3 objects" }));
      const { outputs } = await bucket.create(inputs({ deletionPolicy: "Delete" }));
      beginRun();
      await assert.rejects(bucket.delete(outputs), say(/FAILED_PRECONDITION: 3 objects.*bucket photos-/));
    });

    it(`learns the id of a bucket whose create had no known outcome by the same create ${ids("[GRPC-054]", "[DEP-049]")}`, async () => {
      driver.on(paths.create, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN } : answers.created("b-9"),
      );
      const failed = await failedResource(bucket.create(inputs({ deletionPolicy: "Delete" })));
      beginRun();
      await bucket.delete(wire(failed.properties));
      assert.deepEqual(driver.paths().slice(-2), ["DriverCreateBucket", "DriverDeleteBucket"]);

      driver.on(paths.create, (_, earlier) =>
        earlier < 7 ? { code: status.UNKNOWN } : { code: status.INVALID_ARGUMENT, message: "never made" },
      );
      const refused = await failedResource(
        bucket.create(inputs({ logicalName: "two", deletionPolicy: "Delete" })),
      );
      beginRun();
      await bucket.delete(wire(refused.properties));
      assert.equal(driver.bodies("DriverDeleteBucket").length, 1);

      driver.on(paths.create, () => ({ code: status.UNKNOWN }));
      const retained = await failedResource(bucket.create(inputs({ logicalName: "three" })));
      const calls = driver.calls.length;
      const lines = await printed(() => bucket.delete(wire(retained.properties)));
      assert.match(lines.join(), say(/warning: bucket three-.*look for it in the backend/));
      assert.equal(driver.calls.length, calls);
    });

    it("drops only the entry when another resource of the run has the bucket now", async () => {
      const fixed = { deletionPolicy: "Delete", name: "fixed" };
      const { outputs } = await bucket.create(inputs(fixed));
      beginRun();
      await bucket.create(inputs({ ...fixed, logicalName: "renamed" }));
      const lines = await printed(() => bucket.delete(outputs));
      assert.match(lines.join(), say(/warning: bucket fixed: another resource of this run/));
      assert.ok(!driver.paths().includes("DriverDeleteBucket"));
    });

    it("deletes what a refresh of the same run has compared before", async () => {
      const { outputs } = await bucket.create(inputs({ deletionPolicy: "Delete" }));
      beginRun();
      // `destroy --refresh`: the engine reads, then asks for a diff with the inputs of the state, and no check.
      const read = await bucket.read(outputs);
      await bucket.diff(read.outputs, read.inputs);
      await bucket.delete(read.outputs);
      assert.equal(driver.bodies("DriverDeleteBucket").length, 1);
    });

    it("keeps the bucket that another resource of the program has under the same id", async () => {
      const { outputs } = await bucket.create(inputs({ deletionPolicy: "Delete", name: "twice" }));
      beginRun();
      await bucket.diff(
        outputs,
        (await bucket.check(outputs, inputs({ deletionPolicy: "Delete", name: "twice" }))).inputs,
      );
      await bucket.delete({ ...outputs, logicalName: "leftover" });
      assert.ok(!driver.paths().includes("DriverDeleteBucket"));
    });

    it("tells the same name at another store from its own", async () => {
      const fixed = { deletionPolicy: "Delete", name: "fixed" };
      const other = await obligingDriver().start();
      try {
        const elsewhere = driverReference(other.endpoint, { seed: "of-another-driver" });
        const { outputs } = await bucket.create(inputs(fixed));
        beginRun();
        await bucket.create(inputs({ ...fixed, driver: elsewhere, logicalName: "elsewhere" }));
        await bucket.delete(outputs);
        assert.equal(driver.bodies("DriverDeleteBucket").length, 1);
        assert.equal(other.bodies("DriverDeleteBucket").length, 0);
        const { inputs: moved } = await bucket.check(outputs, inputs({ driver: elsewhere, name: "fixed" }));
        await assert.rejects(bucket.diff(outputs, moved), /because of driver/);
      } finally {
        other.stop();
      }
    });

    it("deletes nothing for an entry of unknown outcome whose name another resource of the run has now", async () => {
      const fixed = { deletionPolicy: "Delete", name: "fixed" };
      driver.on(paths.create, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN } : answers.created("b-1"),
      );
      const failed = await failedResource(bucket.create(inputs(fixed)));
      beginRun();
      await bucket.create(inputs({ ...fixed, logicalName: "renamed" }));
      await bucket.delete(wire(failed.properties));
      assert.ok(!driver.paths().includes("DriverDeleteBucket"));
    });

    it(`sends nothing to a driver of another name ${ids("[GRPC-009]", "[DEP-009]")}`, async () => {
      const { outputs } = await bucket.create(inputs({ deletionPolicy: "Delete" }));
      beginRun();
      const other = await obligingDriver("other.example.com").start();
      try {
        const moved = { ...outputs, driver: { ...(outputs["driver"] as object), endpoint: other.endpoint } };
        await assert.rejects(
          bucket.delete(moved),
          /"fake\.example\.com".*"other\.example\.com".*driverName/s,
        );
        assert.deepEqual(other.paths(), ["DriverGetInfo"]);
        const renamed = { ...outputs, driver: { ...moved.driver, driverName: "other.example.com" } };
        await bucket.delete(renamed);
        assert.deepEqual(other.paths(), ["DriverGetInfo", "DriverDeleteBucket"]);
      } finally {
        other.stop();
      }
    });
  });

  function unknownReference(): Properties {
    return { ...driverReference(driver.endpoint), driverName: unknown, seed: unknown, id: "store" };
  }
});
