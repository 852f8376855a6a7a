import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { lastErrorAnnotation, objectBucketClaimKind } from "../../../provider/models/objectbucket/kinds";
import { answers } from "../../support/cosi-v1alpha1";
import { assertEnded, SmallStack, type RunResult } from "../../support/faults/small-stack";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import { claimProgram } from "../../support/objectbucket/claim-program";
import { beginRun } from "../../support/run";

describe("a driver that repeats a credential in its words (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  /** The account's secret key is neither in the claim nor in what the user reads, and the rest of the words is in both. */
  async function assertMasked(name: string, { message }: RunResult, secretKey: string): Promise<void> {
    const annotations = (await bench.claimObject(name))?.metadata.annotations ?? {};
    for (const text of [message, annotations[lastErrorAnnotation] ?? ""]) {
      assert.match(text, /the store said: key \[secret\] is locked/);
      assert.ok(text.includes(`${bench.namespace}/${name}`), text);
    }
    const objects = JSON.stringify([await bench.claimObject(name), await bench.objectBucketObject(name)]);
    assert.ok(secretKey !== "" && !`${message}${objects}`.includes(secretKey));
  }

  async function made(name: string): Promise<{ stack: SmallStack; secretKey: string }> {
    const stack = bench.stack(name);
    assertEnded(await stack.up());
    return { stack, secretKey: String(stack.outputs("access")["accessSecretKey"]) };
  }
  const locked = (secretKey: string) => ({
    code: status.PERMISSION_DENIED,
    message: `the store said: key ${secretKey} is locked`,
  });

  it("has it masked in the claim and in the error, at a revoke of another run [OBC-099]", async () => {
    const { stack, secretKey } = await made("revoked");
    // The process of the next run has not seen the grant.
    secretMask.clear();
    bench.workflow.driver.refuse("revoke", locked(secretKey));
    const stopped = await stack.destroy();
    assert.equal(stopped.stoppedAt, "access");
    await assertMasked("revoked", stopped, secretKey);
    assertEnded(await stack.destroy());
  });

  it("has it masked in the claim and in the error, at the delete after the revoke [OBC-099]", async () => {
    const { stack, secretKey } = await made("deleted");
    secretMask.clear();
    bench.workflow.driver.refuse("delete", locked(secretKey));
    const stopped = await stack.destroy();
    assert.equal(stopped.stoppedAt, "bucket");
    await assertMasked("deleted", stopped, secretKey);
    assertEnded(await stack.destroy());
  });
});

describe("the last error of a claim that is bound (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;
  const locked = { code: status.PERMISSION_DENIED, message: "locked" };

  before(async () => {
    bench = await ClaimBench.start();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  const lastError = async (name: string): Promise<string | undefined> =>
    (await bench.claimObject(name))?.metadata.annotations?.[lastErrorAnnotation];

  /** A claim whose other settings the driver has refused. */
  async function refused(name: string): Promise<SmallStack> {
    const stack = bench.stack(name, settings("5"));
    assertEnded(await stack.up());
    bench.workflow.driver.refuse("create", { code: status.INVALID_ARGUMENT, message: "too many" });
    const edited = bench.edited(stack, name, settings("10"));
    assert.equal((await edited.up()).stoppedAt, "bucket");
    assert.match((await lastError(name)) ?? "", /too many/);
    assert.equal((await bench.claim(name))?.phase, "Bound");
    return edited;
  }
  const settings = (maxObjects: string) => ({
    inputs: { configChange: "resend", additionalConfig: { maxObjects } },
    bucket: { parametersChange: "resend" },
  });

  it("goes when the settings that were refused are taken, or taken back [OBC-099]", async () => {
    for (const [name, maxObjects] of [
      ["taken", "10"],
      ["taken-back", "5"],
    ] as const) {
      const stack = await refused(name);
      const bucket = (await bench.claim(name))?.bucketName ?? "";
      bench.workflow.driver.refuse("create", answers.created(bucket));
      const mended = bench.edited(stack, name, settings(maxObjects));
      assertEnded(await mended.up());
      assert.equal(await lastError(name), undefined);
      assertEnded(await mended.destroy());
    }
  });

  it("goes when the account that a rotation has left is revoked at the second try [OBC-099]", async () => {
    const name = "rotated";
    const program = (trigger: number) =>
      new Map(
        claimProgram(bench.place, name, { access: { rotation: { trigger } } }).map((one) => [one.name, one]),
      );
    const stack = new SmallStack([...program(1).values()]);
    assertEnded(await stack.up());
    const old = stack.outputs("access");
    const inputsOf = (resource: string, access: Properties): Properties =>
      program(2)
        .get(resource)
        ?.inputs(
          (of) => (of === "access" ? access : stack.outputs(of)),
          (of) => stack.id(of),
        ) ?? {};
    const accesses = new Lifecycle(accessProvider);
    beginRun();
    const { inputs } = await accesses.check(old, inputsOf("access", old));
    assert.deepEqual((await accesses.diff(old, inputs)).replaces, ["rotation"]);
    const { outputs: fresh } = await accesses.create(inputsOf("access", old));
    await new Lifecycle(secretProvider).update(stack.outputs("secret"), inputsOf("secret", fresh));
    bench.workflow.driver.refuse("revoke", locked);
    await assert.rejects(accesses.delete(old), /locked/);
    assert.match((await lastError(name)) ?? "", /locked/);
    beginRun();
    await accesses.delete(old);
    assert.equal(await lastError(name), undefined);
    assert.equal((await bench.claim(name))?.phase, "Bound");
  });

  it("is told by a refresh, and taken off by the up after it [OBC-099]", async () => {
    const stack = bench.stack("stale");
    assertEnded(await stack.up());
    await bench.workflow.cluster.client.patch(
      objectBucketClaimKind,
      { namespace: bench.namespace, name: "stale" },
      { metadata: { annotations: { [lastErrorAnnotation]: "of an earlier run" } } },
    );
    assertEnded(await stack.refresh());
    assert.match(String(stack.outputs("binding")["drift"]), /last-error tells of an error, and its phase is/);
    assertEnded(await stack.up());
    assert.equal(await lastError("stale"), undefined);
    assertEnded(await stack.destroy());
  });
});
