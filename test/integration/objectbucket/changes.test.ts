import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { configMapKind, secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { objectBucketClaimKind, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { answers } from "../../support/cosi-v1alpha1";
import { assertEnded, type SmallStack } from "../../support/faults/small-stack";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import type { ClaimOptions } from "../../support/objectbucket/claim-program";

describe("what others, or an edit of the program, change of a claim (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;
  let stack: SmallStack;
  const name = "photos";

  before(async () => {
    bench = await ClaimBench.start();
  });

  beforeEach(async () => {
    bench = await bench.elsewhere();
    stack = bench.stack(name);
    assertEnded(await stack.up());
    bench.workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  const patch = (kind: KubernetesKind, change: object) =>
    bench.workflow.cluster.client.patch(kind, { namespace: bench.namespace, name }, change);
  const objectBucketReference = () => ({ name: objectBucketNameOf({ namespace: bench.namespace, name }) });
  const patchObjectBucket = (change: object) =>
    bench.workflow.cluster.client.patch(objectBucketKind, objectBucketReference(), change);
  const without = (names: readonly string[]): string[] =>
    ["claim", "objectBucket", "secret", "configMap"].filter((kind) => !names.includes(kind));
  /** What `up` after a refresh does; no call is made. */
  const repaired = async (): Promise<void> => {
    assertEnded(await stack.refresh());
    assertEnded(await stack.up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  };

  it("sends nothing again, whatever runs and wherever the state is read [OBC-062]", async () => {
    assertEnded(await stack.up());
    await repaired();
    assertEnded(await bench.edited(stack, name, {}).up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });

  it("restores edited objects after a refresh, which tells of them, from the state alone [OBC-081]", async () => {
    const before = await bench.objects(name);
    await patch(configMapKind, { data: { BUCKET_PORT: "1" } });
    await patch(secretKind, {
      data: { AWS_ACCESS_KEY_ID: "b3RoZXI=" },
      metadata: { labels: { "bucket-provisioner": "x" } },
    });
    await patch(objectBucketClaimKind, {
      spec: { bucketName: "edited" },
      metadata: { labels: { team: null } },
    });
    await patchObjectBucket({
      spec: { endpoint: { bucketHost: "elsewhere" } },
      metadata: { finalizers: [] },
    });
    await bench.workflow.cluster.client.patchStatus(
      objectBucketClaimKind,
      { namespace: bench.namespace, name },
      { phase: "Failed" },
    );
    assertEnded(await stack.refresh());
    const drift = ["claim", "secret", "configMap", "binding"].map((of) =>
      (stack.outputs(of)["drift"] as string[]).join("; "),
    );
    for (const [index, expected] of [
      /spec.bucketName.*|label team/,
      /AWS_ACCESS_KEY_ID/,
      /BUCKET_PORT/,
      /spec.endpoint.*|phase/,
    ].entries())
      assert.match(drift[index] ?? "", expected);
    assert.doesNotMatch(drift.join(), /b3RoZXI=|other/);
    await repaired();
    const after = await bench.objects(name);
    for (const kind of without([])) {
      for (const part of ["data", "spec", "status"])
        assert.deepEqual(after[kind]?.[part], before[kind]?.[part], kind);
      assert.deepEqual(after[kind]?.metadata.labels, before[kind]?.metadata.labels, kind);
      assert.deepEqual(after[kind]?.metadata.finalizers, before[kind]?.metadata.finalizers, kind);
      assert.equal(after[kind]?.metadata.uid, before[kind]?.metadata.uid, kind);
    }
  });

  it("restores ObjectBucket, Secret and ConfigMap that somebody removed for good [OBC-081]", async () => {
    const { client } = bench.workflow.cluster;
    const before = await bench.objects(name);
    for (const kind of [secretKind, configMapKind]) {
      await patch(kind, { metadata: { finalizers: [] } });
      await client.delete(kind, { namespace: bench.namespace, name });
    }
    await patchObjectBucket({ metadata: { finalizers: [] } });
    await client.delete(objectBucketKind, objectBucketReference());
    assert.deepEqual(await bench.left(name), ["claim"]);
    await repaired();
    const after = await bench.objects(name);
    for (const [kind, part] of [
      ["secret", "data"],
      ["configMap", "data"],
      ["objectBucket", "spec"],
    ] as const)
      assert.deepEqual(after[kind]?.[part], before[kind]?.[part]);
    assert.equal((await bench.objectBucket(name))?.phase, "Bound");
    assert.equal((await bench.claim(name))?.phase, "Bound");
  });

  it("keeps Secret and ConfigMap readable that somebody deletes, and makes clean ones of the same content [OBC-045]", async () => {
    const before = await bench.objects(name);
    for (const kind of [secretKind, configMapKind]) {
      await bench.workflow.cluster.client.delete(kind, { namespace: bench.namespace, name });
    }
    for (const kind of ["secret", "configMap"]) {
      const held = (await bench.objects(name))[kind];
      assert.notEqual(held?.metadata.deletionTimestamp, undefined);
      assert.deepEqual(held?.["data"], before[kind]?.["data"]);
    }
    await repaired();
    for (const kind of ["secret", "configMap"]) {
      const clean = (await bench.objects(name))[kind];
      assert.equal(clean?.metadata.deletionTimestamp, undefined);
      assert.deepEqual(clean?.["data"], before[kind]?.["data"]);
    }
  });

  it("would replace a claim that somebody removed, with all that is its own [OBC-081]", async () => {
    await patch(objectBucketClaimKind, { metadata: { finalizers: [] } });
    await bench.workflow.cluster.client.delete(objectBucketClaimKind, { namespace: bench.namespace, name });
    assertEnded(await stack.refresh());
    assert.match(String(stack.outputs("bucket")["lostClaim"]), new RegExp(`${bench.namespace}/${name}`));
    const { message } = await stack.up();
    assert.match(message, /claim would be replaced because of name/);
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });

  it("never deletes the bucket of a claim that somebody deletes, and says how to go on [OBC-092]", async () => {
    const { driver } = bench.workflow;
    await bench.workflow.cluster.client.delete(objectBucketClaimKind, { namespace: bench.namespace, name });
    assert.notEqual((await bench.claim(name))?.deletionTimestamp, undefined);
    assertEnded(await stack.up());
    const refresh = await stack.refresh();
    assert.match(refresh.warnings.join("\n"), /ObjectBucketClaim .*photos: is being deleted since/);
    const { message } = await stack.up();
    assert.match(message, /is being deleted since.*remove it from the program.*replace it/);
    assert.deepEqual(driver.rpcs(), []);
    assert.equal(driver.buckets.size > 0, true);
    assertEnded(await stack.destroy());
    assert.deepEqual(driver.rpcs(), ["revoke", "delete"]);
    assert.deepEqual(await bench.left(name), []);
  });

  it("takes another spelling of the same settings for no change [OBC-080]", async () => {
    const allowed = { allowedAdditionalConfig: ["bucketPolicy", "maxSize"] };
    const policy = {
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: "*", Action: ["s3:GetObject"], Resource: "*" }],
    };
    const reordered = `{ "Statement": [ {"Resource": "*", "Action": "s3:GetObject", "Principal": "*", "Effect": "Allow"} ],\n "Version": "2012-10-17" }`;
    const other = bench.stack("spelled", {
      inputs: {
        ...allowed,
        additionalConfig: { bucketPolicy: JSON.stringify(policy), maxSize: "2000000000" },
      },
    });
    assertEnded(await other.up());
    bench.workflow.driver.forget();
    const before = JSON.stringify([...other.state()]);
    const edited = bench.edited(other, "spelled", {
      inputs: { ...allowed, additionalConfig: { maxSize: "2G", bucketPolicy: reordered } },
    });
    assertEnded(await edited.up());
    assert.equal(JSON.stringify([...edited.state()]), before);
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });

  describe("an edit of additionalConfig", () => {
    const config = (maxObjects: string, more: ClaimOptions = {}): ClaimOptions => ({
      ...more,
      inputs: { additionalConfig: { maxObjects }, ...more.inputs },
    });

    it("is refused unless the program says what it is to do [OBC-076]", async () => {
      const edited = bench.edited(stack, name, config("10"));
      const { message, stoppedAt } = await edited.up();
      assert.equal(stoppedAt, "claim");
      assert.match(message, /additionalConfig was changed.*"resend".*"replace"/);
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
    });

    it("is a replacement on request [OBC-076]", async () => {
      const { message } = await bench
        .edited(stack, name, config("10", { inputs: { configChange: "replace" } }))
        .up();
      assert.match(message, /claim would be replaced because of additionalConfig/);
    });

    it("is sent by an equal create on request, with account and keys as they were [OBC-076]", async () => {
      const { driver } = bench.workflow;
      const bucket = (await bench.claim(name))?.bucketName ?? "";
      const secret = await bench.secret(name);
      driver.refuse("create", answers.created(bucket));
      const resend = { inputs: { configChange: "resend" }, bucket: { parametersChange: "resend" } };
      const edited = bench.edited(stack, name, config("10", resend));
      assertEnded(await edited.up());
      assert.deepEqual(driver.rpcs(), ["create"]);
      const [create] = driver.requests().create;
      assert.equal(create?.name, bucket);
      assert.deepEqual(
        create.parameters,
        new Map([
          ["maxObjects", "10"],
          ["tier", "gold"],
        ]),
      );
      assert.deepEqual((await bench.secret(name))?.["data"], secret?.["data"]);
      assert.equal((await bench.secret(name))?.metadata.resourceVersion, secret?.metadata.resourceVersion);
      assert.deepEqual((await bench.claim(name))?.additionalConfig, { maxObjects: "10" });
      assertEnded(await edited.up());
      assert.deepEqual(driver.rpcs(), ["create"]);
    });

    it("is sent again by the next up where the driver has not taken it [OBC-076]", async () => {
      const { driver } = bench.workflow;
      const resend = { inputs: { configChange: "resend" }, bucket: { parametersChange: "resend" } };
      const edited = bench.edited(stack, name, config("10", resend));
      const { stoppedAt, message } = await edited.up();
      assert.equal(stoppedAt, "bucket");
      assert.match(message, /ALREADY_EXISTS.*sends those of the program/);
      driver.refuse("create", answers.created((await bench.claim(name))?.bucketName ?? ""));
      assertEnded(await edited.up());
      assert.deepEqual(driver.rpcs(), ["create", "create"]);
    });
  });

  it("takes its own name for no change, given or taken back [OBC-077]", async () => {
    const bucketName = (await bench.claim(name))?.bucketName ?? "";
    const given = bench.edited(stack, name, { inputs: { bucketName, labels: { team: "two" } } });
    assertEnded(await given.up());
    const back = bench.edited(given, name, { inputs: { labels: { team: "three" } } });
    assertEnded(await back.up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });

  it("sends no settings to a bucket that was taken over [OBC-064]", async () => {
    const bucketName = `taken-${bench.namespace}`;
    const taken = { takesBucket: true, bucketName, generateBucketName: null };
    const adopting = bench.stack("taker", { inputs: taken });
    assertEnded(await adopting.up());
    bench.workflow.driver.forget();
    const inputs = { ...taken, additionalConfig: { maxObjects: "10" }, configChange: "resend" };
    const { message } = await bench.edited(adopting, "taker", { inputs }).up();
    assert.match(message, /additionalConfig was changed, and nothing is sent for a bucket that was there/);
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
    assertEnded(await adopting.destroy());
  });

  it("is replaced for another class, name of the bucket or namespace, and not for another prefix [OBC-077]", async () => {
    const replaced = async (options: ClaimOptions, by: string): Promise<void> => {
      const { message } = await bench.edited(stack, name, options).up();
      assert.match(message, new RegExp(`claim would be replaced because of ${by}`));
    };
    await replaced({ storageClass: { name: "other" } }, "storageClassName");
    await replaced({ inputs: { bucketName: "another-name", generateBucketName: null } }, "bucketName");
    await replaced({ inputs: { namespace: "elsewhere" } }, "namespace");
    const before = JSON.stringify([...stack.state()]);
    const prefixed = bench.edited(stack, name, { inputs: { generateBucketName: "another" } });
    assertEnded(await prefixed.up());
    assert.equal(JSON.stringify([...prefixed.state()]), before);
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });

  it("keeps what the class said when the claim was made [OBC-039] [OBC-088]", async () => {
    const edited = bench.edited(stack, name, {
      storageClass: { reclaimPolicy: "Retain", parameters: { tier: "iron" } },
    });
    assertEnded(await edited.up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
    assertEnded(await edited.destroy());
    assert.deepEqual(bench.workflow.driver.rpcs(), ["revoke", "delete"]);
    const [deleted] = bench.workflow.driver.requests().delete;
    assert.deepEqual(deleted?.deleteContext, new Map([["tier", "gold"]]));
  });

  it("takes labels and annotations in place [OBC-058]", async () => {
    const edited = bench.edited(stack, name, {
      inputs: { labels: { cost: "low" }, annotations: { note: "new" } },
    });
    assertEnded(await edited.up());
    const { labels = {}, annotations = {} } = (await bench.claimObject(name))?.metadata ?? {};
    assert.equal(labels["cost"], "low");
    assert.equal(labels["team"], undefined);
    assert.equal(annotations["note"], "new");
    assert.deepEqual((await bench.objectBucketObject(name))?.metadata.labels?.["cost"], "low");
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });
});
