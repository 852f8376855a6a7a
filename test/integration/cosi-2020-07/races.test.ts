import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { namespaceKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { provider as adminBucketProvider } from "../../../provider/models/cosi-2020-07/admin-bucket";
import { bind } from "../../../provider/models/cosi-2020-07/bindings";
import {
  accessRequestAnnotation,
  createSentAnnotation,
  grantingAnnotation,
} from "../../../provider/models/cosi-2020-07/kinds";
import { accessNameOf, requestMark } from "../../../provider/models/cosi-2020-07/names";
import {
  keep,
  lifecycles,
  ProposalSteps,
  specOf,
  type AccessSteps,
  type Kept,
  type RequestSteps,
} from "../../support/cosi-2020-07/proposal-steps";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { removeByHand } from "../../support/workflows/by-hand";
import { july, kinds } from "../kubernetes/cosi-2020-07/july";
import { createOwned, owner } from "../kubernetes/objects";

/** A grant that fails for good. */
const refused = { code: status.INVALID_ARGUMENT, message: "no such principal" };

describe("what others do meanwhile (COSI proposal of 2020-07-08)", function () {
  this.timeout(180_000);
  const admin = new Lifecycle(adminBucketProvider);
  let workflow: ProposalWorkflow;
  let count = 0;
  let mine: ProposalSteps;
  /** Another stack, in another namespace. */
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
    beginRun();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  const bucketObject = (name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kinds.bucket, { name });
  const bindingsOf = async (name: string): Promise<unknown> =>
    specOf(await bucketObject(name))["bindings"] ?? [];
  const requestPhase = async ({ request }: Pick<RequestSteps, "request">): Promise<unknown> =>
    statusOf(await workflow.cluster.client.get(kinds.bucketRequest, request)).phase;
  const accountObject = ({ request }: Pick<AccessSteps, "request">): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kinds.bucketAccess, { name: accessNameOf(request) });

  /** A bucket of the first stack, to which the second may bind. */
  const permitting = (): Promise<RequestSteps> =>
    mine.make(`photos-${count}`, {
      bucketClass: { additionalPermittedNamespaces: [{ name: theirs.namespace }] },
    });

  /** A bucket of the first stack, which the second is granted access to, and has not bound yet. */
  async function granting(): Promise<{
    made: RequestSteps;
    joined: RequestSteps;
    steps: Omit<AccessSteps, "secrets" | "bound">;
  }> {
    const made = await permitting();
    const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
    return { made, joined, steps: await granted(joined) };
  }

  async function granted(joined: RequestSteps): Promise<Omit<AccessSteps, "secrets" | "bound">> {
    const steps = await theirs.bindAccess(`reader-${count}`, joined);
    return { ...steps, access: await keep(lifecycles.access, theirs.accessInputs(steps)) };
  }

  /** Inputs of a Bucket of an admin for a bucket of the backend. */
  const adminInputs = (bucketName: string): Properties => ({
    kubernetes: workflow.cluster.target,
    owner,
    resource: "legacy",
    model: july,
    name: `legacy-${count}`,
    provisioner: workflow.provisioner,
    anonymousAccessMode: "private",
    permittedNamespaces: [{ name: theirs.namespace }],
    protocol: "s3",
    protocolFields: { bucketName },
  });

  describe("an access that names a Bucket and no request", () => {
    /** What it is refused with; nothing is asked of the driver, and nothing is bound. */
    async function assertRefused(
      by: ProposalSteps,
      made: RequestSteps,
      request: RequestSteps["request"],
      reason: RegExp,
    ): Promise<void> {
      const name = `refused-${count}`;
      workflow.driver.forget();
      const { bucketName, binding } = made;
      const asked = by.bindAccess(
        name,
        { request, bucketName, binding },
        { inputs: { bucketRequest: undefined } },
      );
      await assert.rejects(asked, reason);
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.deepEqual(await bindingsOf(bucketName), []);
      assert.equal(await accountObject({ request: { ...request, name } }), undefined);
      await removeByHand(workflow.cluster.client, kinds.bucketAccessRequest, {
        namespace: by.namespace,
        name,
      });
    }

    it("is refused where its namespace is not permitted, whatever its request names [K07-045]", async () => {
      const made = await mine.make(`photos-${count}`);
      const { request, inputs } = await theirs.request(`guest-${count}`, {
        bucketInstanceName: made.bucketName,
      });
      await assert.rejects(lifecycles.request.create(inputs), /may not be bound/);
      await assertRefused(theirs, made, request, /may not be bound/);

      // The name alone is not enough: that of a namespace which is made anew is the same.
      const { client } = workflow.cluster;
      const [own] = specOf(await bucketObject(made.bucketName))["permittedNamespaces"] as object[];
      const before = { name: theirs.namespace, uid: "6f2a7b9e-0000-4000-8000-000000000000" };
      await client.patch(
        kinds.bucket,
        { name: made.bucketName },
        { spec: { permittedNamespaces: [own, before] } },
      );
      await assertRefused(theirs, made, request, /may not be bound/);
    });

    it("is refused where the request of its namespace asks for another protocol", async () => {
      const made = await permitting();
      const { client } = workflow.cluster;
      const { metadata } = await client.create(kinds.bucketRequest, {
        metadata: { namespace: theirs.namespace, name: `guest-${count}` },
        spec: { protocol: "gcs", bucketInstanceName: made.bucketName },
      });
      const request = { namespace: theirs.namespace, name: metadata.name, uid: metadata.uid ?? "" };
      await assertRefused(theirs, made, request, /has no BucketRequest/);
    });

    it("is refused where the request only would give its Bucket the same name [K07-035]", async () => {
      // bucket-<photos>-<test-1> and bucket-<photos-test>-<1> are one name.
      const [first = "", ...rest] = mine.namespace.split("-");
      const namespace = rest.join("-");
      await workflow.cluster.client.create(namespaceKind, { metadata: { name: namespace } });
      const clash = new ProposalSteps(workflow, namespace, "clash");
      const made = await mine.make(`photos-${count}`);
      const { request, inputs } = await clash.request(`${made.request.name}-${first}`);
      await assert.rejects(lifecycles.request.create(inputs), /exists and was made for/);
      await assertRefused(clash, made, request, /has no BucketRequest/);
    });

    it("goes through the request that the Bucket was made for, or the one that names it [K07-065]", async () => {
      const made = await permitting();
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const inputs = { bucketRequest: undefined };
      const own = await mine.grant(`web-${count}`, made, { inputs });
      const guest = await theirs.grant(`reader-${count}`, joined, { inputs });
      assert.deepEqual(await bindingsOf(made.bucketName), [
        `${accessNameOf(own.request)}:${mine.namespace}/${made.request.name}`,
        `${accessNameOf(guest.request)}:${theirs.namespace}/${joined.request.name}`,
      ]);
      await theirs.destroyAccess(guest);
      await mine.destroyAccess(own);
    });
  });

  it("replaces access and binding that go through another request, and leaves no entry of the first", async () => {
    const made = await permitting();
    const one = await theirs.make(`one-${count}`, { bucketInstanceName: made.bucketName });
    const two = await theirs.make(`two-${count}`, { bucketInstanceName: made.bucketName });
    const access = await theirs.grant(`reader-${count}`, one);
    const bucketRequest = { namespace: two.request.namespace, name: two.request.name };
    const objects = { ...(access.access.inputs["objects"] as object), claim: bucketRequest };
    const inputs = { ...access.binding.inputs, bucketRequest };
    assert.notDeepEqual(await replacesOf(lifecycles.accessRequest, access.binding, inputs), []);
    assert.notDeepEqual(
      await replacesOf(lifecycles.access, access.access, { ...access.access.inputs, objects }),
      [],
    );
    assert.notDeepEqual(
      await replacesOf(lifecycles.binding, access.bound, { ...access.bound.inputs, bucketRequest }),
      [],
    );
    await theirs.withdraw(access);
    await lifecycles.access.delete(access.access.outputs);
    await lifecycles.accessRequest.delete(access.binding.outputs);
    const binding = await keep(lifecycles.accessRequest, inputs);
    const steps = { request: access.request, binding };
    const moved = await theirs.deliver({
      ...steps,
      access: await keep(lifecycles.access, theirs.accessInputs(steps)),
    });
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke", "grant"]);
    assert.deepEqual(await bindingsOf(made.bucketName), [
      `${accessNameOf(access.request)}:${theirs.namespace}/${two.request.name}`,
    ]);
    await theirs.destroyRequest(one);
    await theirs.destroyAccess(moved);
    await theirs.destroyRequest(two);
    await mine.destroyRequest(made);
    assert.equal(await bucketObject(made.bucketName), undefined);
  });

  it("takes a request that was removed by hand and comes back for another one, and replaces what it had", async () => {
    const { client } = workflow.cluster;
    const made = await mine.make(`photos-${count}`);
    await removeByHand(client, kinds.bucketRequest, made.request);
    beginRun();
    const read = await lifecycles.request.read(made.binding.outputs);
    assert.match(String(read.outputs["drift"]), /is gone/);
    const bucket = await lifecycles.bucket.read(made.bucket?.outputs ?? {});
    const again = await mine.request(made.request.name);
    const replaces = await replacesOf(
      lifecycles.request,
      { ...made.binding, outputs: read.outputs },
      again.inputs,
    );
    assert.deepEqual(replaces, ["request"]);
    await lifecycles.bucket.delete(bucket.outputs);
    await lifecycles.request.delete(read.outputs);
    assert.equal(await bucketObject(made.bucketName), undefined);
    const binding = await keep(lifecycles.request, again.inputs);
    const anew: RequestSteps = { request: again.request, bucketName: made.bucketName, binding };
    const next = { ...anew, bucket: await keep(lifecycles.bucket, mine.bucketInputs(anew)) };
    assert.deepEqual(workflow.driver.rpcs(), ["create", "delete", "create"]);
    assert.deepEqual([...workflow.driver.buckets.keys()], [again.request.uid]);
    await mine.destroyRequest(next);
  });

  it("takes a request for access that was removed by hand and comes back for another one, and replaces what it had", async () => {
    const { client } = workflow.cluster;
    const made = await mine.make(`photos-${count}`);
    const access = await mine.grant(`web-${count}`, made);
    const removed = await client.get(kinds.bucketAccessRequest, access.request);
    await removeByHand(client, kinds.bucketAccessRequest, access.request);
    beginRun();
    const read = await lifecycles.accessRequest.read(access.binding.outputs);
    assert.match(String(read.outputs["drift"]), /is gone/);
    const { namespace, name } = access.request;
    const { bucketAccessName, ...spec } = specOf(removed);
    assert.equal(bucketAccessName, accessNameOf(access.request));
    const { uid } = (
      await createOwned(workflow.cluster, kinds.bucketAccessRequest, { namespace, name, spec })
    ).metadata;
    const request = { namespace, name, uid };
    const inputs = { ...access.binding.inputs, request };
    const kept = { ...access.binding, outputs: read.outputs };
    assert.deepEqual(await replacesOf(lifecycles.accessRequest, kept, inputs), ["request"]);
    await mine.withdraw(access);
    await lifecycles.access.delete(access.access.outputs);
    await lifecycles.accessRequest.delete(read.outputs);
    assert.equal(await accountObject(access), undefined);
    const steps = { request, binding: await keep(lifecycles.accessRequest, inputs) };
    const anew = await mine.deliver({
      ...steps,
      access: await keep(lifecycles.access, mine.accessInputs(steps)),
    });
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke", "grant"]);
    await mine.destroyAccess(anew);
    await mine.destroyRequest(made);
  });

  it("writes every one of forty bindings of one Bucket that come at once [K07-018]", async () => {
    const made = await mine.make(`photos-${count}`);
    const entries = Array.from(
      { length: 40 },
      (_, index) => `bucketaccess-${index}-app:${mine.namespace}/photos`,
    );
    await Promise.all(entries.map((entry) => bind(workflow.cluster.client, kinds, made.bucketName, entry)));
    const bindings = (await bindingsOf(made.bucketName)) as string[];
    assert.deepEqual([...bindings].sort(), [...entries].sort());
  });

  describe("a grant that is under way", () => {
    it("holds the Bucket back from its owner's destroy like a binding, and its end completes that [K07-095]", async () => {
      const { made, joined, steps } = await granting();
      const announced = (await bucketObject(made.bucketName))?.metadata.annotations ?? {};
      assert.deepEqual(
        Object.entries(announced)
          .filter(([key]) => key.startsWith(grantingAnnotation))
          .map(([, entry]) => entry),
        [`${accessNameOf(steps.request)}:${theirs.namespace}/${joined.request.name}`],
      );
      const lines = await printed(() => mine.destroyRequest(made));
      assert.match(lines.join("\n"), new RegExp(`still bound: bucketaccess-reader-${count}-`));
      const waiting = await bucketObject(made.bucketName);
      assert.notEqual(waiting?.metadata.deletionTimestamp, undefined);
      assert.equal(workflow.driver.buckets.size, 1);
      await assert.rejects(theirs.deliver(steps), /is being deleted/);
      assert.deepEqual(await bindingsOf(made.bucketName), []);
      assert.deepEqual(workflow.driver.rpcs(), ["create", "grant"]);
      beginRun();
      await lifecycles.access.delete(steps.access.outputs);
      assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
      await lifecycles.accessRequest.delete(steps.binding.outputs);
      await theirs.destroyRequest(joined);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("becomes the binding, and no announcement of it is left", async () => {
      const { made, joined, steps } = await granting();
      const access = await theirs.deliver(steps);
      const object = await bucketObject(made.bucketName);
      assert.deepEqual(specOf(object)["bindings"], [access.bound.id]);
      assert.deepEqual(
        Object.keys(object?.metadata.annotations ?? {}).filter((key) => key.startsWith(grantingAnnotation)),
        [],
      );
      await theirs.destroyAccess(access);
      await theirs.destroyRequest(joined);
      await mine.destroyRequest(made);
    });

    it("holds a Bucket of an admin back from the admin's destroy", async () => {
      const { outputs } = await admin.create(adminInputs("legacy"));
      const name = `legacy-${count}`;
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: name });
      const steps = await granted(joined);
      const before = await bucketObject(name);
      assert.deepEqual(before?.metadata.finalizers, ["cosi.io/finalizer"]);
      await assert.rejects(admin.delete(outputs), /nothing was deleted/);
      assert.deepEqual(await bucketObject(name), before);
      beginRun();
      await lifecycles.access.delete(steps.access.outputs);
      await lifecycles.accessRequest.delete(steps.binding.outputs);
      await theirs.destroyRequest(joined);
      assert.equal((await bucketObject(name))?.metadata.finalizers, undefined);
      await admin.delete(outputs);
      assert.equal(await bucketObject(name), undefined);
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke"]);
    });

    it("is announced no longer where the driver refuses it, and the Bucket is as it was", async () => {
      const { outputs } = await admin.create(adminInputs("legacy"));
      const name = `legacy-${count}`;
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: name });
      const before = await bucketObject(name);
      const steps = await theirs.bindAccess(`reader-${count}`, joined);
      workflow.driver.refuse("grant", refused);
      await assert.rejects(lifecycles.access.create(theirs.accessInputs(steps)), /no such principal/);
      const object = await bucketObject(name);
      assert.deepEqual(object?.metadata.annotations, before?.metadata.annotations);
      assert.equal(object?.metadata.finalizers, undefined);
      await lifecycles.accessRequest.delete(steps.binding.outputs);
      await theirs.destroyRequest(joined);
      await admin.delete(outputs);
    });

    it("stays in the state where it is refused while a Bucket waits for it, whose deletion its end completes", async () => {
      const made = await permitting();
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const steps = await theirs.bindAccess(`reader-${count}`, joined);
      const stop = workflow.driver.on("received", async ({ rpc }) => {
        if (rpc !== "grant") return undefined;
        await mine.destroyRequest(made);
        return refused;
      });
      const kept = await failedResource(lifecycles.access.create(theirs.accessInputs(steps)));
      stop();
      assert.match(kept.message, /no such principal/);
      assert.notEqual((await bucketObject(made.bucketName))?.metadata.deletionTimestamp, undefined);
      assert.equal(workflow.driver.buckets.size, 1);
      beginRun();
      await lifecycles.access.delete(wire(kept.properties));
      assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "delete"]);
      assert.equal(await bucketObject(made.bucketName), undefined);
      await lifecycles.accessRequest.delete(steps.binding.outputs);
      await theirs.destroyRequest(joined);
    });

    it("is not bound through a request that went meanwhile", async () => {
      const { made, joined, steps } = await granting();
      await removeByHand(workflow.cluster.client, kinds.bucketRequest, joined.request);
      await assert.rejects(theirs.deliver(steps), /BucketRequest/);
      assert.deepEqual(await bindingsOf(made.bucketName), []);
      beginRun();
      await lifecycles.access.delete(steps.access.outputs);
      assert.equal(workflow.driver.accounts.size, 0);
      await lifecycles.accessRequest.delete(steps.binding.outputs);
      await mine.destroyRequest(made);
      assert.equal(await bucketObject(made.bucketName), undefined);
    });

    it("is not bound to another Bucket that took the name meanwhile [K07-083]", async () => {
      await admin.create(adminInputs("one"));
      const name = `legacy-${count}`;
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: name });
      const steps = await granted(joined);
      await removeByHand(workflow.cluster.client, kinds.bucket, { name });
      await admin.create(adminInputs("two"));
      const before = await bucketObject(name);
      await assert.rejects(theirs.deliver(steps), /not the one that access was granted to/);
      assert.deepEqual(await bucketObject(name), before);
      beginRun();
      await lifecycles.access.delete(steps.access.outputs);
      assert.deepEqual(
        workflow.driver.requests().revoke.map(({ bucketName }) => bucketName),
        ["one"],
      );
      assert.deepEqual(await bindingsOf(name), []);
    });
  });

  describe("a Bucket that is being made", () => {
    it("stays Bound where another stack is bound to it, and a repeated create fails", async () => {
      const made = await permitting();
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const guest = await theirs.grant(`reader-${count}`, joined);
      beginRun();
      workflow.driver.refuse("create", { code: status.PERMISSION_DENIED, message: "not yours" });
      await assert.rejects(lifecycles.bucket.create(mine.bucketInputs(made)), /not yours/);
      assert.equal(statusOf(await bucketObject(made.bucketName)).phase, "Bound");
      const read = await lifecycles.binding.read(guest.bound.outputs);
      assert.deepEqual(read.outputs["drift"], []);
      await theirs.destroyAccess(guest);
    });

    it("is neither joined nor granted access to before its bucket is there [K07-082]", async () => {
      const made = await mine.bindRequest(`photos-${count}`, {
        bucketClass: { additionalPermittedNamespaces: [{ name: theirs.namespace }] },
      });
      const before = await bucketObject(made.bucketName);
      assert.equal(statusOf(before).phase, "Creating");
      const { request, inputs } = await theirs.request(`guest-${count}`, {
        bucketInstanceName: made.bucketName,
      });
      await assert.rejects(lifecycles.request.create(inputs), /has no bucket in the backend yet/);
      assert.equal(await requestPhase({ request }), "Creating");
      await assert.rejects(mine.bindAccess(`web-${count}`, made), /has no bucket in the backend yet/);
      assert.deepEqual(await bucketObject(made.bucketName), before);
      assert.deepEqual(workflow.driver.rpcs(), []);

      beginRun();
      const bucket = await keep(lifecycles.bucket, mine.bucketInputs(made));
      const binding = await keep(lifecycles.request, inputs);
      const guest = await theirs.grant(`reader-${count}`, { request, bucketName: made.bucketName, binding });
      assert.deepEqual(workflow.driver.rpcs(), ["create", "grant"]);
      await theirs.destroyAccess(guest);
      await mine.destroyRequest({ ...made, bucket });
    });

    it("keeps finalizer and bindings of others where a repeated create fails", async () => {
      const made = await permitting();
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const guest = await theirs.grant(`reader-${count}`, joined);
      beginRun();
      // The run that made it was killed, nothing tells of it, and the next one asks for it again.
      await workflow.cluster.client.patch(
        kinds.bucket,
        { name: made.bucketName },
        { metadata: { annotations: { [createSentAnnotation]: null } } },
      );
      workflow.driver.refuse("create", { code: status.INVALID_ARGUMENT, message: "no such region" });
      await assert.rejects(lifecycles.bucket.create(mine.bucketInputs(made)), /no such region/);
      const object = await bucketObject(made.bucketName);
      assert.deepEqual(object?.metadata.finalizers, ["cosi.io/finalizer"]);
      assert.deepEqual(specOf(object)["bindings"], [guest.bound.id]);
      await theirs.destroyAccess(guest);
    });
  });

  it("completes a deletion that has waited, and does nothing to a Bucket made under its name since", async () => {
    const { made, joined, steps } = await granting();
    const guest = await theirs.deliver(steps);
    await mine.destroyRequest(made);
    await theirs.withdraw(guest);
    const again: RequestSteps[] = [];
    const stop = workflow.driver.on("done", async ({ rpc }) => {
      if (rpc !== "delete") return undefined;
      // Somebody else completes it, and the owner makes it again.
      await workflow.cluster.client.patch(
        kinds.bucket,
        { name: made.bucketName },
        { metadata: { finalizers: [] } },
      );
      again.push(await mine.make(made.request.name));
      return undefined;
    });
    await lifecycles.access.delete(guest.access.outputs);
    stop();
    const [anew = assert.fail("nobody made the Bucket again")] = again;
    const object = await bucketObject(made.bucketName);
    assert.deepEqual(object?.metadata.finalizers, ["cosi.io/finalizer"]);
    assert.equal(statusOf(object).phase, "Creating");
    const access = await mine.grant(`web-${count}`, anew);
    await mine.destroyAccess(access);
    await mine.destroyRequest(anew);
    await lifecycles.accessRequest.delete(guest.binding.outputs);
    await theirs.destroyRequest(joined);
  });

  describe("the phase of a request", () => {
    it("is Creating again when the last access has gone [K07-108]", async () => {
      const made = await mine.make(`photos-${count}`);
      assert.equal(await requestPhase(made), "Creating");
      const first = await mine.grant(`web-${count}`, made);
      const second = await mine.grant(`app-${count}`, made);
      await mine.destroyAccess(first);
      assert.equal(await requestPhase(made), "Bound");
      await mine.destroyAccess(second);
      assert.equal(await requestPhase(made), "Creating");
      assert.equal(statusOf(await bucketObject(made.bucketName)).phase, "Creating");
      await mine.destroyRequest(made);
    });

    it("is an error no longer when a later up finds nothing wrong [K07-106]", async () => {
      const made = await permitting();
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const { client } = workflow.cluster;
      const name = made.bucketName;
      const permitted = specOf(await bucketObject(name))["permittedNamespaces"];
      await client.patch(kinds.bucket, { name }, { spec: { permittedNamespaces: [] } });
      beginRun();
      const changed = { ...joined.binding.inputs, protectData: false };
      await assert.rejects(lifecycles.request.update(joined.binding.outputs, changed), /may not be bound/);
      assert.equal(await requestPhase(joined), "ErrNamespaceNotPermitted");
      await client.patch(kinds.bucket, { name }, { spec: { permittedNamespaces: permitted } });
      beginRun();
      await lifecycles.request.update(joined.binding.outputs, changed);
      assert.equal(await requestPhase(joined), "Creating");
      await theirs.destroyRequest(joined);
      await mine.destroyRequest(made);
    });

    it("is Deleting before it goes, whoever made its Bucket [K07-090]", async () => {
      const made = await permitting();
      const joined = await theirs.make(`guest-${count}`, { bucketInstanceName: made.bucketName });
      const kept = await mine.make(`kept-${count}`, { bucketClass: { releasePolicy: "Retain" } });
      const unmade = await mine.bindRequest(`unmade-${count}`);
      const phases: unknown[] = [];
      const stop = workflow.driver.on("received", async ({ rpc }) => {
        if (rpc === "delete") phases.push(await requestPhase(made));
        return undefined;
      });
      await lifecycles.request.delete(joined.binding.outputs);
      phases.push(await requestPhase(joined));
      for (const { bucket, ...steps } of [kept, unmade]) {
        if (bucket !== undefined) await lifecycles.bucket.delete(bucket.outputs);
        await lifecycles.request.delete(steps.binding.outputs);
        phases.push(await requestPhase(steps));
      }
      await mine.destroyRequest(made);
      stop();
      assert.deepEqual(phases, ["Deleting", "Deleting", "Deleting", "Deleting"]);
    });
  });

  it("ends a destroy with an error that names the finalizer of somebody else on the Bucket, and takes that off nowhere", async () => {
    const made = await mine.make(`photos-${count}`);
    const { client } = workflow.cluster;
    const name = made.bucketName;
    const foreign = "example.com/audit";
    await client.patch(kinds.bucket, { name }, { metadata: { finalizers: ["cosi.io/finalizer", foreign] } });
    await assert.rejects(mine.destroyRequest(made), /held by example\.com\/audit/);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
    assert.deepEqual((await bucketObject(name))?.metadata.finalizers, [foreign]);
    await client.patch(kinds.bucket, { name }, { metadata: { finalizers: [] } });
    beginRun();
    await mine.destroyRequest(made);
    assert.equal(await bucketObject(name), undefined);
    assert.equal(workflow.driver.buckets.size, 0);
  });

  describe("a BucketAccess that somebody made before", () => {
    /** What the package would write. */
    const specFor = (name: string): Properties => ({
      bucketAccessRequestName: name,
      bucketAccessRequestNamespace: mine.namespace,
      accessSecretName: `bucketaccess-${name}-${mine.namespace}`,
      provisioner: workflow.provisioner,
      parameters: { role: "writer" },
    });

    it("is not gone on with, and stays as it is, where it says anything else [K07-070]", async () => {
      const made = await mine.make(`photos-${count}`);
      const { client } = workflow.cluster;
      const name = `web-${count}`;
      const object = { name: `bucketaccess-${name}-${mine.namespace}` };
      for (const other of [
        { parameters: { role: "admin" } },
        { provisioner: "other/vendor" },
        { accessSecretName: "elsewhere" },
        { bucketAccessRequestName: "another" },
      ]) {
        await client.create(kinds.bucketAccess, { metadata: object, spec: { ...specFor(name), ...other } });
        const before = await client.get(kinds.bucketAccess, object);
        await assert.rejects(mine.bindAccess(name, made), /exists and is that of the BucketAccessRequest/);
        assert.deepEqual(await client.get(kinds.bucketAccess, object), before);
        await client.delete(kinds.bucketAccess, object);
        await removeByHand(client, kinds.bucketAccessRequest, { namespace: mine.namespace, name });
      }
      assert.deepEqual(workflow.driver.rpcs(), ["create"]);
    });

    it("is gone on with where it is what would be written, and goes with the access [K07-070]", async () => {
      const made = await mine.make(`photos-${count}`);
      const { client } = workflow.cluster;
      const name = `web-${count}`;
      const object = { name: `bucketaccess-${name}-${mine.namespace}` };
      const { metadata } = await client.create(kinds.bucketAccess, {
        metadata: object,
        spec: specFor(name),
      });
      const access = await mine.grant(name, made);
      assert.equal(access.binding.id, metadata.uid);
      const taken = await client.get(kinds.bucketAccess, object);
      assert.equal(taken?.metadata.annotations?.[accessRequestAnnotation], requestMark(access.request));
      await mine.destroyAccess(access);
      assert.equal(await client.get(kinds.bucketAccess, object), undefined);
      await mine.destroyRequest(made);
    });
  });
});

/** What an `up` of changed inputs replaces. */
async function replacesOf(lifecycle: Lifecycle, kept: Kept, inputs: Properties): Promise<readonly string[]> {
  const checked = await lifecycle.check(kept.inputs, inputs);
  return (await lifecycle.diff(kept.outputs, checked.inputs)).replaces ?? [];
}

function statusOf(object: KubernetesObject | undefined): { phase?: string; message?: string } {
  return object?.["status"] ?? {};
}
