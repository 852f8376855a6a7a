import { Client, credentials, status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Calls } from "../../../drivers/common/calls/calls";
import { cosi202002 } from "../../../drivers/s3/contracts/cosi-2020-02/services";
import { cosi202007 } from "../../../drivers/s3/contracts/cosi-2020-07/services";
import { cosiV1alpha1 } from "../../../drivers/s3/contracts/cosi-v1alpha1/services";
import { toDriverError } from "../../../drivers/s3/core/store-error";
import { createDriver } from "../../../drivers/s3/core/driver";
import { FreshUsers } from "../../../drivers/s3/core/fresh-users";
import { createLog } from "../../../drivers/common/log";
import { type DriverServer, startServer } from "../../../drivers/common/server/driver-server";
import {
  DataProtocol,
  DeleteBucketRequest_BucketRetainPolicy as RetainPolicy,
  S3SignatureVersion,
  type DeleteBucketRequest,
  type GrantBucketAccessRequest,
} from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import { paths } from "../../support/cosi-2020-02";
import { message } from "../../support/protobuf";
import { ControllerClient } from "./support/controller-client";
import { DriverClient, refusal } from "./support/driver-client";
import { makeFolders } from "./support/driver-process";
import { type FakeStore, iamOk, startFakeStore, storeError, type StoreRequest } from "./support/fake-store";
import { SECRET, fakeStoreConfig } from "./support/fake-store-config";
import { SmallStore } from "./support/small-store";
import { HandlersClient } from "./support/handlers-client";

const DRIVER = "s3.test.dev";
const KEY = "fresh-s3cr3t-key";

const azure: DeleteBucketRequest["Protocol"] = {
  $case: "AzureBlob",
  value: { ContainerName: "b", StorageAccountName: "" },
};
const gcs: GrantBucketAccessRequest["Protocol"] = {
  $case: "Gcs",
  value: { BucketName: "b", ProjectId: "", ServiceAccountName: "" },
};

describe("cosi-2020-02 of the S3 driver, at a fake store", () => {
  const folders = makeFolders();
  const logLines: string[] = [];
  let store: FakeStore;
  let server: DriverServer;
  let client: HandlersClient;

  before(async () => {
    store = await startFakeStore();
    const log = createLog("debug", (line) => logLines.push(line));
    // A store that forgets each user at once has none that is fresh.
    const driver = createDriver(DRIVER, fakeStoreConfig(store.endpoint), log, new FreshUsers(0));
    const calls = new Calls(log, toDriverError);
    const services = [
      ...cosiV1alpha1(driver, calls),
      ...cosi202007(driver, calls),
      ...cosi202002(driver, calls),
    ];
    server = await startServer({ path: folders.socket, mode: 0o600, variable: "COSI_ENDPOINT" }, services);
    client = new HandlersClient(folders.socket);
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

  const tagsOf = (tags: Readonly<Record<string, string>>): { status: number; body: string } => {
    const members = Object.entries(tags).map(
      ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
    );
    return {
      status: 200,
      body: `<ListUserTagsResponse><ListUserTagsResult><Tags>${members.join("")}</Tags></ListUserTagsResult></ListUserTagsResponse>`,
    };
  };
  const bucketTags = {
    status: 200,
    body: `<Tagging><TagSet><Tag><Key>cosi-driver</Key><Value>${DRIVER}</Value></Tag><Tag><Key>cosi-parameters</Key><Value></Value></Tag></TagSet></Tagging>`,
  };
  const freshKey = {
    status: 200,
    body: `<CreateAccessKeyResponse><CreateAccessKeyResult><AccessKey><AccessKeyId>AKFRESH</AccessKeyId><SecretAccessKey>${KEY}</SecretAccessKey></AccessKey></CreateAccessKeyResult></CreateAccessKeyResponse>`,
  };

  /** Answers as a store in which every bucket is the driver's and empty, and there is no user yet. */
  const withBuckets: FakeStore["answer"] = ({ method, url, action }) => {
    if (action === "ListUserTags") return storeError(404, "NoSuchEntity");
    if (action === "CreateAccessKey") return freshKey;
    if (action !== undefined) return iamOk(action);
    return method === "GET" && url.includes("tagging") ? bucketTags : { status: 200, body: "" };
  };

  /** What the store is asked for while a call is made, in short. */
  async function asked(call: () => Promise<unknown>): Promise<string[]> {
    const before = store.requests.length;
    await call();
    const short = ({ action, method, url }: StoreRequest) => action ?? `${method} ${url.split("?")[0] ?? ""}`;
    return store.requests.slice(before).map(short);
  }

  it("serves beside the other contracts at the same socket", async () => {
    store.answer = withBuckets;
    const [newest, july] = [new DriverClient(folders.socket), new ControllerClient(folders.socket)];
    assert.deepEqual(await newest.getInfo(), { name: DRIVER });
    await newest.create("photos");
    await july.create("photos");
    newest.close();
    july.close();
    const { Authentication, ...bucket } = await client.create("photos");
    assert.deepEqual(bucket, { BucketName: "photos", Region: "eu-test-1", Endpoint: store.endpoint });
    assert.match(Authentication?.UserName ?? "", /^cosi-photos-[0-9a-f]{20}-[0-9a-f]{20}$/);
    assert.deepEqual(
      { ...Authentication, UserName: "" },
      {
        AccessKeyId: "AKFRESH",
        SecretKey: KEY,
        StsToken: "",
        UserName: "",
        SignatureVersion: S3SignatureVersion.V4,
      },
    );
    const granted = await client.grant("photos");
    assert.notEqual(granted.UserName, Authentication?.UserName);
  });

  describe("refuses, and asks the store nothing:", () => {
    const { GCS, PROTOCOL_UNSPECIFIED } = DataProtocol;
    const named = { BucketName: "b", UserName: "u" };
    for (const [what, call, text] of [
      ["a create without a name", () => client.create(""), /RequestBucketName is required/],
      [
        "a create for GCS",
        () => client.create("b", { RequestProtocol: GCS }),
        /RequestProtocol GCS is not offered, only S3/,
      ],
      [
        "a create for no protocol",
        () => client.create("b", { RequestProtocol: PROTOCOL_UNSPECIFIED }),
        /PROTOCOL_UNSPECIFIED is not offered/,
      ],
      [
        "a create with an unknown parameter",
        () => client.create("b", { DriverParameters: { nope: "1" } }),
        /DriverParameters: key "nope"/,
      ],
      [
        "a delete that keeps the bucket",
        () => client.delete(named, { RetainPolicy: RetainPolicy.RETAIN }),
        /RetainPolicy RETAIN is not offered.*call RevokeBucketAccess; nothing was changed/,
      ],
      [
        "a delete that does not say whether it keeps the bucket",
        () => client.delete(named, { RetainPolicy: RetainPolicy.RETAIN_POLICY_UNSPECIFIED }),
        /RETAIN_POLICY_UNSPECIFIED is not offered/,
      ],
      ["a delete without a bucket", () => client.delete({}), /Protocol\.S3\.BucketName is required/],
      [
        "a delete for Azure",
        () => client.delete({}, { Protocol: azure }),
        /Protocol AzureBlob is not offered, only S3/,
      ],
      [
        "a delete for no protocol",
        () => client.delete({}, { Protocol: undefined }),
        /Protocol is required and was not given/,
      ],
      [
        "a delete with an unknown parameter",
        () => client.delete(named, { DriverParameters: { nope: "1" } }),
        /DriverParameters: key "nope"/,
      ],
      ["a grant without a bucket", () => client.grant(""), /Protocol\.S3\.BucketName is required/],
      ["a grant for GCS", () => client.grant("", { Protocol: gcs }), /Protocol Gcs is not offered/],
      [
        "a grant with an unknown parameter",
        () => client.grant("b", { DriverParameters: { nope: "1" } }),
        /DriverParameters: key "nope"/,
      ],
      [
        "a grant with a mode in its parameters, where it would have no effect",
        () => client.grant("b", { DriverParameters: { accessMode: "ro" } }),
        /key "accessMode": what the account may do is the field AccessMode/,
      ],
      [
        "a create with a mode in its parameters, where it would have no effect",
        () => client.create("b", { DriverParameters: { accessMode: "ro" } }),
        /key "accessMode": what the account may do is the field AccessMode/,
      ],
      [
        "a revoke without a bucket",
        () => client.revoke({ UserName: "u" }),
        /RequestProtocol\.S3\.BucketName/,
      ],
      [
        "a revoke without an account",
        () => client.revoke({ BucketName: "b", AccessKeyId: "AK1" }),
        /RequestProtocol\.S3\.UserName is required/,
      ],
      [
        "a revoke for no protocol",
        () => client.revoke({}, { RequestProtocol: undefined }),
        /RequestProtocol is required/,
      ],
      [
        "a revoke with an unknown parameter",
        () => client.revoke(named, { DriverParameters: { nope: "1" } }),
        /DriverParameters: key "nope"/,
      ],
    ] as const) {
      it(what, async () => {
        const requests = store.requests.length;
        const { details } = await refusal(call(), status.INVALID_ARGUMENT);
        assert.match(details, /^cannot /);
        assert.match(details, text);
        assert.equal(store.requests.length, requests);
      });
    }
  });

  for (const [what, path, body, text] of [
    [
      "a protocol",
      paths.create,
      message([1, "b"], [2, 9]),
      /^cannot create bucket "b": RequestProtocol number 9 is not offered/,
    ],
    ["a mode of a create", paths.create, message([1, "b"], [2, 3], [4, 9]), /AccessMode 9 is unknown/],
    ["a mode of a grant", paths.grant, message([2, 4], [5, message([1, "b"])]), /AccessMode 4 is unknown/],
    [
      "what becomes of a bucket",
      paths.delete,
      message([1, 9], [6, message([1, "b"])]),
      /RetainPolicy number 9/,
    ],
  ] as const) {
    it(`refuses ${what} that is of a later release, and asks the store nothing`, async () => {
      const requests = store.requests.length;
      const { details } = await refusal(sendRaw(folders.socket, path, body), status.INVALID_ARGUMENT);
      assert.match(details, text);
      assert.equal(store.requests.length, requests);
    });
  }

  for (const [httpStatus, storeCode, code] of [
    [403, "AccessDenied", status.PERMISSION_DENIED],
    [403, "InvalidAccessKeyId", status.UNAUTHENTICATED],
    [400, "MalformedXML", status.INTERNAL],
    [500, "InternalError", status.UNAVAILABLE],
  ] as const) {
    it(`answers ${status[code]} when the store says ${storeCode}`, async () => {
      store.answer = () => storeError(httpStatus, storeCode);
      for (const [words, send] of [
        ['create bucket "photos"', () => client.create("photos")],
        ['delete bucket "photos"', () => client.delete({ BucketName: "photos" })],
        ['grant access to bucket "photos"', () => client.grant("photos")],
        [
          'revoke the access of user "u1" to bucket "photos"',
          () => client.revoke({ BucketName: "photos", UserName: "u1" }),
        ],
      ] as const) {
        const { details } = await refusal(send(), code);
        assert.ok(details.startsWith(`cannot ${words}: `), details);
        assert.match(details, new RegExp(storeCode));
      }
    });
  }

  it("answers a create whose account cannot be made with a code that says nothing of the bucket, and a repeat with both", async () => {
    store.answer = (request) =>
      request.action === "PutUserPolicy" ? storeError(403, "AccessDenied") : withBuckets(request);
    // A refusal would say that nothing was made, and the bucket would be forgotten.
    const { details } = await refusal(client.create("photos"), status.INTERNAL);
    assert.match(details, /the bucket is there, and its account could not be made: .*403 AccessDenied/);
    store.answer = withBuckets;
    assert.equal((await client.create("photos")).Authentication?.SecretKey, KEY);
  });

  describe("a delete", () => {
    const ours = { "cosi-driver": DRIVER, "cosi-account": "a", "cosi-bucket": "photos" };
    const withUsers =
      (tags: Readonly<Record<string, string>>): FakeStore["answer"] =>
      (request) =>
        request.action === "ListUserTags" ? tagsOf(tags) : withBuckets(request);
    const ending = ["DeleteUser", "DeleteAccessKey", "DeleteUserPolicy"];

    it("ends the account when the bucket is gone, and not before", async () => {
      store.answer = withUsers(ours);
      const steps = await asked(() => client.delete({ BucketName: "photos", UserName: "u1" }));
      const gone = steps.indexOf("DELETE /photos/");
      assert.ok(gone > 0, steps.join());
      // The third is the record of a create, of which none is there.
      assert.equal(steps.slice(gone).filter((step) => step === "DeleteUser").length, 3, steps.join());
      assert.ok(!steps.slice(0, gone).some((step) => ending.includes(step)), steps.join());
    });

    it("leaves the account alone when the bucket stays", async () => {
      store.answer = (request) =>
        request.method === "DELETE" && request.action === undefined
          ? storeError(409, "BucketNotEmpty")
          : withUsers(ours)(request);
      const steps = await asked(() =>
        refusal(client.delete({ BucketName: "photos", UserName: "u1" }), status.FAILED_PRECONDITION),
      );
      assert.ok(steps.includes("DELETE /photos/"), steps.join());
      assert.ok(!steps.some((step) => ending.includes(step)), steps.join());
    });

    it("removes what a create has left that ended before its account had a record", async () => {
      store.answer = withUsers({});
      const steps = await asked(() => client.delete({ BucketName: "photos" }));
      assert.equal(steps.filter((step) => step === "DeleteUser").length, 2, steps.join());
    });

    it("is not needed for what such a create has left: a revoke removes it, too [GRPC-057]", async () => {
      store.answer = withBuckets;
      const { Authentication } = await client.create("photos");
      store.answer = withUsers({});
      const UserName = Authentication?.UserName ?? "";
      const steps = await asked(() => client.revoke({ BucketName: "photos", UserName }));
      assert.deepEqual(steps, ["ListUserTags", "ListAccessKeys", "ListUserPolicies", "DeleteUser"]);
    });

    for (const [what, tags] of [
      ["another bucket's", { ...ours, "cosi-bucket": "other" }],
      ["another driver's", { ...ours, "cosi-driver": "other.dev" }],
      ["of nobody known", {}],
    ] as const) {
      it(`removes nothing if the account that it names is ${what}`, async () => {
        store.answer = withUsers(tags);
        const steps = await asked(() =>
          refusal(client.delete({ BucketName: "photos", UserName: "u1" }), status.FAILED_PRECONDITION),
        );
        assert.ok(
          steps.every((step) => step === "ListUserTags"),
          steps.join(),
        );
      });
    }
  });

  for (const [what, step, opposite] of [
    ["a create is still at its first step", "ListUserTags", "delete"],
    ["a create is still at its first step", "ListUserTags", "revoke"],
    ["a grant is still at its first step", "tagging", "revoke"],
  ] as const) {
    it(`ends for good what a ${opposite} ends, though ${what}, whose caller has given up [GRPC-057] [GRPC-026]`, async () => {
      const small = new SmallStore();
      store.answer = small.answer;
      const metadata = { "pulumi-cosi-request": "ab12" };
      const made =
        step === "tagging"
          ? (await client.create("photos"), await client.grant("photos", {}, metadata))
          : (await client.create("photos")).Authentication;
      const UserName = made?.UserName ?? "";
      if (step === "tagging") await client.revoke({ BucketName: "photos", UserName });
      else await client.delete({ BucketName: "photos" });

      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      let isFirst = true;
      const reached = new Promise<void>((resolve) => {
        store.answer = async (request) => {
          if (isFirst && (request.action === step || request.url.includes(step))) {
            isFirst = false;
            resolve();
            await gate;
          }
          return small.answer(request);
        };
      });
      const late = step === "tagging" ? client.grant("photos", {}, metadata) : client.create("photos");
      await reached;
      const ended =
        opposite === "delete"
          ? client.delete({ BucketName: "photos" })
          : client.revoke({ BucketName: "photos", UserName });
      await sleep(100);
      open();
      await Promise.all([late, ended]);
      assert.ok(!small.users.has(UserName));
      if (opposite === "delete") assert.deepEqual([...small.buckets, ...small.users], []);
    });
  }

  it("takes for a repeat only what says so in the form that is agreed on", async () => {
    store.answer = withBuckets;
    const key = "pulumi-cosi-request";
    const users: string[] = [];
    for (const metadata of [
      {},
      {},
      { [key]: "../x" },
      { [key]: "../x" },
      { [key]: "ab12" },
      { [key]: "ab12" },
    ]) {
      users.push((await client.grant("photos", {}, metadata)).UserName);
    }
    assert.equal(users[4], users[5]);
    assert.equal(new Set(users).size, 5);
    const elsewhere = await client.grant("other", {}, { [key]: "ab12" });
    assert.ok(!users.includes(elsewhere.UserName));
  });

  it("has names for accounts of the longest buckets", async () => {
    store.answer = withBuckets;
    const bucket = "b".repeat(63);
    const { Authentication } = await client.create(bucket);
    const { UserName } = await client.grant(bucket);
    assert.notEqual(Authentication?.UserName, UserName);
  });

  it("logs one line per call, and no secret", async () => {
    store.answer = withBuckets;
    logLines.length = 0;
    await client.create("photos");
    await client.grant("photos");
    await client.revoke({ BucketName: "photos", UserName: "u1" });
    const lines = logLines.filter((line) => line.includes('"rpc":'));
    assert.equal(lines.length, 3);
    assert.match(lines[0] ?? "", /"rpc":"CreateBucket".*photos.*"code":"OK"/);
    assert.match(lines[2] ?? "", /"rpc":"RevokeBucketAccess".*photos.*u1.*"code":"OK"/);
    for (const secret of [SECRET, KEY]) assert.ok(!logLines.join("").includes(secret));
  });
});

/** Sends a request that the types of the client would not allow. */
async function sendRaw(socket: string, path: string, body: Buffer): Promise<unknown> {
  const client = new Client(`unix://${socket}`, credentials.createInsecure());
  const asIs = (bytes: Buffer): Buffer => bytes;
  try {
    return await new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, asIs, asIs, body, (error, reply) => {
        if (error === null) resolve(reply);
        else reject(error);
      });
    });
  } finally {
    client.close();
  }
}
