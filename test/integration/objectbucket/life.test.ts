import assert from "node:assert/strict";
import { isRecord } from "../../../provider/dynamic/values";
import { closeConnections } from "../../../provider/driver/connections";
import type { KubernetesObject } from "../../../provider/kubernetes/object";
import { objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { readClaim, readObjectBucket } from "../../../provider/models/objectbucket/records";
import { assertEnded, type SmallStack } from "../../support/faults/small-stack";
import { ClaimBench, decodedData, specOf } from "../../support/objectbucket/claim-bench";
import { assertInOrder } from "../../support/workflows/in-order";

const finalizer = "objectbucket.io/finalizer";
const label = "cosi.objectbucket.io-fake.example.com";

describe("a claim of each case, and its end (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  describe("greenfield, policy Delete", () => {
    const name = "photos";
    let objects: Record<string, KubernetesObject | undefined>;
    let created: string[];
    let ended: string[];
    let bucket: string;
    let uid: string;
    const during: Record<string, string> = {};
    const released: string[] = [];

    before(async () => {
      const off = bench.workflow.driver.on("received", async ({ rpc }) => {
        const claim = await bench.claim(name);
        during[rpc] = `${claim?.phase ?? "none"} ${claim?.bucketName ?? ""}`;
        if (rpc === "create" || rpc === "grant") return undefined;
        const objectBucket = await bench.objectBucket(name);
        const secret = await bench.secret(name);
        released.push(
          `${rpc} ${objectBucket?.phase ?? "none"} ${objectBucket?.isProtected} ${claim?.isProtected} ${secret?.metadata.name}`,
        );
        return undefined;
      });
      const stack = bench.stack(name, { inputs: { additionalConfig: { maxObjects: "10" } } });
      assertEnded(await stack.up());
      objects = await bench.objects(name);
      ({ uid, bucketName: bucket } = readClaim(objects["claim"] ?? assert.fail("no claim")));
      created = await bench.workflow.timeline.texts();
      assertEnded(await stack.destroy());
      ended = (await bench.workflow.timeline.texts()).slice(created.length);
      off();
    });

    it("sends Create, then Grant, with the parameters of the class and of the claim, then Revoke, then Delete [OBC-061] [OBC-083] [OBC-086]", () => {
      assert.deepEqual(bench.workflow.driver.rpcs().slice(0, 4), ["create", "grant", "revoke", "delete"]);
      const { create, grant, revoke, delete: deleted } = bench.workflow.driver.requests();
      const parameters = new Map([
        ["maxObjects", "10"],
        ["tier", "gold"],
      ]);
      assert.equal(create[0]?.name, bucket);
      assert.deepEqual(create[0].parameters, parameters);
      assert.equal(grant[0]?.bucketId, bucket);
      assert.equal(grant[0].name, `obc-${bench.namespace}-photos-${uid}`);
      assert.equal(grant[0].authenticationType, 1);
      assert.deepEqual(grant[0].parameters, parameters);
      assert.equal(revoke[0]?.accountId, grant[0].name);
      assert.equal(deleted[0]?.bucketId, bucket);
      assert.deepEqual(deleted[0].deleteContext, parameters);
    });

    it("names the bucket after prefix and UID, in the claim before Create [OBC-020] [OBC-052]", () => {
      assert.equal(bucket, `photos-${uid}`);
      assert.equal(during["create"], `Pending ${bucket}`);
      assert.equal(during["grant"], `Pending ${bucket}`);
    });

    it("is Bound last, when Secret, ConfigMap and ObjectBucket are there [OBC-061] [OBC-096] [OBC-097]", () => {
      assertInOrder(
        created,
        'ObjectBucketClaim photos status {"phase":"Pending"}',
        "DriverCreateBucket received",
        "DriverGrantBucketAccess done",
        "Secret photos added",
        "ConfigMap photos added",
        `ObjectBucket obc-${bench.namespace}-photos added`,
        `ObjectBucket obc-${bench.namespace}-photos status {"phase":"Bound"}`,
        'ObjectBucketClaim photos status {"phase":"Bound"}',
      );
      assert.equal(created.at(-1), 'ObjectBucketClaim photos status {"phase":"Bound"}');
      const claim = readClaim(objects["claim"] ?? assert.fail());
      const objectBucket = readObjectBucket(objects["objectBucket"] ?? assert.fail());
      assert.equal(claim.objectBucketName, `obc-${bench.namespace}-photos`);
      assert.equal(objectBucket.claimRef?.uid, uid);
      assert.deepEqual([claim.phaseText, objectBucket.phaseText], ["Bound", "Bound"]);
    });

    it("leaves out of the claim what it does not say [OBC-024] [OBC-026]", () => {
      assert.deepEqual(Object.keys(specOf(objects["claim"])).sort(), [
        "additionalConfig",
        "bucketName",
        "generateBucketName",
        "objectBucketName",
        "storageClassName",
      ]);
      assert.deepEqual(objects["claim"]?.["status"], { phase: "Bound" });
    });

    it("tells in the ObjectBucket where the bucket is, whose, and by which ids [OBC-027] [OBC-029] [OBC-030] [OBC-031] [OBC-105]", () => {
      const account = `obc-${bench.namespace}-photos-${uid}`;
      assert.deepEqual(specOf(objects["objectBucket"]), {
        storageClassName: `gold-${bench.namespace}`,
        reclaimPolicy: "Delete",
        claimRef: {
          apiVersion: "objectbucket.io/v1alpha1",
          kind: "ObjectBucketClaim",
          namespace: bench.namespace,
          name: "photos",
          uid,
        },
        endpoint: {
          bucketHost: "127.0.0.1",
          bucketPort: 9,
          bucketName: bucket,
          region: "eu-1",
          subRegion: "",
          additionalConfig: { maxObjects: "10" },
        },
        additionalState: {
          cephUser: account,
          "cosi.driver": "fake.example.com",
          "cosi.bucketID": bucket,
          "cosi.accountID": account,
        },
      });
    });

    it("writes keys and connection under the names of both worlds [OBC-041] [OBC-042] [OBC-047] [OBC-048]", () => {
      const secret = objects["secret"];
      assert.deepEqual([secret?.["type"], secret?.metadata.name], ["Opaque", "photos"]);
      const key = "AKEXAMPLE1";
      assert.deepEqual(decodedData(objects["secret"]), {
        ACCESS_KEY_ID: key,
        AWS_ACCESS_KEY_ID: key,
        SECRET_ACCESS_KEY: `s3cr3t/of+${key}`,
        AWS_SECRET_ACCESS_KEY: `s3cr3t/of+${key}`,
      });
      assert.deepEqual(objects["configMap"]?.["data"], {
        BUCKET_HOST: "127.0.0.1",
        BUCKET_PORT: "9",
        BUCKET_NAME: bucket,
        BUCKET_REGION: "eu-1",
        BUCKET_SUBREGION: "",
        S3_BUCKET_HOST: "127.0.0.1",
        S3_BUCKET_PORT: "9",
        S3_BUCKET_NAME: bucket,
        S3_BUCKET_SSL: "no",
        S3_BUCKET_REGION: "eu-1",
      });
    });

    it("marks all four objects with label, finalizer, and what the user gave [OBC-058] [OBC-059]", () => {
      for (const [kind, object] of Object.entries(objects)) {
        const { labels, annotations, finalizers } = object?.metadata ?? assert.fail(`no ${kind}`);
        assert.deepEqual(labels, { team: "shop", "bucket-provisioner": label }, kind);
        assert.equal(annotations?.["note"], "of the user", kind);
        assert.deepEqual(finalizers, [finalizer], kind);
      }
    });

    it("has the claim own Secret and ConfigMap, and not the ObjectBucket [OBC-060]", () => {
      const reference = {
        apiVersion: "objectbucket.io/v1alpha1",
        kind: "ObjectBucketClaim",
        name: "photos",
        uid,
        controller: true,
        blockOwnerDeletion: true,
      };
      for (const kind of ["secret", "configMap"])
        assert.deepEqual(objects[kind]?.metadata.ownerReferences, [reference], kind);
      assert.equal(objects["objectBucket"]?.metadata.ownerReferences, undefined);
    });

    it("keeps keys out of claim, ObjectBucket and ConfigMap [OBC-104]", () => {
      const text = JSON.stringify([objects["claim"], objects["objectBucket"], objects["configMap"]]);
      assert.doesNotMatch(text, /s3cr3t|AKEXAMPLE/);
    });

    it("says Released from the start of its end, and lets ObjectBucket and claim go after the calls [OBC-083] [OBC-084] [OBC-096]", async () => {
      assert.deepEqual(released, [
        "revoke Released true true undefined",
        "delete Released true true undefined",
      ]);
      assertInOrder(
        ended,
        `ObjectBucket obc-${bench.namespace}-photos status {"phase":"Released"}`,
        'ObjectBucketClaim photos status {"phase":"Released"}',
        "ConfigMap photos deleted",
        "DriverRevokeBucketAccess received",
        "DriverDeleteBucket done",
        `ObjectBucket obc-${bench.namespace}-photos deleted`,
        "ObjectBucketClaim photos deleted",
      );
      const terminating = ended.filter((text) => text.includes("deletionTimestamp"));
      assert.deepEqual(terminating, []);
      assert.deepEqual(await bench.left(name), []);
    });
  });

  describe("greenfield, policy Retain", () => {
    it("revokes the account and keeps the bucket, which a later class names [OBC-086] [OBC-087]", async () => {
      const { driver } = bench.workflow;
      const stack = bench.stack("kept", { storageClass: { reclaimPolicy: "Retain" } });
      assertEnded(await stack.up());
      const bucket = (await bench.claim("kept"))?.bucketName ?? "";
      driver.forget();
      assertEnded(await stack.destroy());
      assert.deepEqual(driver.rpcs(), ["revoke"]);
      assert.ok(driver.buckets.has(bucket));
      assert.deepEqual(await bench.left("kept"), []);
      const later = bench.stack("later", {
        storageClass: { reclaimPolicy: "Retain", parameters: { bucketName: bucket } },
      });
      assertEnded(await later.up());
      const data = (await bench.configMap("later"))?.["data"];
      assert.equal(isRecord(data) ? data["BUCKET_NAME"] : undefined, bucket);
      assertEnded(await later.destroy());
    });
  });

  describe("brownfield", () => {
    const archive = {
      reclaimPolicy: "Retain" as const,
      parameters: { bucketName: "archive", bucketID: "id/of:archive=1", tier: "cold" },
    };
    let one: SmallStack;
    let two: SmallStack;

    before(async () => {
      bench.workflow.driver.forget();
      const elsewhere = await bench.elsewhere();
      one = bench.stack("reader", { storageClass: archive, inputs: { brownfield: true } });
      two = elsewhere.stack("reader", { storageClass: archive });
      assertEnded(await one.up());
      assertEnded(await two.up());
    });

    it("grants an account to each claim and creates no bucket [OBC-069] [OBC-070] [OBC-073]", async () => {
      const { driver } = bench.workflow;
      assert.deepEqual(driver.rpcs(), ["grant", "grant"]);
      const { grant } = driver.requests();
      assert.deepEqual(
        grant.map(({ bucketId }) => bucketId),
        ["id/of:archive=1", "id/of:archive=1"],
      );
      assert.deepEqual(grant[0]?.parameters, new Map(Object.entries(archive.parameters)));
      assert.notEqual(grant[0].name, grant[1]?.name);
      const claim = await bench.claim("reader");
      assert.equal(claim?.phase, "Bound");
      assert.equal(claim.bucketName, "archive");
      const objectBucket = await bench.objectBucket("reader");
      assert.equal(objectBucket?.endpoint.bucketName, "archive");
      assert.equal(objectBucket.additionalState["cosi.bucketID"], "id/of:archive=1");
      assert.equal(objectBucket.reclaimPolicy, "Retain");
    });

    it("ends the account of the claim that goes, and leaves the other's and the bucket [OBC-073] [OBC-086]", async () => {
      const { driver } = bench.workflow;
      driver.forget();
      const accounts = driver.accounts.size;
      assertEnded(await one.destroy());
      assert.deepEqual(driver.rpcs(), ["revoke"]);
      assert.equal(driver.accounts.size, accounts - 1);
      assert.equal(driver.requests().revoke[0]?.bucketId, "id/of:archive=1");
      assertEnded(await two.destroy());
    });
  });

  describe("names", () => {
    it("takes an explicit name, and one of namespace and name [OBC-020] [OBC-054]", async () => {
      const named = bench.stack("named", {
        inputs: { bucketName: "exactly-this", generateBucketName: null },
      });
      assertEnded(await named.up());
      assert.equal((await bench.claim("named"))?.bucketName, "exactly-this");
      assertEnded(await named.destroy());
      const stack = bench.stack("stable", {
        inputs: { naming: "namespaceAndName", generateBucketName: null },
      });
      assertEnded(await stack.up());
      assert.match((await bench.claim("stable"))?.bucketName ?? "", /^test-[\w-]+-stable-[0-9a-f]{8}$/);
      assertEnded(await stack.destroy());
    });

    it("binds a claim with a name of 240 characters [OBC-056]", async () => {
      const name = "a".repeat(240);
      const stack = bench.stack(name, { inputs: { generateBucketName: "long" } });
      assertEnded(await stack.up());
      const objectBucket = objectBucketNameOf({ namespace: bench.namespace, name });
      assert.ok(objectBucket.length <= 253);
      assert.ok(await bench.workflow.cluster.client.get(objectBucketKind, { name: objectBucket }));
      assert.equal((await bench.claim(name))?.phase, "Bound");
      assertEnded(await stack.destroy());
    });

    it("writes the additional fields and lower-case phases of the design document on request [OBC-028] [OBC-095]", async () => {
      const stack = bench.stack("seed", { inputs: { dialect: "seed" } });
      assertEnded(await stack.up());
      const object = await bench.objectBucketObject("seed");
      const { endpoint, additionalState, connection } = specOf(object) as Record<
        string,
        Record<string, unknown>
      >;
      assert.deepEqual(connection, { endpoint: { ...endpoint, ssl: false }, additionalState });
      assert.equal((await bench.claim("seed"))?.phaseText, "bound");
      assert.equal((await bench.objectBucket("seed"))?.phaseText, "bound");
      bench.workflow.driver.refuse("revoke", { code: 7, message: "not now" });
      const stopped = await stack.destroy();
      assert.equal(stopped.stoppedAt, "access");
      assert.equal((await bench.claim("seed"))?.phaseText, "released");
      assertEnded(await stack.destroy());
    });
  });
});
