import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { Calls } from "../../../drivers/common/calls/calls";
import { cosi202007 } from "../../../drivers/s3/contracts/cosi-2020-07/services";
import { cosiV1alpha1 } from "../../../drivers/s3/contracts/cosi-v1alpha1/services";
import { toDriverError } from "../../../drivers/s3/core/store-error";
import { createDriver } from "../../../drivers/s3/core/driver";
import { createLog } from "../../../drivers/common/log";
import { type DriverServer, startServer } from "../../../drivers/common/server/driver-server";
import { DataProtocol, type ProviderContext } from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import { ControllerClient } from "./support/controller-client";
import { DriverClient, refusal } from "./support/driver-client";
import { makeFolders } from "./support/driver-process";
import { type FakeStore, iamOk, startFakeStore, storeError } from "./support/fake-store";
import { SECRET, fakeStoreConfig } from "./support/fake-store-config";

const access = { "cosi.io/bucket-access": "bucketaccess-web-team-a" };
const s3Context = (location: string): ProviderContext => ({
  context: { $case: "s3Context", value: { location } },
});

describe("cosi-2020-07 of the S3 driver, at a fake store", () => {
  const folders = makeFolders();
  const logLines: string[] = [];
  let store: FakeStore;
  let server: DriverServer;
  let client: ControllerClient;

  before(async () => {
    store = await startFakeStore();
    const log = createLog("debug", (line) => logLines.push(line));
    const driver = createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), log);
    const calls = new Calls(log, toDriverError);
    const services = [...cosiV1alpha1(driver, calls), ...cosi202007(driver, calls)];
    server = await startServer({ path: folders.socket, mode: 0o600, variable: "COSI_ENDPOINT" }, services);
    client = new ControllerClient(folders.socket);
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

  /** Answers as a store in which there is no bucket and no user yet. */
  const emptyStore: FakeStore["answer"] = ({ method, action }) => {
    if (action === "ListUserTags") return storeError(404, "NoSuchEntity");
    if (action !== undefined) return iamOk(action);
    return method === "GET" ? storeError(404, "NoSuchBucket") : { status: 200, body: "" };
  };

  const taggedWith = (tags: string) => ({
    status: 200,
    body: `<ListUserTagsResponse><ListUserTagsResult><Tags>${tags}</Tags></ListUserTagsResult></ListUserTagsResponse>`,
  });

  it("serves beside cosi.v1alpha1 at the same socket", async () => {
    store.answer = emptyStore;
    const older = new DriverClient(folders.socket);
    assert.deepEqual(await older.getInfo(), { name: "s3.test.dev" });
    await older.create("photos");
    older.close();
    assert.deepEqual(await client.create("photos"), {
      bucket: { name: "photos", providerContext: s3Context("eu-test-1"), provisioner: "", accessMode: 0 },
    });
    assert.deepEqual(await client.delete("photos"), {});
  });

  describe("refuses, and asks the store nothing:", () => {
    const { GCS, AZURE_BLOB, PROTOCOL_UNSPECIFIED } = DataProtocol;
    const azure: ProviderContext = { context: { $case: "azureContext", value: {} } };
    for (const [what, call, name, text] of [
      [
        "a create without a name",
        () => client.create(""),
        "CREATE_INVALID_ARGUMENT",
        /bucket_name is required/,
      ],
      [
        "a delete without a name",
        () => client.delete(""),
        "DELETE_INVALID_ARGUMENT",
        /bucket_name is required/,
      ],
      [
        "a grant without a bucket",
        () => client.grant("", { permissions: access }),
        "GRANT_INVALID_ARGUMENT",
        /bucket_name is required/,
      ],
      [
        "a revoke without a bucket",
        () => client.revoke("", { permissions: access }),
        "REVOKE_INVALID_ARGUMENT",
        /bucket_name is required/,
      ],
      [
        "a create for GCS",
        () => client.create("b", { requestProtocol: GCS }),
        "CREATE_INVALID_PROTOCOL",
        /request_protocol GCS is not offered, only S3/,
      ],
      [
        "a create for no protocol",
        () => client.create("b", { requestProtocol: PROTOCOL_UNSPECIFIED }),
        "CREATE_INVALID_PROTOCOL",
        /PROTOCOL_UNSPECIFIED/,
      ],
      [
        "a grant for Azure",
        () => client.grant("b", { requestProtocol: AZURE_BLOB, permissions: access }),
        "GRANT_INVALID_ARGUMENT",
        /AZURE_BLOB is not offered/,
      ],
      [
        "a context of Azure",
        () => client.delete("b", { providerContext: azure }),
        "DELETE_INVALID_ARGUMENT",
        /provider_context is for another protocol/,
      ],
      [
        "an unknown parameter",
        () => client.create("b", { driverParameters: { nope: "1" } }),
        "CREATE_INVALID_ARGUMENT",
        /driver_parameters: key "nope"/,
      ],
      [
        "two regions",
        () =>
          client.create("b", { driverParameters: { region: "eu-1" }, providerContext: s3Context("eu-2") }),
        "CREATE_INVALID_ARGUMENT",
        /"eu-1", "eu-2"/,
      ],
      [
        "half of a pair of keys",
        () => client.create("b", { secrets: { AccessKeyId: "half-a-s3cr3t" } }),
        "CREATE_INVALID_CREDENTIALS",
        /key "SecretKey" is missing/,
      ],
      [
        "a grant without the name of the access",
        () => client.grant("b"),
        "GRANT_INVALID_ARGUMENT",
        /"cosi\.io\/bucket-access" is required/,
      ],
      [
        "a revoke without the name of the access",
        () => client.revoke("b"),
        "REVOKE_INVALID_ARGUMENT",
        /"cosi\.io\/bucket-access" is required/,
      ],
      [
        "an account of the platform",
        () => client.grant("b", { permissions: { ...access, "cosi.io/service-account": "team-a/web" } }),
        "GRANT_INVALID_PRINCIPAL",
        /only accounts with keys/,
      ],
      [
        "an unknown action",
        () => client.grant("b", { permissions: { ...access, allow: "read,s3:All" } }),
        "GRANT_INVALID_ARGUMENT",
        /key "allow": action "s3:All" is not one of read, write, \*/,
      ],
      [
        "actions that deny all",
        () => client.grant("b", { permissions: { ...access, allow: "read", deny: "*" } }),
        "GRANT_INVALID_ARGUMENT",
        /deny all that they allow/,
      ],
      [
        "actions beside accessMode",
        () => client.grant("b", { permissions: { ...access, allow: "*", accessMode: "ro" } }),
        "GRANT_INVALID_ARGUMENT",
        /"accessMode" is given beside policy actions/,
      ],
      [
        "a bad mode",
        () => client.grant("b", { permissions: { ...access, accessMode: "all" } }),
        "GRANT_INVALID_ARGUMENT",
        /"all" is not one of rw, ro, wo/,
      ],
    ] as const) {
      it(what, async () => {
        const requests = store.requests.length;
        const code = name.endsWith("CREDENTIALS") ? status.UNAUTHENTICATED : status.INVALID_ARGUMENT;
        const { details } = await refusal(call(), code);
        assert.ok(details.startsWith(`${name}: cannot `), details);
        assert.match(details, text);
        assert.equal(store.requests.length, requests);
      });
    }
  });

  const everyCall = (): [string, string, () => Promise<unknown>][] => [
    ["CREATE", "photos", () => client.create("photos")],
    ["DELETE", "photos", () => client.delete("photos")],
    ["GRANT", "photos", () => client.grant("photos", { permissions: access })],
    ["REVOKE", "bucketaccess-web-team-a", () => client.revoke("photos", { permissions: access })],
  ];

  for (const [httpStatus, storeCode, code, suffix] of [
    [403, "AccessDenied", status.PERMISSION_DENIED, "INVALID_CREDENTIALS"],
    [403, "InvalidAccessKeyId", status.UNAUTHENTICATED, "INVALID_CREDENTIALS"],
    [400, "InvalidBucketName", status.INVALID_ARGUMENT, "INVALID_ARGUMENT"],
    [400, "MalformedXML", status.INTERNAL, "INTERNAL_ERROR"],
    [503, "SlowDown", status.RESOURCE_EXHAUSTED, undefined],
    [500, "InternalError", status.UNAVAILABLE, undefined],
  ] as const) {
    it(`answers ${status[code]} ${suffix ?? "without a name"} when the store says ${storeCode}`, async () => {
      store.answer = () => storeError(httpStatus, storeCode);
      for (const [call, object, send] of everyCall()) {
        const { details } = await refusal(send(), code);
        const start = suffix === undefined ? "cannot " : `${call}_${suffix}: cannot `;
        assert.ok(details.startsWith(start), details);
        assert.match(details, new RegExp(`"${object}".*${storeCode}`));
      }
    });
  }

  it("names what only one call can meet", async () => {
    store.answer = emptyStore;
    const missing = await refusal(client.grant("photos", { permissions: access }), status.NOT_FOUND);
    assert.match(missing.details, /^GRANT_BUCKET_DOESNOT_EXIST: /);
    store.answer = () => storeError(409, "BucketAlreadyExists");
    assert.match(
      (await refusal(client.create("photos"), status.ALREADY_EXISTS)).details,
      /^CREATE_ALREADY_EXISTS: /,
    );
    store.answer = () => storeError(409, "OperationAborted");
    assert.match(
      (await refusal(client.delete("photos"), status.ABORTED)).details,
      /^DELETE_DELETE_INPROGRESS: /,
    );
    store.answer = () => taggedWith("<member><Key>team</Key><Value>a</Value></member>");
    const foreign = await refusal(
      client.revoke("photos", { permissions: access }),
      status.FAILED_PRECONDITION,
    );
    assert.match(foreign.details, /^REVOKE_INVALID_PRINCIPAL: /);
  });

  it("revokes what a grant has left that was cut short before its account had a record [GRPC-057]", async () => {
    store.answer = (request) => (request.action === "ListUserTags" ? taggedWith("") : emptyStore(request));
    const { length } = store.requests;
    await client.revoke("photos", { permissions: access });
    assert.deepEqual(
      store.requests.slice(length).map(({ action }) => action),
      ["ListUserTags", "ListAccessKeys", "ListUserPolicies", "DeleteUser"],
    );
  });

  it("logs one line per call with its name for the error, and no secret", async () => {
    store.answer = () => storeError(403, "AccessDenied");
    logLines.length = 0;
    const secrets = { AccessKeyId: "AKOTHER", SecretKey: "s3cr3t-of-a-class", token: "s3cr3t-too" };
    await refusal(client.grant("photos", { permissions: access, secrets }), status.PERMISSION_DENIED);
    const text = logLines.join("");
    assert.match(
      text,
      /"rpc":"GrantBucketAccess".*photos.*bucketaccess-web-team-a.*"error":"GRANT_INVALID_CREDENTIALS"/,
    );
    for (const secret of [SECRET, "s3cr3t-of-a-class", "s3cr3t-too"]) assert.ok(!text.includes(secret), text);
  });
});
