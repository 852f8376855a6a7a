import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { Calls } from "../../../drivers/common/calls/calls";
import { cosiV1alpha1 } from "../../../drivers/s3/contracts/cosi-v1alpha1/services";
import { toDriverError } from "../../../drivers/s3/core/store-error";
import { createDriver } from "../../../drivers/s3/core/driver";
import { createLog } from "../../../drivers/common/log";
import { type DriverServer, startServer } from "../../../drivers/common/server/driver-server";
import {
  AuthenticationType,
  DriverGrantBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { DriverClient, refusal } from "./support/driver-client";
import { makeFolders } from "./support/driver-process";
import { type FakeStore, iamOk, startFakeStore, storeError } from "./support/fake-store";
import { SECRET, fakeStoreConfig } from "./support/fake-store-config";

describe("cosi.v1alpha1 of the S3 driver, at a fake store", () => {
  const folders = makeFolders();
  const logLines: string[] = [];
  let store: FakeStore;
  let server: DriverServer;
  let client: DriverClient;

  before(async () => {
    store = await startFakeStore();
    const log = createLog("debug", (line) => logLines.push(line));
    const driver = createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), log);
    server = await startServer(
      { path: folders.socket, mode: 0o600, variable: "COSI_ENDPOINT" },
      cosiV1alpha1(driver, new Calls(log, toDriverError)),
    );
    client = new DriverClient(folders.socket);
  });

  after(async () => {
    client.close();
    await server.stop(Promise.resolve());
    await store.stop();
    folders.remove();
  });

  beforeEach(() => {
    store.answer = () => storeError(500, "NotExpectedHere");
  });

  it("tells the name it was given", async () => {
    assert.deepEqual(await client.getInfo(), { name: "s3.test.dev" });
  });

  const { Key, IAM, UnknownAuthenticationType } = AuthenticationType;
  for (const [field, call] of [
    ["name", () => client.create("")],
    ["bucket_id", () => client.delete("")],
    ["bucket_id", () => client.grant("", "a")],
    ["name", () => client.grant("b", "")],
    ["authentication_type", () => client.grant("b", "a", {}, UnknownAuthenticationType)],
    ["bucket_id", () => client.revoke("", "u")],
    ["account_id", () => client.revoke("b", "")],
  ] as const) {
    it(`refuses a call without ${field} by that name: ${call.toString().slice(13)} [GRPC-046]`, async () => {
      const requests = store.requests.length;
      const { details } = await refusal(call(), status.INVALID_ARGUMENT);
      assert.match(details, new RegExp(`\\b${field} is required`));
      assert.equal(store.requests.length, requests);
    });
  }

  it("refuses an authentication type that is unset, unknown or not offered, and asks the store nothing [GRPC-006]", async () => {
    const requests = store.requests.length;
    // As it comes from the wire: no value of the generated enum.
    const three = DriverGrantBucketAccessRequest.decode(Buffer.from("1803", "hex")).authenticationType;
    for (const type of [UnknownAuthenticationType, three, IAM]) {
      const { details } = await refusal(client.grant("photos", "reader", {}, type), status.INVALID_ARGUMENT);
      assert.match(details, /authentication_type/);
      assert.match(details, /"reader".*"photos"/);
    }
    assert.equal(store.requests.length, requests);
  });

  // 4097 bytes.
  const wide = { ["k".repeat(39)]: "é".repeat(2029) };
  for (const [field, call] of [
    ["name", () => client.create("b".repeat(129))],
    ["name", () => client.create("b".repeat(64))],
    ["parameters", () => client.create("b", wide)],
    ["bucket_id", () => client.delete("b".repeat(129))],
    ["delete_context", () => client.delete("b", wide)],
    ["bucket_id", () => client.grant("b".repeat(129), "a")],
    ["name", () => client.grant("b", "é".repeat(65))],
    ["parameters", () => client.grant("b", "a", wide, Key)],
    ["account_id", () => client.revoke("b", "u".repeat(129))],
    ["revoke_access_context", () => client.revoke("b", "u", wide)],
  ] as const) {
    it(`refuses a field over its limit by that name: ${call.toString().slice(13)} [GRPC-043]`, async () => {
      const { details } = await refusal(call(), status.INVALID_ARGUMENT);
      assert.match(details, new RegExp(`\\b${field} has \\d+ (bytes|characters)`));
    });
  }

  it("survives a name of a megabyte, and a text of two halves of a character", async () => {
    await refusal(client.create("b".repeat(1 << 20)), status.INVALID_ARGUMENT);
    await refusal(client.create("😀".repeat(1 << 10)), status.INVALID_ARGUMENT);
    assert.deepEqual(await client.getInfo(), { name: "s3.test.dev" });
  });

  for (const key of ["region", "versioning", "accessMode", "bucketOwner", "maxSize", "bucketLifecycle"]) {
    it(`survives a value of ${key} that cannot be repeated but in part, between characters [GRPC-058]`, async () => {
      for (const value of ["😀".repeat(500), `a${"😀".repeat(500)}`, '{"\\ud83d":1}']) {
        const { details } = await refusal(client.create("photos", { [key]: value }), status.INVALID_ARGUMENT);
        assert.match(details, new RegExp(`"photos".*key "${key}": `));
      }
      assert.deepEqual(await client.getInfo(), { name: "s3.test.dev" });
    });
  }

  for (const [what, call] of [
    ["create", (map: Record<string, string>) => client.create("photos", map)],
    ["delete", (map: Record<string, string>) => client.delete("photos", map)],
  ] as const) {
    it(`refuses unknown keys and bad values on ${what} and asks the store nothing [GRPC-033]`, async () => {
      const requests = store.requests.length;
      for (const map of [
        { nope: "1" },
        { region: "not a region!" },
        { versioning: "on" },
        { emptyOnDelete: "yes" },
      ]) {
        const { details } = await refusal(call(map), status.INVALID_ARGUMENT);
        assert.match(details, new RegExp(`"photos".*key "${Object.keys(map).join()}": `));
      }
      assert.equal(store.requests.length, requests);
    });
  }

  for (const [what, call] of [
    ["grant", (map: Record<string, string>) => client.grant("photos", "a", map)],
    ["revoke", (map: Record<string, string>) => client.revoke("photos", "a", map)],
  ] as const) {
    it(`refuses unknown keys and bad values on ${what} and asks the store nothing [GRPC-033]`, async () => {
      const requests = store.requests.length;
      for (const map of [{ nope: "1" }, { accessMode: "all" }]) {
        const { details } = await refusal(call(map), status.INVALID_ARGUMENT);
        assert.match(details, new RegExp(`"photos".*key "${Object.keys(map).join()}": `));
      }
      assert.equal(store.requests.length, requests);
    });
  }

  it("answers OUT_OF_RANGE to a region that it does not serve and INVALID_ARGUMENT to a text that is none [GRPC-072]", async () => {
    store.answer = () => storeError(404, "NoSuchBucket");
    const other = await refusal(client.create("b", { region: "xx-none-9" }), status.OUT_OF_RANGE);
    assert.match(other.details, /"xx-none-9".*"eu-test-1"/);
    await refusal(client.create("b", { region: "not a region!" }), status.INVALID_ARGUMENT);
  });

  for (const name of ["../x", ".", "..", "a/b", "a b", "arn:aws:s3:::x", "a?policy", "é"]) {
    it(`never sends "${name}" to the store as the name of a bucket`, async () => {
      const requests = store.requests.length;
      await refusal(client.create(name), status.INVALID_ARGUMENT);
      await refusal(client.grant(name, "a"), status.NOT_FOUND);
      await client.delete(name);
      assert.equal(store.requests.length, requests);
    });
  }

  const everyCall = (): [string, () => Promise<unknown>][] => [
    ["photos", () => client.create("photos")],
    ["photos", () => client.delete("photos")],
    ["photos", () => client.grant("photos", "reader")],
    ["reader", () => client.revoke("photos", "reader")],
  ];

  for (const [httpStatus, storeCode, code] of [
    [403, "AccessDenied", status.PERMISSION_DENIED],
    [403, "InvalidAccessKeyId", status.UNAUTHENTICATED],
    [403, "SignatureDoesNotMatch", status.UNAUTHENTICATED],
  ] as const) {
    it(`answers ${status[code]} when the store says ${storeCode} [GRPC-067] [GRPC-059]`, async () => {
      store.answer = () => storeError(httpStatus, storeCode);
      for (const [object, call] of everyCall()) {
        const { details } = await refusal(call(), code);
        assert.match(details, new RegExp(`"${object}".*${storeCode}: ${storeCode} said the store`));
      }
    });
  }

  for (const [httpStatus, storeCode, code] of [
    [503, "SlowDown", status.RESOURCE_EXHAUSTED],
    [400, "ThrottlingException", status.RESOURCE_EXHAUSTED],
    [500, "InternalError", status.UNAVAILABLE],
    [502, "Odd", status.UNAVAILABLE],
    [409, "OperationAborted", status.ABORTED],
    [409, "BucketAlreadyExists", status.ALREADY_EXISTS],
    [400, "InvalidBucketName", status.INVALID_ARGUMENT],
    [409, "BucketNotEmpty", status.FAILED_PRECONDITION],
    [400, "MalformedXML", status.INTERNAL],
  ] as const) {
    it(`answers ${status[code]} when the store says ${httpStatus} ${storeCode} [GRPC-080] [GRPC-058]`, async () => {
      store.answer = () => storeError(httpStatus, storeCode);
      for (const [object, call] of everyCall()) {
        const { details } = await refusal(call(), code);
        assert.match(details, new RegExp(`"${object}".*${storeCode}`));
      }
    });
  }

  it("answers UNAVAILABLE to a reply that is no reply of a store [GRPC-058]", async () => {
    store.answer = () => ({ status: 502, body: "<html>Bad Gateway</html>" });
    await refusal(client.create("photos"), status.UNAVAILABLE);
  });

  it("passes the store's reason on when it refuses the name at the create, and leaves nothing behind [GRPC-065]", async () => {
    store.answer = ({ method, action }) => {
      if (action !== undefined) {
        return iamOk(action);
      }
      return method === "GET"
        ? storeError(404, "NoSuchBucket")
        : storeError(400, "InvalidBucketName", "no underscores here");
    };
    const before = store.requests.length;
    const { details } = await refusal(client.create("Bad_Name"), status.INVALID_ARGUMENT);
    assert.match(details, /"Bad_Name".*no underscores here/);
    assert.deepEqual(
      store.requests.slice(before).map(({ method, action }) => action ?? method),
      ["GET", "CreateUser", "TagUser", "PUT", "DeleteUser"],
    );
  });

  it("answers ALREADY_EXISTS for a bucket of another account, whose tags it may not read [GRPC-022]", async () => {
    store.answer = ({ method, url, action }) => {
      if (action !== undefined) {
        return iamOk(action);
      }
      if (method === "PUT") {
        return storeError(409, "BucketAlreadyExists");
      }
      return url.startsWith("/taken")
        ? storeError(403, "AccessDenied")
        : { status: 200, body: "<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>" };
    };
    await refusal(client.create("taken"), status.ALREADY_EXISTS);
  });

  for (const [httpStatus, code] of [
    [301, "PermanentRedirect"],
    [400, "AuthorizationHeaderMalformed"],
  ] as const) {
    it(`answers ALREADY_EXISTS for a bucket in another region, to which the store says ${code} [GRPC-022]`, async () => {
      for (const owned of ["", "<Bucket><Name>taken</Name></Bucket>"]) {
        const { length } = store.requests;
        store.answer = ({ url }) =>
          url.startsWith("/taken")
            ? storeError(httpStatus, code)
            : {
                status: 200,
                body: `<ListAllMyBucketsResult><Buckets>${owned}</Buckets></ListAllMyBucketsResult>`,
              };
        const { details } = await refusal(client.create("taken"), status.ALREADY_EXISTS);
        assert.match(details, /"taken": it exists already, in another region/);
        assert.ok(store.requests.slice(length).every(({ method }) => method === "GET"));
      }
    });

    it(`answers FAILED_PRECONDITION where the store says ${code} to every request, as its region is another one`, async () => {
      store.answer = () => storeError(httpStatus, code);
      await refusal(client.create("photos"), status.FAILED_PRECONDITION);
    });

    it(`answers ALREADY_EXISTS where the store says ${code} to the create alone [GRPC-022]`, async () => {
      store.answer = ({ method, action }) => {
        if (action !== undefined) return iamOk(action);
        return method === "GET" ? storeError(404, "NoSuchBucket") : storeError(httpStatus, code);
      };
      await refusal(client.create("taken"), status.ALREADY_EXISTS);
    });
  }

  it("sends no status details [GRPC-060]", async () => {
    store.answer = () => storeError(403, "AccessDenied");
    const error = await refusal(client.create("photos"), status.PERMISSION_DENIED);
    assert.deepEqual(error.metadata.get("grpc-status-details-bin"), []);
  });

  it("answers UNIMPLEMENTED to a method that the contract does not have [GRPC-117]", async () => {
    const { makeGenericClientConstructor, credentials } = await import("@grpc/grpc-js");
    const Odd = makeGenericClientConstructor({}, "odd");
    const odd = new Odd(`unix://${folders.socket}`, credentials.createInsecure());
    const call = new Promise((resolve, reject) => {
      const identity = (value: Buffer) => value;
      odd.makeUnaryRequest("/cosi.v1alpha1.Provisioner/Odd", identity, identity, Buffer.alloc(0), (error) => {
        if (error) {
          reject(error);
        } else {
          resolve(undefined);
        }
      });
    });
    await refusal(call, status.UNIMPLEMENTED);
    odd.close();
  });

  it("logs one line per call, with names and codes and no secret [GRPC-114]", async () => {
    store.answer = () => storeError(403, "AccessDenied");
    logLines.length = 0;
    await refusal(client.grant("photos", "reader", { accessMode: "ro" }), status.PERMISSION_DENIED);
    await refusal(client.create("photos", { token: "s3cr3t-parameter" }), status.INVALID_ARGUMENT);
    const text = logLines.join("");
    const failed = logLines
      .map((line): unknown => JSON.parse(line))
      .filter((line) => hasMessage(line, "call failed"));
    assert.equal(failed.length, 2);
    assert.match(text, /"rpc":"DriverGrantBucketAccess".*photos.*reader.*"code":"PERMISSION_DENIED"/);
    assert.match(text, /"command":"GetBucketTaggingCommand"/);
    assert.ok(!text.includes(SECRET) && !text.includes("s3cr3t-parameter"), text);
  });

  it("answers UNAVAILABLE when nobody listens at the store's address [GRPC-080]", async () => {
    const gone = await startFakeStore();
    await gone.stop();
    const second = makeFolders();
    const log = createLog("error", () => undefined);
    const running = await startServer(
      { path: second.socket, mode: 0o600, variable: "COSI_ENDPOINT" },
      cosiV1alpha1(
        createDriver("s3.test.dev", fakeStoreConfig(gone.endpoint), log),
        new Calls(log, toDriverError),
      ),
    );
    const caller = new DriverClient(second.socket);
    const { details } = await refusal(caller.create("photos"), status.UNAVAILABLE);
    assert.match(details, /"photos".*ECONNREFUSED/);
    caller.close();
    await running.stop(Promise.resolve());
    second.remove();
  });
});

function hasMessage(line: unknown, message: string): boolean {
  return typeof line === "object" && line !== null && "message" in line && line.message === message;
}
