import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind } from "../../../provider/kubernetes/object";
import { objectBucketKind, storageClassKind } from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { readClaim } from "../../../provider/models/objectbucket/records";
import { assertEnded, type SmallStack } from "../../support/faults/small-stack";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import type { ClaimOptions } from "../../support/objectbucket/claim-program";

const quick = { connectTimeoutSeconds: 1, callTimeoutSeconds: 1, retryBudgetSeconds: 1 };

describe("the end of a claim that something goes wrong with (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  beforeEach(() => {
    bench.workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  async function made(name: string, options: ClaimOptions = {}): Promise<SmallStack> {
    const stack = bench.stack(name, { driver: quick, ...options });
    assertEnded(await stack.up());
    bench.workflow.driver.forget();
    return stack;
  }

  const protection = async (name: string): Promise<unknown[]> => {
    const [claim, objectBucket] = [await bench.claim(name), await bench.objectBucket(name)];
    return [claim, objectBucket].map((record) => [
      record?.isProtected,
      record?.deletionTimestamp,
      record?.phase,
    ]);
  };
  const heldReleased = [
    [true, undefined, "Released"],
    [true, undefined, "Released"],
  ];

  describe("where the revoke fails", () => {
    it("keeps all that is there, and an up restores the rest without a call [OBC-085]", async () => {
      const { driver } = bench.workflow;
      const stack = await made("down");
      const before = await bench.objects("down");
      driver.fake.kill();
      const stopped = await stack.destroy();
      assert.equal(stopped.stoppedAt, "access");
      assert.deepEqual(await protection("down"), heldReleased);
      assert.deepEqual(await bench.left("down"), ["claim", "objectBucket"]);
      assert.ok(typeof stack.outputs("access")["accessKeyId"] === "string");
      await driver.fake.start();
      assertEnded(await stack.up());
      assert.deepEqual(driver.rpcs(), []);
      const after = await bench.objects("down");
      for (const kind of ["secret", "configMap"])
        assert.deepEqual(after[kind]?.["data"], before[kind]?.["data"]);
      assert.deepEqual((await bench.claim("down"))?.phase, "Bound");
      assert.deepEqual((await bench.objectBucket("down"))?.phase, "Bound");
      assertEnded(await stack.destroy());
      assert.deepEqual(await bench.left("down"), []);
    });

    it("is gone on with by the next destroy [OBC-085]", async () => {
      const stack = await made("again");
      bench.workflow.driver.fake.kill();
      assert.equal((await stack.destroy()).stoppedAt, "access");
      await bench.workflow.driver.fake.start();
      assertEnded(await stack.destroy());
      assert.deepEqual(bench.workflow.driver.rpcs(), ["revoke", "delete"]);
      assert.deepEqual(await bench.left("again"), []);
    });

    it("fails at NOT_FOUND, unless the program or an earlier attempt says otherwise [OBC-091]", async () => {
      const { driver } = bench.workflow;
      const notFound = { code: status.NOT_FOUND, message: "no such account" };
      const strict = await made("strict");
      driver.refuse("revoke", notFound);
      const stopped = await strict.destroy();
      assert.match(stopped.message, /NOT_FOUND.*revokeNotFound/);
      assertEnded(await strict.destroy());

      const lax = await made("lax", { access: { revokeNotFound: "ignore" } });
      driver.refuse("revoke", notFound);
      const ignored = await lax.destroy();
      assertEnded(ignored);
      assert.match(ignored.warnings.join(), /NOT_FOUND|gone/);

      const unsure = await made("unsure");
      driver.refuse("revoke", { code: status.DEADLINE_EXCEEDED, message: "late" }, notFound);
      const ended = await unsure.destroy();
      assertEnded(ended);
      assert.match(ended.warnings.join(), /gone|attempt/);
    });
  });

  describe("where the delete fails", () => {
    it("shows FAILED_PRECONDITION with the bucket's name, and an up brings all back with one grant [OBC-085] [OBC-089]", async () => {
      const { driver } = bench.workflow;
      const stack = await made("full");
      const bucket = (await bench.claim("full"))?.bucketName ?? "";
      driver.refuse("delete", { code: status.FAILED_PRECONDITION, message: "it is not empty" });
      const stopped = await stack.destroy();
      assert.equal(stopped.stoppedAt, "bucket");
      assert.match(stopped.message, new RegExp(`FAILED_PRECONDITION: it is not empty.*${bucket}`));
      assert.deepEqual(await protection("full"), heldReleased);
      assert.ok(driver.buckets.has(bucket));
      const said = (await bench.claimObject("full"))?.metadata.annotations?.["pulumi-cosi/last-error"];
      assert.match(said ?? "", /it is not empty/);
      driver.forget();
      assertEnded(await stack.up());
      assert.deepEqual(driver.rpcs(), ["grant"]);
      assert.equal((await bench.claim("full"))?.phase, "Bound");
      assert.ok(await bench.secret("full"));
      assertEnded(await stack.destroy());
      assert.deepEqual(await bench.left("full"), []);
    });

    it("takes NOT_FOUND for done, with a warning [OBC-090]", async () => {
      const { driver } = bench.workflow;
      const stack = await made("vanished");
      await bench.workflow.cluster.client.patch(
        secretKind,
        { namespace: bench.namespace, name: "vanished" },
        { metadata: { finalizers: [] } },
      );
      await bench.workflow.cluster.client.delete(secretKind, {
        namespace: bench.namespace,
        name: "vanished",
      });
      driver.refuse("delete", { code: status.NOT_FOUND, message: "no bucket" });
      const ended = await stack.destroy();
      assertEnded(ended);
      assert.deepEqual(driver.rpcs(), ["revoke", "delete"]);
      assert.match(ended.warnings.join(), /NOT_FOUND/);
    });
  });

  it("cleans up by the state where the ObjectBucket lost its policy, or is gone [OBC-117]", async () => {
    const { client } = bench.workflow.cluster;
    const nameOf = (name: string) => ({ name: objectBucketNameOf({ namespace: bench.namespace, name }) });
    const stripped = await made("stripped");
    await client.patch(objectBucketKind, nameOf("stripped"), { spec: { reclaimPolicy: null } });
    assertEnded(await stripped.destroy());
    const lost = await made("lost");
    await client.patch(objectBucketKind, nameOf("lost"), { metadata: { finalizers: [] } });
    await client.delete(objectBucketKind, nameOf("lost"));
    assertEnded(await lost.destroy());
    assert.deepEqual(bench.workflow.driver.rpcs(), ["revoke", "delete"]);
    for (const name of ["stripped", "lost"]) assert.deepEqual(await bench.left(name), []);
  });

  it("does the same when the class was removed first [OBC-088] [CASE-P02]", async () => {
    const { client } = bench.workflow.cluster;
    const name = `going-${bench.namespace}`;
    await client.create(storageClassKind, {
      metadata: { name },
      provisioner: "cosi.objectbucket.io/fake.example.com",
      reclaimPolicy: "Delete",
      parameters: { tier: "of-the-class" },
    });
    const stack = await made("orphan", { inputs: { storageClass: null, storageClassName: name } });
    await client.delete(storageClassKind, { name });
    assertEnded(await stack.refresh());
    assertEnded(await stack.up());
    assertEnded(await stack.destroy());
    assert.deepEqual(bench.workflow.driver.rpcs(), ["revoke", "delete"]);
    const [deleted] = bench.workflow.driver.requests().delete;
    assert.deepEqual(deleted?.deleteContext, new Map([["tier", "of-the-class"]]));
  });

  describe("where it is not known whether there is a bucket", () => {
    const late = { code: status.DEADLINE_EXCEEDED, message: "too slow" };
    /** A claim whose creates are done and never answered. */
    async function unanswered(name: string, options: ClaimOptions): Promise<SmallStack> {
      const { driver } = bench.workflow;
      const off = driver.on("done", ({ rpc }) => Promise.resolve(rpc === "create" ? late : undefined));
      const stack = bench.stack(name, { driver: quick, ...options });
      assert.equal((await stack.up()).stoppedAt, "bucket");
      off();
      driver.forget();
      return stack;
    }
    const named = (bucketName: string): ClaimOptions => ({
      inputs: { bucketName, generateBucketName: null },
    });

    it("learns it by an equal create and deletes it, under policy Delete [OBC-093] [CASE-P07]", async () => {
      const { driver } = bench.workflow;
      for (const [name, options] of [
        ["generated", {}],
        ["explicit", named("exactly")],
      ] as const) {
        const stack = await unanswered(name, options);
        const bucket = (await bench.claim(name))?.bucketName ?? "";
        assert.ok(driver.buckets.has(bucket));
        assertEnded(await stack.destroy());
        assert.deepEqual(driver.rpcs(), ["create", "delete"]);
        assert.ok(!driver.buckets.has(bucket));
        assert.deepEqual(await bench.left(name), []);
      }
    });

    it("deletes nothing where the repeat says that somebody has the name [OBC-093]", async () => {
      const { driver } = bench.workflow;
      const stack = await unanswered("doubtful", named("perhaps-of-others"));
      driver.refuse("create", { code: status.ALREADY_EXISTS, message: "there is one" });
      const stopped = await stack.destroy();
      assert.match(stopped.message, /perhaps-of-others may exist/);
      assert.deepEqual(driver.rpcs(), ["create"]);
      assertEnded(await stack.destroy());
    });

    it("sends nothing and names it, under policy Retain [OBC-093]", async () => {
      const stack = await unanswered("keeping", { storageClass: { reclaimPolicy: "Retain" } });
      const { bucketName } = readClaim((await bench.claimObject("keeping")) ?? assert.fail());
      const ended = await stack.destroy();
      assertEnded(ended);
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
      assert.match(ended.warnings.join(), new RegExp(bucketName));
      assert.deepEqual(await bench.left("keeping"), []);
    });

    it("takes ALREADY_EXISTS for its own bucket where the name has the claim's UID [OBC-067]", async () => {
      const { driver } = bench.workflow;
      const stack = await unanswered("mine", {});
      const bucket = (await bench.claim("mine"))?.bucketName ?? "";
      driver.refuse("create", { code: status.ALREADY_EXISTS, message: "you have it already" });
      const ended = await stack.up();
      assertEnded(ended);
      assert.match(ended.warnings.join(), /it exists/);
      assert.equal(driver.requests().grant[0]?.bucketId, bucket);
      assertEnded(await stack.destroy());
    });
  });

  it("leaves no key behind where a grant fails ten times, and warns of one that may be alive [OBC-118]", async () => {
    const { driver } = bench.workflow;
    let failures = 0;
    const off = driver.on("done", ({ rpc }) => {
      if (rpc !== "grant" || failures >= 10) return Promise.resolve(undefined);
      failures += 1;
      return Promise.resolve({ code: status.UNAVAILABLE, message: "again" });
    });
    const stack = bench.stack("stubborn", { driver: { callTimeoutSeconds: 5, retryBudgetSeconds: 60 } });
    const keys = driver.liveKeys().length;
    const ended = await stack.up();
    assertEnded(ended);
    assert.match(
      ended.warnings.join("\n"),
      /access obc-\S+-stubb\S+: an earlier attempt had no answer: a credential of it may be alive at the driver fake\.example\.com/,
    );
    off();
    assert.equal(failures, 10);
    assert.equal(driver.liveKeys().length, keys + 1);
    assertEnded(await stack.destroy());
  });

  it("sends no parameter of its own, and no owner's account, to end it [OBC-004] [OBC-119] [OBC-120]", async () => {
    const { driver } = bench.workflow;
    const stack = bench.stack("owned", {
      inputs: { allowedAdditionalConfig: ["bucketOwner"], additionalConfig: { bucketOwner: "alice" } },
    });
    assertEnded(await stack.up());
    assertEnded(await stack.destroy());
    const { create, grant, revoke, delete: deleted } = driver.requests();
    const sent = new Map([
      ["bucketOwner", "alice"],
      ["tier", "gold"],
    ]);
    assert.deepEqual(create[0]?.parameters, sent);
    assert.deepEqual(grant[0]?.parameters, sent);
    assert.notEqual(revoke[0]?.accountId, "alice");
    assert.equal(deleted.length, 1);
  });

  it("sends what is empty as empty, and nothing of what is not said [OBC-078]", async () => {
    const stack = bench.stack("emptied", {
      inputs: { allowedAdditionalConfig: ["bucketPolicy"], additionalConfig: { bucketPolicy: "" } },
    });
    assertEnded(await stack.up());
    const [create] = bench.workflow.driver.requests().create;
    assert.deepEqual(
      create?.parameters,
      new Map([
        ["bucketPolicy", ""],
        ["tier", "gold"],
      ]),
    );
    assertEnded(await stack.destroy());
  });
});
