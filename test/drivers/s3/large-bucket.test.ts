import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { makeFolders, startDriver } from "./support/driver-process";
import { type FakeStore, type StoreRequest, iamOk, startFakeStore } from "./support/fake-store";
import { SECRET } from "./support/fake-store-config";
import { deleteResult, uploadsPage, versionsPage } from "./support/listings";

/** Pages of the bucket's listing, of a thousand keys each. */
const PAGES = 80;

/** 80 MB of keys in all, with a heap of 64 MB. */
const KEY_LENGTH = 1_000;

/** What the README of the driver promises. */
const MEMORY_MIB = 256;

describe("a bucket with more objects than the driver has memory", function () {
  this.timeout(300_000);
  const folders = makeFolders();
  let store: FakeStore;

  before(async () => {
    store = await startFakeStore();
  });

  after(async () => {
    await store.stop();
    folders.remove();
  });

  it("is emptied page by page", async () => {
    let page = 0;
    let removals = 0;
    store.answer = ({ method, url, action }: StoreRequest) => {
      if (action !== undefined) {
        return iamOk(action);
      }
      if (url.includes("tagging")) {
        return { status: 200, body: TAGGING };
      }
      if (method === "POST") {
        removals++;
        return deleteResult([]);
      }
      if (method === "DELETE" || url.includes("uploads") || page === PAGES) {
        return uploadsPage([]);
      }
      page++;
      const keys = Array.from({ length: 1000 }, (_, index) => `${page}-${index}-`.padEnd(KEY_LENGTH, "x"));
      return versionsPage(keys, page < PAGES ? keys.at(-1) : undefined);
    };
    const { driver, client } = await startDriver(folders.socket, {
      workFolder: folders.workFolder,
      env: {
        AWS_REGION: "eu-test-1",
        AWS_ACCESS_KEY_ID: "admin",
        AWS_SECRET_ACCESS_KEY: SECRET,
        S3_DRIVER_S3_ENDPOINT: store.endpoint,
        S3_DRIVER_NAME: "s3.test.dev",
        NODE_OPTIONS: "--max-old-space-size=64",
      },
    });
    try {
      await client.deleteToTheEnd("photos");
      assert.equal(removals, PAGES);
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${driver.pid}/status`, "utf8"))?.[1]);
      assert.ok(peak <= MEMORY_MIB * 1024, `${peak} KiB`);
    } finally {
      client.close();
      await driver.stop("SIGKILL");
    }
  });
});

const TAGGING = `<Tagging><TagSet>
  <Tag><Key>cosi-driver</Key><Value>s3.test.dev</Value></Tag>
  <Tag><Key>cosi-parameters</Key><Value>emptyOnDelete=true</Value></Tag>
</TagSet></Tagging>`;
