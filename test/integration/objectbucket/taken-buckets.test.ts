import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { storageClassKind } from "../../../provider/models/objectbucket/kinds";
import { readClaimId } from "../../../provider/models/objectbucket/claim-id";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import type { ClaimOptions } from "../../support/objectbucket/claim-program";

describe("a bucket that is, or may be, another's too (object bucket claims)", function () {
  this.timeout(180_000);
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

  describe("that a claim takes over", () => {
    /** What `onExistingBucket: "adopt"` says, or a program that says it no more. */
    const named = (isTaken: boolean, more: ClaimOptions = {}): ClaimOptions => ({
      ...more,
      inputs: {
        bucketName: theirs(),
        generateBucketName: null,
        takesBucket: isTaken,
        ...more.inputs,
      },
      bucket: { ...(isTaken ? { nameAsId: true } : {}), ...more.bucket },
    });
    const theirs = () => `theirs-${bench.namespace}`;
    /** The bucket is there. @param tier The class asks for gold: a driver answers an equal create OK, another one not. */
    const isThere = (tier: string): void => {
      bench.workflow.driver.buckets.set(theirs(), { name: theirs(), parameters: new Map([["tier", tier]]) });
    };

    for (const [title, tier] of [
      ["that the driver told of", "iron"],
      ["that the driver did not tell of", "gold"],
    ] as const) {
      it(`is never deleted, also when the program says no more that it is taken: one ${title} [OBC-064]`, async () => {
        const { driver } = bench.workflow;
        isThere(tier);
        const stack = bench.stack("photos", named(true));
        assertEnded(await stack.up());
        assert.equal(stack.outputs("bucket")["adopted"], tier === "iron");
        const edited = bench.edited(stack, "photos", named(false));
        assertEnded(await edited.up());
        assert.equal(edited.outputs("claim")["takesBucket"], true);
        assert.deepEqual(driver.rpcs(), ["create", "grant"]);
        assertEnded(await edited.destroy());
        assert.deepEqual(driver.rpcs(), ["create", "grant", "revoke"]);
        assert.ok(driver.buckets.has(theirs()));
      });
    }

    for (const [title, tier, stops] of [
      ["its create was refused, as the driver told of it", "iron", true],
      ["a driver gave it out as new", "gold", false],
    ] as const) {
      it(`is taken by a claim that is in the state already: ${title} [OBC-064]`, async () => {
        const { driver } = bench.workflow;
        isThere(tier);
        const stack = bench.stack("photos", named(false));
        const first = await stack.up();
        assert.equal(first.stoppedAt === "bucket", stops, first.message);
        const edited = bench.edited(stack, "photos", named(true));
        assertEnded(await edited.up());
        assert.equal(edited.outputs("bucket")["deletionPolicy"], "Retain");
        assertEnded(await edited.destroy());
        assert.ok(!driver.rpcs().includes("delete"), driver.rpcs().join());
        assert.ok(driver.buckets.has(theirs()));
      });
    }

    it("keeps its settings: none is sent by a resend [OBC-064]", async () => {
      const { driver } = bench.workflow;
      const options = (maxObjects: string): ClaimOptions =>
        named(true, {
          inputs: { additionalConfig: { maxObjects }, configChange: "resend" },
          bucket: { parametersChange: "resend" },
        });
      isThere("iron");
      const stack = bench.stack("photos", options("10"));
      assertEnded(await stack.up());
      driver.forget();
      const { message } = await bench.edited(stack, "photos", options("1")).up();
      assert.match(message, /nothing is sent for a bucket that was there before.*take the change back/);
      assert.deepEqual(driver.rpcs(), []);
      assert.deepEqual(driver.buckets.get(theirs())?.parameters, new Map([["tier", "iron"]]));
    });
  });

  it("is not taken from a claim that has no ObjectBucket yet, nor deleted with the one refused [OBC-116]", async () => {
    const { driver } = bench.workflow;
    const bucketName = `shared-${bench.namespace}`;
    const explicit = { inputs: { bucketName, generateBucketName: null } };
    const first = bench.stack("first", explicit);
    driver.refuse("grant", { code: status.INVALID_ARGUMENT, message: "not so" });
    assert.equal((await first.up()).stoppedAt, "access");
    assert.equal(await bench.objectBucket("first"), undefined);
    driver.forget();
    const second = bench.stack("second", explicit);
    const { stoppedAt, message } = await second.up();
    assert.equal(stoppedAt, "claim");
    assert.match(message, new RegExp(`the bucket ${bucketName} .* that of ObjectBucketClaim .*/first`));
    assertEnded(await second.destroy());
    assert.deepEqual(driver.rpcs(), []);
    assertEnded(await first.up());
    assert.ok(driver.buckets.has(bucketName));
    assert.equal((await bench.claim("first"))?.phase, "Bound");
  });

  it("is not deleted with its claim while another claim is bound to it", async () => {
    const { driver } = bench.workflow;
    const maker = bench.stack("maker");
    assertEnded(await maker.up());
    const { bucket } = readClaimId(maker.id("claim"));
    const parameters = { bucketName: bucket };
    const guest = bench.stack("guest", {
      storageClass: { name: `brown-${bench.namespace}`, reclaimPolicy: "Retain", parameters },
    });
    assertEnded(await guest.up());
    driver.forget();
    const { stoppedAt, message } = await maker.destroy();
    assert.equal(stoppedAt, "bucket");
    assert.match(message, new RegExp(`${bucket} .*is used by ObjectBucketClaim .*/guest too.*Next: remove`));
    assert.deepEqual(driver.rpcs(), ["revoke"]);
    assert.equal((await bench.claim("guest"))?.phase, "Bound");
    assertEnded(await guest.destroy());
    assertEnded(await maker.destroy());
    assert.deepEqual(driver.rpcs(), ["revoke", "revoke", "delete"]);
    assert.deepEqual([await bench.left("maker"), await bench.left("guest")], [[], []]);
  });

  describe("that a class names", () => {
    it("is kept under a class made elsewhere that says Delete, with a warning [OBC-086]", async () => {
      const { cluster, driver } = bench.workflow;
      const name = `elsewhere-${bench.namespace}`;
      const parameters = { bucketName: "archive" };
      await cluster.client.create(storageClassKind, {
        metadata: { name },
        provisioner: "cosi.objectbucket.io/fake.example.com",
        reclaimPolicy: "Delete",
        parameters,
      });
      const stack = bench.stack("photos", {
        storageClass: { name, parameters },
        inputs: { storageClass: null, storageClassName: name },
      });
      const up = await stack.up();
      assertEnded(up);
      assert.match(up.warnings.join("\n"), new RegExp(`StorageClass ${name} has reclaimPolicy Delete.*kept`));
      assert.equal((await bench.objectBucket("photos"))?.reclaimPolicy, "Retain");
      driver.forget();
      assertEnded(await stack.destroy());
      assert.deepEqual(driver.rpcs(), ["revoke"]);
      await cluster.client.delete(storageClassKind, { name });
    });

    it("is sent no settings, also on request [OBC-071]", async () => {
      const { driver } = bench.workflow;
      const options = (maxObjects: string): ClaimOptions => ({
        storageClass: { reclaimPolicy: "Retain", parameters: { bucketName: "archive" } },
        inputs: { additionalConfig: { maxObjects }, configChange: "resend" },
        bucket: { parametersChange: "resend" },
      });
      const stack = bench.stack("photos", options("10"));
      assertEnded(await stack.up());
      driver.forget();
      const { stoppedAt, message } = await bench.edited(stack, "photos", options("20")).up();
      assert.equal(stoppedAt, "claim");
      assert.match(message, /additionalConfig was changed, and nothing is sent for a bucket that was there/);
      assert.deepEqual(driver.rpcs(), []);
      assert.deepEqual((await bench.claim("photos"))?.additionalConfig, { maxObjects: "10" });
    });
  });
});
