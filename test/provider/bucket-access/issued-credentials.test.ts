import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import type { AccessObserver } from "../../../provider/models/model";
import { closeConnections } from "../../../provider/driver/connections";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { objectstorageV1alpha1 } from "../../../provider/models/objectstorage-v1alpha1/model";
import { controllerReference, keys, obligingController, paths, replies } from "../../support/cosi-2020-07";
import { obligingDriver } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { message } from "../../support/protobuf";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

/** Credentials as the driver writes them, by the number of their form. */
const grantee = message([1, message([1, "july-id-1"], [2, "JULY_READ"], [3, "july-owner"])]);
const other = message([1, message([1, "july-id-2"])]);
const nothing = message([1, message()]);

const bucketInfo = {
  protocol: "S3",
  region: "eu-2",
  signatureVersion: null,
  providerContext: { kind: "s3", location: "eu-2" },
};

const objects = {
  model: "objectstorage.k8s.io/v1alpha1",
  kubernetes: { kubeconfig: "kubeconfig" },
  access: { namespace: "shop", name: "web", uid: "uid-1" },
  bucket: { name: "photos", uid: "uid-2" },
  claim: { namespace: "shop", name: "photos" },
  secretName: "web",
};

/** The object of an access, without a cluster: it bears the mark of a revoke, and notes. */
class NotingObject implements AccessObserver {
  mark = false;
  noted: readonly number[] = [];
  readonly revokedCredentials = () => Promise.resolve(this.noted);
  noteRevoked = (_: unknown, positions: readonly number[]): Promise<void> => {
    this.noted = positions;
    return Promise.resolve();
  };
  readonly beforeRevoke = () => {
    const earlierAttempt = this.mark;
    this.mark = true;
    return Promise.resolve({ earlierAttempt });
  };
  readonly mayBeRevoked = () => Promise.resolve(this.mark);
  readonly revokeRefused = () => {
    this.mark = false;
    return Promise.resolve();
  };
  readonly revoked = () => {
    this.mark = false;
    this.noted = [];
    return Promise.resolve(undefined);
  };
  readonly beforeGrant = () => Promise.resolve({});
  readonly granted = () => Promise.resolve();
  readonly failed = () => Promise.resolve(true);
  readonly unfinished = () => Promise.resolve([]);
  readonly settling = () => Promise.resolve();
  readonly settled = () => Promise.resolve();
  readonly read = () => Promise.resolve({ drift: [], notes: [] });
  readonly restore = () => Promise.resolve();
}

describe("the credentials that a driver of cosi-2020-07 issues", () => {
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingController().start();
    const reference = controllerReference(driver.endpoint);
    inputs = (changes = {}) => ({
      driver: reference,
      logicalName: "web",
      name: "web",
      bucketName: "photos",
      bucketId: "B1",
      bucketInfo,
      parameters: { tier: "gold" },
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  function issues(...credentials: readonly Buffer[]): void {
    driver.on(paths.grant, () => message(...credentials.map((credential) => [1, credential] as const)));
  }

  /** The driver says no to revokes of these credentials, and OK to all others. */
  function refuses(code: number, ...credentials: readonly Buffer[]): void {
    driver.on(paths.revoke, (body) =>
      credentials.some((credential) => body.equals(revokeOf(credential))) ? { code } : replies.empty(),
    );
  }

  /** The fields that a grant and its revokes have in common, by hand. */
  const fields = (name = "web") =>
    [
      [1, "B1"],
      [2, 3],
      [3, { tier: "gold", "cosi.io/bucket-access": name }],
      [4, message([1, message([1, "eu-2"])])],
    ] as const;
  const revokeOf = (credential?: Buffer, name?: string): Buffer =>
    message(...fields(name), ...(credential === undefined ? [] : ([[6, credential]] as const)));
  const revokes = (): Buffer[] =>
    driver.calls.filter(({ path }) => path === paths.revoke).map(({ body }) => body);

  /** The next run: a process that knows nothing of the last. */
  function nextRun(): void {
    beginRun();
    driver.calls.length = 0;
  }

  describe("in calls", () => {
    it("are revoked one by one, as issued and in that order, beside what the grant had", async () => {
      issues(grantee, other);
      const { outputs } = await access.create(inputs());
      assert.deepEqual(driver.calls[0]?.body, message(...fields()));
      nextRun();
      // What the driver has to say of credentials then is of no use to anybody.
      driver.on(paths.revoke, () => message([1, other]));
      await access.delete(outputs);
      assert.deepEqual(revokes(), [revokeOf(grantee), revokeOf(other)]);
      assert.deepEqual(driver.paths(), ["RevokeBucketAccess", "RevokeBucketAccess"]);
    });

    it("are not named where none was issued, or the state knows of none", async () => {
      issues();
      const { outputs } = await access.create(inputs({ authenticationType: "IAM" }));
      assert.deepEqual(outputs["issued"], []);
      nextRun();
      await access.delete(outputs);
      const without = { ...outputs };
      delete without["issued"];
      await access.delete(without);
      assert.deepEqual(revokes(), [revokeOf(), revokeOf()]);
    });

    it("are learned from an equal grant where its first answer was lost", async () => {
      driver.on(paths.grant, () => ({ code: status.UNAVAILABLE }));
      const reference = controllerReference(driver.endpoint, { retryBudgetSeconds: 0.1 });
      const { properties } = await failedResource(access.create(inputs({ driver: reference })));
      nextRun();
      issues(grantee, other);
      await access.delete(wire(properties));
      assert.deepEqual(driver.paths(), ["GrantBucketAccess", "RevokeBucketAccess", "RevokeBucketAccess"]);
      assert.deepEqual(revokes(), [revokeOf(grantee), revokeOf(other)]);
    });

    it("are those of the old account when it gives way to a new one", async () => {
      issues(grantee);
      const old = (await access.create(inputs({ rotation: { trigger: 1 } }))).outputs;
      beginRun();
      issues(other);
      const rotated = inputs({ rotation: { trigger: 2 } });
      const { inputs: checked } = await access.check(old, rotated);
      assert.deepEqual((await access.diff(old, checked)).replaces, ["rotation"]);
      const made = (await access.create(rotated)).outputs;
      await access.delete(old);
      assert.deepEqual(revokes(), [revokeOf(grantee)]);
      assert.notEqual(made["checksum"], old["checksum"]);
      nextRun();
      await access.delete(made);
      assert.deepEqual(revokes(), [revokeOf(other, String(made["name"]))]);
    });
  });

  describe("of which one cannot be revoked", () => {
    /** An account that serves nobody: its credentials have no values, and the second cannot be revoked. */
    async function halfWithdrawn(): Promise<Properties> {
      issues(nothing, nothing);
      driver.on(paths.revoke, (_, earlier) =>
        earlier === 0 ? replies.empty() : { code: status.INVALID_ARGUMENT },
      );
      const failed = await failedResource(access.create(inputs()));
      assert.match(failed.message, /Of the 2 credentials of the account, 1 are revoked\./);
      driver.on(paths.revoke, () => replies.empty());
      nextRun();
      return wire(failed.properties);
    }

    it("leave in the state which ones are done after a grant that is of no use, for the next up", async () => {
      const state = await halfWithdrawn();
      assert.deepEqual(state["revoked"], [0]);
      issues(grantee);
      const outputs = await access.update(state, inputs());
      assert.deepEqual(driver.paths(), ["RevokeBucketAccess", "GrantBucketAccess"]);
      assert.ok(!("revoked" in outputs));
      nextRun();
      await access.delete(outputs);
      assert.deepEqual(revokes(), [revokeOf(grantee)]);
    });

    it("leave in the state which ones are done, for the next destroy", async () => {
      await access.delete(await halfWithdrawn());
      assert.deepEqual(driver.paths(), ["RevokeBucketAccess"]);
    });

    it("leave in the state which ones are done in an up that has to revoke first", async () => {
      issues(nothing, nothing, nothing);
      driver.on(paths.revoke, () => ({ code: status.INVALID_ARGUMENT }));
      const first = wire((await failedResource(access.create(inputs()))).properties);
      assert.ok(!("revoked" in first));
      nextRun();
      driver.on(paths.revoke, (_, earlier) =>
        earlier < 2 ? replies.empty() : { code: status.INVALID_ARGUMENT },
      );
      const second = await failedResource(access.update(first, inputs()));
      assert.match(second.message, /2 are revoked\. The access stays in the state as failed/);
      nextRun();
      driver.on(paths.revoke, () => replies.empty());
      issues(grantee);
      await access.update(wire(second.properties), inputs());
      assert.deepEqual(driver.paths(), ["RevokeBucketAccess", "GrantBucketAccess"]);
    });

    it("are told by a destroy, which changes no state", async () => {
      issues(grantee, other);
      const { outputs } = await access.create(inputs());
      nextRun();
      refuses(status.INVALID_ARGUMENT, other);
      await assert.rejects(
        access.delete(outputs),
        /credential 2 of 2.*Of the 2 credentials of the account, 1 are revoked\./,
      );
      refuses(status.INVALID_ARGUMENT, grantee);
      nextRun();
      await assert.rejects(access.delete(outputs), (error: Error) => !error.message.includes("are revoked"));
      assert.equal(revokes().length, 1, "the order is kept");
    });

    it("keep no other alive where the driver says that it is gone, and are told", async () => {
      issues(grantee, other);
      const { outputs } = await access.create(inputs());
      nextRun();
      refuses(status.NOT_FOUND, grantee);
      await assert.rejects(access.delete(outputs), /set revokeNotFound to "ignore"/);
      assert.deepEqual(revokes(), [revokeOf(grantee), revokeOf(other)]);
      nextRun();
      await printed(() => access.delete({ ...outputs, revokeNotFound: "ignore" }));
      assert.equal(revokes().length, 2);
    });
  });

  describe("of an access whose object notes which are revoked", () => {
    const model = { ...objectstorageV1alpha1 };
    let object: NotingObject;

    beforeEach(() => {
      object = new NotingObject();
      objectstorageV1alpha1.observeAccess = () => object;
    });

    afterEach(() => {
      Object.assign(objectstorageV1alpha1, model);
    });

    it("are not revoked again by the next destroy", async () => {
      issues(grantee, other);
      const { outputs } = await access.create(inputs({ objects }));
      nextRun();
      refuses(status.INVALID_ARGUMENT, other);
      await assert.rejects(access.delete(outputs), /1 are revoked/);
      assert.deepEqual(object.noted, [0]);
      assert.ok(object.mark, "the revoke had an effect");
      nextRun();
      refuses(status.INVALID_ARGUMENT);
      await access.delete(outputs);
      assert.deepEqual(revokes(), [revokeOf(other)]);
      assert.deepEqual(object.noted, []);
    });

    it("are not named by notes of an earlier grant where they have to be learned", async () => {
      driver.on(paths.grant, () => ({ code: status.UNAVAILABLE }));
      const reference = controllerReference(driver.endpoint, { retryBudgetSeconds: 0.1 });
      const failed = await failedResource(access.create(inputs({ objects, driver: reference })));
      nextRun();
      issues(grantee, other);
      object.noted = [0];
      await access.delete(wire(failed.properties));
      assert.equal(revokes().length, 2);
    });

    it("are half revoked where a note cannot be written, and the state knows it in an up", async () => {
      issues(grantee, other);
      const { outputs } = await access.create(inputs({ objects }));
      nextRun();
      object.mark = true;
      object.noteRevoked = () => Promise.reject(new Error("the API server is away"));
      const failed = await failedResource(access.update(outputs, inputs({ objects })));
      assert.match(failed.message, /the API server is away.*1 are revoked/);
      assert.deepEqual([failed.properties["revoked"], failed.properties["granted"]], [[0], null]);
    });
  });

  describe("in the state", () => {
    it("are secret, and make the checksum", async () => {
      issues(grantee);
      const { raw, outputs } = await access.create(inputs());
      const marked = raw["issued"] as Properties;
      assert.equal(marked[pulumi.runtime.specialSigKey], pulumi.runtime.specialSecretSig);
      const values = { id: "july-id-1", permission: "JULY_READ", owner: "july-owner" };
      assert.deepEqual(outputs["issued"], [{ kind: "s3", values }]);
      assert.ok(!JSON.stringify({ ...outputs, issued: null, granted: null }).includes("july-"));
      beginRun();
      issues(other);
      assert.notEqual((await access.create(inputs())).outputs["checksum"], outputs["checksum"]);
    });

    it("stay what they are in a refresh and an update, which send nothing", async () => {
      issues(grantee);
      const { outputs } = await access.create(inputs());
      nextRun();
      assert.deepEqual((await access.read(outputs)).outputs, outputs);
      const changed = inputs({ defaultEndpoint: "http://127.0.0.1:9" });
      assert.deepEqual((await access.update(outputs, changed))["issued"], outputs["issued"]);
      assert.deepEqual(driver.calls, []);
      const { inputs: checked } = await access.check(outputs, inputs());
      assert.deepEqual(await access.diff(outputs, checked), { changes: false, replaces: [] });
    });

    it("are kept out of what the driver says of them in a later run", async () => {
      issues(grantee, message([2, message([1, "july-user"])]));
      const { outputs } = await access.create(inputs({ protocol: "GCS" }));
      nextRun();
      secretMask.clear();
      driver.on(paths.revoke, () => ({
        code: status.INVALID_ARGUMENT,
        message: "july-id-1 and july-user for web",
      }));
      await assert.rejects(access.delete(outputs), /\[secret\] and \[secret\] for web/);
    });

    it("are not there for cosi.v1alpha1, whose revoke names none", async () => {
      const older = await obligingDriver().start();
      try {
        const { outputs } = await access.create(inputs({ driver: driverReference(older.endpoint) }));
        assert.ok(outputs["issued"] === null && !("revoked" in outputs));
      } finally {
        older.stop();
      }
    });
  });

  describe("as credentials", () => {
    for (const [what, protocol, credential, secrets] of [
      ["S3", "S3", grantee, { id: "july-id-1", permission: "JULY_READ", owner: "july-owner" }],
      [
        "GCS",
        "GCS",
        message([2, message([1, "july-user"], [2, "JULY_WRITER"], [4, "july-project"])]),
        { entity: "july-user", role: "JULY_WRITER", project: "july-project" },
      ],
      ["Azure", "Azure", message([3, message([1, "july-id"])]), { id: "july-id" }],
      [
        "a form of the driver's own",
        "S3",
        message([4, message([1, { token: "july-token" }])]),
        { token: "july-token" },
      ],
    ] as const) {
      it(`of ${what} need no keys, and nobody is warned`, async () => {
        issues(credential);
        const info = { ...bucketInfo, protocol };
        let outputs: Properties = {};
        const lines = await printed(async () => {
          ({ outputs } = await access.create(inputs({ bucketInfo: info })));
        });
        assert.deepEqual(lines, []);
        assert.deepEqual(outputs["granted"], { protocol, secrets });
        assert.deepEqual([outputs["accessSecretKey"], outputs["accessToken"]], [null, null]);
      });
    }

    it("are keys where the driver gives some", async () => {
      const { outputs } = await access.create(inputs());
      assert.deepEqual(
        [outputs["accessKeyId"], outputs["accessSecretKey"], outputs["endpoint"]],
        [keys.accessKeyID, keys.accessSecretKey, keys.endpoint],
      );
    });

    it("are all used, of whatever form, unless the program asks for one protocol", async () => {
      issues(grantee, message([2, message([1, "july-user"])]));
      const secrets = (outputs: Properties) => (outputs["granted"] as { secrets: Properties }).secrets;
      const all = await access.create(inputs());
      assert.deepEqual(secrets(all.outputs), {
        "0.id": "july-id-1",
        "0.permission": "JULY_READ",
        "0.owner": "july-owner",
        "1.entity": "july-user",
      });
      beginRun();
      const some = await access.create(inputs({ protocol: "GCS" }));
      assert.deepEqual(secrets(some.outputs), { "1.entity": "july-user" });
      nextRun();
      await access.delete(some.outputs);
      assert.equal(revokes().length, 2, "what is not used is revoked too");
    });

    it("are missing where a program asks for keys and gets nothing; the access is revoked at once", async () => {
      issues();
      await assert.rejects(access.create(inputs()), /issued no credentials.*Its account was revoked/);
      assert.deepEqual(revokes(), [revokeOf()]);
      nextRun();
      issues(nothing, message([4, message([1, { empty: "" }])]));
      await assert.rejects(access.create(inputs()), /issued no credentials, or only some without any value/);
      assert.equal(revokes().length, 2);
    });
  });
});
