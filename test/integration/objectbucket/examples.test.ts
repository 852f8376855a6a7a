import assert from "node:assert/strict";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { isRecord } from "../../../provider/dynamic/values";
import {
  configMapKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import {
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../../provider/models/objectbucket/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { afterExample, Page } from "../../support/docs/page";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { ExampleObjects } from "../../support/examples/objects";
import { ExampleWorkload } from "../../support/examples/workload";
import { Stack } from "../../support/stack";
import { assertInOrder } from "../../support/workflows/in-order";
import { Timeline } from "../../support/workflows/timeline";

const deploymentKind: KubernetesKind = { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments" };
const podKind: KubernetesKind = { apiVersion: "v1", kind: "Pod", plural: "pods" };
const watched = [deploymentKind, secretKind, configMapKind].map((kind) => ({
  kind,
  namespaced: false,
}));
const unchanged = ["preview", "--expect-no-changes"];

describe("the examples of object bucket claims, on a real store and a real API server", function () {
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
    objects = new ExampleObjects(cluster, [objectBucketClaimKind, objectBucketKind]);
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

  async function stackOf(example: string, config: Readonly<Record<string, string>> = {}): Promise<Stack> {
    const stack = await Stack.create(
      { example: `object-bucket-claims/${example}` },
      { ...s3DriverEnvironment(store), ...cluster.variables, ...quickProgram, PULUMI_COSI_TRACE: "1" },
    );
    stacks.push(stack);
    for (const [key, value] of Object.entries(config)) await stack.succeed(["config", "set", key, value]);
    return stack;
  }

  const startTimeline = (namespace: string): Promise<Timeline> =>
    Timeline.start(cluster.client, cluster.plane.kubeconfig, namespace, watched);
  const claim = (): Promise<KubernetesObject> => cluster.get(objectBucketClaimKind, "photos", "shop");
  const deployment = async (): Promise<KubernetesObject> => {
    const [found] = await cluster.client.list(deploymentKind, { namespace: "shop" });
    assert.ok(found);
    return found;
  };
  const usersMade = async (): Promise<string[]> =>
    (await admin.users()).filter((user) => !usersBefore.includes(user));

  /** The Pod of the example's Deployment. */
  async function pod(): Promise<KubernetesObject> {
    const { spec } = await deployment();
    const template = isRecord(spec) && isRecord(spec["template"]) ? spec["template"] : {};
    return { metadata: { namespace: "shop", name: "web" }, spec: template["spec"] };
  }

  /** What the Pod's container has in its environment, as a kubelet would fill it. */
  async function environment(): Promise<Readonly<Record<string, string>>> {
    const { spec } = await pod();
    const { containers } = spec as {
      containers: { envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[] }[];
    };
    const sources = (containers[0]?.envFrom ?? []).map(async ({ configMapRef, secretRef }) => {
      if (secretRef !== undefined) return objects.secret("shop", secretRef.name);
      const { data } = await cluster.get(configMapKind, configMapRef?.name ?? "", "shop");
      return data as Record<string, string>;
    });
    const variables: Readonly<Record<string, string>>[] = await Promise.all(sources);
    return Object.assign({}, ...variables) as Record<string, string>;
  }

  /** Where the environment says that the bucket is. */
  function placeIn(env: Readonly<Record<string, string>>): { endpoint: string; region: string } {
    const scheme = env["S3_BUCKET_SSL"] === "yes" ? "https" : "http";
    const endpoint = `${scheme}://${env["BUCKET_HOST"] ?? ""}:${env["BUCKET_PORT"] ?? ""}`;
    return { endpoint, region: env["BUCKET_REGION"] ?? "" };
  }

  /** The workload, which knows of the store what its environment says. */
  async function workload(): Promise<ExampleWorkload> {
    const env = await environment();
    return new ExampleWorkload(
      store,
      { ...env, ...placeIn(env) },
      { accessKeyId: "AWS_ACCESS_KEY_ID", secretAccessKey: "AWS_SECRET_ACCESS_KEY" },
    );
  }

  const areBound = async (): Promise<void> => {
    assert.deepEqual(await objects.phases(), {
      "ObjectBucketClaim photos": "Bound",
      "ObjectBucket obc-shop-photos": "Bound",
    });
  };

  /** Asserts that an example has left nothing in the cluster but the definitions, and no account in the store. */
  async function nothingIsLeft(stack: Stack): Promise<void> {
    assert.deepEqual(await objects.names(), []);
    assert.deepEqual(await objects.namespaces("shop"), []);
    assert.deepEqual(await cluster.client.list(storageClassKind), []);
    assert.equal((await objects.definitions()).length, 2);
    assert.deepEqual(await usersMade(), []);
    assert.deepEqual((await stack.state()).resources, []);
  }

  it("go on with the parts of their page, all of which can be planned", async () => {
    // The one that has to come before the first component cannot follow.
    const parts = new Page("docs/object-bucket-claims.md")
      .programParts()
      .filter((part) => !part.includes("install("));
    const stack = await stackOf("greenfield");
    stack.write(afterExample("object-bucket-claims/greenfield", parts));
    const preview = await stack.succeed(["preview"], await cluster.unreachable(stack.environment.folder));
    assert.deepEqual(tracedRpcs(preview), []);
    assert.match(preview, /ObjectBucketClaim archive create/);
  });

  describe("greenfield", () => {
    let stack: Stack;
    let up: string;
    let events: string[];
    let bucket: string;

    before(async () => {
      stack = await stackOf("greenfield");
      const timeline = await startTimeline("default");
      up = await stack.up();
      events = await timeline.texts();
      ({ bucket } = (await stack.outputs()) as { bucket: string });
    });

    it("makes one bucket with one account, and binds the claim [OBC-002]", async () => {
      assert.deepEqual(
        tracedRpcs(up).filter((rpc) => rpc !== "DriverGetInfo"),
        ["DriverCreateBucket", "DriverGrantBucketAccess"],
      );
      assert.equal(bucket, `photos-${(await claim()).metadata.uid ?? ""}`);
      assert.equal(await admin.bucketsNamed(bucket), 1);
      assert.equal((await usersMade()).length, 1);
      await areBound();
      assert.doesNotMatch(diagnostics(up), /error/);
    });

    it("gives its workload all it needs in its environment, for this bucket and no other [OBC-068]", async () => {
      const web = await workload();
      for (const key of Object.keys(await environment())) assert.match(key, /^[A-Za-z_][A-Za-z0-9_]*$/);
      assert.equal(web.secret["BUCKET_NAME"], bucket);
      await web.write(bucket, "cat", "meow");
      assert.equal(await web.read(bucket, "cat"), "meow");
      await web.isKeptOut(other, "plan");
      await admin.remove(bucket, "cat");
    });

    it("can be written, read, listed and emptied by what the environment says alone [OBC-003]", async () => {
      const env = await environment();
      const Bucket = env["BUCKET_NAME"] ?? "";
      const s3 = new S3Client({
        ...placeIn(env),
        forcePathStyle: true,
        credentials: {
          accessKeyId: env["ACCESS_KEY_ID"] ?? "",
          secretAccessKey: env["SECRET_ACCESS_KEY"] ?? "",
        },
      });
      await s3.send(new PutObjectCommand({ Bucket, Key: "dog", Body: "woof" }));
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "dog" }));
      assert.equal(await Body?.transformToString(), "woof");
      const keys = async (): Promise<(string | undefined)[]> =>
        ((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key);
      assert.deepEqual(await keys(), ["dog"]);
      await s3.send(new DeleteObjectCommand({ Bucket, Key: "dog" }));
      assert.deepEqual(await keys(), []);
    });

    it("has a Pod that the API server takes as it is [OBC-068]", async () => {
      const made = await cluster.client.create(podKind, await pod(), { dryRun: true });
      const { containers } = made["spec"] as { containers: { envFrom: unknown }[] };
      assert.deepEqual(containers[0]?.envFrom, [
        { configMapRef: { name: "photos" } },
        { secretRef: { name: "photos" } },
      ]);
    });

    it("has the workload come up when Secret and ConfigMap are there, and not before", async () => {
      const { metadata } = await deployment();
      for (const before of ["Secret photos added", "ConfigMap photos added"]) {
        assertInOrder(events, before, `Deployment ${metadata.name} added`);
      }
    });

    it("has nothing to do in a second preview", async () => {
      await stack.succeed(unchanged);
    });

    it("goes in one destroy, the workload first, with bucket and account", async () => {
      const web = await workload();
      const { metadata } = await deployment();
      const timeline = await (await startTimeline("kube-public")).whenWatchable();
      assert.deepEqual(tracedRpcs(await stack.destroy()), [
        "DriverGetInfo",
        "DriverRevokeBucketAccess",
        "DriverDeleteBucket",
      ]);
      const texts = await timeline.texts();
      for (const later of ["Secret photos deleted", "ConfigMap photos deleted"]) {
        assertInOrder(texts, `Deployment ${metadata.name} deleted`, later);
      }
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
      stack = await stackOf("brownfield", { bucket });
      up = await stack.up();
    });

    it("makes one account and no bucket, and binds as greenfield does [OBC-002]", async () => {
      assert.deepEqual(
        tracedRpcs(up).filter((rpc) => rpc !== "DriverGetInfo"),
        ["DriverGrantBucketAccess"],
      );
      assert.doesNotMatch(diagnostics(up), /warning/);
      assert.equal((await stack.outputs())["bucket"], bucket);
      assert.equal((await usersMade()).length, 1);
      await areBound();
    });

    it("gives its workload keys that open this bucket and no other", async () => {
      const web = await workload();
      assert.equal(web.secret["BUCKET_NAME"], bucket);
      assert.equal(await web.read(bucket, "2019"), "old");
      await web.isKeptOut(other, "plan");
    });

    it("has nothing to do in a second preview", async () => {
      await stack.succeed(unchanged);
    });

    it("goes in one destroy with the account, and leaves the bucket with its data", async () => {
      const web = await workload();
      assert.deepEqual(tracedRpcs(await stack.destroy()), ["DriverGetInfo", "DriverRevokeBucketAccess"]);
      await web.hasDeadKeys(bucket, "2019");
      assert.equal(await admin.get(bucket, "2019"), "old");
      await nothingIsLeft(stack);
    });
  });
});
