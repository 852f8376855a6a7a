import { status } from "@grpc/grpc-js";
import {
  CreateMultipartUploadCommand,
  PutObjectLegalHoldCommand,
  PutObjectLockConfigurationCommand,
} from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { type DriverClient, refusal } from "../../drivers/s3/support/driver-client";
import type { StoreRequest } from "../../drivers/s3/support/fake-store";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Setting } from "./setting";

/** More than one page of the store's listing. */
const MANY = 1_010;

const EMPTY_ON_DELETE = { emptyOnDelete: "true" } as const;

describe("emptying a bucket at a real store", function () {
  this.timeout(300_000);
  let setting: Setting;
  let admin: StoreAdmin;
  let client: DriverClient;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    ({ client } = await setting.startDriver());
  });

  after(() => setting.stop());

  afterEach(() => {
    setting.proxy.fateOf = () => "pass";
  });

  const removesObjects = ({ method, url }: StoreRequest) => method === "POST" && url.includes("?delete");

  /** A bucket with objects of the given number, made by the driver and to be emptied. */
  async function filledBucket(count: number, params: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = admin.name();
    await client.create(name, { ...EMPTY_ON_DELETE, ...params });
    await manyAtOnce(count, (index) => admin.put(name, `folder-${index % 7}/object-${index}`));
    return name;
  }

  /** Holds the first removal of objects after the given number until it is released. */
  function holdRemoval(after: number): { readonly reached: Promise<void>; readonly release: () => void } {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      let seen = 0;
      setting.proxy.fateOf = (request) => {
        if (!removesObjects(request) || seen++ < after) {
          return "pass";
        }
        resolve();
        return released;
      };
    });
    return { reached, release };
  }

  it("removes more objects and uploads than one page of a listing, whatever their keys [GRPC-077]", async () => {
    const name = await filledBucket(MANY);
    for (const key of ["folder/", "a&b<c> é+%20.txt", "x//y", `k'"q`, "k".repeat(250)]) {
      await admin.put(name, key);
    }
    await manyAtOnce(MANY, (index) =>
      admin.s3.send(new CreateMultipartUploadCommand({ Bucket: name, Key: `upload-${index}` })),
    );
    await client.deleteToTheEnd(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("removes more versions and delete markers than one page of a listing [GRPC-077]", async () => {
    const name = await filledBucket(0, { versioning: "true" });
    await manyAtOnce(MANY, (index) => admin.put(name, `object-${index % 100}`));
    await manyAtOnce(100, (index) => admin.remove(name, `object-${index}`));
    await client.deleteToTheEnd(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("goes on where it was killed when the same delete comes again [GRPC-057] [GRPC-077]", async () => {
    const name = await filledBucket(MANY);
    const first = await setting.startDriver();
    const { reached } = holdRemoval(1);
    first.client.delete(name).catch(() => undefined);
    await reached;
    await first.driver.stop("SIGKILL");
    const left = await admin.countContents(name);
    assert.ok(left > 0 && left < MANY, `${left} left`);

    setting.proxy.fateOf = () => "pass";
    await client.deleteToTheEnd(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("ends after its present step on SIGTERM, says how far it came, and goes on after a restart [GRPC-108]", async () => {
    const name = await filledBucket(3);
    const first = await setting.startDriver();
    const { reached, release } = holdRemoval(0);
    const call = refusal(first.client.delete(name), status.UNAVAILABLE);
    await reached;
    const ended = first.driver.stop("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 300));
    release();
    assert.match((await call).details, /being stopped; 3 objects, .* removed so far; delete again/);
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.equal(await admin.bucketsNamed(name), 1);

    setting.proxy.fateOf = () => "pass";
    await client.deleteToTheEnd(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("goes on when its caller gave up, and a repeat joins in instead of emptying twice [GRPC-057] [GRPC-040]", async () => {
    const name = await filledBucket(3);
    const { reached, release } = holdRemoval(0);
    const hold = setting.proxy.fateOf;
    let removals = 0;
    setting.proxy.fateOf = (request) => {
      removals += Number(removesObjects(request));
      return hold(request);
    };
    await refusal(client.delete(name, {}, 300), status.DEADLINE_EXCEEDED);
    await reached;
    const repeats = [client.delete(name), client.delete(name, EMPTY_ON_DELETE)];
    for (const call of [client.create(name, EMPTY_ON_DELETE), client.grant(name, admin.name())]) {
      const { details } = await refusal(call, status.ABORTED);
      assert.match(details, new RegExp(`"${name}".*being emptied and deleted: 0 objects`));
    }
    release();
    assert.deepEqual(await Promise.all(repeats), [{}, {}]);
    assert.equal(removals, 1);
    assert.equal(await admin.bucketsNamed(name), 0);

    await client.create(name, EMPTY_ON_DELETE);
    await client.delete(name);
  });

  it("finishes a delete whose caller gave up, without another call [GRPC-057]", async () => {
    const name = await filledBucket(3);
    const { reached, release } = holdRemoval(0);
    await refusal(client.delete(name, {}, 300), status.DEADLINE_EXCEEDED);
    await reached;
    release();
    const end = Date.now() + 30_000;
    while ((await admin.bucketsNamed(name)) > 0) {
      assert.ok(Date.now() < end, "the bucket is still there");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  it("names the first object that is locked, and finishes once it is not [GRPC-067] [GRPC-059]", async () => {
    const name = await filledBucket(5, { versioning: "true" });
    await admin.s3.send(
      new PutObjectLockConfigurationCommand({
        Bucket: name,
        ObjectLockConfiguration: { ObjectLockEnabled: "Enabled" },
      }),
    );
    const locked = ["folder-2/object-2", "folder-3/object-3"];
    const hold = (Key: string, Status: "ON" | "OFF") =>
      admin.s3.send(new PutObjectLegalHoldCommand({ Bucket: name, Key, LegalHold: { Status } }));
    for (const key of locked) {
      await hold(key, "ON");
    }
    for (let repeat = 0; repeat < 2; repeat++) {
      const { details } = await refusal(client.delete(name), status.PERMISSION_DENIED);
      assert.match(details, new RegExp(`"${name}".*"folder-2/object-2" \\(version .*AccessDenied.*1 more`));
      assert.equal(await admin.countContents(name), locked.length);
    }
    for (const key of locked) {
      await hold(key, "OFF");
    }
    await client.deleteToTheEnd(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("takes along what arrives meanwhile", async () => {
    const name = await filledBucket(3);
    let arrived = false;
    setting.proxy.fateOf = (request) => {
      if (!removesObjects(request) || arrived) {
        return "pass";
      }
      arrived = true;
      return admin.put(name, "a-late-object");
    };
    await client.deleteToTheEnd(name);
    assert.ok(arrived);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("gives up on a bucket that is written to all the time, and names what is in it [GRPC-077]", async () => {
    const name = await filledBucket(3);
    let late = 0;
    setting.proxy.fateOf = (request) =>
      removesObjects(request) ? admin.put(name, `late-object-${++late}`) : "pass";
    const { details } = await refusal(client.delete(name), status.FAILED_PRECONDITION);
    assert.match(
      details,
      new RegExp(`"${name}".*objects, the first "late-object-2"; .*stop what writes to it`),
    );
    setting.proxy.fateOf = () => "pass";
    await client.deleteToTheEnd(name);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("answers OK when the bucket is removed behind its back meanwhile [GRPC-023]", async () => {
    const name = await filledBucket(3);
    const { reached, release } = holdRemoval(0);
    const call = client.delete(name);
    await reached;
    await manyAtOnce(3, (index) => admin.remove(name, `folder-${index % 7}/object-${index}`));
    await admin.removeBucket(name);
    release();
    assert.deepEqual(await call, {});
  });

  describe("has limits that the README names, at a store that does not list what it holds:", () => {
    it("a bucket that holds nothing but objects below a folder .uploads is taken for empty", async () => {
      const name = admin.name();
      await client.create(name);
      await admin.put(name, "x/.uploads/hidden");
      assert.equal(await admin.countContents(name), 0);
      await client.delete(name);
      assert.equal(await admin.bucketsNamed(name), 0);
    });

    it("objects under names with control characters stay, and the error says how to go on", async () => {
      const name = await filledBucket(0);
      await admin.put(name, "a\x01b");
      const { details } = await refusal(client.delete(name), status.FAILED_PRECONDITION);
      assert.match(details, /names other than their own, as some do with control characters/);
      await admin.remove(name, "a\x01b");
      await client.deleteToTheEnd(name);
    });
  });
});

/** Does something for each number below the given one, sixteen at a time. */
async function manyAtOnce(count: number, action: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      await action(next++);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
