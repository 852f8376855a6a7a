import assert from "node:assert/strict";
import { namespaceKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import {
  apiVersion,
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { assertPicture } from "../../support/docs/picture";
import { Cluster } from "../../support/end-to-end/cluster";
import { OwnTemporaryFolder, type FoundProcess } from "../../support/end-to-end/leftovers";
import { diagnostics, hasStackTrace, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { SecretScanner } from "../../support/end-to-end/secret-scanner";
import { Stack } from "../../support/stack";
import { eventually } from "../../support/stub-driver";

const namespace = "shop";
const foreignFinalizer = "example.com/keep";

/** The document that a Secret holds. */
interface BucketInfo {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly bucketName: string;
    readonly authenticationType: string;
    readonly secretS3: {
      readonly endpoint: string;
      readonly region: string;
      readonly accessKeyID: string;
      readonly accessSecretKey: string;
    };
    readonly secretAzure: null;
    readonly protocols: string[];
    readonly bucketID: string;
  };
}

describe("the quickstart, on a real store and a real API server", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let temporary: OwnTemporaryFolder;
  let stack: Stack;
  /** What every command printed, by its name. */
  const printed: Record<string, string> = {};

  const run = async (name: string, args: readonly string[], variables = {}): Promise<string> => {
    const text = await stack.succeed(args, { PULUMI_COSI_TRACE: "1", ...variables });
    printed[name] = text;
    return text;
  };

  before(async () => {
    [store, cluster, temporary] = await Promise.all([
      startStore(),
      Cluster.start({ controllerManager: true }),
      OwnTemporaryFolder.create(),
    ]);
    admin = new StoreAdmin(store);
    stack = await Stack.create(
      { example: "quickstart" },
      { ...s3DriverEnvironment(store), ...cluster.variables, ...temporary.variables, ...quickProgram },
    );
  });
  after(async () => {
    await stack.remove();
    await admin.cleanUp();
    await Promise.all([store.stop(), cluster.stop()]);
    await temporary.remove();
  });

  describe("in its first preview, with driver and cluster out of reach", () => {
    let seen: FoundProcess[];

    before(async () => {
      const unusable = {
        ...(await cluster.unreachable(temporary.path)),
        S3_DRIVER_S3_ENDPOINT: "nowhere",
        AWS_REGION: "",
      };
      ({ seen } = await temporary.watch(() => run("the first preview", ["preview"], unusable)));
    });

    it("shows what will be made", () => {
      assert.match(printed["the first preview"] ?? "", /\+ 22 to create/);
    });

    it("starts no driver and sends nothing", () => {
      assert.ok(seen.length > 0, "the preview itself was not seen");
      assert.deepEqual(
        seen.filter(({ isDriver }) => isDriver),
        [],
      );
      assert.deepEqual(tracedRpcs(printed["the first preview"] ?? ""), []);
    });

    it("writes nothing", async () => {
      assert.deepEqual(await cluster.definitions(), []);
      assert.equal(await cluster.client.get(namespaceKind, { name: namespace }), undefined);
    });
  });

  describe("after up", () => {
    let claim: KubernetesObject;
    let bucket: KubernetesObject;
    let access: KubernetesObject;
    let secret: KubernetesObject;
    let info: BucketInfo;
    let state: string;

    before(async () => {
      const { seen } = await temporary.watch(() => run("up", ["up", "--yes", "--skip-preview"]));
      assert.ok(
        seen.some(({ isDriver }) => isDriver),
        "no driver was seen",
      );
      claim = await cluster.get(bucketClaimKind, "photos", namespace);
      bucket = await cluster.get(bucketKind, `bucket-${String(claim.metadata.uid)}`);
      access = await cluster.get(bucketAccessKind, "photos-rw", namespace);
      secret = await cluster.get(secretKind, "photos-creds", namespace);
      info = bucketInfoOf(secret);
      state = (await stack.state()).text;
    });

    it("has a state of which the picture of the README is made", async () => {
      await assertPicture("quickstart.svg", state);
    });

    it("has warned of nothing", () => {
      assert.doesNotMatch(diagnostics(printed["up"] ?? ""), /warning/i);
    });

    it("has a ready claim, which names its Bucket [CASE-U24]", () => {
      assert.deepEqual(claim["spec"], { bucketClassName: "gold", protocols: ["S3"] });
      assert.deepEqual(claim["status"], { bucketReady: true, bucketName: bucket.metadata.name });
      assert.deepEqual(claim.metadata.finalizers, [finalizers.claim]);
    });

    it("has a ready Bucket with what it took from class and claim, and with the id of the store's bucket", async () => {
      const { uid } = claim.metadata;
      assert.deepEqual(bucket["spec"], {
        driverName: "s3.pulumi-cosi.dev",
        deletionPolicy: "Delete",
        bucketClassName: "gold",
        bucketClaim: { name: "photos", namespace, uid },
        protocols: ["S3"],
      });
      const { bucketID } = info.spec;
      assert.deepEqual(bucket["status"], { bucketReady: true, bucketID });
      assert.deepEqual(
        [...(bucket.metadata.finalizers ?? [])].sort(),
        [finalizers.bucketInUse, finalizers.bucket].sort(),
      );
      assert.equal(await admin.bucketsNamed(bucketID), 1);
    });

    it("has a granted access with the id of the store's account", async () => {
      const { accountID, accessGranted } = statusOf(access);
      assert.equal(accessGranted, true);
      assert.deepEqual(access.metadata.finalizers, [finalizers.access]);
      assert.ok(
        (await admin.users()).includes(String(accountID)),
        `the store has no user ${String(accountID)}`,
      );
    });

    it("has named account and BucketInfo by the UID of the access [OS1-032]", () => {
      const uid = String(access.metadata.uid);
      assert.match(printed["up"] ?? "", new RegExp(`DriverGrantBucketAccess OK .*"name":"ba-${uid}"`));
      assert.equal(info.metadata.name, `bc-${uid}`);
    });

    it("has a Secret that belongs to the access by its UID [OS1-037]", () => {
      const { name, uid } = access.metadata;
      assert.deepEqual(secret.metadata.ownerReferences, [
        { apiVersion, kind: "BucketAccess", name, uid, controller: true },
      ]);
    });

    it("has a Secret with one document, BucketInfo, of the protocol that the driver gave [OS1-045]", () => {
      assert.equal(secret["type"], "Opaque");
      assert.deepEqual(secret.metadata.finalizers, [finalizers.secret]);
      const { secretS3, ...rest } = info.spec;
      assert.deepEqual(rest, {
        bucketName: bucket.metadata.name,
        authenticationType: "Key",
        secretAzure: null,
        protocols: ["S3"],
        bucketID: statusOf(bucket)["bucketID"],
      });
      assert.deepEqual([secretS3.endpoint, secretS3.region], [store.endpoint, store.region]);
    });

    it("gives credentials in the Secret that reach the bucket and no other", async () => {
      const { accessKeyID, accessSecretKey, endpoint, region } = info.spec.secretS3;
      const keys = { accessKeyId: accessKeyID, secretAccessKey: accessSecretKey };
      const user = new StoreAdmin({ ...store, endpoint, region, ...keys });
      const { bucketID } = info.spec;
      await user.put(bucketID, "cat", "meow");
      assert.equal(await user.get(bucketID, "cat"), "meow");
      await user.remove(bucketID, "cat");
      const other = admin.name();
      await admin.makeBucket(other);
      await assert.rejects(user.put(other, "cat"), { name: "AccessDenied" });
    });

    it("exports the ids of bucket and Secret", async () => {
      assert.deepEqual(await stack.outputs(), { bucket: info.spec.bucketID, secret: "photos-creds" });
    });

    it("has an empty preview, with and without refresh, whatever others add to finalizers and status [OS1-078] [CASE-U10]", async () => {
      await run("the second preview", ["preview", "--diff", "--expect-no-changes"]);
      const reference = { namespace, name: "photos" };
      const mine = claim.metadata.finalizers ?? [];
      const finalizersOfClaim = (list: readonly string[]): unknown => ({ metadata: { finalizers: list } });
      await cluster.client.patch(bucketClaimKind, reference, finalizersOfClaim([...mine, foreignFinalizer]));
      await cluster.client.patchStatus(bucketClaimKind, reference, { conditions: [{ type: "Seen" }] });
      await run("the preview with refresh", ["preview", "--refresh", "--expect-no-changes"]);
      await run("refresh", ["refresh", "--yes", "--skip-preview", "--diff"]);
      await run("the preview after refresh", ["preview", "--json", "--expect-no-changes"]);
      await cluster.client.patch(bucketClaimKind, reference, finalizersOfClaim(mine));
    });

    it("makes no call to the driver in any preview or refresh", () => {
      for (const [command, text] of Object.entries(printed)) {
        if (/preview|refresh/.test(command)) assert.deepEqual(tracedRpcs(text), [], command);
      }
    });

    it("keeps every secret out of the state, the output of all commands and all objects but the Secret [OS1-049] [CASE-P28] [CASE-U05] [CASE-U07]", async () => {
      const scanner = new SecretScanner({
        accessKeyId: info.spec.secretS3.accessKeyID,
        accessSecretKey: info.spec.secretS3.accessSecretKey,
        administrator: store.secretAccessKey,
      });
      const texts = {
        state,
        ...printed,
        ...(await cluster.textOfAllButSecrets()),
        "the Secret's metadata": JSON.stringify(secret.metadata),
      };
      assert.deepEqual(scanner.find(texts), []);
    });

    it("prints no stack trace", () => {
      assert.deepEqual(
        Object.keys(printed).filter((command) => hasStackTrace(printed[command] ?? "")),
        [],
      );
    });

    describe("and destroy", () => {
      before(() => run("destroy", ["destroy", "--refresh", "--yes", "--skip-preview"]));

      it("has revoked the access before it deleted the bucket", () => {
        assert.deepEqual(tracedRpcs(printed["destroy"] ?? ""), [
          "DriverGetInfo",
          "DriverRevokeBucketAccess",
          "DriverDeleteBucket",
        ]);
      });

      it("leaves nothing in the cluster but the definitions", async () => {
        assert.deepEqual(await cluster.objects(namespace), []);
        assert.equal(await cluster.client.get(namespaceKind, { name: namespace }), undefined);
        assert.equal((await cluster.definitions()).length, 5);
      });

      it("leaves no bucket and no user in the store, and nothing in the state", async () => {
        assert.equal(await admin.bucketsNamed(info.spec.bucketID), 0);
        const account = String(statusOf(access)["accountID"]);
        assert.ok(!(await admin.users()).includes(account), `the user ${account} is left`);
        assert.deepEqual((await stack.state()).resources, []);
      });

      it("leaves no process and no socket folder", async () => {
        await eventually("no process of the run is left", () => temporary.processes().length === 0);
        assert.deepEqual(temporary.socketFolders(), []);
      });
    });
  });
});

function bucketInfoOf(secret: KubernetesObject): BucketInfo {
  const data = secret["data"] as Readonly<Record<string, string>>;
  assert.deepEqual(Object.keys(data), ["BucketInfo"]);
  return JSON.parse(Buffer.from(data["BucketInfo"] ?? "", "base64").toString()) as BucketInfo;
}

function statusOf(object: KubernetesObject): Readonly<Record<string, unknown>> {
  return object["status"] as Readonly<Record<string, unknown>>;
}
