import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { kindsOf } from "../../../provider/models/cosi-2020-02/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { afterExample, Page } from "../../support/docs/page";
import { Cluster, februaryKinds } from "../../support/end-to-end/cluster";
import { diagnostics, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { ExampleObjects } from "../../support/examples/objects";
import { ExampleWorkload } from "../../support/examples/workload";
import { Stack } from "../../support/stack";
import { assertInOrder } from "../../support/workflows/in-order";
import { Timeline } from "../../support/workflows/timeline";

const root = path.join(__dirname, "..", "..", "..");
const deploymentKind: KubernetesKind = { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments" };
const watched = [deploymentKind, secretKind].map((kind) => ({ kind, namespaced: false }));
const kinds = kindsOf("cosi.io");
const unchanged = ["preview", "--expect-no-changes"];

/** What of an example is the user's. */
function userPart(example: string): string {
  const text = fs.readFileSync(path.join(root, "examples", "cosi-2020-02", example, "index.ts"), "utf8");
  const [, part = ""] = text.split(/^\/\/ What follows is the user's.*$/m);
  assert.ok(part.includes("new february.Bucket("), example);
  return part;
}

describe("the examples of the COSI proposal of 2020-02-27, on a real store and a real API server", function () {
  this.timeout(600_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let objects: ExampleObjects;
  /** A bucket that no workload has to do with. */
  let other: string;
  /** Users of the store that no example has made. */
  let usersBefore: readonly string[];
  const stacks: Stack[] = [];

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: true })]);
    admin = new StoreAdmin(store);
    objects = new ExampleObjects(cluster, februaryKinds);
    usersBefore = await admin.users();
    other = admin.name();
    await admin.makeBucket(other);
    await admin.put(other, "plan");
  });
  after(async () => {
    await Promise.all(stacks.map((stack) => stack.remove()));
    await admin.cleanUp();
    await Promise.all([store.stop(), cluster.stop()]);
  });

  /** @param ofDriver What a driver finds in its environment. */
  async function stackOf(
    example: string,
    config: Readonly<Record<string, string>>,
    ofDriver: Readonly<Record<string, string>> = s3DriverEnvironment(store),
  ): Promise<Stack> {
    const stack = await Stack.create(
      { example: `cosi-2020-02/${example}` },
      { ...ofDriver, ...cluster.variables, ...quickProgram, PULUMI_COSI_TRACE: "1" },
    );
    stacks.push(stack);
    for (const [key, value] of Object.entries(config)) await stack.succeed(["config", "set", key, value]);
    return stack;
  }

  const startTimeline = (namespace: string, ...more: readonly KubernetesKind[]): Promise<Timeline> =>
    Timeline.start(cluster.client, cluster.plane.kubeconfig, namespace, [
      ...watched,
      ...more.map((kind) => ({ kind, namespaced: false })),
    ]);
  const secretOfApp = (): Promise<Readonly<Record<string, string>>> => objects.secret("shop", "photos-creds");
  const workload = async (): Promise<ExampleWorkload> =>
    new ExampleWorkload(store, await secretOfApp(), {
      accessKeyId: "accessKeyId",
      secretAccessKey: "secretKey",
    });
  const deployment = async (): Promise<KubernetesObject> => {
    const [found] = await cluster.client.list(deploymentKind, { namespace: "shop" });
    assert.ok(found);
    return found;
  };
  const usersMade = async (): Promise<string[]> =>
    (await admin.users()).filter((user) => !usersBefore.includes(user));
  const uidOfBucket = async (): Promise<string> =>
    (await cluster.get(kinds.bucket, "photos", "shop")).metadata.uid ?? "";

  /** Asserts that Bucket and BucketContent are bound, and that nothing else is there. */
  async function isBound(className: string): Promise<void> {
    assert.deepEqual(await objects.phases(), {
      "Bucket photos": "Bound",
      [`BucketContent ${className}-${await uidOfBucket()}`]: "Bound",
    });
  }

  /** Asserts that an example has left nothing in the cluster but the definitions, and no account in the store. */
  async function nothingIsLeft(stack: Stack, secrets: readonly string[] = []): Promise<void> {
    assert.deepEqual(await objects.names(), secrets);
    assert.deepEqual(await objects.namespaces("shop", "cosi-system"), []);
    assert.equal((await objects.definitions()).length, 3);
    assert.deepEqual(await usersMade(), []);
    assert.deepEqual((await stack.state()).resources, []);
  }

  it("are one program for the user, whatever the class [K02-004]", () => {
    for (const example of ["brownfield", "static"]) assert.equal(userPart(example), userPart("greenfield"));
  });

  it("go on with the parts of their page, all of which can be planned", async () => {
    // The one that has to come before the first component cannot follow.
    const parts = new Page("docs/cosi-2020-02.md")
      .programParts()
      .filter((part) => !part.includes("install("));
    const stack = await stackOf("greenfield", {});
    stack.write(afterExample("cosi-2020-02/greenfield", parts));
    const preview = await stack.succeed(["preview"], await cluster.unreachable(stack.environment.folder));
    assert.deepEqual(tracedRpcs(preview), []);
    assert.match(preview, /BucketClass readers create/);
  });

  describe("greenfield", () => {
    let stack: Stack;
    let up: string;
    let events: string[];
    let bucket: string;

    before(async () => {
      stack = await stackOf("greenfield", {});
      const timeline = await startTimeline("default");
      up = await stack.up();
      events = await timeline.texts();
      ({ bucket } = (await stack.outputs()) as { bucket: string });
    });

    it("makes one bucket with one account, by one call, and binds it [K02-004]", async () => {
      assert.deepEqual(tracedRpcs(up), ["CreateBucket"]);
      assert.equal(bucket, `photos-${await uidOfBucket()}`);
      assert.equal(await admin.bucketsNamed(bucket), 1);
      assert.equal((await usersMade()).length, 1);
      await isBound("gold");
    });

    it("warns of the policy Delete, and of nothing else", () => {
      const warnings = [...diagnostics(up).matchAll(/^ *warning: (.*)$/gm)].map(([, text]) => text);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /^BucketClass gold: releasePolicy is "Delete"/);
    });

    it("gives its workload keys for this bucket and no other [K02-072]", async () => {
      const web = await workload();
      const { endpoint, region } = store;
      const { accessKeyId, secretKey, userName, ...rest } = web.secret;
      assert.ok(accessKeyId !== undefined && secretKey !== undefined && userName !== undefined);
      assert.deepEqual(rest, {
        protocol: "s3",
        bucketName: bucket,
        endpoint,
        region,
        signatureVersion: "V4",
      });
      await web.write(bucket, "cat", "meow");
      assert.equal(await web.read(bucket, "cat"), "meow");
      await web.isKeptOut(other, "plan");
      await admin.remove(bucket, "cat");
    });

    it("has the workload come up with the Secret, which is there by then [K02-011] [K02-072]", async () => {
      const { metadata, spec } = await deployment();
      assertInOrder(events, "Secret photos-creds added", `Deployment ${metadata.name} added`);
      assert.match(JSON.stringify(spec), /"secretName":"photos-creds"/);
    });

    it("has nothing to do in a second preview", async () => {
      await stack.succeed(unchanged);
    });

    it("goes in one destroy, the workload first, with bucket and account [K02-011]", async () => {
      const web = await workload();
      const { metadata } = await deployment();
      const timeline = await (await startTimeline("kube-public", kinds.bucket)).whenWatchable();
      assert.deepEqual(tracedRpcs(await stack.destroy()), ["DeleteBucket"]);
      assertInOrder(
        await timeline.texts(),
        `Deployment ${metadata.name} deleted`,
        "Bucket photos status",
        "Secret photos-creds deleted",
      );
      assert.equal(await admin.bucketsNamed(bucket), 0);
      await web.hasDeadKeys(other, "plan");
      await nothingIsLeft(stack);
    });
  });

  describe("brownfield", () => {
    let stack: Stack;
    let up: string;
    let bucket: string;

    before(async () => {
      bucket = admin.name();
      await admin.makeBucket(bucket);
      await admin.put(bucket, "2019", "old");
      const { region, endpoint } = store;
      stack = await stackOf("brownfield", { bucket, region, endpoint });
      up = await stack.up();
    });

    it("makes one account and no bucket, and binds as greenfield does [K02-004]", async () => {
      assert.deepEqual(tracedRpcs(up), ["GrantBucketAccess"]);
      assert.doesNotMatch(diagnostics(up), /warning/);
      assert.equal((await stack.outputs())["bucket"], bucket);
      assert.equal((await usersMade()).length, 1);
      await isBound("archive");
    });

    it("gives its workload keys that read this bucket, and no more [K02-072]", async () => {
      const web = await workload();
      assert.equal(web.secret["bucketName"], bucket);
      assert.equal(await web.read(bucket, "2019"), "old");
      await web.mayNotWrite(bucket);
      await web.isKeptOut(other, "plan");
    });

    it("has nothing to do in a second preview", async () => {
      await stack.succeed(unchanged);
    });

    it("goes in one destroy with the account, and leaves the bucket with its data", async () => {
      const web = await workload();
      assert.deepEqual(tracedRpcs(await stack.destroy()), ["RevokeBucketAccess"]);
      await web.hasDeadKeys(bucket, "2019");
      assert.equal(await admin.get(bucket, "2019"), "old");
      await nothingIsLeft(stack);
    });
  });

  describe("static", () => {
    let stack: Stack;
    let up: string;
    let bucket: string;
    let keys: KubernetesObject;
    const keysNow = (): Promise<KubernetesObject> => cluster.get(secretKind, "shared-keys", "stores");

    before(async () => {
      bucket = admin.name();
      await admin.makeBucket(bucket);
      await admin.put(bucket, "2019", "old");
      await cluster.createNamespace("stores");
      const { endpoint, region, accessKeyId, secretAccessKey } = store;
      const texts = { endpoint, region, accessKeyId, secretKey: secretAccessKey };
      await cluster.client.create(secretKind, {
        type: "example.com/store-keys",
        metadata: { namespace: "stores", name: "shared-keys" },
        data: {
          ...Object.fromEntries(
            Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
          ),
          "store.p12": Buffer.from([0, 255, 1, 254, 10]).toString("base64"),
        },
      });
      keys = await keysNow();
      stack = await stackOf("static", { bucket }, {});
      up = await stack.up();
    });

    it("calls no driver, as there is none, and binds as the others do [K02-004]", async () => {
      assert.deepEqual(tracedRpcs(up), []);
      assert.doesNotMatch(diagnostics(up), /warning/);
      assert.equal((await stack.outputs())["bucket"], bucket);
      assert.deepEqual(await usersMade(), []);
      await isBound("shared");
    });

    it("gives its workload the admin's Secret, byte for byte [K02-072]", async () => {
      const copy = await cluster.get(secretKind, "photos-creds", "shop");
      assert.deepEqual([copy["type"], copy["data"]], [keys["type"], keys["data"]]);
      assert.equal(await (await workload()).read(bucket, "2019"), "old");
    });

    it("has nothing to do in a second preview", async () => {
      await stack.succeed(unchanged);
    });

    it("goes in one destroy, and leaves bucket, data and the admin's Secret as they were [K02-083]", async () => {
      assert.deepEqual(await keysNow(), keys);
      assert.deepEqual(tracedRpcs(await stack.destroy()), []);
      assert.deepEqual(await keysNow(), keys);
      assert.equal(await admin.get(bucket, "2019"), "old");
      await nothingIsLeft(stack, ["Secret shared-keys"]);
    });
  });
});
