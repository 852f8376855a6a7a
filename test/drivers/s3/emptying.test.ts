import type { S3Client } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { emptyBucket } from "../../../drivers/s3/core/bucket-contents";
import { DriverError, type ErrorKind } from "../../../drivers/common/driver-error";
import { Emptyings } from "../../../drivers/s3/core/emptyings";
import { createDriver } from "../../../drivers/s3/core/driver";
import { connectStore } from "../../../drivers/s3/core/store";
import { createLog } from "../../../drivers/common/log";
import { type FakeStore, type StoreRequest, startFakeStore, storeError } from "./support/fake-store";
import { fakeStoreConfig } from "./support/fake-store-config";
import { SmallStore } from "./support/small-store";
import { deleteResult, uploadsPage, versionsPage } from "./support/listings";

describe("emptying a bucket, at a fake store", () => {
  const silent = createLog("error", () => undefined);
  let store: FakeStore;
  let s3: S3Client;

  before(async () => {
    store = await startFakeStore();
    s3 = connectStore(fakeStoreConfig(store.endpoint), silent).s3;
  });

  after(() => store.stop());

  const listsVersions = ({ method, url }: StoreRequest) => method === "GET" && url.includes("versions");

  /** A store whose bucket holds the objects of these keys until they are asked to be removed. */
  function holding(keys: readonly string[], errors: readonly { key: string; code: string }[] = []): void {
    let left = keys;
    store.answer = (request) => {
      if (listsVersions(request)) {
        return versionsPage(left);
      }
      if (request.method === "POST") {
        left = [];
        return deleteResult(errors);
      }
      return uploadsPage([]);
    };
  }

  for (const [code, kind] of [
    ["AccessDenied", "permission-denied"],
    ["InternalError", "unavailable"],
    ["SlowDown", "resource-exhausted"],
    ["SomethingOdd", "failed-precondition"],
  ] satisfies [string, ErrorKind][]) {
    it(`is ${kind} when the store keeps objects for ${code}, and names the first of a thousand`, async () => {
      const keys = Array.from({ length: 1000 }, (_, index) => `object-${index}`);
      holding(
        keys,
        keys.map((key) => ({ key, code })),
      );
      await assert.rejects(emptyBucket(s3, "photos"), (error) => {
        assert.ok(error instanceof DriverError);
        assert.equal(error.kind, kind);
        assert.match(error.message, new RegExp(`object "object-0": ${code}: why.* 999 more`));
        assert.ok(error.message.length < 400 && !error.message.includes("object-1"));
        return true;
      });
    });
  }

  it("counts an object or an upload as removed that is gone by then", async () => {
    holding(
      ["a", "b"],
      [
        { key: "a", code: "NoSuchKey" },
        { key: "b", code: "NoSuchVersion" },
      ],
    );
    const answer = store.answer;
    let uploads = ["u"];
    store.answer = (request) => {
      if (request.method === "DELETE") {
        uploads = [];
        return storeError(404, "NoSuchUpload");
      }
      return request.url.includes("uploads") ? uploadsPage(uploads) : answer(request);
    };
    let removed = 0;
    await emptyBucket(s3, "photos", (count) => (removed += count));
    assert.equal(removed, 3);
  });

  it("stops asking a store that lists the same objects for ever", async () => {
    store.answer = (request) =>
      listsVersions(request)
        ? versionsPage(["stays"])
        : request.method === "POST"
          ? deleteResult([])
          : uploadsPage([]);
    const before = store.requests.length;
    await emptyBucket(s3, "photos");
    assert.equal(store.requests.slice(before).filter(({ method }) => method === "POST").length, 2);
  });

  it("leaves alone what somebody else has made meanwhile under its name [GRPC-022]", async () => {
    const small = new SmallStore();
    store.answer = (request) => {
      const answer = small.answer(request);
      if (request.url.includes("delete"))
        small.buckets.set("photos", { tags: { team: "other" }, isVersioned: false, keys: ["precious"] });
      return answer;
    };
    const driver = createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), silent);
    await driver.buckets.create("photos", new Map([["emptyOnDelete", "true"]]));
    small.buckets.get("photos")?.keys.push("ours");
    await assert.rejects(driver.buckets.delete("photos"), (error) => {
      assert.ok(error instanceof DriverError);
      assert.equal(error.kind, "failed-precondition");
      assert.match(error.message, /somebody removed it and made another one.* is left alone/);
      return true;
    });
    assert.deepEqual(small.buckets.get("photos")?.keys, ["precious"]);
  });

  it("leaves an empty bucket alone that somebody else has made meanwhile under its name [GRPC-022]", async () => {
    const small = new SmallStore();
    const driver = createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), silent);
    store.answer = small.answer;
    await driver.buckets.create("photos", new Map([["emptyOnDelete", "true"]]));
    store.answer = (request) => {
      if (request.url.includes("uploads")) small.buckets.set("photos", { isVersioned: false, keys: [] });
      return small.answer(request);
    };
    await assert.rejects(driver.buckets.delete("photos"), /is left alone/);
    assert.ok(small.buckets.has("photos"));
  });

  it("asks no more than once whether the bucket is still the one, if it takes a moment", async () => {
    const small = new SmallStore();
    const driver = createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), silent);
    store.answer = small.answer;
    await driver.buckets.create("photos", new Map([["emptyOnDelete", "true"]]));
    small.buckets.get("photos")?.keys.push("a", "b");
    const before = store.requests.length;
    await driver.buckets.delete("photos");
    const looks = store.requests.slice(before).filter(({ url }) => url.includes("tagging"));
    // The first is the look of every delete.
    assert.equal(looks.length, 2);
    assert.ok(!small.buckets.has("photos"));
  });

  describe("that takes long", () => {
    it("tells a call that waited long enough how far it is, and goes on", async () => {
      const emptyings = new Emptyings(silent, 20);
      let finish: () => void = () => undefined;
      const emptying = emptyings.start("photos", async (removed) => {
        removed(1000);
        await new Promise<void>((resolve) => (finish = resolve));
      });
      await assert.rejects(emptying.finished(), (error) => {
        assert.ok(error instanceof DriverError);
        assert.equal(error.kind, "aborted");
        assert.match(error.message, /1000 objects.*goes on; call again/);
        return true;
      });
      assert.equal(emptyings.find("photos"), emptying);
      finish();
      await emptyings.find("photos")?.finished();
      assert.equal(emptyings.find("photos"), undefined);
    });

    it("ends with its failure for every call that waits, and is one line of the log", async () => {
      const lines: string[] = [];
      const emptyings = new Emptyings(createLog("info", (line) => lines.push(line)));
      const fail = () => Promise.reject(new DriverError("permission-denied", "locked"));
      const emptying = emptyings.start("photos", fail);
      for (const call of [emptying.finished(), emptying.finished()]) {
        await assert.rejects(call, /locked/);
      }
      assert.equal(lines.length, 1);
      assert.match(lines.join(""), /"level":"error".*"emptying failed".*photos.*"removed":0.*locked/);
      assert.equal(emptyings.find("photos"), undefined);
    });
  });
});
