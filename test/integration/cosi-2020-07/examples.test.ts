import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { emptyBucket } from "../../../drivers/s3/core/bucket-contents";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { rpcsOf, tracedCalls } from "../../support/cosi-2020-07/example-calls";
import { JulyObjects, kinds } from "../../support/cosi-2020-07/example-objects";
import { StoringController } from "../../support/cosi-2020-07/storing-controller";
import { afterExample, Page } from "../../support/docs/page";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { SecretScanner } from "../../support/end-to-end/secret-scanner";
import { ExampleWorkload } from "../../support/examples/workload";
import { Stack } from "../../support/stack";

const deploymentKind: KubernetesKind = { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments" };
const destroy = ["destroy", "--yes", "--skip-preview"];
const unchangedUp = ["up", "--yes", "--skip-preview", "--expect-no-changes"];

describe("the examples of the COSI proposal of 2020-07-08, on a real store and a real API server", function () {
  this.timeout(600_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let objects: JulyObjects;
  /** A bucket that no workload has to do with. */
  let other: string;
  /** Users of the store that no example has made. */
  let usersBefore: readonly string[];
  const stacks: Stack[] = [];

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: true })]);
    admin = new StoreAdmin(store);
    objects = new JulyObjects(cluster);
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
      { example: `cosi-2020-07/${example}` },
      { ...s3DriverEnvironment(store), ...cluster.variables, ...quickProgram, PULUMI_COSI_TRACE: "1" },
    );
    stacks.push(stack);
    for (const [key, value] of Object.entries(config)) await stack.succeed(["config", "set", key, value]);
    return stack;
  }

  const workload = async (namespace: string, secret: string): Promise<ExampleWorkload> =>
    new ExampleWorkload(store, await objects.secret(namespace, secret), {
      accessKeyId: "accessKeyID",
      secretAccessKey: "accessSecretKey",
    });
  const usersMade = async (): Promise<string[]> =>
    (await admin.users()).filter((user) => !usersBefore.includes(user));

  /** Asserts that an example has left nothing in the cluster but the definitions, and no account in the store. */
  async function nothingIsLeft(stack: Stack, ...namespaces: readonly string[]): Promise<void> {
    assert.deepEqual(await objects.names(), []);
    assert.deepEqual(await objects.namespaces(...namespaces), []);
    assert.equal((await objects.definitions()).length, 6);
    assert.deepEqual(await usersMade(), []);
    assert.deepEqual((await stack.state()).resources, []);
  }

  it("goes on with the parts of its page, all of which can be planned", async () => {
    // The one that has to come before the first component cannot follow.
    const parts = new Page("docs/cosi-2020-07.md")
      .programParts()
      .filter((part) => !part.includes("install("));
    const stack = await stackOf("greenfield");
    stack.write(afterExample("cosi-2020-07/greenfield", parts));
    await stack.succeed(["config", "set", "--secret", "--path", "storeKeys.AccessKeyId", "AK-of-the-store"]);
    const preview = await stack.succeed(["preview"], await cluster.unreachable(stack.environment.folder));
    assert.deepEqual(tracedCalls(preview), []);
    assert.match(preview, /BucketAccessRequest uploader create/);
  });

  describe("greenfield", () => {
    let stack: Stack;
    let up: string;
    let bucket: string;

    before(async () => {
      stack = await stackOf("greenfield");
      up = await stack.up();
      ({ bucket } = (await stack.outputs()) as { bucket: string });
    });

    it("makes one bucket and one account, and binds them [K07-004] [K07-010]", async () => {
      assert.deepEqual(rpcsOf(up), ["CreateBucket", "GrantBucketAccess"]);
      assert.equal(await admin.bucketsNamed(bucket), 1);
      assert.equal((await usersMade()).length, 1);
      assert.deepEqual(await objects.phases(), {
        "BucketRequest photos": "Bound",
        "Bucket bucket-photos-shop": "Bound",
        "BucketAccessRequest web": "Bound",
        "BucketAccess bucketaccess-web-shop": "Bound",
      });
      assert.deepEqual((await objects.bucket("bucket-photos-shop"))?.bindings, [
        "bucketaccess-web-shop:shop/photos",
      ]);
    });

    it("warns of the policy Delete, and of nothing else", () => {
      const warnings = [...diagnostics(up).matchAll(/^ *warning: (.*)$/gm)].map(([, text]) => text);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /^BucketClass gold: releasePolicy is "Delete"/);
    });

    it("gives its workload keys for this bucket and no other", async () => {
      const web = await workload("shop", "photos-creds");
      const { endpoint, region } = store;
      assert.deepEqual(
        { ...web.secret, accessKeyID: "", accessSecretKey: "" },
        { accessKeyID: "", accessSecretKey: "", endpoint, region, protocol: "s3", bucketName: bucket },
      );
      await web.write(bucket, "cat", "meow");
      assert.equal(await web.read(bucket, "cat"), "meow");
      await web.isKeptOut(other, "plan");
      await admin.remove(bucket, "cat");
      const deployments = await cluster.client.list(deploymentKind, { namespace: "shop" });
      assert.match(JSON.stringify(deployments.map(({ spec }) => spec)), /"secretName":"photos-creds"/);
    });

    it("has nothing to do in a second up, and calls nobody [K07-004]", async () => {
      assert.deepEqual(rpcsOf(await stack.succeed(unchangedUp)), []);
    });

    it("goes in one destroy, with bucket and account, though no Secret for the driver is given anywhere [K07-007] [K07-010]", async () => {
      const web = await workload("shop", "photos-creds");
      assert.deepEqual(rpcsOf(await stack.destroy()), ["RevokeBucketAccess", "DeleteBucket"]);
      assert.equal(await admin.bucketsNamed(bucket), 0);
      await web.hasDeadKeys(other, "plan");
      await nothingIsLeft(stack, "shop", "stores");
    });
  });

  describe("greenfield with another vendor's driver, of which only driver and classes tell", () => {
    const planted = {
      "the provisioner's key": "PLANTED+of/the=Provisioner&7",
      "the workload's key": "PLANTED<of>the 'Workload' 8",
    };
    const outputs: Record<string, string> = {};
    let stack: Stack;
    let driver: StoringController;

    const run = async (name: string, args: readonly string[]): Promise<string> => {
      const { code, text } = await stack.run(args);
      outputs[name] = text;
      Object.assign(outputs, await openTextsAs(name));
      outputs[`state after ${name}`] = (await stack.state()).text;
      assert.equal(code === 0, name !== "the failing destroy", text);
      return text;
    };
    const openTextsAs = async (name: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(await objects.openTexts()).map(([kind, text]) => [`${kind} after ${name}`, text]),
      );

    before(async () => {
      driver = await new StoringController().start();
      driver.credentialsFor = () => [
        {
          credentials: {
            $case: "genericCredentials",
            value: {
              credentials: new Map([
                ["accessSecretKey", planted["the workload's key"]],
                ["accessKeyID", "AK-of-the-vendor"],
              ]),
            },
          },
        },
      ];
      await cluster.client.create(secretKind, {
        metadata: { namespace: "default", name: "vendor-admin" },
        stringData: { SecretKey: planted["the provisioner's key"], AccessKeyId: "AK-of-the-admin" },
      });
      stack = await stackOf("greenfield");
      const file = path.join(stack.folder, "index.ts");
      const changes = [
        [`command: ["cosi-driver-s3"]`, `endpoint: "${driver.fake.endpoint}"`],
        ["/s3.pulumi-cosi.dev", "/rgw.example.com"],
        [`releasePolicy: "Delete"`, `provisionerSecret: { namespace: "default", name: "vendor-admin" }`],
        [`policyActions: { allow: ["read", "write"] }`, `policyActions: { allow: ["*"] }`],
      ] as const;
      let program = fs.readFileSync(file, "utf8");
      for (const [from, to] of changes) {
        assert.ok(program.includes(from), from);
        program = program.replace(from, to);
      }
      stack.write(program);
    });
    after(async () => {
      driver.fake.stop();
      await cluster.client.delete(secretKind, { namespace: "default", name: "vendor-admin" });
    });

    it("comes up in one go too, though a call is repeated, and has nothing to do in a second up [K07-010]", async () => {
      const message = `the key ${planted["the provisioner's key"]} may not grant now`;
      driver.refuse("grant", { code: status.INTERNAL, message });
      const up = await run("preview and up", ["up", "--yes"]);
      assert.match(up, /may not grant now/);
      assert.deepEqual(driver.rpcs(), ["create", "grant", "grant"]);
      const [grant] = driver.requests().grant;
      assert.equal(grant?.secrets.get("SecretKey"), planted["the provisioner's key"]);
      const { accessSecretKey } = await objects.secret("shop", "photos-creds");
      assert.equal(accessSecretKey, planted["the workload's key"]);
      driver.forget();
      await run("refresh", ["refresh", "--yes", "--skip-preview"]);
      await run("the second up", unchangedUp);
      assert.deepEqual(driver.rpcs(), []);
    });

    it("stays where the driver refuses the revoke, and goes with the next destroy", async () => {
      const message = `neither ${Object.values(planted).join(" nor ")} may revoke`;
      driver.refuse("revoke", { code: status.PERMISSION_DENIED, message });
      assert.match(await run("the failing destroy", destroy), /may revoke/);
      await run("destroy", destroy);
      assert.deepEqual(driver.rpcs(), ["revoke", "revoke"]);
    });

    it("keeps the secrets of provisioner and workload out of every output, object and state [K07-121]", () => {
      assert.ok(Object.keys(outputs).length > 40);
      assert.deepEqual(new SecretScanner(planted).find(outputs), []);
    });

    it("keeps the bucket under a class that names no policy, as a Released Bucket", async () => {
      assert.deepEqual(await objects.bucket("bucket-photos-shop"), {
        phase: "Released",
        bindings: [],
        finalizers: [],
        isDeleted: false,
      });
      assert.equal(driver.buckets.size, 1);
      await cluster.client.delete(kinds.bucket, { name: "bucket-photos-shop" });
      assert.deepEqual(await objects.names(), ["Secret vendor-admin"]);
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

    it("makes one account and no bucket, and binds as greenfield does [K07-004]", async () => {
      assert.deepEqual(rpcsOf(up), ["GrantBucketAccess"]);
      assert.doesNotMatch(diagnostics(up), /warning/);
      assert.deepEqual(await objects.phases(), {
        "BucketRequest archive": "Bound",
        "Bucket archive": "Bound",
        "BucketAccessRequest web": "Bound",
        "BucketAccess bucketaccess-web-shop": "Bound",
      });
      assert.deepEqual((await objects.bucket("archive"))?.bindings, ["bucketaccess-web-shop:shop/archive"]);
    });

    it("gives its workload keys that read this bucket, and no more", async () => {
      const web = await workload("shop", "archive-creds");
      assert.equal(await web.read(bucket, "2019"), "old");
      await web.mayNotWrite(bucket);
      await web.isKeptOut(other, "plan");
      assert.equal(web.secret["bucketName"], bucket);
    });

    it("has nothing to do in a second up, and calls nobody [K07-004]", async () => {
      assert.deepEqual(rpcsOf(await stack.succeed(unchangedUp)), []);
    });

    it("goes in one destroy, and leaves the bucket with its data", async () => {
      assert.deepEqual(rpcsOf(await stack.destroy()), ["RevokeBucketAccess"]);
      assert.equal(await admin.get(bucket, "2019"), "old");
      await nothingIsLeft(stack, "shop", "stores");
    });
  });

  describe("sharing, by an owner and a guest", () => {
    const name = "bucket-catalogue-shop";
    const ownEntry = "bucketaccess-editor-shop:shop/catalogue";
    const guestEntry = "bucketaccess-reader-guests:guests/catalogue";
    const released = { phase: "Released", bindings: [], finalizers: [], isDeleted: false };
    let owner: Stack;
    let guest: Stack;
    let ownUp: string;
    let guestUp: string;
    /** The bucket in the store. */
    let bucket: string;
    let editor: ExampleWorkload;
    let reader: ExampleWorkload;

    /** Has both stacks come up, with a bucket that holds something. */
    async function share(): Promise<void> {
      ownUp = await owner.up();
      guestUp = await guest.up();
      const { protocol } = (await objects.spec(kinds.bucket, name)) as {
        protocol: { s3: { bucketName: string } };
      };
      bucket = protocol.s3.bucketName;
      editor = await workload("shop", "catalogue-creds");
      reader = await workload("guests", "catalogue-creds");
      await editor.write(bucket, "page", "one");
    }

    /** Removes a bucket that a stack has left, as an admin does. */
    async function remove(): Promise<void> {
      await cluster.client.delete(kinds.bucket, { name });
      assert.equal(await objects.bucket(name), undefined);
      await emptyBucket(admin.s3, bucket);
      await admin.removeBucket(bucket);
    }

    before(async () => {
      for (const namespace of ["stores", "shop", "guests"]) await cluster.createNamespace(namespace);
      owner = await stackOf("sharing/owner");
      guest = await stackOf("sharing/guest", { bucketInstance: name });
    });

    describe("under the policy Retain", () => {
      before(share);

      it("is one bucket with two accounts, the guest's by what the Bucket tells of it [K07-088]", async () => {
        const [create, grant, ...more] = tracedCalls(ownUp);
        const [guestGrant, ...others] = tracedCalls(guestUp);
        assert.deepEqual([create?.rpc, grant?.rpc, more], ["CreateBucket", "GrantBucketAccess", []]);
        assert.deepEqual([guestGrant?.rpc, others], ["GrantBucketAccess", []]);
        for (const field of ["bucketName", "requestProtocol", "providerContext"]) {
          assert.notEqual(grant?.request[field], undefined);
          assert.deepEqual(guestGrant?.request[field], grant?.request[field], field);
        }
        assert.equal(grant?.request["bucketName"], bucket);
        const bindings = (await objects.bucket(name))?.bindings ?? [];
        assert.deepEqual([...bindings].sort(), [ownEntry, guestEntry]);
      });

      it("lets the owner write and the guest read, and neither reach another bucket", async () => {
        assert.equal(await reader.read(bucket, "page"), "one");
        await reader.mayNotWrite(bucket);
        for (const user of [editor, reader]) await user.isKeptOut(other, "plan");
      });

      it("has empty second previews in both stacks", async () => {
        for (const stack of [owner, guest]) await stack.succeed(["preview", "--expect-no-changes"]);
      });

      it("stays the guest's when the owner goes first, and is Released with its data when the guest goes [K07-097]", async () => {
        const first = await owner.destroy();
        assert.deepEqual(rpcsOf(first), ["RevokeBucketAccess"]);
        assert.match(
          diagnostics(first),
          new RegExp(`stays, with its data, as it is still bound: ${guestEntry}`),
        );
        const bound = await objects.bucket(name);
        assert.deepEqual(bound, {
          phase: "Bound",
          bindings: [guestEntry],
          finalizers: ["cosi.io/finalizer"],
          isDeleted: false,
        });
        await editor.hasDeadKeys(bucket, "page");
        assert.equal(await reader.read(bucket, "page"), "one");

        assert.deepEqual(rpcsOf(await guest.destroy()), ["RevokeBucketAccess"]);
        assert.deepEqual(await objects.bucket(name), released);
        await reader.hasDeadKeys(bucket, "page");
        assert.equal(await admin.get(bucket, "page"), "one");
        assert.deepEqual(await objects.names(), [`Bucket ${name}`]);
        assert.deepEqual(await usersMade(), []);
      });

      it("is reused by its name, and by no request without it [K07-089]", async () => {
        const refused = await owner.fail(["up", "--yes", "--skip-preview"]);
        assert.match(refused, new RegExp(`set bucketInstanceName to "${name}" to share it`));
        assert.deepEqual(rpcsOf(refused), []);
        assert.deepEqual(await objects.bucket(name), released);

        assert.deepEqual(rpcsOf(await guest.up()), ["GrantBucketAccess"]);
        assert.deepEqual(await objects.bucket(name), {
          phase: "Bound",
          bindings: [guestEntry],
          finalizers: ["cosi.io/finalizer"],
          isDeleted: false,
        });
        reader = await workload("guests", "catalogue-creds");
        assert.equal(await reader.read(bucket, "page"), "one");
        assert.deepEqual(rpcsOf(await guest.destroy()), ["RevokeBucketAccess"]);
        assert.deepEqual(await objects.bucket(name), released);
        await remove();
      });
    });

    describe("under the policy Delete", () => {
      before(() => {
        const file = path.join(owner.folder, "index.ts");
        const program = fs.readFileSync(file, "utf8");
        const place = "  additionalPermittedNamespaces:";
        assert.ok(program.includes(place));
        const policy = 'releasePolicy: "Delete", parameters: { emptyOnDelete: "true" },';
        owner.write(program.replace(place, `${policy}\n${place}`));
      });

      it("goes with its data when the owner goes, after the guest", async () => {
        await share();
        assert.deepEqual(rpcsOf(await guest.destroy()), ["RevokeBucketAccess"]);
        await reader.hasDeadKeys(bucket, "page");
        assert.equal(await editor.read(bucket, "page"), "one");
        assert.deepEqual((await objects.bucket(name))?.bindings, [ownEntry]);

        assert.deepEqual(rpcsOf(await owner.destroy()), ["RevokeBucketAccess", "DeleteBucket"]);
        assert.equal(await admin.bucketsNamed(bucket), 0);
        assert.deepEqual(await objects.names(), []);
      });

      it("is the guest's to delete when the owner went first, also after a kill of the guest's destroy [K07-096]", async () => {
        await share();
        const first = await owner.destroy();
        assert.deepEqual(rpcsOf(first), ["RevokeBucketAccess"]);
        assert.match(
          diagnostics(first),
          new RegExp(`still bound: ${guestEntry}; it is deleted with the last`),
        );
        assert.deepEqual(await objects.bucket(name), {
          phase: "Bound",
          bindings: [guestEntry],
          finalizers: ["cosi.io/finalizer"],
          isDeleted: true,
        });
        assert.equal(await reader.read(bucket, "page"), "one");

        const interceptor = path.join(
          __dirname,
          "..",
          "..",
          "support",
          "cosi-2020-07",
          "end-before-delete.cjs",
        );
        const killed = { PULUMI_COSI_INTERCEPTORS: interceptor };
        await guest.fail(destroy, killed);
        assert.equal((await objects.bucket(name))?.phase, "Deleting");
        assert.equal(await admin.bucketsNamed(bucket), 1);

        assert.deepEqual(rpcsOf(await guest.destroy()), ["DeleteBucket"]);
        assert.equal(await admin.bucketsNamed(bucket), 0);
        for (const stack of [owner, guest]) await nothingIsLeft(stack);
      });
    });
  });
});
