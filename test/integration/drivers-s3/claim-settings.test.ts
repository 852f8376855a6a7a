import { status } from "@grpc/grpc-js";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetObjectAclCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { ControllerClient } from "../../drivers/s3/support/controller-client";
import { type DriverClient, type Params, refusal } from "../../drivers/s3/support/driver-client";
import type { StoreRequest } from "../../drivers/s3/support/fake-store";
import { HandlersClient } from "../../drivers/s3/support/handlers-client";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { storeSettingsOf } from "../../drivers/s3/support/store-settings";
import { StoreUser } from "../../drivers/s3/support/store-user";
import { type RunningDriver, Setting } from "./setting";

const LIFECYCLE = [{ ID: "old", Status: "Enabled", Filter: { Prefix: "tmp/" }, Expiration: { Days: 7 } }];
/** Rules that the store refuses: it has one class of storage. */
const NOT_SERVED = JSON.stringify({
  Rules: [{ ID: "cold", Status: "Enabled", Filter: {}, Transitions: [{ Days: 1, StorageClass: "GLACIER" }] }],
});

describe("settings of an object bucket claim, at the S3 driver and a real store", function () {
  this.timeout(180_000);
  const users: StoreUser[] = [];
  let setting: Setting;
  let admin: StoreAdmin;
  let running: RunningDriver;
  let client: DriverClient;
  let bucket: string;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    running = await setting.startDriver();
    ({ client } = running);
  });

  after(async () => {
    for (const user of users) await user.remove();
    await setting.stop();
  });

  beforeEach(() => {
    bucket = admin.name();
  });

  afterEach(async () => {
    setting.proxy.fateOf = () => "pass";
    const intents = (await admin.users()).filter((name) => name.startsWith("cosi-intent-"));
    assert.deepEqual(intents, [], "a test leaves no intent behind");
  });

  const settingsOf = () => storeSettingsOf(admin.s3, bucket);
  const policyOf = (of: string, action = "s3:GetObject") => ({
    Version: "2012-10-17",
    Statement: [
      { Sid: "public", Effect: "Allow", Principal: "*", Action: action, Resource: `arn:aws:s3:::${of}/*` },
    ],
  });
  const allSettings = (): Params => ({
    bucketPolicy: JSON.stringify(policyOf(bucket), undefined, 2),
    bucketLifecycle: JSON.stringify({ Rules: LIFECYCLE }),
    bucketMaxSize: "4Ki",
  });

  async function makeUser(): Promise<StoreUser> {
    const user = await StoreUser.make(admin, admin.name());
    users.push(user);
    return user;
  }

  async function grant(of: string, params?: Params): Promise<S3Client> {
    const { credentials } = await client.grant(of, admin.name(), params);
    const secrets = credentials.get("s3")?.secrets;
    return admin.clientWith(secrets?.get("accessKeyID") ?? "", secrets?.get("accessSecretKey") ?? "");
  }

  /** The requests about settings that the store gets during a call. */
  async function settingRequestsOf(call: () => Promise<unknown>): Promise<string[]> {
    const seen: string[] = [];
    setting.proxy.fateOf = ({ method, url, action }) => {
      if (action?.includes("UserPolic")) seen.push(action);
      else if (/\?(policy|lifecycle|seaweedfs-quota)/.test(url)) seen.push(`${method} ${url}`);
      return "pass";
    };
    await call();
    return seen;
  }

  describe("at the create", () => {
    it("are set as they are given, and a key that is issued with the same parameters works beside them", async () => {
      const owner = await makeUser();
      const params = {
        ...allSettings(),
        bucketOwner: owner.name,
        objectStoreName: "store",
        accessMode: "rw",
      };
      await client.create(bucket, params);
      assert.deepEqual(await settingsOf(), { policy: policyOf(bucket), lifecycle: LIFECYCLE, quota: 4096 });
      assert.equal(await owner.mayUse(bucket), true);
      const s3 = await grant(bucket, params);
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: "mine", Body: "text" }));
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      assert.deepEqual(
        Contents.map(({ Key }) => Key),
        ["mine", owner.name],
      );
      const open = await fetch(`${setting.store.endpoint}/${bucket}/mine`);
      assert.equal(await open.text(), "text", "the policy opens the bucket");
    });

    it("are refused without rules for the life of objects, nothing is made, and the delete is done [CASE-P10]", async () => {
      const params = { bucketLifecycle: '{"Rules":[]}' };
      const { details } = await refusal(client.create(bucket, params), status.INVALID_ARGUMENT);
      assert.match(details, /key "bucketLifecycle": has an empty list "Rules"/);
      assert.equal(await admin.bucketsNamed(bucket), 0);
      await client.delete(bucket, params);
    });

    it("are refused with key and answer where the store refuses them, and nothing is left [CASE-P10]", async () => {
      const owner = await makeUser();
      for (const [key, value, answer] of [
        ["bucketLifecycle", NOT_SERVED, /501 NotImplemented/],
        ["bucketPolicy", JSON.stringify(policyOf("another")), /400 InvalidPolicyDocument/],
        ["bucketPolicy", JSON.stringify(policyOf(bucket, "no:Action")), /400 InvalidPolicyDocument/],
      ] as const) {
        const params = { ...allSettings(), bucketOwner: owner.name, [key]: value };
        const { details } = await refusal(client.create(bucket, params), status.INVALID_ARGUMENT);
        assert.match(details, new RegExp(`"${bucket}": parameters: key "${key}": the store answered`));
        assert.match(details, answer);
        assert.equal(await admin.bucketsNamed(bucket), 0);
        assert.deepEqual(await owner.policies(), {});
        await client.delete(bucket, params);
      }
    });

    it("are refused in a way that has the caller ask again, as long as what was made cannot be removed [CASE-P10]", async () => {
      const params = { bucketLifecycle: NOT_SERVED };
      setting.proxy.fateOf = ({ method }) => (method === "DELETE" ? "refuse" : "pass");
      const { details } = await refusal(client.create(bucket, params), status.UNAVAILABLE);
      assert.match(
        details,
        /501 NotImplemented.*it is made, and the driver cannot remove it again: .*injected/,
      );
      setting.proxy.fateOf = () => "pass";
      assert.equal(await admin.bucketsNamed(bucket), 1);
      await refusal(client.create(bucket, params), status.INVALID_ARGUMENT);
      assert.equal(await admin.bucketsNamed(bucket), 0);
    });

    for (const [step, fits] of [
      ["policy", ({ url }: StoreRequest) => url.includes("?policy")],
      ["lifecycle", ({ url }: StoreRequest) => url.includes("?lifecycle")],
      ["quota", ({ url, method }: StoreRequest) => method === "PUT" && url.includes("?seaweedfs-quota")],
      ["owner", ({ action }: StoreRequest) => action === "PutUserPolicy"],
    ] as const) {
      it(`are finished by a repeat where the step "${step}" failed, and deleted with all that was given [GRPC-021]`, async () => {
        const owner = await makeUser();
        const params = { ...allSettings(), bucketOwner: owner.name };
        for (const fate of ["refuse", "lose reply"] as const) {
          bucket = admin.name();
          const own = { ...params, bucketPolicy: JSON.stringify(policyOf(bucket)) };
          setting.proxy.fateOf = (request) => (fits(request) ? fate : "pass");
          await refusal(client.create(bucket, own), status.UNAVAILABLE);
          setting.proxy.fateOf = () => "pass";
          await client.create(bucket, own);
          assert.deepEqual(await settingsOf(), {
            policy: policyOf(bucket),
            lifecycle: LIFECYCLE,
            quota: 4096,
          });
          assert.deepEqual(Object.keys(await owner.policies()), [`cosi-owner-${bucket}`]);
          await client.delete(bucket, own);
          assert.deepEqual(await owner.policies(), {});
          assert.equal(await admin.bucketsNamed(bucket), 0);
        }
      });
    }

    it("need an owner that is there, and none that the driver made", async () => {
      const missing = admin.name();
      const { details } = await refusal(
        client.create(bucket, { bucketOwner: missing }),
        status.INVALID_ARGUMENT,
      );
      assert.match(details, new RegExp(`key "bucketOwner": the store has no IAM user "${missing}"`));
      const other = admin.name();
      await client.create(other);
      const { accountId } = await client.grant(other, admin.name());
      const made = await refusal(client.create(bucket, { bucketOwner: accountId }), status.INVALID_ARGUMENT);
      assert.match(made.details, /was made by driver "s3\.integration\.test" and ends with its access/);
      assert.equal(await admin.bucketsNamed(bucket), 0);
      await client.revoke(other, accountId);
    });
  });

  describe("at a repeated create", () => {
    it("are set anew, unlike what the bucket was made with, which is refused and changes nothing", async () => {
      await client.create(bucket, { ...allSettings(), versioning: "true" });
      const before = await settingsOf();
      const others = {
        bucketPolicy: JSON.stringify(policyOf(bucket, "s3:ListBucket")).replace("/*", ""),
        bucketLifecycle: JSON.stringify({ Rules: [{ ...LIFECYCLE[0], Status: "Disabled" }] }),
        maxSize: "1M",
      };
      await refusal(client.create(bucket, others), status.ALREADY_EXISTS);
      assert.deepEqual(await settingsOf(), before);
      for (let repeat = 0; repeat < 2; repeat++) {
        await client.create(bucket, { ...others, versioning: "true" });
        const { policy, lifecycle, quota } = await settingsOf();
        assert.match(JSON.stringify(policy), /s3:ListBucket/);
        assert.equal(lifecycle?.[0]?.Status, "Disabled");
        assert.equal(quota, 1_000_000);
      }
    });

    it("keep what the store refuses to replace", async () => {
      await client.create(bucket, allSettings());
      await refusal(client.create(bucket, { bucketLifecycle: NOT_SERVED }), status.FAILED_PRECONDITION);
      assert.deepEqual((await settingsOf()).lifecycle, LIFECYCLE);
      assert.equal(await admin.bucketsNamed(bucket), 1);
    });

    it("that says nothing of them are not touched, whoever has set them [CASE-P13]", async () => {
      const owner = await makeUser();
      await client.create(bucket, { maxSize: "1M", bucketOwner: owner.name });
      const Policy = JSON.stringify(policyOf(bucket));
      await admin.s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
      await admin.s3.send(
        new PutBucketLifecycleConfigurationCommand({
          Bucket: bucket,
          LifecycleConfiguration: {
            Rules: [{ ID: "x", Status: "Enabled", Filter: {}, Expiration: { Days: 3 } }],
          },
        }),
      );
      const before = await settingsOf();
      assert.deepEqual(await settingRequestsOf(() => client.create(bucket)), []);
      assert.deepEqual(await settingsOf(), before);
      assert.ok(before.quota !== undefined && before.lifecycle !== undefined);
      assert.equal(await owner.mayUse(bucket), true);
    });

    it("are ended by an empty text, each by its own, and that as often as it is said", async () => {
      const owner = await makeUser();
      await client.create(bucket, { ...allSettings(), bucketOwner: owner.name });
      for (const [key, member] of [
        ["bucketPolicy", "policy"],
        ["bucketLifecycle", "lifecycle"],
        ["bucketMaxSize", "quota"],
      ] as const) {
        const { [member]: ended, ...before } = await settingsOf();
        assert.notEqual(ended, undefined);
        for (let repeat = 0; repeat < 2; repeat++) await client.create(bucket, { [key]: "" });
        assert.deepEqual(await settingsOf(), { ...before, [member]: undefined });
      }
      for (let repeat = 0; repeat < 2; repeat++) await client.create(bucket, { bucketOwner: "" });
      assert.deepEqual(await owner.policies(), {});
      assert.equal(await owner.mayUse(bucket), false);
      await client.create(bucket, { maxObjects: "", bucketMaxObjects: "" });
    });
  });

  describe("with an owner", () => {
    it("give it all of the bucket, leave what else it may do, and end with the bucket; the user stays [CASE-P15] [OBC-119]", async () => {
      const [owner, elsewhere] = [await makeUser(), admin.name()];
      await client.create(elsewhere);
      await owner.letInto(elsewhere);
      const [policies, keys] = [await owner.policies(), await admin.keysOf(owner.name)];
      const tags = await admin.tagsOfUser(owner.name);

      await client.create(bucket, { bucketOwner: owner.name, emptyOnDelete: "true", bucketMaxSize: "1G" });
      assert.deepEqual([await owner.mayUse(bucket), await owner.mayUse(elsewhere)], [true, true]);
      const { [`cosi-owner-${bucket}`]: given, ...others } = await owner.policies();
      assert.deepEqual(others, policies);
      const written = await settingRequestsOf(() =>
        client.create(bucket, { bucketOwner: owner.name, emptyOnDelete: "true" }),
      );
      assert.deepEqual(written, ["GetUserPolicy", "ListUserPolicies", "GetUserPolicy", "ListUserPolicies"]);
      assert.match(given ?? "", /s3:\*/);

      await client.delete(bucket);
      assert.deepEqual(await owner.policies(), policies);
      assert.deepEqual(await admin.keysOf(owner.name), keys);
      assert.deepEqual(await admin.tagsOfUser(owner.name), tags);
      assert.equal(await owner.mayUse(elsewhere), true);
    });

    it("give it no other bucket, nor the right to make one", async () => {
      const [owner, other] = [await makeUser(), admin.name()];
      await client.create(other);
      await client.create(bucket, { bucketOwner: owner.name });
      assert.equal(await owner.mayUse(other), false);
      for (const request of [
        () => owner.s3.send(new CreateBucketCommand({ Bucket: admin.name() })),
        () => owner.s3.send(new DeleteBucketCommand({ Bucket: other })),
      ]) {
        await assert.rejects(request(), { name: "AccessDenied" });
      }
    });

    it("move it to another, at once and for good", async () => {
      const [first, second] = [await makeUser(), await makeUser()];
      await client.create(bucket, { bucketOwner: first.name });
      await client.create(bucket, { bucketOwner: second.name });
      assert.deepEqual([await first.mayUse(bucket), await second.mayUse(bucket)], [false, true]);
      await refusal(client.delete(bucket), status.FAILED_PRECONDITION);
      assert.equal(await second.mayUse(bucket), true, "a bucket that is not let go keeps its owner");
      await admin.remove(bucket, second.name);
      await client.delete(bucket);
      assert.deepEqual([await first.policies(), await second.policies()], [{}, {}]);
    });

    it("are ended by the delete of a bucket that is gone, as the context knows the owner", async () => {
      const owner = await makeUser();
      await client.create(bucket, { bucketOwner: owner.name });
      await admin.removeBucket(bucket);
      await client.delete(bucket, { bucketOwner: owner.name });
      assert.deepEqual(await owner.policies(), {});
      await client.delete(bucket, { bucketOwner: admin.name() });
    });
  });

  it("leave an issued key where it is: no bucket made, none deleted, no other one listed [OBC-005] [CASE-P16]", async () => {
    const other = admin.name();
    await client.create(other);
    await client.create(bucket, allSettings());
    const s3 = await grant(bucket, allSettings());
    for (const request of [
      () => s3.send(new CreateBucketCommand({ Bucket: admin.name() })),
      () => s3.send(new DeleteBucketCommand({ Bucket: bucket })),
      () => s3.send(new ListObjectsV2Command({ Bucket: other })),
    ]) {
      await assert.rejects(request(), { name: "AccessDenied" });
    }
    assert.equal(await admin.bucketsNamed(bucket), 1);
  });

  it("leave to an issued key the ACLs of objects, as far as the store lets any user set them", async () => {
    await client.create(bucket);
    const s3 = await grant(bucket);
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: "open", Body: "text", ACL: "public-read" }));
    const { Grants = [] } = await s3.send(new GetObjectAclCommand({ Bucket: bucket, Key: "open" }));
    assert.ok(Grants.some(({ Permission, Grantee }) => Permission === "READ" && Grantee?.Type === "Group"));
  });

  it("are the same over the other contracts", async () => {
    const [controller, handlers] = [new ControllerClient(running.socket), new HandlersClient(running.socket)];
    try {
      const owner = await makeUser();
      for (const [create, remove] of [
        [
          (params: Params) => controller.create(bucket, { driverParameters: params }),
          (params: Params) => controller.delete(bucket, { driverParameters: params }),
        ],
        [
          (params: Params) => handlers.create(bucket, { DriverParameters: params }),
          (params: Params) => handlers.delete({ BucketName: bucket }, { DriverParameters: params }),
        ],
      ] as const) {
        bucket = admin.name();
        const params = { ...allSettings(), bucketOwner: owner.name, objectStoreName: "store" };
        await create(params);
        await create({ ...params, bucketMaxSize: "1M" });
        assert.deepEqual(await settingsOf(), {
          policy: policyOf(bucket),
          lifecycle: LIFECYCLE,
          quota: 1_000_000,
        });
        assert.deepEqual(Object.keys(await owner.policies()), [`cosi-owner-${bucket}`]);
        await remove(params);
        assert.deepEqual(await owner.policies(), {});
        assert.equal(await admin.bucketsNamed(bucket), 0);
      }
    } finally {
      controller.close();
      handlers.close();
    }
  });
});
