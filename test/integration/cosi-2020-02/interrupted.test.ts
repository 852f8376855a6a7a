import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { CreateBucketResponse, GrantBucketAccessResponse } from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import {
  FebruarySteps,
  keep,
  lifecycles,
  specOf,
  statusOf,
  type BucketOptions,
  type BucketSteps,
} from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import type { Rpc } from "../../support/cosi-2020-02/storing-handler";
import { failedResource, printed, wire, type Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { removeByHand } from "../../support/workflows/by-hand";
import { kinds } from "../kubernetes/cosi-2020-02/february";

/** An answer for good: the driver says that the call had no effect. */
const denied = { code: status.PERMISSION_DENIED, message: "not now" };
/** As often as a call is tried: whether it had an effect is not known. */
const lost = [1, 2, 3].map(() => ({ code: status.INTERNAL, message: "lost" }));
const brownfield: BucketOptions = {
  bucketClass: { releasePolicy: "Retain", bucketIdentifier: { bucketName: "legacy" } },
};
const retain: BucketOptions = { bucketClass: { releasePolicy: "Retain" } };

describe("a run that stopped half-way, and the next one (COSI proposal of 2020-02-27)", function () {
  this.timeout(180_000);
  let workflow: FebruaryWorkflow;
  let steps: FebruarySteps;
  let count = 0;

  before(async () => {
    workflow = await FebruaryWorkflow.start();
    steps = new FebruarySteps(workflow);
  });

  beforeEach(() => {
    count += 1;
    nextRun();
    workflow.driver.buckets.clear();
    workflow.driver.accounts.clear();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  const name = (): string => `n${count}`;
  const find = (
    kind: KubernetesKind,
    of: string,
    namespace?: string,
  ): Promise<KubernetesObject | undefined> => workflow.cluster.client.get(kind, { name: of, namespace });
  const bucketOf = ({ bucket }: BucketSteps) => find(kinds.bucket, bucket.name, bucket.namespace);
  const contentOf = (made: BucketSteps) => find(kinds.bucketContent, steps.contentName(made));
  const copyOf = ({ bucket }: BucketSteps) => find(secretKind, `${bucket.name}-creds`, bucket.namespace);
  const sourceOf = (made: BucketSteps) => find(secretKind, steps.contentName(made), workflow.sourceNamespace);

  /** The next run of `pulumi`. */
  function nextRun(): void {
    workflow.driver.forget();
    beginRun();
  }

  /** Has the answers of an RPC get lost, once their work is done, until the returned function is called. */
  function loseAnswers(rpc: Rpc): () => void {
    return workflow.driver.on("done", (call) =>
      Promise.resolve(call.rpc === rpc ? { code: status.INTERNAL, message: "lost" } : undefined),
    );
  }

  /** A resource whose create fails, as the state has it then. */
  async function failing(
    lifecycle: Lifecycle,
    inputs: Properties,
  ): Promise<{ outputs: Properties; text: string }> {
    const { properties, message } = await failedResource(lifecycle.create(inputs));
    return { outputs: wire(properties), text: message };
  }

  /** A Bucket whose call fails. */
  async function failedBucket(
    options: BucketOptions = {},
  ): Promise<BucketSteps & { made: { text: string } & Kept }> {
    const bound = await steps.bindContent(name(), options);
    const inputs = steps.bucketInputs(bound);
    const { outputs, text } = await failing(lifecycles.bucket, inputs);
    return { ...bound, made: { id: "", inputs, outputs, text } };
  }

  interface Kept {
    readonly id: string;
    readonly inputs: Properties;
    outputs: Properties;
  }

  /** Asserts that nothing of a Bucket is left, at the driver or in the cluster. */
  async function assertNothingLeft(made: BucketSteps): Promise<void> {
    const objects = [await bucketOf(made), await contentOf(made), await copyOf(made), await sourceOf(made)];
    assert.deepEqual(objects, [undefined, undefined, undefined, undefined]);
    assert.equal(workflow.driver.accounts.size, 0);
  }

  describe("a call that fails", () => {
    it("is said to be retried, and then ready [K02-048] [K02-109]", async () => {
      const bound = await steps.bindContent(name());
      workflow.driver.refuse("create", ...[1, 2].map(() => ({ code: status.UNAVAILABLE, message: "busy" })));
      const phases: unknown[] = [];
      const off = workflow.driver.on("received", async () => {
        phases.push(statusOf(await contentOf(bound))["phase"]);
        return undefined;
      });
      const made = await steps.deliver(bound);
      off();
      assert.equal(phases.length, 3);
      assert.deepEqual(phases.slice(1), ["Retrying", "Retrying"]);
      assert.equal(statusOf(await contentOf(made))["phase"], "Bound");
      const [first, ...others] = workflow.driver.fake.calls.map(({ body }) => body.toString("hex"));
      assert.deepEqual(others, [first, first]);
    });

    it("leaves the Bucket pending and the BucketContent failed, with the reason, until an up goes on [K02-045] [K02-047] [K02-048] [K02-049]", async () => {
      workflow.driver.refuse("create", ...lost);
      const { made, ...bound } = await failedBucket();
      const content = statusOf(await contentOf(bound));
      assert.equal(content["phase"], "Failed");
      assert.match(String(content["message"]), /CreateBucket.*INTERNAL.*lost/);
      assert.equal(statusOf(await bucketOf(bound))["phase"], "Pending");
      nextRun();
      made.outputs = await lifecycles.bucket.update(made.outputs, made.inputs);
      await steps.deliver({ ...bound, made });
      assert.deepEqual(workflow.driver.rpcs(), ["create"]);
      assert.deepEqual(
        [statusOf(await contentOf(bound))["phase"], statusOf(await bucketOf(bound))["phase"]],
        ["Bound", "Bound"],
      );
    });

    it("which had its effect is repeated with the same name by the next up, and one account lives [K02-008] [K02-117]", async () => {
      const off = loseAnswers("create");
      const { made, ...bound } = await failedBucket();
      off();
      assert.equal(workflow.driver.buckets.size, 1);
      const names = workflow.driver.requests().create.map(({ RequestBucketName }) => RequestBucketName);
      nextRun();
      made.outputs = await lifecycles.bucket.update(made.outputs, made.inputs);
      const whole = await steps.deliver({ ...bound, made });
      assert.deepEqual([...new Set(names)], [workflow.driver.requests().create[0]?.RequestBucketName]);
      assert.equal(workflow.driver.buckets.size, 1);
      assert.equal(workflow.driver.accounts.size, 1);
      const [account] = workflow.driver.accounts.values();
      const key = Buffer.from(String((await copyOf(whole))?.["data"]?.["accessKeyId" as never]), "base64");
      assert.equal(key.toString(), account?.accessKeyId);
    });

    it("is known to the BucketContent where the state does not know it, as its run was killed [K02-008]", async () => {
      const bound = await steps.bindContent(name());
      await keep(lifecycles.bucket, steps.bucketInputs(bound));
      // The state has nothing of it: a destroy would leave it at the driver.
      beginRun();
      await assert.rejects(
        lifecycles.content.delete(bound.content.outputs),
        /may have a bucket .* run `pulumi up` first/,
      );
      const whole = await steps.deliver(bound);
      await steps.destroy(whole);
      await assertNothingLeft(whole);
      assert.equal(workflow.driver.buckets.size, 0);
    });
  });

  describe("a reply that cannot be used", () => {
    it("without a bucket's name is of the one that was asked for [K02-104]", async () => {
      workflow.driver.bucketNameOf = () => "";
      const made = await steps.make(name());
      workflow.driver.bucketNameOf = (asked) => asked;
      assert.equal(made.made?.outputs["bucketId"], made.bucket.uid);
      assert.equal(
        (specOf(await contentOf(made))["protocolS3"] as Properties)["bucketName"],
        made.bucket.uid,
      );
    });

    it("with another name is of that one from then on [K02-104]", async () => {
      workflow.driver.bucketNameOf = (asked) => `real-${asked}`;
      const made = await steps.up(name());
      workflow.driver.bucketNameOf = (asked) => asked;
      const { protocolS3 } = specOf(await contentOf(made));
      assert.equal((protocolS3 as Properties)["bucketName"], `real-${made.bucket.uid}`);
      await steps.destroy(made);
      assert.equal(workflow.driver.buckets.size, 0);
    });

    it("of another protocol fails, and the destroy deletes the bucket [K02-104]", async () => {
      const wrong = CreateBucketResponse.encode({
        Protocol: {
          $case: "Gcs",
          value: { BucketName: "other", ProjectId: "p", Authentication: undefined },
        },
      }).finish();
      const off = workflow.driver.on("done", ({ rpc }) =>
        Promise.resolve(rpc === "create" ? wrong : undefined),
      );
      const failed = await failedBucket();
      assert.match(failed.made.text, /S3 was asked for, but the driver's reply is for protocol GCS/);
      assert.equal(statusOf(await contentOf(failed))["phase"], "Failed");
      beginRun();
      await steps.destroy(failed);
      off();
      assert.deepEqual(workflow.driver.rpcs(), ["create", "create", "delete"]);
      assert.equal(workflow.driver.buckets.size, 0);
      await assertNothingLeft(failed);
    });

    it("of a grant fails too, and the account is revoked by the destroy [K02-106]", async () => {
      const wrong = GrantBucketAccessResponse.encode({ Protocol: undefined }).finish();
      const off = workflow.driver.on("done", ({ rpc }) =>
        Promise.resolve(rpc === "grant" ? wrong : undefined),
      );
      const failed = await failedBucket(brownfield);
      assert.match(failed.made.text, /S3 was asked for, but the driver's reply is for protocol none/);
      off();
      beginRun();
      await steps.destroy(failed);
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "grant", "revoke"]);
      await assertNothingLeft(failed);
    });
  });

  describe("the destroy of what was never surely made", () => {
    it("repeats CreateBucket to learn the name, and deletes, under Delete [K02-097]", async () => {
      workflow.driver.bucketNameOf = (asked) => `real-${asked}`;
      const off = loseAnswers("create");
      const failed = await failedBucket();
      off();
      nextRun();
      await steps.destroy(failed);
      workflow.driver.bucketNameOf = (asked) => asked;
      assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
      assert.equal(workflow.driver.buckets.size, 0);
      await assertNothingLeft(failed);
    });

    it("deletes by the name that was sent where the driver says ALREADY_EXISTS [K02-097]", async () => {
      const off = loseAnswers("create");
      const failed = await failedBucket();
      off();
      nextRun();
      workflow.driver.refuse("create", { code: status.ALREADY_EXISTS, message: "there" });
      await steps.destroy(failed);
      assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
      assert.equal(workflow.driver.buckets.size, 0);
    });

    it("takes NOT_FOUND to the delete as done, with a warning [K02-097] [K02-110]", async () => {
      const off = loseAnswers("create");
      const failed = await failedBucket();
      off();
      nextRun();
      workflow.driver.refuse("delete", { code: status.NOT_FOUND, message: "gone" });
      const lines = await printed(() => steps.destroy(failed));
      assert.match(lines.join("\n"), /NOT_FOUND where OK is due/);
    });

    it("sends nothing under Retain, and names bucket and key that may be there [K02-097]", async () => {
      const off = loseAnswers("create");
      const failed = await failedBucket(retain);
      off();
      nextRun();
      const lines = await printed(() => steps.destroy(failed));
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.match(
        lines.join("\n"),
        new RegExp(`bucket ${failed.bucket.uid}: .*look for it in the backend.* key`),
      );
      workflow.driver.accounts.clear();
      await assertNothingLeft(failed);
    });

    it("repeats a lost grant, and revokes [K02-097]", async () => {
      const off = loseAnswers("grant");
      const failed = await failedBucket(brownfield);
      off();
      nextRun();
      assert.equal(workflow.driver.accounts.size, 1);
      await steps.destroy(failed);
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke"]);
      await assertNothingLeft(failed);
    });

    it("sends nothing where nothing was sent [K02-097]", async () => {
      workflow.driver.refuse("create", denied);
      const bound = await steps.bindContent(name());
      await assert.rejects(keep(lifecycles.bucket, steps.bucketInputs(bound)), /PERMISSION_DENIED/);
      nextRun();
      await steps.destroy(bound);
      assert.deepEqual(workflow.driver.rpcs(), []);
      await assertNothingLeft(bound);
    });
  });

  describe("codes", () => {
    const exists = { code: status.ALREADY_EXISTS, message: "there" };

    it("ALREADY_EXISTS to a first create is an error that takes nothing over [K02-111]", async () => {
      workflow.driver.refuse("create", exists);
      const bound = await steps.bindContent(name());
      const attempt = keep(lifecycles.bucket, steps.bucketInputs(bound));
      await assert.rejects(
        attempt,
        /ALREADY_EXISTS.*credentials .* can no longer be obtained, so it is not taken over/,
      );
      assert.equal(statusOf(await contentOf(bound))["phase"], "Failed");
      assert.equal(await sourceOf(bound), undefined);
    });

    it("ALREADY_EXISTS after a lost answer says that it may be its own, and how it ends [K02-111]", async () => {
      for (const [options, end] of [
        [{}, /deletes it by its name \(policy Delete\)/],
        [retain, /leaves it there, .* \(policy Retain\)/],
      ] as const) {
        count += 1;
        const off = loseAnswers("create");
        const { made, ...bound } = await failedBucket(options);
        off();
        nextRun();
        workflow.driver.refuse("create", exists);
        const failure = await failedResource(lifecycles.bucket.update(made.outputs, made.inputs));
        assert.match(failure.message, /may be this resource's own/);
        assert.match(failure.message, end);
        assert.equal(await sourceOf(bound), undefined);
      }
    });

    it("NOT_FOUND to a revoke is final unless the program says otherwise [K02-110]", async () => {
      const gone = { code: status.NOT_FOUND, message: "no such user" };
      const made = await steps.up(name(), retain);
      workflow.driver.refuse("revoke", gone, gone);
      await assert.rejects(steps.destroy(made), /NOT_FOUND.*set revokeNotFound to "ignore"/s);
      if (made.made === undefined) assert.fail("the bucket is not in the state any more");
      made.made.outputs = { ...made.made.outputs, revokeNotFound: "ignore" };
      const lines = await printed(() => steps.destroy(made));
      assert.match(lines.join("\n"), /counts as done as you asked/);
      workflow.driver.accounts.clear();
      await assertNothingLeft(made);
    });

    it("NOT_FOUND to a create or a grant is final [K02-110]", async () => {
      const gone = { code: status.NOT_FOUND, message: "no such bucket" };
      workflow.driver.refuse("create", gone);
      workflow.driver.refuse("grant", gone);
      for (const options of [{}, brownfield]) {
        count += 1;
        const bound = await steps.bindContent(name(), options);
        await assert.rejects(keep(lifecycles.bucket, steps.bucketInputs(bound)), /NOT_FOUND/);
      }
      assert.deepEqual(workflow.driver.rpcs(), ["create", "grant"]);
    });
  });

  describe("a delete that fails", () => {
    it("leaves both objects with their finalizers, and the next one goes on [K02-096]", async () => {
      const made = await steps.up(name());
      nextRun();
      workflow.driver.refuse("delete", { code: status.UNAVAILABLE, message: "busy" }, denied);
      const phases: unknown[] = [];
      const off = workflow.driver.on("received", async () => {
        phases.push(statusOf(await contentOf(made))["phase"]);
        return undefined;
      });
      await assert.rejects(steps.destroy(made), /PERMISSION_DENIED/);
      off();
      assert.equal(phases[1], "Retrying");
      const content = await contentOf(made);
      assert.equal(statusOf(content)["phase"], "Failed");
      for (const object of [content, await bucketOf(made)]) {
        assert.deepEqual(object?.metadata.finalizers, ["cosi.io/finalizer"]);
        assert.equal(object.metadata.deletionTimestamp, undefined);
      }
      assert.ok(made.made?.outputs["credentials"] !== undefined);
      nextRun();
      await steps.destroy(made);
      assert.deepEqual(workflow.driver.rpcs(), ["delete"]);
      await assertNothingLeft(made);
    });

    it("is taken back by an up, which writes both Secrets again and calls nothing [K02-086] [K02-093]", async () => {
      const made = await steps.up(name());
      const before = await copyOf(made);
      nextRun();
      workflow.driver.refuse("delete", denied);
      await assert.rejects(steps.destroy(made), /PERMISSION_DENIED/);
      assert.deepEqual([await copyOf(made), await sourceOf(made)], [undefined, undefined]);
      nextRun();
      await steps.deliver(made);
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.deepEqual((await copyOf(made))?.["data"], before?.["data"]);
      for (const object of [await bucketOf(made), await contentOf(made)]) {
        const { phase, conditions = [] } = statusOf(object);
        assert.deepEqual([phase, conditions], ["Bound", []]);
      }
    });

    it("and may have had its effect is not taken back with keys that may be dead", async () => {
      const made = await steps.up(name(), retain);
      nextRun();
      workflow.driver.refuse("revoke", ...lost);
      await assert.rejects(steps.destroy(made), /INTERNAL/);
      nextRun();
      await assert.rejects(
        steps.deliver(made),
        /a destroy has sent the call .* unknown outcome.*kubectl annotate/s,
      );
      nextRun();
      workflow.driver.refuse("revoke", { code: status.NOT_FOUND, message: "gone" });
      await steps.destroy(made);
    });
  });

  describe("what was edited or deleted by hand", () => {
    it("decides for keeping: one of object and class that says Retain is enough [K02-090]", async () => {
      const { client } = workflow.cluster;
      const className = `gold-${workflow.namespace}`;
      const edits = [
        async (made: BucketSteps) => {
          await client.patch(
            kinds.bucketContent,
            { name: steps.contentName(made) },
            { spec: { releasePolicy: "Retain" } },
          );
        },
        async () => {
          await client.create(kinds.bucketClass, {
            metadata: { name: className },
            provisioner: "rgw.example.com",
            supportedProtocols: ["s3"],
            releasePolicy: "Retain",
          });
        },
        async (made: BucketSteps) => {
          await client.delete(kinds.bucketClass, { name: className });
          await removeByHand(client, kinds.bucketContent, { name: steps.contentName(made) });
        },
      ];
      for (const edit of edits) {
        count += 1;
        nextRun();
        const made = await steps.up(name());
        await edit(made);
        nextRun();
        const lines = await printed(() => steps.destroy(made));
        assert.deepEqual(workflow.driver.rpcs(), ["revoke"]);
        assert.match(lines.join("\n"), new RegExp(`the bucket ${made.bucket.uid} of driver rgw.example.com`));
        await assertNothingLeft(made);
      }
      assert.equal(workflow.driver.buckets.size, 3);
    });

    it("of the class changes nothing that exists, nor does its end [K02-046] [K02-059] [K02-064]", async () => {
      const made = await steps.up(name());
      const { inputs } = made.content;
      const edited = steps.bucketClass({
        bucketIdentifier: { bucketName: "x" },
        parameters: { tier: "tin" },
      });
      const checked = await lifecycles.content.check(made.content.outputs, {
        ...inputs,
        bucketClass: edited,
      });
      assert.deepEqual(checked.failures, []);
      assert.deepEqual(checked.inputs["bucketClass"], made.content.outputs["bucketClass"]);
      const diff = await lifecycles.content.diff(made.content.outputs, checked.inputs);
      assert.equal(diff.changes, false);
      nextRun();
      await steps.destroy(made);
      const [request] = workflow.driver.requests().delete;
      assert.deepEqual(request?.DriverParameters, new Map([["tier", "gold"]]));
    });

    it("or a driver that is given no more, or now, is refused before anything goes [K02-064]", async () => {
      const made = await steps.up(name());
      const { outputs, inputs } = made.content;
      for (const [change, text] of [
        [
          { isManaged: false, bucketClass: inputs["bucketClass"] },
          /^bucketClass: the BucketClass .* is static now, and was not when/,
        ],
        [
          { isManaged: false, bucketClass: null, bucketClassName: `gold-${workflow.namespace}` },
          /^bucketClass: the Bucket is static without driver, and was not when .*: give driver again/,
        ],
      ] as const) {
        // The engine hands over the inputs of before; a class that was looked up is in none of them.
        const before = change.bucketClass === null ? { ...inputs, ...change, isManaged: true } : outputs;
        const { failures } = await lifecycles.content.check(before, { ...inputs, ...change });
        assert.equal(failures.length, 1, failures.join());
        assert.match(failures[0] ?? "", text);
      }
      await steps.destroy(made);
    });

    it("is told by a refresh where a deletion has begun, and a destroy completes it [K02-098]", async () => {
      const made = await steps.up(name());
      const { client } = workflow.cluster;
      const { namespace, name: of } = made.bucket;
      await client.delete(kinds.bucket, { namespace, name: of });
      await client.delete(kinds.bucketContent, { name: steps.contentName(made) });
      nextRun();
      const lines = await printed(async () => {
        await lifecycles.content.read(made.content.outputs);
      });
      assert.match(lines.join("\n"), /Bucket .* is being deleted since .*`pulumi destroy` completes/);
      assert.match(lines.join("\n"), /BucketContent .* is being deleted since/);
      await assert.rejects(
        lifecycles.content.update(made.content.outputs, made.content.inputs),
        /is being deleted since/,
      );
      await steps.destroy(made);
      assert.deepEqual(workflow.driver.rpcs(), ["delete"]);
      await assertNothingLeft(made);
    });

    it("of the Secrets is told by a refresh, and mended from state and source without a call [K02-116]", async () => {
      const made = await steps.up(name());
      const before = await copyOf(made);
      const { client } = workflow.cluster;
      await client.delete(secretKind, { namespace: workflow.namespace, name: `${name()}-creds` });
      nextRun();
      if (made.bound === undefined) assert.fail("nothing is bound");
      const { outputs } = await lifecycles.binding.read(made.bound.outputs);
      assert.match(String(outputs["drift"]), /Secret .*-creds is gone/);
      await lifecycles.binding.update(outputs, made.bound.inputs);
      assert.deepEqual((await copyOf(made))?.["data"], before?.["data"]);
      await client.delete(secretKind, { namespace: workflow.sourceNamespace, name: steps.contentName(made) });
      assert.deepEqual(await lifecycles.source.read(made.source?.outputs ?? {}), { outputs: {}, inputs: {} });
      await keep(lifecycles.source, steps.sourceInputs(made));
      assert.deepEqual((await sourceOf(made))?.["data"], before?.["data"]);
      assert.deepEqual(workflow.driver.rpcs(), []);
    });

    it("that makes the Secrets immutable changes nothing that they are for: a refresh tells nothing, and they stay", async () => {
      const made = await steps.up(name());
      if (made.bound === undefined || made.source === undefined) assert.fail("nothing is bound");
      const secrets = [await copyOf(made), await sourceOf(made)].filter((secret) => secret !== undefined);
      for (const { metadata } of secrets) {
        const { namespace, name: of } = metadata;
        await workflow.cluster.client.patch(secretKind, { namespace, name: of }, { immutable: true });
      }
      nextRun();
      for (const [lifecycle, { outputs, inputs }] of [
        [lifecycles.source, made.source],
        [lifecycles.binding, made.bound],
      ] as const) {
        const seen = await lifecycle.read(outputs);
        assert.deepEqual(seen.outputs["drift"], []);
        await lifecycle.update(seen.outputs, inputs);
      }
      const after = [await copyOf(made), await sourceOf(made)].map((secret) => secret?.metadata.uid);
      assert.deepEqual(
        after,
        secrets.map(({ metadata }) => metadata.uid),
      );
      assert.deepEqual(workflow.driver.rpcs(), []);
    });

    it("that takes the Bucket's marks off stops no up that has its UID recorded", async () => {
      const made = await steps.up(name());
      const { namespace, name: of } = made.bucket;
      const mark = (value: string | null) =>
        workflow.cluster.client.patch(
          kinds.bucket,
          { namespace, name: of },
          { metadata: { annotations: { [ownerAnnotation]: value, [stackIdAnnotation]: null } } },
        );
      await mark(null);
      await lifecycles.content.update(made.content.outputs, made.content.inputs);
      await mark("organization/shop/other");
      await assert.rejects(
        lifecycles.content.update(made.content.outputs, made.content.inputs),
        /belongs to the stack organization\/shop\/other/,
      );
    });

    it("of the admin's Secret is told by a refresh, and the up after it brings the copy up to date [K02-084]", async () => {
      const { client } = workflow.cluster;
      const secretRef = { namespace: workflow.sourceNamespace, name: `${name()}-keys` };
      await client.create(secretKind, { metadata: secretRef, data: { key: "YQ==" } });
      const made = await steps.up(name(), {
        bucketClass: {
          provisioner: null,
          releasePolicy: "Retain",
          bucketIdentifier: { bucketName: "legacy" },
          secretRef,
        },
      });
      if (made.bound === undefined) assert.fail("nothing is bound");
      await client.patch(secretKind, secretRef, { data: { key: "Yg==", more: "Yw==" } });
      const { outputs } = await lifecycles.binding.read(made.bound.outputs);
      assert.match(String(outputs["drift"]), /data key key is not that of its original/);
      await lifecycles.binding.update(outputs, made.bound.inputs);
      assert.deepEqual((await copyOf(made))?.["data"], { key: "Yg==", more: "Yw==" });
    });
  });

  describe("a sequence of runs that stopped", () => {
    it("of which one has lost the answer of a revoke is never taken back, however the others ended", async () => {
      const made = await steps.up(name(), retain);
      nextRun();
      const off = loseAnswers("revoke");
      await assert.rejects(steps.destroy(made), /INTERNAL/);
      off();
      assert.equal(workflow.driver.accounts.size, 0);
      nextRun();
      workflow.driver.refuse("revoke", denied);
      await assert.rejects(steps.destroy(made), /PERMISSION_DENIED/);
      nextRun();
      await assert.rejects(steps.deliver(made), /the credentials may be dead/);
      assert.notEqual(statusOf(await contentOf(made))["phase"], "Bound");
    });

    it("is judged by what may be made where the first has not come to it [K02-020] [K02-026]", async () => {
      const { inputs } = await steps.bucket(name(), { inputs: { sourceNamespace: "not-there" } });
      const failure = { inputs, outputs: { ...inputs, drift: ["not made completely"] } };
      nextRun();
      await assert.rejects(
        lifecycles.content.update(failure.outputs, inputs),
        /the namespace not-there, .* does not exist/,
      );
    });

    it("of which the last was killed after a create that came after a delete leaves nothing in silence [K02-008]", async () => {
      const made = await steps.up(name());
      nextRun();
      if (made.bound === undefined || made.source === undefined || made.made === undefined) {
        assert.fail("it is not whole");
      }
      await lifecycles.binding.delete(made.bound.outputs);
      await lifecycles.source.delete(made.source.outputs);
      await lifecycles.bucket.delete(made.made.outputs);
      // The BucketContent stays, as the run ended here; the next one is killed before it can record the bucket.
      nextRun();
      await keep(lifecycles.bucket, made.made.inputs);
      nextRun();
      await assert.rejects(
        lifecycles.content.delete(made.content.outputs),
        /may have a bucket .*run `pulumi up` first.*kubectl annotate/s,
      );
    });

    it("knows of a create with other parameters, and warns of a key that may be alive [K02-111]", async () => {
      const off = loseAnswers("create");
      const failed = await failedBucket();
      off();
      nextRun();
      workflow.driver.refuse("create", { code: status.ALREADY_EXISTS, message: "there" });
      const lines = await printed(async () => {
        const { inputs } = failed.made;
        const { message } = await failedResource(
          lifecycles.bucket.create({ ...inputs, parameters: { tier: "tin" } }),
        );
        assert.match(message, /may be this resource's own/);
      });
      assert.match(lines.join("\n"), /an earlier attempt had no answer: a credential of it may be alive/);
    });

    it("is not given up where another contract's driver stands at the endpoint [K02-108]", async () => {
      const off = loseAnswers("create");
      const failed = await failedBucket();
      off();
      nextRun();
      workflow.driver.refuse("create", { code: status.UNIMPLEMENTED, message: "unknown service" });
      await assert.rejects(steps.destroy(failed), /UNIMPLEMENTED.*contract cosi-2020-02/s);
      nextRun();
      await steps.destroy(failed);
      assert.equal(workflow.driver.buckets.size, 0);
    });

    it("before any call, as somebody deleted the BucketContent, has nothing to send at its end [K02-097]", async () => {
      const bound = await steps.bindContent(name());
      await workflow.cluster.client.delete(kinds.bucketContent, { name: steps.contentName(bound) });
      const inputs = steps.bucketInputs(bound);
      const { outputs, text } = await failing(lifecycles.bucket, inputs);
      assert.match(text, /is being deleted since/);
      nextRun();
      await steps.destroy({ ...bound, made: { id: "", inputs, outputs } });
      assert.deepEqual(workflow.driver.rpcs(), []);
      await assertNothingLeft(bound);
    });

    it("takes a create that came after an unknown delete for living [K02-086]", async () => {
      const off = loseAnswers("create");
      const failed = await failedBucket();
      off();
      nextRun();
      workflow.driver.refuse("delete", ...lost);
      await assert.rejects(lifecycles.bucket.delete(failed.made.outputs), /INTERNAL/);
      nextRun();
      failed.made.outputs = await lifecycles.bucket.update(failed.made.outputs, failed.made.inputs);
      await steps.deliver(failed);
      assert.equal(statusOf(await contentOf(failed))["phase"], "Bound");
    });
  });

  it("ends the account of a bucket that another resource has taken over, and leaves the bucket [K02-088]", async () => {
    const made = await steps.up(name());
    const backend = String(made.made?.outputs["bucketId"]);
    nextRun();
    const other = await steps.up(`${name()}-heir`, {
      bucketClass: {
        name: `heir-${workflow.namespace}`,
        releasePolicy: "Retain",
        bucketIdentifier: { bucketName: backend },
      },
    });
    // In the same run: the heir wants the bucket.
    const lines = await printed(async () => {
      const { bound, source, made: bucket, content } = made;
      if (bound === undefined || source === undefined || bucket === undefined) assert.fail("it is not whole");
      await lifecycles.binding.delete(bound.outputs);
      await lifecycles.source.delete(source.outputs);
      await lifecycles.bucket.delete(bucket.outputs);
      await lifecycles.content.delete(content.outputs);
    });
    assert.match(lines.join("\n"), /another resource of this run has it now/);
    assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke"]);
    assert.equal(workflow.driver.accounts.size, 1);
    assert.ok(workflow.driver.buckets.has(backend));
    nextRun();
    await steps.destroy(other);
  });

  it("is refused before any call where two Buckets of a program have one Secret [K02-026]", async () => {
    const { inputs } = await steps.bucket(name());
    const { inputs: second } = await steps.bucket(`${name()}-twin`, { secretName: `${name()}-creds` });
    assert.deepEqual((await lifecycles.content.check({}, inputs)).failures, []);
    const { failures } = await lifecycles.content.check({}, second);
    assert.match(
      failures.join(),
      /^secretName: the Secret .*-creds is written by .* too: give each a Secret of its own/,
    );
  });

  it("forgets no Secret where a move to another name did not come to its end [K02-029] [K02-093]", async () => {
    const made = await steps.up(name());
    if (made.bound === undefined) assert.fail("nothing is bound");
    nextRun();
    const { client } = workflow.cluster;
    const content = steps.contentName(made);
    const there = await contentOf(made);
    await removeByHand(client, kinds.bucketContent, { name: content });
    const inputs = { ...made.bound.inputs, secretName: `${name()}-moved` };
    const failure = await failedResource(lifecycles.binding.update(made.bound.outputs, inputs));
    const outputs = wire(failure.properties);
    assert.deepEqual(outputs["earlierSecretNames"], [`${name()}-creds`]);
    const { metadata, spec } = there ?? assert.fail("there is no BucketContent");
    const { annotations = {}, finalizers = [] } = metadata;
    await client.create(kinds.bucketContent, { metadata: { name: content, annotations, finalizers }, spec });
    nextRun();
    await lifecycles.binding.update(outputs, inputs);
    assert.equal(await copyOf(made), undefined);
    assert.ok((await find(secretKind, `${name()}-moved`, workflow.namespace)) !== undefined);
  });

  it("moves the Secret to another name, the new one first, without a call [K02-029]", async () => {
    const made = await steps.up(name());
    if (made.bound === undefined) assert.fail("nothing is bound");
    const before = await copyOf(made);
    nextRun();
    await workflow.timeline.restart();
    const inputs = { ...made.bound.inputs, secretName: `${name()}-moved` };
    const diff = await lifecycles.binding.diff(made.bound.outputs, inputs);
    assert.deepEqual([diff.changes, diff.replaces], [true, []]);
    await lifecycles.binding.update(made.bound.outputs, inputs);
    const moved = await find(secretKind, `${name()}-moved`, workflow.namespace);
    assert.deepEqual(moved?.["data"], before?.["data"]);
    assert.equal(await copyOf(made), undefined);
    const texts = (await workflow.timeline.texts()).filter((text) => text.startsWith(`Secret ${name()}`));
    assert.deepEqual(texts, [`Secret ${name()}-moved added`, `Secret ${name()}-creds deleted`]);
    assert.deepEqual(workflow.driver.rpcs(), []);
  });

  it("goes on without a second call where the name of the Secret was taken meanwhile [K02-026]", async () => {
    const bound = await steps.make(name());
    const { client } = workflow.cluster;
    const reference = { namespace: workflow.namespace, name: `${name()}-creds` };
    await client.create(secretKind, { metadata: reference });
    await assert.rejects(steps.deliver(bound), /exists and was not made for Bucket/);
    assert.equal(statusOf(await bucketOf(bound))["phase"], "Pending");
    assert.equal(statusOf(await contentOf(bound))["phase"], "Ready");
    await client.delete(secretKind, reference);
    await steps.deliver(bound);
    assert.equal(statusOf(await bucketOf(bound))["phase"], "Bound");
    assert.deepEqual(workflow.driver.rpcs(), ["create"]);
  });
});
