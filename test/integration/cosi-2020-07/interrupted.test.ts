import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { FailedResourceError } from "../../../provider/dynamic/failed";
import { serviceAccountKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { requestGoneAnnotation } from "../../../provider/models/cosi-2020-07/bindings";
import { accessNameOf } from "../../../provider/models/cosi-2020-07/names";
import {
  keep,
  lifecycles,
  ProposalSteps,
  specOf,
  type AccessSteps,
  type RequestSteps,
} from "../../support/cosi-2020-07/proposal-steps";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import type { ApiProxy, Refusal } from "../../support/faults/api-proxy";
import { ClusterProxy } from "../../support/faults/cluster-proxy";
import { doKubectl, kubectlCommands } from "../../support/faults/kubectl";
import { failedResource, wire, type Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { removeByHand } from "../../support/workflows/by-hand";
import { kinds } from "../kubernetes/cosi-2020-07/july";
import { textOf } from "../../support/faults/write-faults";

/** A delete that fails for good: the driver says that it had no effect. */
const denied = { code: status.PERMISSION_DENIED, message: "not empty" };
/** As often as a call is tried: whether it had an effect is not known. */
const lost = [1, 2, 3].map(() => ({ code: status.INTERNAL, message: "lost" }));
/** An answer of the API server that is asked for once, and does not say that nothing was done. */
const fault: Refusal = { code: 501, reason: "InternalError", message: "etcdserver: request timed out" };

describe("a run that stopped half-way, and the next one (COSI proposal of 2020-07-08)", function () {
  this.timeout(180_000);
  let workflow: ProposalWorkflow;
  let proxy: ClusterProxy;
  /** What the package's own resources reach the API server through. */
  let api: ApiProxy;
  let count = 0;
  let mine: ProposalSteps;
  /** Another stack, in another namespace. */
  let theirs: ProposalSteps;

  before(async () => {
    workflow = await ProposalWorkflow.start();
    const { name } = await workflow.namespaced();
    proxy = await ClusterProxy.start(workflow.cluster);
    ({ api } = proxy);
    workflow.cluster.target.kubeconfig = api.kubeconfig;
    mine = new ProposalSteps(workflow);
    theirs = new ProposalSteps(workflow, name, "guest");
  });

  beforeEach(() => {
    count += 1;
    api.at = () => undefined;
    workflow.driver.forget();
    workflow.driver.buckets.clear();
    workflow.driver.accounts.clear();
    beginRun();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
    await proxy.stop();
  });

  const bucketObject = (name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kinds.bucket, { name });
  const accountObject = ({ request }: Pick<AccessSteps, "request">): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kinds.bucketAccess, { name: accessNameOf(request) });

  /** The next run of `pulumi`. */
  function nextRun(): void {
    api.at = () => undefined;
    workflow.driver.forget();
    beginRun();
  }

  /** Fails writes from the first one that matches on. @param writes How many; all, as after a kill, without it. */
  function failFrom(request: RegExp, writes = Infinity): { readonly failed: number } {
    const seen = { failed: 0 };
    api.at = (point) => {
      if (point.stage === "after" || seen.failed >= writes) return undefined;
      if (seen.failed === 0 && !request.test(textOf(point))) return undefined;
      seen.failed += 1;
      return fault;
    };
    return seen;
  }

  /** A revoke that is done, and a run that ended before it took the binding out. */
  async function revokeHalfWay(access: AccessSteps, by = mine): Promise<void> {
    await by.withdraw(access);
    const seen = failFrom(/^PATCH \S+\/buckets\/\S+ .*"bindings":/, 1);
    await assert.rejects(lifecycles.access.delete(access.access.outputs), /timed out/);
    assert.equal(seen.failed, 1);
    assert.equal(workflow.driver.accounts.size, 0);
    nextRun();
  }

  /** A bucket of the first stack, which is deleted when the access of the second goes. */
  async function waitingBucket(): Promise<{ made: RequestSteps; joined: RequestSteps; guest: AccessSteps }> {
    const made = await mine.make(`photos-${count}`, {
      bucketClass: { additionalPermittedNamespaces: [{ name: theirs.namespace }] },
    });
    const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
    const guest = await theirs.grant(`reader-${count}`, joined);
    await mine.destroyRequest(made);
    assert.notEqual((await bucketObject(made.bucketName))?.metadata.deletionTimestamp, undefined);
    nextRun();
    return { made, joined, guest };
  }

  describe("a request for access whose Secret is renamed", () => {
    it("is changed in place while its Bucket waits to be deleted, and nothing is revoked", async () => {
      const { made, joined, guest } = await waitingBucket();
      const renamed = { ...guest.binding.inputs, accessSecretName: "moved" };
      const outputs = await lifecycles.accessRequest.update(guest.binding.outputs, renamed);
      assert.equal(outputs["accessSecretName"], "moved");
      const { accessUid, bucketId, bucketInfo } = guest.binding.outputs;
      assert.deepEqual([outputs["accessUid"], outputs["bucketId"]], [accessUid, bucketId]);
      assert.deepEqual(outputs["bucketInfo"], bucketInfo);
      assert.deepEqual(await nextDiff(lifecycles.accessRequest, outputs, renamed), []);
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.equal(workflow.driver.buckets.size, 1);
      await theirs.destroyAccess({ ...guest, binding: { ...guest.binding, outputs } });
      await theirs.destroyRequest(joined);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("keeps its BucketAccess and bucket in the state where that change fails", async () => {
      const made = await mine.make(`photos-${count}`);
      const access = await mine.grant(`web-${count}`, made);
      const { client } = workflow.cluster;
      // What the update has to write again.
      await client.patch(kinds.bucketAccessRequest, access.request, { metadata: { finalizers: [] } });
      const renamed = { ...access.binding.inputs, accessSecretName: "moved" };
      const seen = failFrom(/^PATCH \S+\/bucketaccessrequests\//, 1);
      const outputs = await stateAfter(
        lifecycles.accessRequest.update(access.binding.outputs, renamed),
        access.binding.outputs,
      );
      assert.equal(seen.failed, 1);
      const { accessUid, bucketId, bucketInfo } = access.binding.outputs;
      assert.deepEqual([outputs["accessUid"], outputs["bucketId"]], [accessUid, bucketId]);
      assert.deepEqual(outputs["bucketInfo"], bucketInfo);
      nextRun();
      assert.deepEqual(await nextDiff(lifecycles.accessRequest, outputs, renamed), []);
      const updated = await lifecycles.accessRequest.update(outputs, renamed);
      assert.deepEqual((await client.get(kinds.bucketAccessRequest, access.request))?.metadata.finalizers, [
        "cosi.io/finalizer",
      ]);
      await mine.destroyAccess({ ...access, binding: { ...access.binding, outputs: updated } });
      await mine.destroyRequest(made);
    });
  });

  describe("an account that is granted anew in the place of a revoked one", () => {
    it("is revoked by the next destroy, at whichever write after the grant the up failed [K07-144]", async () => {
      const made = await mine.make(`photos-${count}`);
      for (let index = 0, passed = false; !passed; index += 1) {
        const access = await mine.grant(`web-${count}-${index}`, made);
        await revokeHalfWay(access);
        const read = await lifecycles.access.read(access.access.outputs);
        assert.deepEqual(read.outputs["drift"], ["a revoke of the account may have been sent"]);
        let writes = -1;
        const stop = workflow.driver.on("done", ({ rpc }) => {
          if (rpc === "grant") writes = 0;
          return Promise.resolve(undefined);
        });
        api.at = ({ stage }) => {
          if (stage === "after" || writes < 0) return undefined;
          writes += 1;
          return writes === index + 1 ? fault : undefined;
        };
        const outputs = await stateAfter(
          lifecycles.access.update(read.outputs, access.access.inputs),
          read.outputs,
        );
        stop();
        passed = writes <= index;
        assert.deepEqual([...workflow.driver.accounts.keys()], [accessNameOf(access.request)]);
        nextRun();
        await lifecycles.access.delete(outputs);
        assert.deepEqual([...workflow.driver.accounts.keys()], [], `write ${index} after the grant`);
        assert.equal(workflow.driver.rpcs().at(-1), "revoke");
        await lifecycles.accessRequest.delete(access.binding.outputs);
        assert.equal(await accountObject(access), undefined);
      }
      await mine.destroyRequest(made);
    });

    it("is revoked by a destroy whose state knows of no grant, as the up was killed", async () => {
      const made = await mine.make(`photos-${count}`);
      const access = await mine.grant(`web-${count}`, made);
      await revokeHalfWay(access);
      const { outputs } = await lifecycles.access.read(access.access.outputs);
      const stop = workflow.driver.on("done", ({ rpc }) => {
        if (rpc === "grant") api.at = () => fault;
        return Promise.resolve(undefined);
      });
      await stateAfter(lifecycles.access.update(outputs, access.access.inputs), outputs);
      stop();
      nextRun();
      await lifecycles.access.delete(outputs);
      assert.deepEqual(workflow.driver.rpcs(), ["revoke"]);
      assert.equal(workflow.driver.accounts.size, 0);
      await lifecycles.accessRequest.delete(access.binding.outputs);
      await mine.destroyRequest(made);
    });
  });

  describe("a grant after which the up was killed", () => {
    it("stays in the state where the next up refuses it, and the destroy revokes it [K07-144]", async () => {
      const made = await mine.make(`photos-${count}`);
      const steps = await mine.bindAccess(`web-${count}`, made);
      const inputs = mine.accessInputs(steps);
      await lifecycles.access.create(inputs);
      nextRun();
      // What the next up refuses it for.
      await workflow.cluster.client.delete(kinds.bucket, { name: made.bucketName });
      const kept = await failedResource(lifecycles.access.create(inputs));
      assert.match(kept.message, /is being deleted/);
      nextRun();
      await lifecycles.access.delete(wire(kept.properties));
      await lifecycles.accessRequest.delete(steps.binding.outputs);
      assert.equal(workflow.driver.accounts.size, 0);
      assert.equal(await accountObject(steps), undefined);
      await workflow.cluster.client.delete(kinds.bucketAccessRequest, steps.request);
      await mine.destroyRequest(made);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("is not lost by a destroy, which asks for an up first and leaves everything [K07-141]", async () => {
      const made = await mine.make(`photos-${count}`);
      const steps = await mine.bindAccess(`web-${count}`, made);
      const inputs = mine.accessInputs(steps);
      await lifecycles.access.create(inputs);
      nextRun();
      const before = await accountObject(steps);
      await assert.rejects(lifecycles.accessRequest.delete(steps.binding.outputs), /run `pulumi up` first/);
      assert.deepEqual(await accountObject(steps), before);
      nextRun();
      const access = await mine.deliver({ ...steps, access: await keep(lifecycles.access, inputs) });
      assert.deepEqual(workflow.driver.rpcs(), ["grant"]);
      assert.equal(workflow.driver.accounts.size, 1);
      assert.deepEqual(specOf(await bucketObject(made.bucketName))["bindings"], [access.bound.id]);
      await mine.destroyAccess(access);
      await mine.destroyRequest(made);
      assert.equal(workflow.driver.accounts.size, 0);
    });
  });

  describe("what no resource of the state has any more", () => {
    /** Has a binding's deletion refused, and does what its message tells. */
    async function letGo(refused: Promise<unknown>): Promise<void> {
      const error: unknown = await refused.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.match(String(error), /kept by `retainOnDelete` on one child alone/);
      const commands = kubectlCommands(String(error));
      assert.equal(commands.length, 1, String(error));
      for (const command of commands) {
        await doKubectl(workflow.cluster.client, [kinds.bucket, kinds.bucketAccess], command);
      }
      nextRun();
    }

    it("stays in the backend by the command that is told, if it is a bucket, with its object", async () => {
      const made = await mine.make(`photos-${count}`);
      await keep(lifecycles.bucket, mine.bucketInputs(made));
      nextRun();
      await letGo(lifecycles.request.delete(made.binding.outputs));
      await lifecycles.request.delete(made.binding.outputs);
      assert.notEqual(await bucketObject(made.bucketName), undefined);
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.equal(workflow.driver.buckets.size, 1);
    });

    it("is taken up again if it is an account: without its object the Bucket would stay bound for ever", async () => {
      const made = await mine.make(`photos-${count}`);
      const steps = await mine.bindAccess(`web-${count}`, made);
      await lifecycles.access.create(mine.accessInputs(steps));
      nextRun();
      await assert.rejects(
        lifecycles.accessRequest.delete(steps.binding.outputs),
        /may have an account in the backend .*Next: run `pulumi up` first, .*by its policy$/,
      );
      assert.notEqual(await accountObject(steps), undefined);
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.equal(workflow.driver.accounts.size, 1);
    });
  });

  describe("a grant that the up did not come to", () => {
    it("does not keep the Bucket waiting for ever, killed after its announcement", async () => {
      const made = await mine.make(`photos-${count}`);
      const steps = await mine.bindAccess(`web-${count}`, made);
      const inputs = mine.accessInputs(steps);
      api.at = ({ stage, earlier }) => (stage === "before" && earlier > announced ? fault : undefined);
      const announced = api.writes.length;
      await assert.rejects(lifecycles.access.create(inputs), /timed out/);
      assert.deepEqual(workflow.driver.rpcs(), ["create"]);
      nextRun();
      // Nothing of the access is in the state: what is left is taken away, or asked for.
      try {
        await lifecycles.accessRequest.delete(steps.binding.outputs);
        await workflow.cluster.client.delete(kinds.bucketAccessRequest, steps.request);
      } catch (error) {
        assert.match(String(error), /run `pulumi up` first/);
        nextRun();
        const access = await keep(lifecycles.access, inputs);
        await mine.destroyAccess(await mine.deliver({ ...steps, access }));
      }
      await mine.destroyRequest(made);
      const left = [...workflow.driver.buckets.keys(), ...workflow.driver.accounts.keys()];
      assert.deepEqual(left, []);
      assert.equal((await bucketObject(made.bucketName))?.metadata.name, undefined);
    });

    it("leaves nothing on the Bucket after a destroy, at whichever write before the grant the up failed [K07-144]", async () => {
      const made = await mine.make(`photos-${count}`);
      const before = await bucketObject(made.bucketName);
      const seen = { grant: false };
      for (let index = 0; !seen.grant; index += 1) {
        const steps = await mine.bindAccess(`web-${count}-${index}`, made);
        let writes = 0;
        api.at = ({ stage }) => {
          if (stage === "after") return undefined;
          writes += 1;
          return writes === index + 1 ? fault : undefined;
        };
        const stop = workflow.driver.on("received", () => {
          seen.grant = true;
          return Promise.resolve({ code: status.INVALID_ARGUMENT, message: "no such principal" });
        });
        const kept = await keptBy(lifecycles.access.create(mine.accessInputs(steps)));
        stop();
        nextRun();
        if (kept !== undefined) await lifecycles.access.delete(kept);
        await lifecycles.accessRequest.delete(steps.binding.outputs);
        const object = await bucketObject(made.bucketName);
        const point = `write ${index} before the grant`;
        assert.deepEqual(object?.metadata.annotations, before?.metadata.annotations, point);
        assert.deepEqual(specOf(object), specOf(before), point);
        assert.deepEqual(statusOf(object), statusOf(before), point);
        assert.equal(workflow.driver.accounts.size, 0, point);
      }
      await mine.destroyRequest(made);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });
  });

  describe("an access whose revoke may have been sent", () => {
    /** What a refresh tells of it, and the up after it, which may not do anything. */
    async function refuseUp(guest: AccessSteps): Promise<void> {
      nextRun();
      const read = await lifecycles.access.read(guest.access.outputs);
      assert.deepEqual(read.outputs["drift"], ["a revoke of the account may have been sent"]);
      await assert.rejects(
        lifecycles.access.update(read.outputs, guest.access.inputs),
        /`pulumi destroy` ends this access/,
      );
      assert.deepEqual(workflow.driver.rpcs(), []);
      nextRun();
    }

    it("is not granted anew on a Bucket that waits for it, which would delete the data", async () => {
      const { made, guest, joined } = await waitingBucket();
      await theirs.withdraw(guest);
      workflow.driver.refuse("revoke", ...lost);
      await assert.rejects(lifecycles.access.delete(guest.access.outputs), /lost/);
      await refuseUp(guest);
      assert.equal(workflow.driver.buckets.size, 1);
      assert.deepEqual(specOf(await bucketObject(made.bucketName))["bindings"], [guest.bound.id]);
      await lifecycles.access.delete(guest.access.outputs);
      assert.deepEqual(workflow.driver.rpcs(), ["revoke", "delete"]);
      await lifecycles.accessRequest.delete(guest.binding.outputs);
      await theirs.destroyRequest(joined);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("is not granted anew where it was the last one, and the DeleteBucket failed", async () => {
      const { made, guest } = await waitingBucket();
      await theirs.withdraw(guest);
      workflow.driver.refuse("delete", denied);
      await assert.rejects(lifecycles.access.delete(guest.access.outputs), /not empty/);
      await refuseUp(guest);
      assert.equal(workflow.driver.buckets.size, 1);
      await lifecycles.access.delete(guest.access.outputs);
      assert.deepEqual(workflow.driver.rpcs(), ["delete"]);
      assert.equal(await bucketObject(made.bucketName), undefined);
      await lifecycles.accessRequest.delete(guest.binding.outputs);
    });

    it("is not granted anew where its Bucket is gone", async () => {
      const made = await mine.make(`photos-${count}`);
      const access = await mine.grant(`web-${count}`, made);
      await mine.withdraw(access);
      workflow.driver.refuse("revoke", ...lost);
      await assert.rejects(lifecycles.access.delete(access.access.outputs), /lost/);
      await removeByHand(workflow.cluster.client, kinds.bucket, { name: made.bucketName });
      await refuseUp(access);
      await lifecycles.access.delete(access.access.outputs);
      assert.deepEqual(workflow.driver.rpcs(), ["revoke"]);
      assert.equal(workflow.driver.accounts.size, 0);
      await lifecycles.accessRequest.delete(access.binding.outputs);
      assert.equal(await accountObject(access), undefined);
    });

    for (const how of ["is done", "has no known outcome"] as const) {
      it(`is not bound by an up without a refresh, if the revoke ${how}`, async () => {
        const made = await mine.make(`photos-${count}`);
        const serviceAccountName = `app-${count}`;
        const metadata = { name: serviceAccountName, namespace: mine.namespace };
        await workflow.cluster.client.create(serviceAccountKind, { metadata });
        const access = await mine.grant(`web-${count}`, made, { serviceAccountName });
        if (how === "is done") await revokeHalfWay(access);
        else {
          await mine.withdraw(access);
          workflow.driver.refuse("revoke", ...lost);
          await assert.rejects(lifecycles.access.delete(access.access.outputs), /lost/);
          nextRun();
        }
        const before = await accountObject(access);
        await assert.rejects(lifecycles.binding.create(access.bound.inputs), /revoke/);
        assert.deepEqual(await accountObject(access), before);
        assert.deepEqual(workflow.driver.rpcs(), []);

        // With a refresh the access comes back, and is bound.
        nextRun();
        const read = await lifecycles.access.read(access.access.outputs);
        const outputs = await lifecycles.access.update(read.outputs, access.access.inputs);
        const restored = await mine.deliver({ ...access, access: { ...access.access, outputs } });
        assert.equal(workflow.driver.rpcs().at(-1), "grant");
        assert.equal(workflow.driver.accounts.size, 1);
        assert.equal(statusOf(await accountObject(access)).phase, "Bound");
        await mine.destroyAccess(restored);
        await mine.destroyRequest(made);
        assert.equal(workflow.driver.accounts.size, 0);
      });
    }
  });

  describe("a Bucket", () => {
    it("whose create no state knows is not left behind either where another stack is bound to it", async () => {
      const made = await mine.make(`photos-${count}`, {
        bucketClass: { additionalPermittedNamespaces: [{ name: theirs.namespace }] },
      });
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const guest = await theirs.grant(`reader-${count}`, joined);
      nextRun();
      await assert.rejects(lifecycles.request.delete(made.binding.outputs), /run `pulumi up` first/);
      nextRun();
      const bucket = await keep(lifecycles.bucket, mine.bucketInputs(made));
      assert.equal(statusOf(await bucketObject(made.bucketName)).phase, "Bound");
      await mine.destroyRequest({ ...made, bucket });
      await theirs.destroyAccess(guest);
      await theirs.destroyRequest(joined);
      assert.equal(await bucketObject(made.bucketName), undefined);
      assert.equal(workflow.driver.buckets.size, 0);
    });

    it("is there for a new access after a DeleteBucket that the driver refused", async () => {
      const made = await mine.make(`photos-${count}`);
      await mine.destroyAccess(await mine.grant(`web-${count}`, made));
      workflow.driver.refuse("delete", denied);
      await assert.rejects(lifecycles.bucket.delete(made.bucket?.outputs ?? {}), /not empty/);
      const refused = await bucketObject(made.bucketName);
      assert.deepEqual(statusOf(refused), {
        phase: "Creating",
        message: "the bucket is there; no access is bound to it",
      });
      assert.deepEqual(refused?.metadata.finalizers, ["cosi.io/finalizer"]);
      nextRun();
      const again = await mine.grant(`again-${count}`, made);
      assert.equal(statusOf(await bucketObject(made.bucketName)).phase, "Bound");
      await mine.destroyAccess(again);
      await mine.destroyRequest(made);
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke", "delete"]);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("whose create no state knows is not left behind by a destroy, which asks for an up first [K07-141]", async () => {
      const made = await mine.make(`photos-${count}`);
      nextRun();
      const before = await bucketObject(made.bucketName);
      await assert.rejects(lifecycles.request.delete(made.binding.outputs), /run `pulumi up` first/);
      assert.deepEqual(await bucketObject(made.bucketName), before);
      assert.deepEqual(
        (await workflow.cluster.client.get(kinds.bucketRequest, made.request))?.metadata.finalizers,
        ["cosi.io/finalizer"],
      );
      nextRun();
      const bucket = await keep(lifecycles.bucket, mine.bucketInputs(made));
      assert.equal(workflow.driver.buckets.size, 1);
      await mine.destroyRequest({ ...made, bucket });
      assert.equal(workflow.driver.buckets.size, 0);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("of policy Retain awaits access again after a destroy that failed, whether its resource was in the state still or not", async () => {
      for (let index = 0; ; index += 1) {
        const made = await mine.make(`photos-${count}-${index}`, {
          bucketClass: { releasePolicy: "Retain" },
        });
        const bucket = made.bucket ?? assert.fail("the request has no bucket");
        let writes = 0;
        api.at = ({ stage }) => {
          if (stage === "after") return undefined;
          writes += 1;
          return writes === index + 1 ? fault : undefined;
        };
        let inState: Properties | undefined = bucket.outputs;
        let passed = false;
        try {
          await lifecycles.bucket.delete(bucket.outputs);
          inState = undefined;
          await lifecycles.request.delete(made.binding.outputs);
          passed = true;
        } catch (error) {
          assert.match(String(error), /timed out/);
        }
        assert.equal(passed, writes <= index);
        nextRun();
        if (passed) break;
        const point = `write ${index} of the destroy`;
        const outputs =
          inState === undefined ? await created(bucket.inputs) : await refreshed(inState, bucket.inputs);
        const object = await bucketObject(made.bucketName);
        assert.deepEqual(
          statusOf(object),
          { phase: "Creating", message: "the bucket is there; no access is bound to it" },
          point,
        );
        assert.deepEqual(object?.metadata.finalizers, ["cosi.io/finalizer"], point);
        assert.equal(object.metadata.annotations?.[requestGoneAnnotation], undefined, point);
        const { drift } = (await lifecycles.bucket.read(outputs)).outputs;
        assert.deepEqual(drift ?? [], [], point);
        nextRun();
        await mine.destroyRequest({ ...made, bucket: { ...bucket, outputs } });
        await assertReleased(made);
      }
    });

    it("of policy Retain ends Released where its request goes while the last access rests [K07-097] [K07-017]", async () => {
      const made = await mine.make(`photos-${count}`, {
        bucketClass: { releasePolicy: "Retain", additionalPermittedNamespaces: [{ name: theirs.namespace }] },
      });
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const guest = await theirs.grant(`reader-${count}`, joined);
      await theirs.withdraw(guest);
      let met = false;
      api.at = async (point) => {
        if (!/^PATCH \S+\/buckets\/\S+\/status .*"Creating"/.test(textOf(point))) return undefined;
        met = true;
        api.at = () => undefined;
        await lifecycles.bucket.delete(made.bucket?.outputs ?? {});
        return undefined;
      };
      await lifecycles.access.delete(guest.access.outputs);
      assert.ok(met);
      await lifecycles.accessRequest.delete(guest.binding.outputs);
      await lifecycles.request.delete(made.binding.outputs);
      await workflow.cluster.client.delete(kinds.bucketRequest, made.request);
      await theirs.destroyRequest(joined);
      await assertReleased(made);
    });
  });

  async function created(inputs: Properties): Promise<Properties> {
    return (await lifecycles.bucket.create(inputs)).outputs;
  }

  /** `pulumi up --refresh` of a bucket of the state. */
  async function refreshed(outputs: Properties, inputs: Properties): Promise<Properties> {
    const read = await lifecycles.bucket.read(outputs);
    const { changes } = await lifecycles.bucket.diff(read.outputs, inputs);
    return changes === true ? lifecycles.bucket.update(read.outputs, inputs) : read.outputs;
  }

  async function assertReleased({ bucketName, request }: RequestSteps): Promise<void> {
    const object = await bucketObject(bucketName);
    assert.equal(statusOf(object).phase, "Released");
    assert.equal(object?.metadata.finalizers, undefined);
    assert.equal(object?.metadata.deletionTimestamp, undefined);
    assert.equal(await workflow.cluster.client.get(kinds.bucketRequest, request), undefined);
    assert.ok(workflow.driver.buckets.has(request.uid));
  }
});

/** What the state has after an update that fails: what it had, or what the error tells. */
async function stateAfter(update: Promise<Properties>, before: Properties): Promise<Properties> {
  try {
    return await update;
  } catch (error) {
    return error instanceof FailedResourceError ? wire(error.properties) : before;
  }
}

/** What the state has of a resource whose create fails: nothing, or what the error tells. */
async function keptBy(create: Promise<unknown>): Promise<Properties | undefined> {
  try {
    await create;
  } catch (error) {
    return error instanceof FailedResourceError ? wire(error.properties) : undefined;
  }
  throw new Error("the create did not fail");
}

/** What the next `up` of the same program replaces. */
async function nextDiff(
  lifecycle: Lifecycle,
  outputs: Properties,
  inputs: Properties,
): Promise<string[] | undefined> {
  return (await lifecycle.diff(outputs, (await lifecycle.check(inputs, inputs)).inputs)).replaces;
}

function statusOf(object: KubernetesObject | undefined): { phase?: string; message?: string } {
  return object?.["status"] ?? {};
}
