import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind, serviceAccountKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { accessNameOf } from "../../../provider/models/cosi-2020-07/names";
import {
  lifecycles,
  ProposalSteps,
  specOf,
  type AccessSteps,
  type RequestSteps,
} from "../../support/cosi-2020-07/proposal-steps";
import { printed } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { assertInOrder } from "../../support/workflows/in-order";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { kinds } from "../kubernetes/cosi-2020-07/july";

describe("a request for a new bucket, its access, and the end of both (COSI proposal of 2020-07-08)", function () {
  this.timeout(180_000);
  let workflow: ProposalWorkflow;
  let steps: ProposalSteps;
  let photos: RequestSteps;
  let web: AccessSteps;
  let created: string[];
  let ended: string[];
  /** Objects after the last step of `up`, by kind. */
  let objects: Record<"request" | "bucket" | "accessRequest" | "access", ReturnType<typeof specOf>>;
  let metadata: Awaited<ReturnType<typeof all>>;
  /** What a driver finds of objects while its calls are under way. */
  const during: Record<string, readonly string[]> = {};

  const find = (kind: KubernetesKind, name: string, namespace?: string) =>
    workflow.cluster.client.get(kind, { name, namespace });
  const all = async () => ({
    request: await find(kinds.bucketRequest, "photos", workflow.namespace),
    bucket: await find(kinds.bucket, photos.bucketName),
    accessRequest: await find(kinds.bucketAccessRequest, "web", workflow.namespace),
    access: await find(kinds.bucketAccess, accessNameOf(web.request)),
  });

  before(async () => {
    workflow = await ProposalWorkflow.start();
    steps = new ProposalSteps(workflow);
    const extra = await workflow.namespaced();
    workflow.driver.on("received", async ({ rpc }) => {
      const name = `bucket-photos-${workflow.namespace}`;
      const found = [
        await find(kinds.bucketRequest, "photos", workflow.namespace),
        await find(kinds.bucket, name),
        await find(kinds.bucketAccessRequest, "web", workflow.namespace),
        await find(kinds.bucketAccess, `bucketaccess-web-${workflow.namespace}`),
      ];
      during[rpc] = found.map((object) => object?.metadata.finalizers?.join() ?? "none");
      return undefined;
    });
    photos = await steps.make("photos", {
      bucketPrefix: "yosemite-photos-",
      bucketClass: {
        anonymousAccessMode: "ro",
        additionalPermittedNamespaces: [{ name: extra.name }],
        parameters: { tier: "gold", region: "eu-1", "cosi.io/note": "kept" },
      },
    });
    const waiting = await find(kinds.bucket, photos.bucketName);
    assert.deepEqual(waiting?.["status"], {
      phase: "Creating",
      message: "the bucket is there; no access is bound to it",
    });
    web = await steps.grant("web", photos, {
      accessClass: { policyActions: { allow: ["*", "s3:Get"], deny: ["s3:Put"] } },
    });
    metadata = await all();
    objects = {
      request: specOf(metadata.request),
      bucket: specOf(metadata.bucket),
      accessRequest: specOf(metadata.accessRequest),
      access: specOf(metadata.access),
    };
    created = await workflow.timeline.texts();
    await steps.destroyAccess(web);
    await steps.destroyRequest(photos);
    ended = (await workflow.timeline.texts()).slice(created.length);
    assert.equal(objects.bucket["bucketClassName"], `gold-${workflow.namespace}`);
    assert.deepEqual(objects.bucket["permittedNamespaces"], [
      extra,
      { name: workflow.namespace, uid: await workflow.uidOfNamespace(workflow.namespace) },
    ]);
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  it("sends one CreateBucket and one Grant, in this order, and then Revoke and DeleteBucket", () => {
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
  });

  it("asks for a bucket of the prefix and the UID of the request, and for nothing under a made-up name [K07-023]", () => {
    const [create] = workflow.driver.requests().create;
    assert.equal(create?.bucketName, `yosemite-photos-${photos.request.uid}`);
    assert.equal(workflow.driver.requests().grant[0]?.bucketName, create.bucketName);
  });

  it("names the Bucket after request and namespace [K07-034]", () => {
    assert.equal(metadata.bucket?.metadata.name, `bucket-photos-${workflow.namespace}`);
  });

  it("copies the fields of the class to the Bucket, and no more than these [K07-054] [K07-057] [K07-058]", () => {
    const { permittedNamespaces, protocol, bindings, ...copied } = objects.bucket;
    assert.deepEqual(copied, {
      provisioner: workflow.provisioner,
      releasePolicy: "Delete",
      anonymousAccessMode: "ro",
      bucketClassName: `gold-${workflow.namespace}`,
      parameters: { tier: "gold", region: "eu-1", "cosi.io/note": "kept" },
    });
    assert.ok(Array.isArray(permittedNamespaces) && protocol !== undefined && Array.isArray(bindings));
  });

  it("permits the namespaces of the class, and the request's own, each with its UID [K07-044] [K07-045] [K07-055]", async () => {
    const permitted = objects.bucket["permittedNamespaces"] as { name: string; uid: string }[];
    assert.equal(permitted.length, 2);
    for (const { name, uid } of permitted) assert.equal(uid, await workflow.uidOfNamespace(name));
    assert.equal(permitted[1]?.name, workflow.namespace);
  });

  it("sends the anonymous access mode once, at the create", () => {
    assert.equal(workflow.driver.requests().create[0]?.accessMode, 1);
  });

  it("writes what the driver told into the Bucket's protocol, beside the name that was asked for from the first", () => {
    assert.deepEqual(objects.bucket["protocol"], {
      protocolSignature: "s3",
      s3: { bucketName: `yosemite-photos-${photos.request.uid}`, region: "eu-1" },
    });
  });

  it("labels all four objects with the provisioner [K07-015]", () => {
    const value = workflow.provisioner.replace("/", "-");
    for (const [kind, object] of Object.entries(metadata)) {
      assert.equal(object?.metadata.labels?.["cosi.io/provisioner"], value, kind);
    }
  });

  it("has the finalizer on all objects of a call while it is under way [K07-016]", () => {
    const own = "cosi.io/finalizer";
    assert.deepEqual(during["create"], [own, own, "none", "none"]);
    assert.deepEqual(during["grant"], [own, own, own, own]);
    assert.deepEqual(during["revoke"], [own, own, own, own]);
    assert.deepEqual(during["delete"], [own, own, "none", "none"]);
  });

  it("makes one BucketAccess, of the request's and the class's fields [K07-070] [K07-071]", async () => {
    assert.deepEqual(objects.access, {
      bucketAccessRequestName: "web",
      bucketAccessRequestNamespace: workflow.namespace,
      accessSecretName: `bucketaccess-web-${workflow.namespace}`,
      provisioner: workflow.provisioner,
      parameters: { role: "writer" },
    });
    await serviceAccount(workflow, "robot");
    const other = await steps.make("films");
    const access = await steps.grant("bot", other, { serviceAccountName: "robot" });
    const found = await find(kinds.bucketAccess, accessNameOf(access.request));
    assert.deepEqual(specOf(found), {
      bucketAccessRequestName: "bot",
      bucketAccessRequestNamespace: workflow.namespace,
      serviceAccountName: "robot",
      provisioner: workflow.provisioner,
      parameters: { role: "writer" },
    });
    await steps.destroyAccess(access);
    await steps.destroyRequest(other);
  });

  it("sends the policy actions as they are, and nothing of lists that are left out [K07-077]", () => {
    const [first, second] = workflow.driver.requests().grant;
    assert.equal(first?.permissions.get("allow"), "*,s3:Get");
    assert.equal(first.permissions.get("deny"), "s3:Put");
    assert.deepEqual([second?.permissions.has("allow"), second?.permissions.has("deny")], [false, false]);
  });

  it("tells the requests what they got, and the Bucket who is bound [K07-042] [K07-068]", () => {
    assert.equal(objects.request["bucketInstanceName"], photos.bucketName);
    assert.equal(objects.accessRequest["bucketAccessName"], accessNameOf(web.request));
    assert.deepEqual(objects.bucket["bindings"], [
      `${accessNameOf(web.request)}:${workflow.namespace}/photos`,
    ]);
  });

  it("writes no label that stands for a binding [K07-043]", () => {
    assert.deepEqual(Object.keys(metadata.bucket?.metadata.labels ?? {}), ["cosi.io/provisioner"]);
  });

  it("writes request before Bucket and Bucket before its create, access request before BucketAccess and this before its grant [K07-079] [K07-080] [K07-082]", () => {
    const { namespace } = workflow;
    assertInOrder(
      created,
      "BucketRequest photos +finalizer",
      'BucketRequest photos status {"phase":"Creating"}',
      `Bucket bucket-photos-${namespace} added`,
      `Bucket bucket-photos-${namespace} status {"message":"the bucket is being made","phase":"Creating"}`,
      "CreateBucket received",
      "CreateBucket done",
      "BucketAccessRequest web +finalizer",
      'BucketAccessRequest web status {"phase":"Pending"}',
      `BucketAccess bucketaccess-web-${namespace} added`,
      "GrantBucketAccess received",
    );
  });

  it("says Bound last, of all four, when the Secret is there", () => {
    const secret = created.indexOf("Secret web-creds added");
    const bound = created.flatMap((event, index) => (event.includes('"phase":"Bound"') ? [index] : []));
    assert.equal(bound.length, 4);
    assert.ok(secret >= 0 && bound.every((index) => index > secret), created.join("\n"));
  });

  it("goes in the order of the proposal: Secrets, Revoke, binding, access, Delete, Bucket, request [K07-091]", () => {
    const { namespace } = workflow;
    assertInOrder(
      ended,
      'BucketAccessRequest web status {"phase":"Deleting"}',
      "Secret web-creds deleted",
      "RevokeBucketAccess received",
      `Bucket bucket-photos-${namespace} spec changed`,
      `BucketAccess bucketaccess-web-${namespace} deleted`,
      "BucketAccessRequest web deleted",
      `Bucket bucket-photos-${namespace} status {"message":"the backend's bucket is being deleted","phase":"Deleting"}`,
      'BucketRequest photos status {"phase":"Deleting"}',
      "DeleteBucket received",
      `Bucket bucket-photos-${namespace} status {"message":"the backend's bucket is deleted","phase":"Deleted"}`,
      `Bucket bucket-photos-${namespace} -finalizer`,
      `Bucket bucket-photos-${namespace} deleted`,
      "BucketRequest photos deleted",
    );
  });

  it("has each phase of a request in a full life [K07-105]", () => {
    const phases = [...created, ...ended]
      .filter((event) => event.startsWith("BucketRequest photos status"))
      .map((event) => /"phase":"(\w+)"/.exec(event)?.[1]);
    // In between it has lost its access.
    assert.deepEqual(phases, ["Creating", "Bound", "Creating", "Deleting", "Deleted"]);
  });

  it("has each phase of a Bucket in a full life, but Released [K07-107]", () => {
    const phases = [...created, ...ended]
      .filter((event) => event.startsWith("Bucket ") && event.includes(" status "))
      .map((event) => /"phase":"(\w+)"/.exec(event)?.[1])
      .filter((phase, index, all) => phase !== all[index - 1]);
    assert.deepEqual(phases, ["Creating", "Bound", "Creating", "Deleting", "Deleted"]);
  });

  it("has each phase of a request for access in a full life [K07-109]", () => {
    const phases = [...created, ...ended]
      .filter((event) => event.startsWith("BucketAccessRequest web status"))
      .map((event) => /"phase":"(\w+)"/.exec(event)?.[1]);
    assert.deepEqual(phases, ["Pending", "Bound", "Deleting"]);
  });

  it("says in each message why, and no credential; a BucketRequest has none [K07-051]", () => {
    const said = [...created, ...ended].filter((event) => event.includes(" status "));
    assert.ok(said.some((event) => event.includes('"message":"the bucket is being made"')));
    assert.ok(said.every((event) => !event.includes("s3cr3t") && !event.includes("AK-bucketaccess")));
    assert.ok(
      said.filter((event) => event.startsWith("BucketRequest")).every((event) => !event.includes("message")),
    );
    const bound = said.filter((event) => event.includes('"phase":"Bound"'));
    assert.ok(
      bound.every((event) => !event.includes("message")),
      bound.join("\n"),
    );
  });

  it("has a request without access get a bucket, and neither a grant nor a Secret nor Bound [K07-081]", async () => {
    workflow.driver.forget();
    const lone = await steps.make("lone");
    assert.deepEqual(workflow.driver.rpcs(), ["create"]);
    const [request, bucket] = [
      await find(kinds.bucketRequest, "lone", workflow.namespace),
      await find(kinds.bucket, lone.bucketName),
    ];
    assert.deepEqual(request?.["status"], { phase: "Creating" });
    assert.equal(specOf(request)["bucketInstanceName"], undefined);
    assert.deepEqual(bucket?.["status"], {
      phase: "Creating",
      message: "the bucket is there; no access is bound to it",
    });
    assert.deepEqual(specOf(bucket)["bindings"] ?? [], []);
    await steps.destroyRequest(lone);
  });

  it("tells of objects that somebody deletes, makes none of them anew, and completes their deletion [K07-103]", async () => {
    const { client } = workflow.cluster;
    const doomed = await steps.make("doomed");
    const access = await steps.grant("doomed", doomed);
    const reference = { namespace: workflow.namespace, name: "doomed" };
    await client.delete(kinds.bucketAccessRequest, reference);
    await client.delete(kinds.bucketRequest, reference);
    await client.delete(kinds.bucket, { name: doomed.bucketName });
    await client.delete(kinds.bucketAccess, { name: accessNameOf(access.request) });
    beginRun();
    const lines = await printed(async () => {
      await lifecycles.request.read(doomed.binding.outputs);
      await lifecycles.bucket.read(doomed.bucket?.outputs ?? {});
      await lifecycles.accessRequest.read({ ...access.binding.outputs });
      await lifecycles.access.read(access.access.outputs);
    });
    for (const kind of ["BucketRequest", "Bucket", "BucketAccess"]) {
      assert.ok(
        lines.some((line) => line.startsWith(`warning: ${kind} `) && line.includes("is being deleted since")),
        `${kind}\n${lines.join("\n")}`,
      );
    }
    await assert.rejects(
      lifecycles.bucket.update({ ...doomed.bucket?.outputs, bucketId: null }, doomed.bucket?.inputs ?? {}),
      /being deleted/,
    );
    workflow.driver.forget();
    await steps.destroyAccess(access);
    await steps.destroyRequest(doomed);
    assert.deepEqual(workflow.driver.rpcs(), ["revoke", "delete"]);
    assert.equal(await find(kinds.bucket, doomed.bucketName), undefined);
    assert.equal(await find(kinds.bucketRequest, "doomed", workflow.namespace), undefined);
  });

  it("keeps a Secret that is written anew before its entry goes, as --replace does", async () => {
    const made = await steps.make("anew");
    const access = await steps.grant("anew", made);
    const [, copy] = access.secrets;
    assert.ok(copy !== undefined);
    const { uid } = (await find(secretKind, "anew-creds", workflow.namespace))?.metadata ?? {};
    beginRun();
    await lifecycles.secret.create(copy.inputs);
    await lifecycles.secret.delete(copy.outputs);
    assert.equal((await find(secretKind, "anew-creds", workflow.namespace))?.metadata.uid, uid);
    await steps.destroyAccess(access);
    assert.equal(await find(secretKind, "anew-creds", workflow.namespace), undefined);
    await steps.destroyRequest(made);
  });

  it("leaves neither objects nor Secrets nor a bucket or account", async () => {
    const left = await Promise.all([
      workflow.cluster.client.list(kinds.bucketRequest, { namespace: workflow.namespace }),
      workflow.cluster.client.list(kinds.bucketAccessRequest, { namespace: workflow.namespace }),
      workflow.cluster.client.list(secretKind, { namespace: workflow.namespace }),
    ]);
    assert.deepEqual(left.flat(), []);
    assert.equal(await find(kinds.bucket, photos.bucketName), undefined);
    assert.deepEqual([workflow.driver.buckets.size, workflow.driver.accounts.size], [0, 0]);
  });
});

async function serviceAccount({ cluster, namespace }: ProposalWorkflow, name: string): Promise<void> {
  await cluster.client.create(serviceAccountKind, { metadata: { namespace, name } });
}
