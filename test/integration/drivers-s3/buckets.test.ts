import { status } from "@grpc/grpc-js";
import { CreateMultipartUploadCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { readlinkSync } from "node:fs";
import { S3SignatureVersion } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { type DriverClient, refusal } from "../../drivers/s3/support/driver-client";
import type { Fate } from "../../drivers/s3/support/fault-proxy";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import type { StoreRequest } from "../../drivers/s3/support/fake-store";
import { DRIVER_NAME, type RunningDriver, Setting } from "./setting";

/** Ten minutes in a soak. */
const IDLE_MS = 60_000;

describe("buckets of the S3 driver at a real store", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: StoreAdmin;
  let client: DriverClient;
  let idle: RunningDriver;
  let idleSince: number;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    ({ client } = await setting.startDriver());
    idle = await setting.startDriver();
    idleSince = Date.now();
  });

  after(() => setting.stop());

  afterEach(async () => {
    setting.proxy.fateOf = () => "pass";
    assert.deepEqual(await intents(), [], "a test leaves no intent behind");
  });

  const intents = async () => (await admin.users()).filter((name) => name.startsWith("cosi-intent-"));

  /** Decides the fate of the first request that fits; all others pass. */
  function once(fits: (request: StoreRequest) => boolean, fate: Fate): void {
    let over = false;
    setting.proxy.fateOf = (request) => {
      if (over || !fits(request)) {
        return "pass";
      }
      over = true;
      return fate;
    };
  }

  const createsBucket = ({ method, url }: StoreRequest) => method === "PUT" && /^\/[^/?]+\/?$/.test(url);
  const tagsBucket = ({ method, url }: StoreRequest) => method === "PUT" && url.includes("?tagging");

  it("creates a bucket under its name and says how to reach it [GRPC-003]", async () => {
    const name = admin.name();
    const reply = await client.create(name);
    assert.deepEqual(reply, {
      bucketId: name,
      bucketInfo: {
        type: {
          $case: "s3",
          value: { region: setting.store.region, signatureVersion: S3SignatureVersion.S3V4 },
        },
      },
    });
    assert.equal(await admin.bucketsNamed(name), 1);
  });

  it("answers ten equal creates alike, whatever the order of the parameters, with one bucket [GRPC-019]", async () => {
    const name = admin.name();
    const first = await client.create(name, { versioning: "true", region: setting.store.region });
    for (let repeat = 1; repeat < 10; repeat++) {
      assert.deepEqual(
        await client.create(name, { region: setting.store.region, versioning: "true" }),
        first,
      );
    }
    assert.equal(await admin.bucketsNamed(name), 1);
  });

  it("refuses a known name with other parameters and changes nothing [GRPC-020] [GRPC-059]", async () => {
    const name = admin.name();
    await client.create(name, { versioning: "true" });
    const before = await admin.settingsOf(name);
    for (const other of [{}, { versioning: "false" }, { versioning: "true", emptyOnDelete: "true" }]) {
      const { details } = await refusal(client.create(name, other), status.ALREADY_EXISTS);
      assert.match(details, new RegExp(`"${name}".*versioning=true`));
    }
    assert.deepEqual(await admin.settingsOf(name), before);
  });

  it("judges a repeat after it was killed and started again [GRPC-021]", async () => {
    const name = admin.name();
    const first = await setting.startDriver();
    const reply = await first.client.create(name, { versioning: "true" });
    await first.driver.stop("SIGKILL");
    const second = await setting.startDriver();
    assert.deepEqual(await second.client.create(name, { versioning: "true" }), reply);
    await refusal(second.client.create(name, {}), status.ALREADY_EXISTS);
  });

  for (const [step, fits] of [
    ["the request for the bucket", createsBucket],
    ["the versioning", ({ method, url }: StoreRequest) => method === "PUT" && url.includes("?versioning")],
    ["the mark", tagsBucket],
  ] as const) {
    for (const fate of ["refuse", "lose reply"] as const) {
      it(`finishes a create whose step "${step}" failed (${fate}) [GRPC-021] [GRPC-057]`, async () => {
        const name = admin.name();
        // As often as the SDK would try again by itself.
        setting.proxy.fateOf = (request) => (fits(request) ? fate : "pass");
        await refusal(client.create(name, { versioning: "true" }), status.UNAVAILABLE);
        setting.proxy.fateOf = () => "pass";
        assert.equal((await client.create(name, { versioning: "true" })).bucketId, name);
        assert.deepEqual(await admin.settingsOf(name), {
          tags: [
            { Key: "cosi-driver", Value: "s3.integration.test" },
            { Key: "cosi-parameters", Value: "versioning=true" },
          ],
          versioning: "Enabled",
        });
        assert.equal(await admin.bucketsNamed(name), 1);
      });
    }
  }

  it("finishes a create in which it was killed between bucket and mark, and only that one [GRPC-021]", async () => {
    const name = admin.name();
    const first = await setting.startDriver();
    const reached = new Promise<void>((resolve) => {
      setting.proxy.fateOf = (request) => {
        if (!tagsBucket(request)) {
          return "pass";
        }
        resolve();
        return new Promise(() => undefined);
      };
    });
    const call = first.client.create(name);
    call.catch(() => undefined);
    await reached;
    await first.driver.stop("SIGKILL");
    setting.proxy.fateOf = () => "pass";
    assert.deepEqual(await admin.settingsOf(name), { tags: "NoSuchTagSet", versioning: undefined });

    await refusal(client.create(name, { versioning: "true" }), status.ALREADY_EXISTS);
    await client.create(name);
    await client.delete(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("deletes a bucket whose create was cut short before the mark [GRPC-057]", async () => {
    const name = admin.name();
    setting.proxy.fateOf = (request) => (tagsBucket(request) ? "refuse" : "pass");
    await refusal(client.create(name), status.UNAVAILABLE);
    setting.proxy.fateOf = () => "pass";
    await client.delete(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("completes a create whose caller gave up, and finds it done on the repeat [GRPC-057]", async () => {
    const name = admin.name();
    once(createsBucket, new Promise((resolve) => setTimeout(resolve, 300)));
    await refusal(client.create(name, {}, 50), status.DEADLINE_EXCEEDED);
    assert.equal((await client.create(name)).bucketId, name);
    assert.equal(await admin.bucketsNamed(name), 1);
    await client.delete(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  for (const [what, tags, versioned, objects] of [
    ["an empty bucket without tags", {}, false, 0],
    ["a bucket with objects and settings", {}, true, 1],
    ["a bucket with tags of its own", { team: "x" }, false, 0],
    ["a bucket of another driver", { "cosi-driver": "s3.other.test", "cosi-parameters": "" }, false, 0],
  ] as const) {
    it(`never adopts nor deletes ${what} [GRPC-022]`, async () => {
      const name = admin.name();
      await admin.makeBucket(name, tags);
      if (versioned) {
        const VersioningConfiguration = { Status: "Enabled" } as const;
        await admin.s3.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
      }
      for (let count = 0; count < objects; count++) {
        await admin.put(name, `object-${count}`);
      }
      const before = await admin.settingsOf(name);

      const { details } = await refusal(client.create(name), status.ALREADY_EXISTS);
      assert.match(details, new RegExp(`"${name}".*not made by this driver`));
      const kept = await refusal(client.delete(name), status.FAILED_PRECONDITION);
      assert.match(kept.details, new RegExp(`"${name}"`));

      assert.deepEqual(await admin.settingsOf(name), before);
      assert.equal(await admin.countContents(name), objects);
      if (objects > 0) {
        assert.equal(await admin.get(name, "object-0"), "text");
      }
    });
  }

  it("does not take a bucket for its own that someone made while its create was on the way", async () => {
    const name = admin.name();
    let made: Promise<void> | undefined;
    once(createsBucket, (made = Promise.resolve().then(() => admin.makeBucket(name))));
    await refusal(client.create(name), status.ALREADY_EXISTS);
    await made;
    await refusal(client.create(name), status.ALREADY_EXISTS);
    assert.deepEqual(await admin.settingsOf(name), { tags: "NoSuchTagSet", versioning: undefined });
  });

  it("answers OK to the delete of a bucket that is gone, by itself or behind its back [GRPC-023] [CASE-P03]", async () => {
    const [first, second] = [admin.name(), admin.name()];
    await client.create(first);
    await client.delete(first);
    await client.delete(first);
    await client.create(second);
    await admin.removeBucket(second);
    await client.delete(second);
    await client.delete(admin.name());
  });

  it("accepts the parameters of the create in the delete context, and deletes without any [GRPC-033] [GRPC-049]", async () => {
    const [first, second] = [admin.name(), admin.name()];
    const params = { versioning: "true", region: setting.store.region };
    await client.create(first, params);
    await client.delete(first, params);
    await client.create(second);
    await client.delete(second);
    assert.equal((await admin.bucketsNamed(first)) + (await admin.bucketsNamed(second)), 0);
  });

  it("refuses to delete a bucket with objects and removes nothing [GRPC-077]", async () => {
    const name = admin.name();
    await client.create(name);
    await admin.put(name, "folder/object");
    const { details } = await refusal(client.delete(name), status.FAILED_PRECONDITION);
    assert.match(details, new RegExp(`"${name}".*objects`));
    assert.equal(await admin.get(name, "folder/object"), "text");
    await admin.remove(name, "folder/object");
    await client.delete(name);
  });

  it("refuses to delete a bucket that holds old versions or unfinished uploads alone [GRPC-077]", async () => {
    const [versions, uploads] = [admin.name(), admin.name()];
    await client.create(versions, { versioning: "true" });
    await admin.put(versions, "object");
    await admin.remove(versions, "object");
    await refusal(client.delete(versions), status.FAILED_PRECONDITION);
    assert.equal(await admin.countContents(versions), 2);

    await client.create(uploads);
    await admin.s3.send(new CreateMultipartUploadCommand({ Bucket: uploads, Key: "object" }));
    const { details } = await refusal(client.delete(uploads), status.FAILED_PRECONDITION);
    assert.match(details, /unfinished multipart uploads/);
    assert.equal(await admin.countContents(uploads), 1);
  });

  it("empties a bucket first that was created with emptyOnDelete, whatever the context says [GRPC-077]", async () => {
    const name = admin.name();
    await client.create(name, { versioning: "true", emptyOnDelete: "true" });
    for (let count = 0; count < 30; count++) {
      await admin.put(name, `folder/object-${count % 10}`);
    }
    await admin.remove(name, "folder/object-1");
    await admin.s3.send(new CreateMultipartUploadCommand({ Bucket: name, Key: "object" }));
    await client.delete(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("asks for emptyOnDelete at the create, not at the delete", async () => {
    const name = admin.name();
    await client.create(name);
    await admin.put(name, "object");
    await refusal(client.delete(name, { emptyOnDelete: "true" }), status.FAILED_PRECONDITION);
    assert.equal(await admin.get(name, "object"), "text");
  });

  it("passes the store's reason on when it refuses a name, and makes nothing [GRPC-065]", async () => {
    const { details } = await refusal(client.create("Bad_Name"), status.INVALID_ARGUMENT);
    assert.match(details, /"Bad_Name".*InvalidBucketName: The specified bucket is not valid/);
  });

  it("answers twenty equal creates at once with one bucket [GRPC-040]", async () => {
    const name = admin.name();
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.create(name)));
    assert.ok(replies.every(({ bucketId }) => bucketId === name));
    assert.equal(await admin.bucketsNamed(name), 1);
  });

  it("serves as the same process a minute after its last call [GRPC-106]", async () => {
    await new Promise((resolve) => setTimeout(resolve, idleSince + IDLE_MS - Date.now()));
    assert.deepEqual(await idle.client.getInfo(), { name: DRIVER_NAME });
    assert.equal(readlinkSync(`/proc/${idle.driver.pid}/exe`), process.execPath);
  });
});
