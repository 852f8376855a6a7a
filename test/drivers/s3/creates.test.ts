import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { createLog } from "../../../drivers/common/log";
import { createDriver, type Driver } from "../../../drivers/s3/core/driver";
import { FreshUsers } from "../../../drivers/s3/core/fresh-users";
import { kindOf } from "../../../drivers/s3/core/store-error";
import {
  type Answer,
  type FakeStore,
  type StoreRequest,
  startFakeStore,
  storeError,
} from "./support/fake-store";
import { fakeStoreConfig } from "./support/fake-store-config";
import { SmallStore } from "./support/small-store";

const NONE = new Map<string, string>();
const VERSIONED = new Map([["versioning", "true"]]);

describe("creates of the S3 driver, at a small store", () => {
  let store: FakeStore;
  let small: SmallStore;
  let driver: Driver;
  let logLines: string[];
  /** Answers in place of the store. */
  let fault: (request: StoreRequest) => Answer | undefined;

  before(async () => {
    store = await startFakeStore();
  });

  after(() => store.stop());

  beforeEach(() => {
    small = new SmallStore();
    logLines = [];
    fault = () => undefined;
    store.answer = (request) => fault(request) ?? small.answer(request);
    driver = driverAt(store.endpoint);
  });

  function driverAt(endpoint: string): Driver {
    const log = createLog("error", (line) => logLines.push(line));
    return createDriver("s3.test.dev", fakeStoreConfig(endpoint), log, new FreshUsers(300));
  }

  const isBareCreate = ({ method, url }: StoreRequest) => method === "PUT" && !/tagging|versioning/.test(url);

  async function kindOfFailure(call: Promise<unknown>) {
    return call.then(() => undefined, kindOf);
  }

  function assertComplete(): void {
    const bucket = small.buckets.get("photos");
    assert.equal(bucket?.tags?.["cosi-driver"], "s3.test.dev");
    assert.equal(bucket.isVersioned, true);
    assert.deepEqual([...small.users.keys()], []);
  }

  it("that the store does later than it answers are finished by the same call [GRPC-021] [GRPC-057]", async () => {
    let creates = 0;
    fault = (request) => {
      if (!isBareCreate(request)) return undefined;
      if (++creates === 1) return storeError(503, "ServiceUnavailable");
      // By now the first request has come to its end.
      small.answer(request);
      return undefined;
    };
    assert.equal(await kindOfFailure(driver.buckets.create("photos", VERSIONED)), "unavailable");
    await driverAt(store.endpoint).buckets.create("photos", VERSIONED);
    assertComplete();
    await driver.buckets.delete("photos");
  });

  it("whose bucket the store shows late, also to the repeat, are finished by one more [GRPC-021]", async () => {
    let hidden = 0;
    fault = (request) => {
      const isAbout = /tagging|versioning/.test(request.url) && small.buckets.has("photos");
      return isAbout && ++hidden <= 3 ? storeError(404, "NoSuchBucket") : undefined;
    };
    assert.equal(await kindOfFailure(driver.buckets.create("photos", VERSIONED)), "unavailable");
    assert.equal(await kindOfFailure(driver.buckets.create("photos", VERSIONED)), "unavailable");
    await driver.buckets.create("photos", VERSIONED);
    assertComplete();
  });

  it("that were cut short are finished though IAM does not show their record at once [GRPC-021]", async () => {
    fault = ({ method, url }) =>
      method === "PUT" && url.includes("versioning") ? storeError(503, "ServiceUnavailable") : undefined;
    assert.equal(await kindOfFailure(driver.buckets.create("photos", VERSIONED)), "unavailable");
    let behind = 1;
    fault = ({ action }) =>
      action === "ListUserTags" && behind-- > 0 ? storeError(404, "NoSuchEntity") : undefined;
    await driverAt(store.endpoint).buckets.create("photos", VERSIONED);
    assertComplete();
  });

  it("find a bucket of somebody else, who was faster, and leave it alone [GRPC-022]", async () => {
    fault = (request) => {
      if (isBareCreate(request)) small.answer(request);
      return undefined;
    };
    assert.equal(await kindOfFailure(driver.buckets.create("photos", NONE)), "already-exists");
    assert.deepEqual(small.buckets.get("photos"), { isVersioned: false, keys: [] });
    assert.deepEqual([...small.users.keys()], []);
  });

  it("find what another account has made since the first attempt, and leave it alone [GRPC-022]", async () => {
    fault = (request) => (isBareCreate(request) ? storeError(503, "ServiceUnavailable") : undefined);
    assert.equal(await kindOfFailure(driver.buckets.create("photos", NONE)), "unavailable");
    fault = (request) =>
      isBareCreate(request)
        ? storeError(409, "BucketAlreadyExists")
        : request.url.includes("tagging")
          ? storeError(403, "AccessDenied")
          : request.url.startsWith("/?")
            ? { status: 200, body: "<ListAllMyBucketsResult/>" }
            : undefined;
    assert.equal(await kindOfFailure(driver.buckets.create("photos", NONE)), "already-exists");
  });

  for (const code of ["AccessDenied", "ExpiredToken"]) {
    it(`are done once the bucket bears its mark, also if the record may not be removed: ${code}`, async () => {
      fault = ({ action }) => (action === "DeleteUser" ? storeError(403, code) : undefined);
      await driver.buckets.create("photos", NONE);
      assert.ok(small.buckets.get("photos")?.tags);
      assert.match(logLines.join(""), new RegExp(`"record left".*photos.*${code}`));
      fault = () => undefined;
      await driver.buckets.delete("photos");
      assert.deepEqual([...small.users.keys()], []);
    });
  }

  it("work with a clock that is off by minutes, and are sent once more only where the store has refused them", async () => {
    const asked: string[] = [];
    const now = () => Date.now() + 20 * 60_000;
    let isIll = false;
    const listener: RequestListener = (message, response) => {
      void text(message).then((body) => {
        const action = new URLSearchParams(body).get("Action") ?? undefined;
        const sent = String(message.headers["x-amz-date"]).replace(
          /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/,
          "$1-$2-$3T$4:$5:$6Z",
        );
        const request = { method: message.method ?? "", url: message.url ?? "", action, body };
        const late = Math.abs(Date.parse(sent) - now()) > 5 * 60_000;
        const answer =
          isIll && action === "CreateUser"
            ? storeError(503, "ServiceUnavailable")
            : late
              ? storeError(403, action === undefined ? "RequestTimeTooSkewed" : "SignatureDoesNotMatch")
              : small.answer(request);
        asked.push(`${action ?? request.method} ${/<Code>(\w+)/.exec(answer.body)?.[1] ?? "OK"}`);
        const isError = action !== undefined && answer.body.startsWith("<Error>");
        response
          .writeHead(answer.status, {
            "content-type": "application/xml",
            date: new Date(now()).toUTCString(),
          })
          .end(isError ? `<ErrorResponse>${answer.body}</ErrorResponse>` : answer.body);
      });
    };
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await driverAt(endpoint).buckets.create("photos", NONE);
      assert.ok(small.buckets.has("photos"));
      asked.length = 0;
      isIll = true;
      assert.equal(await kindOfFailure(driverAt(endpoint).buckets.create("music", NONE)), "unavailable");
      assert.deepEqual(
        asked.filter((line) => line.startsWith("CreateUser")),
        ["CreateUser ServiceUnavailable"],
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
