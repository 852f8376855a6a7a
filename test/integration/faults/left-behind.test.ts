import assert from "node:assert/strict";
import {
  bucketAccessKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { ClaimWorld, type ClaimStack } from "../../support/faults/claim-world";
import { doKubectl, kubectlCommands } from "../../support/faults/kubectl";
import { assertEnded } from "../../support/faults/small-stack";

/** `retainOnDelete` on one child, `pulumi state delete`, or a killed run: nobody in the state would end it. */
describe("what the backend has and the state does not, at the deletion of its object (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  const kinds = [bucketAccessKind, bucketKind];
  let world: ClaimWorld;
  let claim: ClaimStack;

  before(async () => {
    world = await ClaimWorld.start();
  });

  after(() => world.stop());

  beforeEach(async () => {
    world.reset();
    claim = await world.stack();
    assertEnded(await claim.stack.up());
    world.driver.forget();
  });

  async function followTold(message: string): Promise<void> {
    const commands = kubectlCommands(message);
    assert.ok(commands.length > 0, message);
    for (const command of commands) await doKubectl(world.cluster.client, kinds, command);
  }

  describe("a bucket", () => {
    let name: string;

    /** A destroy comes to the claim whose bucket has left the state. */
    async function refused(): Promise<string> {
      claim.stack.forget("bucket");
      name = String(claim.stack.outputs("binding")["bucketName"]);
      const began = Date.now();
      const { stoppedAt, message } = await claim.stack.destroy();
      assert.equal(stoppedAt, "binding", message);
      assert.ok(Date.now() - began < 20_000, "it waited");
      return message;
    }

    it("stops it before it begins, says why, and an up and a destroy end it", async () => {
      const message = await refused();
      assert.match(
        message,
        /^Bucket bucket-\S+ may have its bucket "[^"]+" in the backend \(\S+\/bucket-protection is on\), which no resource of the state has any more: kept by `retainOnDelete` on one child alone, taken out by `pulumi state delete`, or left by a run that did not finish; nothing was deleted\. Next: run `pulumi up` first, with the resource in the program, which takes it up again; .* Or, to let the object go and leave the backend as it is: kubectl patch /,
      );
      const bucket = await world.cluster.client.get(bucketKind, { name });
      assert.equal(bucket?.metadata.deletionTimestamp, undefined);
      assert.deepEqual(bucket?.metadata.finalizers, [finalizers.bucket]);
      assert.deepEqual(world.driver.rpcs(), ["revoke"]);
      assertEnded(await claim.stack.up());
      await world.assertGranted(claim);
      assertEnded(await claim.stack.destroy());
      await world.assertNothingLeft(claim);
    });

    it("also where somebody has taken the mark of its create off", async () => {
      const annotations = { "pulumi-cosi/create-sent": null };
      const { bucketName } = claim.stack.outputs("binding");
      await world.cluster.client.patch(
        bucketKind,
        { name: String(bucketName) },
        { metadata: { annotations } },
      );
      assert.match(await refused(), /^Bucket bucket-\S+ may have its bucket/);
    });

    it("goes on without its object by the command that is told, which leaves the finalizers of others on", async () => {
      claim.stack.outputs("binding");
      const { bucketName } = claim.stack.outputs("binding");
      const reference = { name: String(bucketName) };
      const { finalizers: present = [] } =
        (await world.cluster.client.get(bucketKind, reference))?.metadata ?? {};
      await world.cluster.client.patch(bucketKind, reference, {
        metadata: { finalizers: [...present, "example.com/theirs"] },
      });
      await followTold(await refused());
      const left = await world.cluster.client.get(bucketKind, { name });
      assert.deepEqual(left?.metadata.finalizers, ["example.com/theirs"]);
      await world.cluster.client.patch(bucketKind, { name }, { metadata: { finalizers: [] } });
      assertEnded(await claim.stack.destroy());
      assert.deepEqual([...claim.stack.state().keys()], []);
      assert.equal(await world.cluster.client.get(bucketKind, { name }), undefined);
      assert.deepEqual(world.driver.rpcs(), ["revoke"]);
      assert.equal(world.holds().buckets, 1);
    });
  });

  describe("an account", () => {
    /** The access has left the state with all that is its own, and a destroy comes to its bucket. */
    async function refused(): Promise<string> {
      for (const name of ["Secret", "access"]) claim.stack.forget(name);
      const object = claim.stack.forget("BucketAccess");
      const { stoppedAt, message } = await claim.stack.destroy();
      claim.stack.remember("BucketAccess", object);
      assert.equal(stoppedAt, "bucket", message);
      assert.deepEqual(world.driver.rpcs(), []);
      assert.deepEqual(world.holds(), { buckets: 1, keys: 1 });
      return message;
    }

    it("keeps its bucket, which is to be deleted, and is named; an up and a destroy end both", async () => {
      const message = await refused();
      assert.ok(
        message.includes(`is used by BucketAccess ${claim.namespace}/rw, whose account was not revoked`),
        message,
      );
      assert.match(message, /the bucket stays\. Next: run `pulumi up` with the access in the program/);
      assertEnded(await claim.stack.up());
      await world.assertGranted(claim);
      assertEnded(await claim.stack.destroy());
      await world.assertNothingLeft(claim);
    });

    it("stays in the backend without its bucket by the commands that are told", async () => {
      await followTold(await refused());
      claim.stack.forget("BucketAccess");
      assertEnded(await claim.stack.destroy());
      assert.deepEqual(world.driver.rpcs(), ["delete"]);
      assert.deepEqual(world.holds(), { buckets: 0, keys: 1 });
    });
  });
});
