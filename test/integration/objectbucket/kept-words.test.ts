import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { configMapKind } from "../../../provider/kubernetes/object";
import { readClaimId } from "../../../provider/models/objectbucket/claim-id";
import { objectBucketKind, storageClassKind } from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { provisioner as february } from "../../support/cosi-2020-02";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import type { ClaimOptions } from "../../support/objectbucket/claim-program";

const name = "photos";

describe("what a program says anew of a claim that is there (object bucket claims)", function () {
  this.timeout(300_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  beforeEach(async () => {
    bench = await bench.elsewhere();
    bench.workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  const lastError = async (): Promise<string> =>
    (await bench.claimObject(name))?.metadata.annotations?.["pulumi-cosi/last-error"] ?? "";

  describe("settings of the bucket", () => {
    const resent = (maxObjects: string): ClaimOptions => ({
      inputs: { additionalConfig: { maxObjects }, configChange: "resend" },
      bucket: { parametersChange: "resend" },
    });

    it("are refused where they change and the claim does not, with nothing revoked [OBC-076]", async () => {
      const retained = { storageClass: { reclaimPolicy: "Retain" as const } };
      const stack = bench.stack(name, retained);
      assertEnded(await stack.up());
      const before = await bench.objects(name);
      const keys = bench.workflow.driver.liveKeys();
      bench.workflow.driver.forget();
      // What emptyOnDelete is, for a driver that has a parameter for it.
      const emptied = { ...retained, bucket: { parameters: { tier: "gold", emptyOnDelete: "true" } } };
      const { stoppedAt, message } = await bench.edited(stack, name, emptied).up();
      assert.equal(stoppedAt, "bucket");
      assert.match(message, /the parameters of the bucket .* were changed.*take the change back/);
      assertEnded(await bench.edited(stack, name, retained).up());
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
      assert.deepEqual(bench.workflow.driver.liveKeys(), keys);
      assert.deepEqual(await bench.objects(name), before);
    });

    it("are refused without a word on them, also after a resend that the driver refused [OBC-076]", async () => {
      const stack = bench.stack(name, resent("10"));
      assertEnded(await stack.up());
      const edited = bench.edited(stack, name, resent("20"));
      assert.match((await edited.up()).message, /ALREADY_EXISTS/);
      bench.workflow.driver.forget();
      const silent = { inputs: { additionalConfig: { maxObjects: "20" } } };
      const { stoppedAt, message } = await bench.edited(edited, name, silent).up();
      assert.equal(stoppedAt, "bucket");
      assert.match(message, /the parameters of the bucket .* were changed.*configChange "resend"/);
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
    });

    it("are sent again as they were, where it is not known whether the driver took others [OBC-076]", async () => {
      const { driver } = bench.workflow;
      const stack = bench.stack(name, resent("10"));
      assertEnded(await stack.up());
      const { bucket } = readClaimId(stack.id("claim"));
      // A driver that takes other settings, and whose answer to the first of them is lost.
      let isLost = true;
      const off = driver.on("received", (call) => {
        if (call.rpc !== "create") return Promise.resolve(undefined);
        driver.buckets.set(bucket, { name: bucket, parameters: call.request.parameters });
        return Promise.resolve(isLost ? { code: status.INTERNAL, message: "lost" } : undefined);
      });
      const edited = bench.edited(stack, name, resent("20"));
      const { stoppedAt, message } = await edited.up();
      assert.equal(stoppedAt, "bucket");
      assert.match(message, /lost.*sends those of the program/);
      assert.equal(driver.buckets.get(bucket)?.parameters.get("maxObjects"), "20");
      isLost = false;
      driver.forget();
      const reverted = bench.edited(edited, name, resent("10"));
      assertEnded(await reverted.up());
      assertEnded(await reverted.up());
      off();
      assert.deepEqual(driver.rpcs(), ["create"]);
      assert.equal(driver.buckets.get(bucket)?.parameters.get("maxObjects"), "10");
    });

    it("are not taken for those of a bucket whose create had no answer", async () => {
      const { driver } = bench.workflow;
      const stack = bench.stack(name, resent("10"));
      const off = driver.on("done", ({ rpc }) =>
        Promise.resolve(rpc === "create" ? { code: status.INTERNAL, message: "lost" } : undefined),
      );
      assert.equal((await stack.up()).stoppedAt, "bucket");
      off();
      driver.forget();
      const edited = bench.edited(stack, name, resent("20"));
      const { stoppedAt, message } = await edited.up();
      assert.equal(stoppedAt, "bucket");
      assert.match(message, /which may exist as the outcome of its create is not known/);
      assert.notEqual((await bench.claim(name))?.phase, "Bound");
      assertEnded(await bench.edited(edited, name, resent("10")).up());
      const { bucket } = readClaimId(stack.id("claim"));
      assert.equal(driver.buckets.get(bucket)?.parameters.get("maxObjects"), "10");
    });

    it("and a revoke that the driver refuses are told by the claim, each with its reason [OBC-099]", async () => {
      const { driver } = bench.workflow;
      const stack = bench.stack(name, resent("10"));
      assertEnded(await stack.up());
      const edited = bench.edited(stack, name, resent("20"));
      assert.equal((await edited.up()).stoppedAt, "bucket");
      assert.match(await lastError(), /DriverCreateBucket: ALREADY_EXISTS: .* has other parameters/);
      driver.refuse("revoke", { code: status.INVALID_ARGUMENT, message: "no revoke" });
      assert.equal((await edited.destroy()).stoppedAt, "access");
      assert.match(await lastError(), /DriverRevokeBucketAccess: INVALID_ARGUMENT: no revoke/);
      assertEnded(await edited.destroy());
    });
  });

  it("is no other bucket where it gives the name that the bucket has", async () => {
    const stack = bench.stack(name);
    assertEnded(await stack.up());
    const { bucket } = readClaimId(stack.id("claim"));
    bench.workflow.driver.forget();
    const given = { bucketName: bucket, generateBucketName: null };
    const named = bench.edited(stack, name, { inputs: given });
    assertEnded(await named.up());
    assertEnded(await bench.edited(named, name, {}).up());
    const labelled = bench.edited(named, name, { inputs: { ...given, labels: { team: "other" } } });
    assertEnded(await labelled.up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
    assert.equal((await bench.claim(name))?.bucketName, bucket);
  });

  it("changes nothing where the class allows less than what the claim has", async () => {
    const policy = { additionalConfig: { bucketPolicy: '{"Version":"2012-10-17"}' } };
    const stack = bench.stack(name, { inputs: { ...policy, allowedAdditionalConfig: ["bucketPolicy"] } });
    assertEnded(await stack.up());
    bench.workflow.driver.forget();
    const less = { inputs: { ...policy, allowedAdditionalConfig: ["maxSize"], labels: { team: "other" } } };
    assertEnded(await bench.edited(stack, name, less).up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
    assert.equal((await bench.claimObject(name))?.metadata.labels?.["team"], "other");
  });

  it("goes from all four objects where it is an annotation that the program leaves out [OBC-058]", async () => {
    const stack = bench.stack(name, { inputs: { annotations: { note: "of the user", cost: "4711" } } });
    assertEnded(await stack.up());
    const noted = async (): Promise<unknown[]> =>
      Object.values(await bench.objects(name)).map((object) => [
        object?.metadata.annotations?.["note"],
        object?.metadata.annotations?.["cost"],
      ]);
    assert.deepEqual(await noted(), Array(4).fill(["of the user", "4711"]));
    assertEnded(await bench.edited(stack, name, {}).up());
    assert.deepEqual(await noted(), Array(4).fill(["of the user", undefined]));
  });

  describe("an ObjectBucket without its claimRef", () => {
    const strip = () =>
      bench.workflow.cluster.client.patch(
        objectBucketKind,
        { name: objectBucketNameOf({ namespace: bench.namespace, name }) },
        { spec: { claimRef: null } },
      );

    it("is given it back by the up after a refresh, which tells of it [OBC-081]", async () => {
      const stack = bench.stack(name);
      assertEnded(await stack.up());
      const before = (await bench.objectBucketObject(name))?.["spec"];
      bench.workflow.driver.forget();
      await strip();
      const refreshed = await stack.refresh();
      assertEnded(refreshed);
      assert.match(refreshed.warnings.join("\n"), /spec\.claimRef is not what was written/);
      assertEnded(await stack.up());
      assert.deepEqual((await bench.objectBucketObject(name))?.["spec"], before);
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
    });

    it("goes with its claim all the same", async () => {
      const stack = bench.stack(name);
      assertEnded(await stack.up());
      await strip();
      assertEnded(await stack.destroy());
      assert.deepEqual(await bench.left(name), []);
    });
  });

  describe("by the real CLI", () => {
    let handler: StoringHandler;

    before(async () => {
      handler = await new StoringHandler().start();
    });

    after(() => {
      handler.fake.stop();
    });

    it("keeps what a class of the cluster gave when the class comes into the program, and tells the name that a driver chose [OBC-088]", async () => {
      const { workflow } = bench;
      const { client } = workflow.cluster;
      const { driver, namespace } = workflow;
      const className = `came-in-${namespace}`;
      handler.bucketNameOf = (asked) => `tenant1-${asked}`;
      await client.create(storageClassKind, {
        metadata: { name: className },
        provisioner: "cosi.objectbucket.io/fake.example.com",
        reclaimPolicy: "Retain",
        parameters: { tier: "old" },
      });
      const program = (gold: string, more: string): string => `${workflow.programHead()}${gold}
new objectbucket.ObjectBucketClaim("kept", { namespace, ${more}, generateBucketName: "kept" });
const second = new cosi.Driver("second", {
  endpoint: ${JSON.stringify(handler.fake.endpoint)}, contract: "cosi-2020-02" as const, driverName: ${JSON.stringify(february)},
  connectTimeoutSeconds: 10,
});
const named = new objectbucket.StorageClass("named", { driver: second, name: "named-" + namespace, reclaimPolicy: "Delete" });
new objectbucket.ObjectBucketClaim("named", { namespace, storageClass: named, generateBucketName: "named" });
`;
      const lookedUp = program("", `storageClassName: ${JSON.stringify(className)}, driver`);
      const stack = await workflow.stack(lookedUp);
      const first = await stack.run(["up", "--yes", "--skip-preview"]);
      assert.equal(first.code, 0, first.text);
      const configMap = await client.get(configMapKind, { namespace, name: "named" });
      const [chosen = ""] = handler.buckets.keys();
      assert.match(chosen, /^tenant1-named-/);
      for (const key of ["BUCKET_NAME", "S3_BUCKET_NAME"]) {
        assert.equal((configMap?.["data"] as Record<string, string>)[key], chosen);
      }

      await client.delete(storageClassKind, { name: className });
      driver.forget();
      stack.write(
        program(
          `const gold = new objectbucket.StorageClass("gold", { driver, name: ${JSON.stringify(className)}, parameters: { tier: "new" } });`,
          `storageClass: gold, labels: { team: "other" }`,
        ),
      );
      const second = await stack.run(["up", "--yes"]);
      assert.equal(second.code, 0, second.text);
      assert.doesNotMatch(second.text, /replac/);
      assert.deepEqual(driver.rpcs(), []);
      const destroyed = await stack.run(["destroy", "--yes", "--skip-preview"]);
      assert.equal(destroyed.code, 0, destroyed.text);
      assert.deepEqual(driver.rpcs(), ["revoke"]);
    });
  });
});
