import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { provisioner } from "../../support/cosi-2020-02";
import { FebruarySteps, specOf, statusOf, type BucketSteps } from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { s3Of } from "../../support/cosi-2020-02/storing-handler";
import { assertInOrder } from "../../support/workflows/in-order";
import { kinds } from "../kubernetes/cosi-2020-02/february";

const identifier = {
  bucketName: "legacy",
  region: "eu-9",
  endpoint: "https://legacy.example.com",
  tenant: "t1",
};

describe("a Bucket of each case, and its end (COSI proposal of 2020-02-27)", function () {
  this.timeout(180_000);
  let workflow: FebruaryWorkflow;
  let steps: FebruarySteps;
  const find = (kind: KubernetesKind, name: string, namespace?: string) =>
    workflow.cluster.client.get(kind, { name, namespace });
  const dataOf = (secret: KubernetesObject | undefined): Record<string, string> =>
    Object.fromEntries(
      Object.entries((secret?.["data"] ?? {}) as Record<string, string>).map(([key, value]) => [
        key,
        Buffer.from(value, "base64").toString(),
      ]),
    );
  const label = provisioner;

  before(async () => {
    workflow = await FebruaryWorkflow.start();
    steps = new FebruarySteps(workflow);
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  describe("greenfield", () => {
    let photos: BucketSteps;
    let content: string;
    let created: string[];
    let ended: string[];
    let objects: Record<"bucket" | "content" | "source" | "copy", KubernetesObject | undefined>;
    const during: string[] = [];

    before(async () => {
      const off = workflow.driver.on("received", async () => {
        const [bucket, own] = [
          await find(kinds.bucket, "photos", workflow.namespace),
          await find(kinds.bucketContent, content),
        ];
        during.push(...[bucket, own].map((object) => object?.metadata.finalizers?.join() ?? "none"));
        return undefined;
      });
      const bound = await steps.bindContent("photos", { bucketPrefix: "YosemitePhotos-" });
      content = steps.contentName(bound);
      photos = await steps.deliver(bound);
      objects = {
        bucket: await find(kinds.bucket, "photos", workflow.namespace),
        content: await find(kinds.bucketContent, content),
        source: await find(secretKind, content, workflow.sourceNamespace),
        copy: await find(secretKind, "photos-creds", workflow.namespace),
      };
      created = await workflow.timeline.texts();
      await steps.destroy(photos);
      ended = (await workflow.timeline.texts()).slice(created.length);
      off();
    });

    it("calls CreateBucket once, and DeleteBucket once at the end [K02-058] [K02-060] [K02-067] [K02-088]", () => {
      assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
      const [create] = workflow.driver.requests().create;
      assert.deepEqual(create?.DriverParameters, new Map([["tier", "gold"]]));
      assert.equal(create.AccessMode, 3);
    });

    it("asks for the prefix as it is written and the UID of the Bucket [K02-022] [K02-023]", () => {
      const [create] = workflow.driver.requests().create;
      assert.equal(create?.RequestBucketName, `YosemitePhotos-${photos.bucket.uid}`);
    });

    it("names the BucketContent after class and UID, with the copies of the class [K02-031] [K02-032] [K02-035] [K02-036] [K02-044]", () => {
      assert.equal(content, `gold-${workflow.namespace}-${photos.bucket.uid}`);
      const { bucketRef, secretRef, protocolS3, ...copied } = specOf(objects.content);
      assert.deepEqual(copied, {
        provisioner,
        releasePolicy: "Delete",
        accessMode: "rw",
        bucketClassName: `gold-${workflow.namespace}`,
        protocol: "s3",
        parameters: { tier: "gold" },
      });
      assert.ok(bucketRef !== undefined && secretRef !== undefined && protocolS3 !== undefined);
    });

    it("says in the BucketContent whose it is, where its Secret is, and what the driver told [K02-037] [K02-039] [K02-041] [K02-043]", () => {
      const { bucketRef, secretRef, protocolS3 } = specOf(objects.content);
      const { resourceVersion, ...reference } = bucketRef as Record<string, string>;
      const { namespace, name, uid } = photos.bucket;
      assert.deepEqual(reference, { namespace, name, uuid: uid });
      assert.match(resourceVersion ?? "", /^\d+$/);
      assert.deepEqual(secretRef, { namespace: workflow.sourceNamespace, name: content });
      assert.deepEqual(protocolS3, {
        endpoint: "https://s3.eu-1.example.com",
        bucketName: `YosemitePhotos-${uid}`,
        region: "eu-1",
        signatureVersion: "V4",
        userName: `user-YosemitePhotos-${uid}`,
        accessKeyId: dataOf(objects.copy)["accessKeyId"],
      });
    });

    it("keeps the credentials in a Secret that the BucketContent owns [K02-020] [K02-068] [K02-074]", () => {
      const { uid } = photos.bucket;
      assert.deepEqual(Object.keys(dataOf(objects.source)).sort(), [
        "accessKeyId",
        "bucketName",
        "endpoint",
        "protocol",
        "region",
        "secretKey",
        "signatureVersion",
        "userName",
      ]);
      const { protocol, bucketName } = dataOf(objects.source);
      assert.deepEqual([protocol, bucketName], ["s3", `YosemitePhotos-${uid}`]);
      assert.equal(objects.source?.["type"], "Opaque");
      const { apiVersion, kind } = kinds.bucketContent;
      const owners = objects.source.metadata.ownerReferences?.map((owner) => ({
        ...owner,
        controller: undefined,
      }));
      assert.deepEqual(owners, [
        { apiVersion, kind, name: content, uid: objects.content?.metadata.uid, controller: undefined },
      ]);
    });

    it("copies it to the user's namespace for the Bucket, data and type unchanged [K02-025] [K02-070]", () => {
      assert.deepEqual(dataOf(objects.copy), dataOf(objects.source));
      assert.equal(objects.copy?.["type"], "Opaque");
      const [owner] = objects.copy.metadata.ownerReferences ?? [];
      assert.deepEqual([owner?.kind, owner?.name, owner?.uid], ["Bucket", "photos", photos.bucket.uid]);
    });

    it("labels what it manages with the provisioner [K02-016] [K02-017]", () => {
      for (const object of Object.values(objects)) {
        assert.equal(object?.metadata.labels?.["cosi.io/provisioner"], label);
      }
    });

    it("has both finalizers on while the driver works [K02-019]", () => {
      assert.deepEqual(during, Array<string>(4).fill("cosi.io/finalizer"));
    });

    it("binds last [K02-027] [K02-071]", () => {
      assert.deepEqual(statusOf(objects.bucket), { phase: "Bound", bucketContentName: content });
      assert.deepEqual(statusOf(objects.content), {
        phase: "Bound",
        message: `bound to Bucket ${workflow.namespace}/photos`,
      });
    });

    it("goes step by step, in the order of the workflow [K02-047] [K02-065] [K02-066] [K02-069]", () => {
      assertInOrder(
        created,
        "Bucket photos +finalizer cosi.io/finalizer",
        'Bucket photos status {"phase":"Pending"}',
        `BucketContent ${content} added`,
        "CreateBucket received",
        "CreateBucket done",
        `Secret ${content} added`,
        `BucketContent ${content} status {"message":"the credentials are there","phase":"Ready"`,
        "Secret photos-creds added",
        `BucketContent ${content} status {"message":"bound to`,
        `Bucket photos status {"bucketContentName":"${content}","phase":"Bound"}`,
      );
    });

    it("ends in the opposite order, the Bucket last [K02-086] [K02-087] [K02-091] [K02-092] [K02-093]", () => {
      assertInOrder(
        ended,
        'Bucket photos status {"bucketContentName"',
        `BucketContent ${content} status {"conditions":[{`,
        "Secret photos-creds deleted",
        `Secret ${content} deleted`,
        "DeleteBucket received",
        "DeleteBucket done",
        `BucketContent ${content} status {"conditions":[{`,
        `BucketContent ${content} -finalizer cosi.io/finalizer`,
        `BucketContent ${content} deleted`,
        "Bucket photos -finalizer cosi.io/finalizer",
        "Bucket photos deleted",
      );
      const conditions = ended.filter((text) => text.startsWith("Bucket photos status"));
      assert.match(conditions[0] ?? "", /"type":"Deleting"/);
      assert.ok(
        ended.some((text) =>
          /^BucketContent .* "?status .*"phase":"Released"/.test(text.replace(" status", ' "status')),
        ),
      );
    });

    it("names in DeleteBucket what the create told [K02-105]", () => {
      const [request] = workflow.driver.requests().delete;
      const bucketName = `YosemitePhotos-${photos.bucket.uid}`;
      assert.deepEqual(request?.Protocol?.value, {
        BucketName: bucketName,
        Region: "eu-1",
        Endpoint: "https://s3.eu-1.example.com",
        AccessKeyId: dataOf(objects.copy)["accessKeyId"],
        UserName: `user-${bucketName}`,
        SignatureVersion: 2,
      });
      assert.equal(request.RetainPolicy, 1);
      assert.deepEqual(request.DriverParameters, new Map([["tier", "gold"]]));
    });

    it("leaves nothing at the driver", () => {
      assert.deepEqual([workflow.driver.buckets.size, workflow.driver.accounts.size], [0, 0]);
    });
  });

  describe("greenfield under Retain", () => {
    before(async () => {
      await workflow.restart();
      const kept = await steps.up("kept", { bucketClass: { releasePolicy: "Retain" } });
      await steps.destroy(kept);
    });

    it("has the account revoked, and the bucket stays [K02-088] [K02-094] [K02-107]", () => {
      assert.deepEqual(workflow.driver.rpcs(), ["create", "revoke"]);
      assert.equal(workflow.driver.buckets.size, 1);
      assert.equal(workflow.driver.accounts.size, 0);
      const [create] = workflow.driver.requests().create;
      const [revoke] = workflow.driver.requests().revoke;
      assert.deepEqual(s3Of(revoke?.RequestProtocol), {
        ...s3Of(revoke?.RequestProtocol),
        BucketName: create?.RequestBucketName,
        UserName: `user-${create?.RequestBucketName ?? ""}`,
      });
      workflow.driver.buckets.clear();
    });
  });

  describe("brownfield", () => {
    let legacy: BucketSteps;
    let second: BucketSteps;

    before(async () => {
      await workflow.restart();
      const bucketClass = {
        releasePolicy: "Retain",
        bucketIdentifier: identifier,
        accessMode: "ro",
      } as const;
      legacy = await steps.up("legacy", { bucketClass });
      const other = new FebruarySteps(workflow, await workflow.otherNamespace());
      second = await other.up("second", { bucketClass });
    });

    it("calls GrantBucketAccess with the identifier and the parameters [K02-056] [K02-061] [K02-077] [K02-078]", () => {
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "grant"]);
      const [grant] = workflow.driver.requests().grant;
      assert.deepEqual(grant?.Protocol?.value, {
        BucketName: "legacy",
        Region: "eu-9",
        Endpoint: "https://legacy.example.com",
        AccessKeyId: "",
        UserName: "",
        SignatureVersion: 0,
      });
      assert.deepEqual(
        grant.DriverParameters,
        new Map([
          ["tier", "gold"],
          ["tenant", "t1"],
        ]),
      );
      assert.equal(grant.AccessMode, 1);
    });

    it("puts the place of the class and the keys of the grant into the Secret [K02-075]", async () => {
      const secret = dataOf(await find(secretKind, "legacy-creds", workflow.namespace));
      assert.equal(secret["endpoint"], "https://legacy.example.com");
      assert.match(secret["secretKey"] ?? "", /^feb-s3cr3t/);
    });

    it("gives each Bucket of the class an account of its own, and the end of one leaves the other [K02-079] [K02-089]", async () => {
      assert.equal(workflow.driver.accounts.size, 2);
      await steps.destroy(legacy);
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "grant", "revoke"]);
      assert.equal(workflow.driver.accounts.size, 1);
      const bound = await find(kinds.bucketContent, steps.contentName(second));
      assert.equal(statusOf(bound)["phase"], "Bound");
      await new FebruarySteps(workflow, second.bucket.namespace).destroy(second);
      assert.equal(workflow.driver.accounts.size, 0);
    });
  });

  describe("static", () => {
    let archive: BucketSteps;
    let admins: KubernetesObject;
    let ended: string[];

    before(async () => {
      await workflow.restart();
      admins = await workflow.cluster.client.create(secretKind, {
        type: "example.com/keys",
        metadata: { namespace: workflow.sourceNamespace, name: "archive-keys" },
        data: { key: Buffer.from([0, 255, 1, 254]).toString("base64"), user: "YQ==" },
      });
      const secretRef = { namespace: workflow.sourceNamespace, name: "archive-keys" };
      archive = await steps.up("archive", {
        bucketClass: { provisioner: null, releasePolicy: "Retain", bucketIdentifier: identifier, secretRef },
      });
    });

    it("makes no call, and takes block and Secret from the class [K02-062] [K02-081] [K02-085]", async () => {
      assert.deepEqual(workflow.driver.rpcs(), []);
      const content = await find(kinds.bucketContent, steps.contentName(archive));
      const { secretRef, protocolS3, provisioner: none } = specOf(content);
      assert.deepEqual(secretRef, { namespace: workflow.sourceNamespace, name: "archive-keys" });
      const { bucketName, region, endpoint } = identifier;
      assert.deepEqual(protocolS3, { bucketName, region, endpoint });
      assert.equal(none, undefined);
      assert.equal(content?.metadata.labels, undefined);
      assert.equal(statusOf(content)["phase"], "Bound");
    });

    it("copies the admin's Secret byte for byte, with its type [K02-082]", async () => {
      const copy = await find(secretKind, "archive-creds", workflow.namespace);
      assert.ok(copy !== undefined);
      assert.deepEqual(copy["data"], admins["data"]);
      assert.equal(copy["type"], "example.com/keys");
      assert.equal(copy.metadata.ownerReferences?.[0]?.uid, archive.bucket.uid);
    });

    it("leaves the admin's Secret as it is, and goes without a call [K02-083] [K02-095]", async () => {
      const before = (await workflow.timeline.texts()).length;
      const content = steps.contentName(archive);
      await steps.destroy(archive);
      ended = (await workflow.timeline.texts()).slice(before);
      assertInOrder(
        ended,
        "Secret archive-creds deleted",
        `BucketContent ${content} status`,
        `BucketContent ${content} -finalizer cosi.io/finalizer`,
        `BucketContent ${content} deleted`,
        "Bucket archive deleted",
      );
      assert.ok(
        ended.some(
          (text) => text.startsWith(`BucketContent ${content} status`) && text.includes('"phase":"Released"'),
        ),
      );
      assert.deepEqual(await find(secretKind, "archive-keys", workflow.sourceNamespace), admins);
      assert.deepEqual(workflow.driver.rpcs(), []);
    });
  });
});
