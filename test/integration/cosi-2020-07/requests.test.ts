import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import {
  namespaceKind,
  secretKind,
  serviceAccountKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import { provider as nameGuard } from "../../../provider/kubernetes/name-guard";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import { accessRequestAnnotation } from "../../../provider/models/cosi-2020-07/kinds";
import { accessNameOf } from "../../../provider/models/cosi-2020-07/names";
import {
  keep,
  lifecycles,
  ProposalSteps,
  specOf,
  type AccessOptions,
  type RequestOptions,
  type RequestSteps,
} from "../../support/cosi-2020-07/proposal-steps";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { kinds } from "../kubernetes/cosi-2020-07/july";
import { owner } from "../kubernetes/objects";

describe("what a request is refused for (COSI proposal of 2020-07-08)", function () {
  this.timeout(120_000);
  let workflow: ProposalWorkflow;
  let steps: ProposalSteps;
  let count = 0;

  before(async () => {
    workflow = await ProposalWorkflow.start();
    steps = new ProposalSteps(workflow);
  });

  beforeEach(() => {
    count += 1;
    beginRun();
    workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  const find = (kind: KubernetesKind, name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(
      kind,
      kind === kinds.bucketRequest || kind === kinds.bucketAccessRequest || kind === secretKind
        ? { name, namespace: workflow.namespace }
        : { name },
    );
  const statusOf = async (kind: KubernetesKind, name: string): Promise<Properties> =>
    ((await find(kind, name))?.["status"] ?? {}) as Properties;

  /** A Bucket as an admin makes it by hand. */
  async function adminBucket(name: string, changes: Properties = {}): Promise<void> {
    const uid = await workflow.uidOfNamespace(workflow.namespace);
    await workflow.cluster.client.create(kinds.bucket, {
      metadata: { name },
      spec: {
        provisioner: workflow.provisioner,
        permittedNamespaces: [{ name: workflow.namespace, uid }],
        protocol: { protocolSignature: "s3", s3: { bucketName: `${name}-backend`, region: "eu-2" } },
        ...changes,
      },
    });
  }

  async function bucketClass(name: string, changes: Properties = {}): Promise<string> {
    await workflow.cluster.client.create(kinds.bucketClass, {
      metadata: { name },
      provisioner: workflow.provisioner,
      protocol: "s3",
      ...changes,
    });
    return name;
  }

  /** Asserts that a request is refused with its phase, that its finalizer is off again, and that no call was made. */
  async function refused(options: RequestOptions, reason: RegExp, phase: string): Promise<void> {
    const name = `request-${count}`;
    const { inputs } = await steps.request(name, options);
    await assert.rejects(lifecycles.request.create(inputs), reason);
    const object = await find(kinds.bucketRequest, name);
    assert.equal(((object?.["status"] ?? {}) as Properties)["phase"], phase);
    assert.equal(object?.metadata.finalizers, undefined);
    assert.deepEqual(workflow.driver.rpcs(), []);
    assert.equal(await find(kinds.bucket, `bucket-${name}-${workflow.namespace}`), undefined);
  }

  const lookedUp = (inputs: Properties): RequestOptions => ({
    inputs: { bucketClass: undefined, ...inputs },
  });

  it("names a class that does not exist [K07-025]", async () => {
    const named = lookedUp({ bucketClassName: "nowhere" });
    await refused(named, /names the BucketClass "nowhere", which does not exist/, "ErrBucketClassNotFound");
  });

  it("names none, and there is no default of its protocol, though one of another", async () => {
    await bucketClass(`azure-${count}`, { protocol: "azureBlob", isDefaultBucketClass: true });
    await refused(
      lookedUp({}),
      /there is no default BucketClass for protocol "s3"/,
      "ErrBucketClassNotFound",
    );
  });

  it("takes the default class, whoever made it, refuses several, and keeps the one that it took [K07-026] [K07-027]", async () => {
    const first = await bucketClass(`default-${count}`, {
      isDefaultBucketClass: true,
      releasePolicy: "Delete",
    });
    await bucketClass(`other-${count}`);
    const made = await steps.bindRequest(`default-${count}`, lookedUp({}));
    assert.equal(specOf(await find(kinds.bucket, made.bucketName))["bucketClassName"], first);
    assert.equal(specOf(await find(kinds.bucketRequest, made.request.name))["bucketClassName"], undefined);

    await bucketClass(`second-${count}`, { isDefaultBucketClass: true });
    const { changes, replaces } = await lifecycles.request.diff(made.binding.outputs, made.binding.inputs);
    assert.deepEqual([changes, replaces], [false, []]);
    await refused(
      lookedUp({}),
      new RegExp(`several default .*: default-${count}, second-${count}`),
      "ErrBucketClassNotFound",
    );
    await steps.destroyRequest(made);
    for (const name of [first, `second-${count}`])
      await workflow.cluster.client.delete(kinds.bucketClass, { name });
  });

  it("names a class of another protocol, until the class fits [K07-028]", async () => {
    const name = await bucketClass(`gcs-${count}`, { protocol: "gcs" });
    const { request, inputs } = await steps.request(`fits-${count}`, lookedUp({ bucketClassName: name }));
    await assert.rejects(
      lifecycles.request.create(inputs),
      /asks for protocol "s3", and the BucketClass .* is for "gcs"/,
    );
    assert.equal(
      (await statusOf(kinds.bucketRequest, request.name))["phase"],
      "ErrBucketClassDoesNotSupportProtocol",
    );
    await workflow.cluster.client.patch(kinds.bucketClass, { name }, { protocol: "s3" });
    const binding = await keep(lifecycles.request, inputs);
    assert.deepEqual(await statusOf(kinds.bucketRequest, request.name), { phase: "Creating" });
    await steps.destroyRequest({ request, binding, bucketName: binding.id });
  });

  it("is for azureBlob, and so is the class, whatever the case [K07-021]", async () => {
    const name = await bucketClass(`blob-${count}`, { protocol: "azureblob" });
    const made = await steps.make(
      `blob-${count}`,
      lookedUp({ bucketClassName: name, protocol: "azureBlob" }),
    );
    assert.deepEqual(specOf(await find(kinds.bucket, made.bucketName))["protocol"], {
      protocolSignature: "azureBlob",
      azureBlob: { containerName: made.request.uid },
    });
    await steps.destroyRequest(made);
  });

  it("has the name of one that was applied without a program, which stays as it is [K07-002]", async () => {
    const reference = { namespace: workflow.namespace, name: `applied-${count}` };
    await workflow.cluster.client.create(kinds.bucketRequest, {
      metadata: reference,
      spec: { protocol: "s3" },
    });
    const before = await find(kinds.bucketRequest, reference.name);
    const guard = { kind: kinds.bucketRequest, ...reference, owner, resource: "applied" };
    const { target } = workflow.cluster;
    await assert.rejects(
      new Lifecycle(nameGuard).create({ ...guard, kubernetes: target }),
      /BucketRequest .*\/applied-\d+ exists and was not made by pulumi-cosi; it stays as it is: choose another name/,
    );
    await steps.destroyRequest(await steps.make(`beside-${count}`));
    assert.deepEqual(await find(kinds.bucketRequest, reference.name), before);
    assert.equal(await find(kinds.bucket, `bucket-applied-${count}-${workflow.namespace}`), undefined);
  });

  it("names a class of a provisioner for which no driver is registered", async () => {
    const name = await bucketClass(`far-${count}`, { provisioner: "far/away" });
    const reason = /is for the provisioner "far\/away", for which no driver is registered/;
    await refused(lookedUp({ bucketClassName: name }), reason, "ErrBucketClassNotFound");
  });

  it("names a Bucket that does not exist, and makes none [K07-031]", async () => {
    const named = { bucketInstanceName: "nowhere" };
    await refused(named, /names the Bucket "nowhere".*does not exist, and none is made/, "ErrBucketNotFound");
    assert.equal(await find(kinds.bucket, "nowhere"), undefined);
  });

  it("names a Bucket that goes, or is of another protocol [K07-086] [K07-106]", async () => {
    const name = `going-${count}`;
    await adminBucket(name);
    for (const phase of ["Deleting", "Deleted"]) {
      await workflow.cluster.client.patchStatus(kinds.bucket, { name }, { phase });
      await refused({ bucketInstanceName: name }, /has the phase Delet/, "ErrBucketDeletionInProgress");
      count += 100;
    }
    await adminBucket(`gcs-${count}`, { protocol: { protocolSignature: "gcs", gcs: { bucketName: "x" } } });
    const other = { bucketInstanceName: `gcs-${count}` };
    await refused(other, /asks for protocol "s3", and .* has "gcs"/, "ErrBucketDoesNotSupportProtocol");
    count += 100;
    await adminBucket(`held-${count}`);
    const reference = { name: `held-${count}` };
    await workflow.cluster.client.patch(kinds.bucket, reference, {
      metadata: { finalizers: ["example.com/held"] },
    });
    await workflow.cluster.client.delete(kinds.bucket, reference);
    await refused({ bucketInstanceName: reference.name }, /is being deleted/, "ErrBucketDeletionInProgress");
    await workflow.cluster.client.patch(kinds.bucket, reference, { metadata: { finalizers: [] } });
  });

  it("is in a namespace from which the Bucket may not be bound, by name or by UID [K07-045]", async () => {
    const uid = await workflow.uidOfNamespace(workflow.namespace);
    const cases = [
      [],
      [{ name: workflow.namespace, uid: "of-before" }],
      [{ name: workflow.namespace }],
      [{ name: "elsewhere", uid: "x" }],
      [{ name: "elsewhere", uid }],
    ];
    for (const permittedNamespaces of cases) {
      count += 100;
      const name = `closed-${count}`;
      await adminBucket(name, { permittedNamespaces });
      const before = await find(kinds.bucket, name);
      await refused(
        { bucketInstanceName: name },
        /may not be bound; permittedNamespaces has/,
        "ErrNamespaceNotPermitted",
      );
      assert.deepEqual(await find(kinds.bucket, name), before);
    }
  });

  it("has a class that permits a namespace which does not exist, of which no UID is known [K07-045]", async () => {
    const additionalPermittedNamespaces = [{ name: "default" }, { name: `gone-${workflow.namespace}` }];
    await refused(
      { bucketClass: { additionalPermittedNamespaces } },
      /Namespace gone-.* does not exist, so its UID cannot be permitted/,
      "ErrNamespaceNotPermitted",
    );
  });

  it("has the name of a Bucket that was made for another request, which stays as it is [K07-035]", async () => {
    const { namespace, cluster } = workflow;
    // `a-7` in `shop` and `a` in `7-shop` come to one name.
    const first = await steps.make(`a-${count}`);
    const before = await find(kinds.bucket, first.bucketName);
    await cluster.client.create(namespaceKind, { metadata: { name: `${count}-${namespace}` } });
    workflow.driver.forget();
    const clash = new ProposalSteps(workflow, `${count}-${namespace}`);
    const reason = /exists and was made for .*set bucketInstanceName to .* to share it, or rename/;
    await assert.rejects(clash.make("a"), reason);
    assert.deepEqual(await find(kinds.bucket, first.bucketName), before);
    assert.deepEqual(workflow.driver.rpcs(), []);
    // One that was killed goes on with its own.
    const again = await keep(lifecycles.request, first.binding.inputs);
    assert.equal(again.id, first.bucketName);
    await steps.destroyRequest(first);
  });

  it("binds to an admin's Bucket by name, and changes nothing of it but binding, label, finalizer and phase; it is never deleted [K07-085] [K07-004] [K07-022] [K07-036] [K07-098]", async () => {
    const name = `archive-${count}`;
    await adminBucket(name, { releasePolicy: "Delete" });
    const before = specOf(await find(kinds.bucket, name));
    let joined: RequestSteps | undefined;
    const lines = await printed(async () => {
      joined = await steps.make(`joined-${count}`, { bucketInstanceName: name, bucketPrefix: "ignored-" });
    });
    assert.match(lines.join("\n"), /releasePolicy "Delete".*treated as "Retain"/);
    assert.ok(joined !== undefined);
    assert.deepEqual(workflow.driver.rpcs(), []);
    const access = await steps.grant(`joined-${count}`, joined);
    const bound = await find(kinds.bucket, name);
    const entry = `${accessNameOf(access.request)}:${workflow.namespace}/joined-${count}`;
    assert.deepEqual(specOf(bound), { ...before, bindings: [entry] });
    assert.deepEqual(bound?.metadata.finalizers, ["cosi.io/finalizer"]);
    const { grant } = workflow.driver.requests();
    assert.equal(grant[0]?.bucketName, `${name}-backend`);
    assert.deepEqual(grant[0].providerContext, {
      context: { $case: "s3Context", value: { location: "eu-2" } },
    });
    await steps.destroyAccess(access);
    await steps.destroyRequest(joined);
    const left = await find(kinds.bucket, name);
    assert.deepEqual((left?.["status"] as Properties)["phase"], "Released");
    assert.equal(left?.metadata.finalizers, undefined);
    assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke"]);
  });

  describe("but for one that is made, and has lost its marks", () => {
    const strip = (kind: KubernetesKind, name: string, marks: Record<string, string | null>) =>
      workflow.cluster.client.patch(
        kind,
        { namespace: workflow.namespace, name },
        { metadata: { annotations: marks } },
      );
    const none = { [ownerAnnotation]: null, [stackIdAnnotation]: null };
    const another = { [ownerAnnotation]: "organization/shop/other" };

    it("which is told by its recorded UID, unless another stack has marked it", async () => {
      const name = `stripped-${count}`;
      const made = await steps.make(name);
      const access = await steps.bindAccess(`${name}-rw`, made);
      for (const [kind, of, lifecycle, { outputs, inputs }] of [
        [kinds.bucketRequest, name, lifecycles.request, made.binding],
        [kinds.bucketAccessRequest, `${name}-rw`, lifecycles.accessRequest, access.binding],
      ] as const) {
        await strip(kind, of, none);
        await lifecycle.update(outputs, inputs);
        await strip(kind, of, another);
        await assert.rejects(
          lifecycle.update(outputs, inputs),
          /belongs to the stack organization\/shop\/other/,
        );
      }
    });
  });

  describe("but for a BucketAccess that has lost the mark of its request", () => {
    const unmark = (name: string) =>
      workflow.cluster.client.patch(
        kinds.bucketAccess,
        { name },
        { metadata: { annotations: { [accessRequestAnnotation]: null } } },
      );

    it("which is told by its UID: a refresh shows it, an up gives it back, and it goes without", async () => {
      const made = await steps.make(`unmarked-${count}`);
      const access = await steps.bindAccess(`unmarked-${count}-rw`, made);
      const name = accessNameOf(access.request);
      const before = await find(kinds.bucketAccess, name);
      await unmark(name);
      const seen = await lifecycles.accessRequest.read(access.binding.outputs);
      assert.deepEqual(seen.outputs["drift"], [
        `BucketAccess's annotation ${accessRequestAnnotation} is missing`,
      ]);
      await lifecycles.accessRequest.update(seen.outputs, access.binding.inputs);
      const after = await find(kinds.bucketAccess, name);
      assert.deepEqual(after?.metadata.annotations, before?.metadata.annotations);
      await unmark(name);
      await lifecycles.accessRequest.delete(access.binding.outputs);
      assert.equal(await find(kinds.bucketAccess, name), undefined);
    });
  });

  describe("and one for access", () => {
    let made: RequestSteps;

    before(async () => {
      beginRun();
      made = await steps.make("shared");
    });

    after(async () => {
      await steps.destroyRequest(made);
    });

    async function accessRefused(options: AccessOptions, reason: RegExp): Promise<void> {
      const name = `access-${count}`;
      await assert.rejects(steps.bindAccess(name, made, options), reason);
      assert.equal((await statusOf(kinds.bucketAccessRequest, name))["phase"], "Failed");
      assert.equal((await find(kinds.bucketAccessRequest, name))?.metadata.finalizers, undefined);
      assert.equal(await find(kinds.bucketAccess, `bucketaccess-${name}-${workflow.namespace}`), undefined);
      assert.deepEqual(workflow.driver.rpcs(), []);
    }

    it("is of a class for another protocol or provisioner than its Bucket's [K07-067]", async () => {
      await accessRefused({ accessClass: { protocol: "gcs" } }, /protocol gcs, and Bucket .* has .* and s3/);
      count += 100;
      await accessRefused({ accessClass: { provisioner: "far/away" } }, /of provisioner far\/away and/);
    });

    it("names a class that does not exist [K07-066]", async () => {
      const inputs = { accessClass: undefined, accessClassName: "nowhere" };
      await accessRefused({ inputs }, /names the BucketAccessClass "nowhere", which does not exist/);
    });

    it("names no BucketRequest where there are none or several for the Bucket, and finds the only one [K07-065]", async () => {
      const name = `sole-${count}`;
      await adminBucket(name);
      const inputs = { bucketRequest: undefined };
      const bucket = { ...made, bucketName: name };
      await assert.rejects(
        steps.bindAccess(`none-${count}`, bucket, { inputs }),
        /has no BucketRequest for it/,
      );
      const one = await steps.make(`one-${count}`, { bucketInstanceName: name });
      const found = await steps.bindAccess(`one-${count}`, bucket, { inputs });
      assert.deepEqual(found.binding.outputs["bucketRequest"], {
        namespace: workflow.namespace,
        name: `one-${count}`,
      });
      const two = await steps.make(`two-${count}`, { bucketInstanceName: name });
      const several = new RegExp(`several BucketRequests \\(one-${count}, two-${count}\\)`);
      await assert.rejects(steps.bindAccess(`several-${count}`, bucket, { inputs }), several);
      await lifecycles.accessRequest.delete(found.binding.outputs);
      for (const request of [one, two]) await steps.destroyRequest(request);
    });

    it("is of a namespace whose permission was taken back, however it names its request; what is bound stays [K07-045]", async () => {
      const name = `revoked-${count}`;
      await adminBucket(name);
      const joined = await steps.make(`joined-${count}`, { bucketInstanceName: name });
      const bound = await steps.grant(`bound-${count}`, joined);
      const asked = await steps.bindAccess(`asked-${count}`, joined);
      workflow.driver.forget();
      await workflow.cluster.client.patch(kinds.bucket, { name }, { spec: { permittedNamespaces: [] } });
      for (const [index, inputs] of [{}, { bucketRequest: undefined }].entries()) {
        const late = `late-${index}-${count}`;
        await assert.rejects(steps.bindAccess(late, joined, { inputs }), /may not be bound/);
        assert.equal(await find(kinds.bucketAccess, `bucketaccess-${late}-${workflow.namespace}`), undefined);
      }
      // One that was let in, and waits for its grant.
      await assert.rejects(keep(lifecycles.access, steps.accessInputs(asked)), /may not be bound/);
      assert.deepEqual(workflow.driver.rpcs(), []);
      const { outputs, inputs } = bound.binding;
      await lifecycles.accessRequest.update(outputs, inputs);
      await steps.destroyAccess(bound);
      await lifecycles.accessRequest.delete(asked.binding.outputs);
      await steps.destroyRequest(joined);
    });

    it("has the name of another one's BucketAccess, which stays as it is", async () => {
      const name = `bucketaccess-taken-${count}-${workflow.namespace}`;
      const spec = {
        bucketAccessRequestName: "other",
        bucketAccessRequestNamespace: "elsewhere",
        provisioner: workflow.provisioner,
        accessSecretName: "x",
      };
      await workflow.cluster.client.create(kinds.bucketAccess, { metadata: { name }, spec });
      const before = await find(kinds.bucketAccess, name);
      await assert.rejects(
        steps.bindAccess(`taken-${count}`, made),
        /is that of the BucketAccessRequest elsewhere\/other/,
      );
      assert.deepEqual(await find(kinds.bucketAccess, name), before);
      await workflow.cluster.client.delete(kinds.bucketAccess, { name });
    });

    it("names a Secret that is not its own, which stays as it is [K07-064]", async () => {
      const name = `foreign-${count}`;
      await workflow.cluster.client.create(secretKind, {
        metadata: { namespace: workflow.namespace, name },
        data: { key: "dmFsdWU=" },
      });
      const before = await find(secretKind, name);
      const access = await steps.bindAccess(`secret-${count}`, made, { accessSecretName: name });
      await assert.rejects(
        keep(lifecycles.access, steps.accessInputs(access)),
        /does not belong to BucketAccessRequest/,
      );
      assert.deepEqual(await find(secretKind, name), before);
      assert.deepEqual(workflow.driver.rpcs(), []);
      const own = await steps.grant(`own-${count}`, made);
      assert.ok((await find(secretKind, `own-${count}-creds`)) !== undefined);
      await steps.destroyAccess(own);
    });

    it("names a ServiceAccount that does not exist, and gets no Secret where it does [K07-063]", async () => {
      const access = await steps.bindAccess(`robot-${count}`, made, { serviceAccountName: "robot" });
      const inputs = steps.accessInputs(access);
      await assert.rejects(
        keep(lifecycles.access, inputs),
        /ServiceAccount .*robot does not exist.*serviceAccountName/,
      );
      assert.deepEqual(workflow.driver.rpcs(), []);
      await workflow.cluster.client.create(serviceAccountKind, {
        metadata: { namespace: workflow.namespace, name: "robot" },
      });
      workflow.driver.credentialsFor = () => [];
      const granted = await steps.deliver({ ...access, access: await keep(lifecycles.access, inputs) });
      assert.equal(
        workflow.driver.requests().grant[0]?.permissions.get("cosi.io/service-account"),
        `${workflow.namespace}/robot`,
      );
      const secrets = await workflow.cluster.client.list(secretKind, { namespace: workflow.namespace });
      assert.deepEqual(
        secrets.filter(({ metadata }) => metadata.name.startsWith("robot")),
        [],
      );
      await steps.destroyAccess(granted);
    });

    it("is of a provisioner whose namespace does not exist, which is not made [K07-072]", async () => {
      const provisioner = `nowhere-${count}/rgw.example.com`;
      await adminBucket(`far-${count}`, { provisioner });
      const joined = await steps.make(`far-${count}`, {
        bucketInstanceName: `far-${count}`,
        inputs: { provisioner },
      });
      const options = { accessClass: { provisioner }, inputs: { provisioner } };
      const access = await steps.bindAccess(`far-${count}`, joined, options);
      await assert.rejects(
        keep(lifecycles.access, steps.accessInputs(access)),
        /Namespace nowhere-\d+ does not exist, but is that of the provisioner/,
      );
      assert.equal(await find(namespaceKind, `nowhere-${count}`), undefined);
      assert.deepEqual(workflow.driver.rpcs(), []);
      assert.equal(
        specOf(await find(kinds.bucketAccess, accessNameOf(access.request)))["accessSecretName"],
        accessNameOf(access.request),
      );
    });
  });
});
