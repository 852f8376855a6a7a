import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import type { KubernetesObject } from "../../../provider/kubernetes/object";
import {
  keep,
  lifecycles,
  ProposalSteps,
  specOf,
  type AccessSteps,
  type RequestSteps,
} from "../../support/cosi-2020-07/proposal-steps";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { printed } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { kinds } from "../kubernetes/cosi-2020-07/july";

/** A revoke that fails for good: the driver says that it had no effect. */
const denied = { code: status.PERMISSION_DENIED, message: "not yours" };

describe("who deletes a Bucket that is shared (COSI proposal of 2020-07-08)", function () {
  this.timeout(180_000);
  let workflow: ProposalWorkflow;
  let count = 0;
  /** Stack of the creator, and one of another namespace. */
  let mine: ProposalSteps;
  let theirs: ProposalSteps;

  before(async () => {
    workflow = await ProposalWorkflow.start();
    mine = new ProposalSteps(workflow);
    const { name } = await workflow.namespaced();
    theirs = new ProposalSteps(workflow, name, "guest");
  });

  beforeEach(() => {
    count += 1;
    workflow.driver.forget();
    workflow.driver.buckets.clear();
    workflow.driver.accounts.clear();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  const bucketObject = (name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kinds.bucket, { name });
  const phaseOf = async (name: string): Promise<unknown> =>
    ((await bucketObject(name))?.["status"] as { phase?: string } | undefined)?.phase;

  interface Shared {
    readonly made: RequestSteps;
    readonly own: AccessSteps;
    readonly joined: RequestSteps;
    readonly guest: AccessSteps;
  }

  /** A bucket of the first stack, which the second shares. */
  async function share(releasePolicy: "Delete" | "Retain" = "Delete"): Promise<Shared> {
    const additionalPermittedNamespaces = [{ name: theirs.namespace }];
    const made = await mine.make(`photos-${count}`, {
      bucketClass: { releasePolicy, additionalPermittedNamespaces },
    });
    const own = await mine.grant(`web-${count}`, made);
    const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
    const guest = await theirs.grant(`reader-${count}`, joined);
    return { made, own, joined, guest };
  }

  it("shares one bucket: one create, two grants with the Bucket's data, two bindings", async () => {
    const { made, own, joined, guest } = await share();
    const { create, grant } = workflow.driver.requests();
    assert.equal(create.length, 1);
    assert.equal(grant.length, 2);
    assert.equal(grant[1]?.bucketName, create[0]?.bucketName);
    assert.deepEqual(grant[1]?.providerContext, grant[0]?.providerContext);
    assert.equal((specOf(await bucketObject(made.bucketName))["bindings"] as unknown[]).length, 2);
    await theirs.destroyAccess(guest);
    await theirs.destroyRequest(joined);
    await mine.destroyAccess(own);
    await mine.destroyRequest(made);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "grant", "revoke", "revoke", "delete"]);
    assert.equal(await bucketObject(made.bucketName), undefined);
  });

  it("keeps the data while another is bound, and the last one deletes it [K07-095]", async () => {
    const { made, own, joined, guest } = await share();
    const lines = await printed(async () => {
      await mine.destroyAccess(own);
      await mine.destroyRequest(made);
    });
    assert.match(lines.join("\n"), new RegExp(`still bound: bucketaccess-reader-${count}-`));
    const waiting = await bucketObject(made.bucketName);
    assert.notEqual(waiting?.metadata.deletionTimestamp, undefined);
    assert.deepEqual(waiting?.metadata.finalizers, ["cosi.io/finalizer"]);
    assert.equal(await phaseOf(made.bucketName), "Bound");
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "grant", "revoke"]);
    await theirs.destroyAccess(guest);
    assert.deepEqual(workflow.driver.rpcs().slice(4), ["revoke", "delete"]);
    const { delete: deletes, create } = workflow.driver.requests();
    assert.equal(deletes[0]?.bucketName, create[0]?.bucketName);
    assert.deepEqual(deletes[0]?.driverParameters, create[0]?.driverParameters);
    assert.equal(await bucketObject(made.bucketName), undefined);
    await theirs.destroyRequest(joined);
    assert.equal(workflow.driver.buckets.size, 0);
  });

  it("ends with the bucket gone, once, when both stacks go at the same time [K07-018]", async () => {
    const { made, own, joined, guest } = await share();
    await Promise.all([mine.withdraw(own), theirs.withdraw(guest)]);
    await Promise.all([
      lifecycles.access.delete(own.access.outputs),
      lifecycles.access.delete(guest.access.outputs),
    ]);
    await Promise.all([
      (async () => {
        await lifecycles.accessRequest.delete(own.binding.outputs);
        await mine.destroyRequest(made);
      })(),
      (async () => {
        await lifecycles.accessRequest.delete(guest.binding.outputs);
        await theirs.destroyRequest(joined);
      })(),
    ]);
    assert.deepEqual(
      workflow.driver.rpcs().filter((rpc) => rpc === "delete"),
      ["delete"],
    );
    assert.equal(await bucketObject(made.bucketName), undefined);
  });

  for (const point of ["between the swap and DeleteBucket", "after DeleteBucket"] as const) {
    it(`is finished by the next run of the last one, killed ${point} [K07-096]`, async () => {
      const { made, own, joined, guest } = await share();
      await mine.destroyAccess(own);
      await mine.destroyRequest(made);
      // The run stops at the call of the delete, or at what follows it.
      const stop = workflow.driver.on(point === "after DeleteBucket" ? "done" : "received", ({ rpc }) =>
        Promise.resolve(rpc === "delete" ? { ...denied, message: "stopped here" } : undefined),
      );
      await theirs.withdraw(guest);
      await assert.rejects(lifecycles.access.delete(guest.access.outputs), /stopped here/);
      stop();
      beginRun();
      workflow.driver.forget();
      await lifecycles.access.delete(guest.access.outputs);
      assert.deepEqual(workflow.driver.rpcs(), ["delete"]);
      assert.equal(await bucketObject(made.bucketName), undefined);
      await lifecycles.accessRequest.delete(guest.binding.outputs);
      await theirs.destroyRequest(joined);
    });
  }

  it("keeps a Bucket of policy Retain: Released, free of finalizers, and bound anew by its name [K07-097] [K07-089] [K07-017]", async () => {
    const { made, own, joined, guest } = await share("Retain");
    await mine.destroyAccess(own);
    await mine.destroyRequest(made);
    assert.equal(await phaseOf(made.bucketName), "Bound");
    assert.equal((await bucketObject(made.bucketName))?.metadata.deletionTimestamp, undefined);
    await theirs.destroyAccess(guest);
    await theirs.destroyRequest(joined);
    const kept = await bucketObject(made.bucketName);
    assert.equal(await phaseOf(made.bucketName), "Released");
    assert.deepEqual(specOf(kept)["bindings"] ?? [], []);
    assert.equal(kept?.metadata.finalizers, undefined);
    assert.equal(kept?.metadata.deletionTimestamp, undefined);
    assert.equal(workflow.driver.buckets.size, 1);

    workflow.driver.forget();
    await assert.rejects(mine.make(made.request.name), /exists and was made for .*set bucketInstanceName to/);
    const again = await theirs.make(`again-${count}`, { bucketInstanceName: made.bucketName });
    const access = await theirs.grant(`again-${count}`, again);
    assert.deepEqual(workflow.driver.rpcs(), ["grant"]);
    assert.equal(await phaseOf(made.bucketName), "Bound");
    assert.deepEqual((await bucketObject(made.bucketName))?.metadata.finalizers, ["cosi.io/finalizer"]);
    await theirs.destroyAccess(access);
    await theirs.destroyRequest(again);
    assert.equal(await phaseOf(made.bucketName), "Released");
    await workflow.cluster.client.delete(kinds.bucket, { name: made.bucketName });
    assert.equal(await bucketObject(made.bucketName), undefined);
  });

  it("ends Released in either order of two stacks under Retain, also when both go at once", async () => {
    const { made, own, joined, guest } = await share("Retain");
    await Promise.all([mine.withdraw(own), theirs.withdraw(guest)]);
    await Promise.all([
      (async () => {
        await lifecycles.access.delete(own.access.outputs);
        await lifecycles.accessRequest.delete(own.binding.outputs);
        await mine.destroyRequest(made);
      })(),
      (async () => {
        await lifecycles.access.delete(guest.access.outputs);
        await lifecycles.accessRequest.delete(guest.binding.outputs);
        await theirs.destroyRequest(joined);
      })(),
    ]);
    assert.equal(await phaseOf(made.bucketName), "Released");
    assert.equal((await bucketObject(made.bucketName))?.metadata.finalizers, undefined);
    assert.equal(workflow.driver.buckets.size, 1);
  });

  it("goes by the policy that the Bucket has when it goes, and deletes nothing where it is gone [K07-039]", async () => {
    const patched = await mine.make(`patched-${count}`);
    await workflow.cluster.client.patch(
      kinds.bucket,
      { name: patched.bucketName },
      { spec: { releasePolicy: "Retain" } },
    );
    await mine.destroyRequest(patched);
    assert.equal(await phaseOf(patched.bucketName), "Released");

    const lost = await mine.make(`lost-${count}`);
    await workflow.cluster.client.patch(
      kinds.bucket,
      { name: lost.bucketName },
      { metadata: { finalizers: [] } },
    );
    await workflow.cluster.client.delete(kinds.bucket, { name: lost.bucketName });
    const lines = await printed(() => mine.destroyRequest(lost));
    assert.match(
      lines.join("\n"),
      new RegExp(`the bucket ${lost.request.uid} of provisioner ${workflow.provisioner} is not deleted`),
    );
    assert.deepEqual(workflow.driver.rpcs(), ["create", "create"]);
  });

  it("refuses the deletion of a request that is bound, and names who is [K07-100]", async () => {
    const made = await mine.make(`bound-${count}`);
    const access = await mine.grant(`user-${count}`, made);
    workflow.driver.forget();
    const before = await bucketObject(made.bucketName);
    beginRun();
    await assert.rejects(
      lifecycles.bucket.delete(made.bucket?.outputs ?? {}),
      new RegExp(`is still bound: bucketaccess-user-${count}-.*nothing was deleted`),
    );
    assert.deepEqual(await bucketObject(made.bucketName), before);
    assert.deepEqual(workflow.driver.rpcs(), []);
    await mine.destroyAccess(access);
    await mine.destroyRequest(made);
  });

  it("leaves Bucket and data where only the access goes, and says that one is awaited [K07-094] [K07-108]", async () => {
    const made = await mine.make(`alone-${count}`);
    const access = await mine.grant(`gone-${count}`, made);
    await mine.destroyAccess(access);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke"]);
    const bucket = await bucketObject(made.bucketName);
    assert.deepEqual(specOf(bucket)["bindings"], []);
    assert.deepEqual(bucket?.["status"], {
      phase: "Creating",
      message: "the bucket is there; no access is bound to it",
    });
    await mine.destroyRequest(made);
  });

  it("stops at a revoke that fails, with all that an up needs to restore it [K07-092] [K07-016]", async () => {
    const made = await mine.make(`kept-${count}`);
    const access = await mine.grant(`kept-${count}`, made);
    await mine.withdraw(access);
    workflow.driver.refuse("revoke", denied);
    await assert.rejects(lifecycles.access.delete(access.access.outputs), /not yours/);
    const bucket = await bucketObject(made.bucketName);
    assert.deepEqual(specOf(bucket)["bindings"], [
      `bucketaccess-kept-${count}-${mine.namespace}:${mine.namespace}/kept-${count}`,
    ]);
    assert.equal(bucket?.metadata.deletionTimestamp, undefined);
    const name = `kept-${count}`;
    for (const [kind, reference] of [
      [kinds.bucketRequest, { namespace: mine.namespace, name }],
      [kinds.bucketAccessRequest, { namespace: mine.namespace, name }],
      [kinds.bucket, { name: made.bucketName }],
      [kinds.bucketAccess, { name: `bucketaccess-${name}-${mine.namespace}` }],
    ] as const) {
      const object = await workflow.cluster.client.get(kind, reference);
      assert.deepEqual(object?.metadata.finalizers, ["cosi.io/finalizer"], kind.kind);
    }

    // The program is unchanged: `up` makes the Secrets and the binding again, and calls nobody.
    beginRun();
    workflow.driver.forget();
    const outputs = await lifecycles.access.update(access.access.outputs, access.access.inputs);
    const restored = await mine.deliver({ ...access, access: { ...access.access, outputs } });
    assert.deepEqual(workflow.driver.rpcs(), []);
    const request = { namespace: mine.namespace, name };
    for (const [kind, reference] of [
      [kinds.bucketRequest, request],
      [kinds.bucketAccessRequest, request],
      [kinds.bucket, { name: made.bucketName }],
      [kinds.bucketAccess, { name: `bucketaccess-kept-${count}-${mine.namespace}` }],
    ] as const) {
      const object = await workflow.cluster.client.get(kind, reference);
      assert.equal((object?.["status"] as { phase: string }).phase, "Bound", kind.kind);
    }
    await mine.destroyAccess(restored);
    await mine.destroyRequest(made);
    assert.deepEqual(workflow.driver.rpcs(), ["revoke", "delete"]);
  });

  it("revokes an access whose BucketAccess and Secret somebody has removed", async () => {
    const made = await mine.make(`removed-${count}`);
    const access = await mine.grant(`removed-${count}`, made);
    const { client } = workflow.cluster;
    const name = `bucketaccess-removed-${count}-${mine.namespace}`;
    await client.patch(kinds.bucketAccess, { name }, { metadata: { finalizers: [] } });
    await client.delete(kinds.bucketAccess, { name });
    await mine.destroyAccess(access);
    await mine.destroyRequest(made);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
  });

  it("withdraws a grant whose Bucket went meanwhile, and binds nothing [K07-083]", async () => {
    const made = await mine.make(`going-${count}`);
    const steps = await mine.bindAccess(`late-${count}`, made);
    const stop = workflow.driver.on("done", async ({ rpc }) => {
      if (rpc === "grant") {
        await workflow.cluster.client.patchStatus(
          kinds.bucket,
          { name: made.bucketName },
          { phase: "Deleting" },
        );
      }
      return undefined;
    });
    await assert.rejects(
      keep(lifecycles.access, mine.accessInputs(steps)),
      /has the phase Deleting.*is revoked/,
    );
    stop();
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke"]);
    assert.deepEqual(specOf(await bucketObject(made.bucketName))["bindings"] ?? [], []);
    assert.equal(workflow.driver.accounts.size, 0);
  });
});
