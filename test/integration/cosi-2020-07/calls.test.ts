import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  CreateBucketRequest,
  DeleteBucketRequest,
  GrantBucketAccessRequest,
  RevokeBucketAccessRequest,
} from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { accessNameOf } from "../../../provider/models/cosi-2020-07/names";
import {
  keep,
  lifecycles,
  ProposalSteps,
  specOf,
  type AccessSteps,
  type RequestOptions,
  type RequestSteps,
} from "../../support/cosi-2020-07/proposal-steps";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { controllerReference } from "../../support/cosi-2020-07";
import { keysOf, StoringController } from "../../support/cosi-2020-07/storing-controller";
import { failedResource, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { TcpFront } from "../../support/tcp-front";
import { kinds } from "../kubernetes/cosi-2020-07/july";

describe("what a driver is sent for requests, and what its answers do (COSI proposal of 2020-07-08)", function () {
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

  const find = (kind: KubernetesKind, name: string, namespace?: string) =>
    workflow.cluster.client.get(kind, { name, namespace });
  const statusOf = async (kind: KubernetesKind, name: string, namespace?: string): Promise<Properties> =>
    ((await find(kind, name, namespace))?.["status"] ?? {}) as Properties;

  async function secret(
    name: string,
    data: Record<string, string>,
    namespace = workflow.namespace,
  ): Promise<void> {
    const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
    await workflow.cluster.client.create(secretKind, {
      metadata: { namespace, name },
      data: Object.fromEntries(encoded) as Record<string, string>,
    });
  }

  /** Everything of a bucket with one access, and its end. @returns `secrets` of all calls, by RPC. */
  async function secretsOf(
    options: RequestOptions,
    accessParameters: Record<string, string> = {},
  ): Promise<Record<string, Record<string, string>>> {
    const made = await steps.make(`keys-${count}`, options);
    const access = await steps.grant(`keys-${count}`, made, {
      accessClass: { parameters: accessParameters },
    });
    await steps.destroyAccess(access);
    await steps.destroyRequest(made);
    const requests = workflow.driver.requests();
    return Object.fromEntries(
      Object.entries(requests).map(([rpc, sent]) => [rpc, Object.fromEntries(sent[0]?.secrets ?? [])]),
    );
  }

  const named = (name: string, namespace = workflow.namespace): Record<string, string> => ({
    "cosi.io/provisioner-secret-name": name,
    "cosi.io/provisioner-secret-namespace": namespace,
  });

  describe("with keys of its store", () => {
    it("gets none where the program names none [K07-115]", async () => {
      assert.deepEqual(await secretsOf({}), { create: {}, delete: {}, grant: {}, revoke: {} });
    });

    it("gets those of the class in all calls, and no key that steers the orchestrator [K07-116]", async () => {
      const keys = { AccessKeyId: "AKADMIN", SecretKey: "admin-s3cr3t", UserName: "root" };
      await secret(`class-${count}`, keys);
      const parameters = { tier: "gold", ...named(`class-${count}`) };
      assert.deepEqual(await secretsOf({ bucketClass: { parameters } }), {
        create: keys,
        delete: keys,
        grant: keys,
        revoke: keys,
      });
      const { create, grant } = workflow.driver.requests();
      assert.deepEqual([...(create[0]?.driverParameters ?? [])], [["tier", "gold"]]);
      assert.ok(![...(grant[0]?.permissions.keys() ?? [])].some((key) => key.includes("provisioner-secret")));
    });

    it("gets those of the access's class for its own calls, else the bucket's, else the request's for the bucket's [K07-118] [K07-029]", async () => {
      for (const name of ["of-class", "of-access", "of-request"])
        await secret(`${name}-${count}`, { who: name });
      const who = (name: string) => ({ who: name });
      const parameters = named(`of-class-${count}`);
      const secretName = `of-request-${count}`;
      const all = { bucketClass: { parameters }, secretName };
      assert.deepEqual(await secretsOf(all, named(`of-access-${count}`)), {
        create: who("of-class"),
        delete: who("of-class"),
        grant: who("of-access"),
        revoke: who("of-access"),
      });
      count += 100;
      workflow.driver.forget();
      assert.deepEqual(await secretsOf({ secretName }), {
        create: who("of-request"),
        delete: who("of-request"),
        grant: {},
        revoke: {},
      });
      const kept = await find(secretKind, secretName, workflow.namespace);
      assert.equal(kept?.metadata.finalizers ?? kept?.metadata.ownerReferences, undefined);
      assert.deepEqual(kept?.["data"], { who: Buffer.from("of-request").toString("base64") });
      count += 100;
      workflow.driver.forget();
      await assert.rejects(
        steps.make(`keys-${count}`, { secretName: "nowhere" }),
        /Secret .*nowhere does not exist/,
      );
      assert.deepEqual(workflow.driver.rpcs(), []);
    });

    it("gets those that the names of Bucket and request lead to [K07-117]", async () => {
      await secret(`for-bucket-keys-${count}-${workflow.namespace}`, { per: "operation-s3cr3t" });
      const parameters = named("for-${bucket.name}", "${bucket.namespace}");
      const { create, delete: deleted } = await secretsOf({ bucketClass: { parameters } });
      assert.deepEqual([create, deleted], [{ per: "operation-s3cr3t" }, { per: "operation-s3cr3t" }]);
      count += 100;
      workflow.driver.forget();
      const other = { parameters: named("${pod.name}") };
      await assert.rejects(steps.make(`keys-${count}`, { bucketClass: other }), /\$\{pod\.name\}/);
      assert.deepEqual(workflow.driver.rpcs(), []);
    });

    it("is sent nothing where one key is missing, no Secret is there, or a value is no text [K07-119]", async () => {
      const { client } = workflow.cluster;
      const metadata = { namespace: workflow.namespace, name: `binary-${count}` };
      await client.create(secretKind, {
        metadata,
        data: { key: Buffer.from([0xff, 0xfe]).toString("base64") },
      });
      const cases: [Record<string, string>, RegExp][] = [
        [{ "cosi.io/provisioner-secret-name": "x" }, /provisioner-secret-namespace/],
        [{ "cosi.io/provisioner-secret-namespace": "x" }, /provisioner-secret-name/],
        [named("nowhere"), /nowhere/],
        [named(`binary-${count}`), /UTF-8/],
      ];
      for (const [parameters, reason] of cases) {
        count += 100;
        await assert.rejects(steps.make(`keys-${count}`, { bucketClass: { parameters } }), reason);
      }
      assert.deepEqual(workflow.driver.rpcs(), []);
    });

    it("gets what the Secret has when the call is made, and the state has none of it", async () => {
      await secret(`turning-${count}`, { key: "before-s3cr3t" });
      const parameters = named(`turning-${count}`);
      const made = await steps.make(`turning-${count}`, { bucketClass: { parameters } });
      const data = { key: Buffer.from("after-s3cr3t").toString("base64") };
      await workflow.cluster.client.patch(
        secretKind,
        { namespace: workflow.namespace, name: `turning-${count}` },
        { data },
      );
      const access = await steps.grant(`turning-${count}`, made);
      const { create, grant } = workflow.driver.requests();
      assert.deepEqual(
        [create[0]?.secrets.get("key"), grant[0]?.secrets.get("key")],
        ["before-s3cr3t", "after-s3cr3t"],
      );
      const states = JSON.stringify([
        made.bucket?.outputs,
        made.binding.outputs,
        access.access.outputs,
        access.bound.outputs,
      ]);
      assert.doesNotMatch(states, /before-s3cr3t|after-s3cr3t/);
      await steps.destroyAccess(access);
      await steps.destroyRequest(made);
    });
  });

  describe("with the context of a bucket", () => {
    const told: [
      "s3" | "gcs" | "azureBlob",
      RequestOptions,
      ReturnType<ProposalWorkflow["driver"]["contextOf"]>,
      Properties,
    ][] = [
      ["s3", {}, { context: { $case: "s3Context", value: { location: "eu-9" } } }, { region: "eu-9" }],
      [
        "gcs",
        { bucketClass: { protocol: "gcs" }, inputs: { protocol: "gcs" } },
        { context: { $case: "gcsContext", value: { location: "eu", project: "p-1" } } },
        { projectId: "p-1" },
      ],
      [
        "azureBlob",
        {
          bucketClass: { protocol: "azureBlob", parameters: { storageAccount: "acc" } },
          inputs: { protocol: "azureBlob" },
        },
        { context: { $case: "azureContext", value: {} } },
        { storageAccount: "acc" },
      ],
      [
        "s3",
        {},
        {
          context: {
            $case: "genericContext",
            value: {
              bucketData: new Map(
                Object.entries({ endpoint: "https://s3.example.com", signatureVersion: "V2", zone: "a" }),
              ),
            },
          },
        },
        { endpoint: "https://s3.example.com", signatureVersion: "V2" },
      ],
    ];
    for (const [protocol, options, context, fields] of told) {
      it(`of ${context?.context?.$case ?? "none"} writes the Bucket's ${protocol}, and sends it back in every call, another stack's too [K07-020] [K07-048] [K07-049]`, async () => {
        workflow.driver.contextOf = () => context;
        workflow.driver.bucketNameOf = (name) => `${name}-real`;
        const guests = new ProposalSteps(workflow, workflow.namespace, "guest");
        const made = await steps.make(`context-${count}`, options);
        const bucket = specOf(await find(kinds.bucket, made.bucketName));
        const nameField = protocol === "azureBlob" ? "containerName" : "bucketName";
        const real = `${made.request.uid}-real`;
        assert.deepEqual(bucket["protocol"], {
          protocolSignature: protocol,
          [protocol]: { [nameField]: real, ...fields },
        });
        const accessClass = { protocol: options.bucketClass?.protocol ?? ("s3" as const) };
        const inputs = { protocol };
        const own = await steps.grant(`own-${count}`, made, { accessClass });
        const object = await workflow.cluster.client.get(kinds.bucket, { name: made.bucketName });
        assert.ok(object !== undefined);
        const joined = await guests.make(`guest-${count}`, { bucketInstanceName: made.bucketName, inputs });
        const guest = await guests.grant(`guest-${count}`, joined, { accessClass });
        await guests.destroyAccess(guest);
        await guests.destroyRequest(joined);
        await steps.destroyAccess(own);
        await steps.destroyRequest(made);
        const { create, grant, revoke, delete: deletes } = workflow.driver.requests();
        const later = [...grant, ...revoke, ...deletes];
        assert.equal(later.length, 5);
        for (const { bucketName, providerContext } of later) {
          assert.deepEqual([bucketName, providerContext], [real, context]);
        }
        const number = { azureBlob: 1, gcs: 2, s3: 3 }[protocol];
        for (const { requestProtocol } of [...create, ...later]) assert.equal(requestProtocol, number);
        workflow.driver.contextOf = (request) => request.providerContext;
        workflow.driver.bucketNameOf = (name) => name;
      });
    }
  });

  it("is sent the anonymous access mode at the create, each by its number [K07-041]", async () => {
    for (const anonymousAccessMode of ["private", "ro", "wo", "rw"] as const) {
      count += 100;
      const made = await steps.make(`mode-${count}`, { bucketClass: { anonymousAccessMode } });
      await steps.destroyRequest(made);
    }
    assert.deepEqual(
      workflow.driver.requests().create.map(({ accessMode }) => accessMode),
      [0, 1, 2, 3],
    );
  });

  it("gets the fields of the contract and who owns what it makes, and nothing of the cluster [K07-006]", async () => {
    const made = await steps.make(`plain-${count}`);
    const access = await steps.grant(`plain-${count}`, made);
    await steps.destroyAccess(access);
    await steps.destroyRequest(made);
    for (const { metadata } of workflow.driver.fake.calls) {
      const keys = Object.keys(metadata).filter((key) => !["user-agent", "pulumi-cosi-owner"].includes(key));
      assert.deepEqual(keys, []);
    }
    const { create, grant, revoke, delete: deletes } = workflow.driver.requests();
    const again = [
      ...create.map((request) => CreateBucketRequest.encode(request).finish()),
      ...grant.map((request) => GrantBucketAccessRequest.encode(request).finish()),
      ...revoke.map((request) => RevokeBucketAccessRequest.encode(request).finish()),
      ...deletes.map((request) => DeleteBucketRequest.encode(request).finish()),
    ].map((bytes) => bytes.length);
    // Nothing is lost in decoding: there is no field beside those of the contract.
    assert.deepEqual(
      again,
      workflow.driver.fake.calls.map(({ body }) => body.length),
    );
  });

  it("is the one of the Bucket's provisioner, over a socket or over TCP, also when nothing else names it [K07-005]", async () => {
    const other = await new StoringController().start();
    const front = await new TcpFront(other.fake.socket).start();
    try {
      const provisioner = workflow.provisioner.replace("rgw", "azure");
      const made = await steps.make(`socket-${count}`);
      const bound = await steps.bindRequest(`tcp-${count}`, {
        bucketClass: { provisioner },
        inputs: { provisioner },
      });
      const driver = controllerReference(`127.0.0.1:${front.port}`, { driverName: provisioner });
      const bucket = await keep(lifecycles.bucket, { ...steps.bucketInputs(bound), driver });
      await steps.destroyRequest({ ...bound, bucket });
      await steps.destroyRequest(made);
      const names = (driver: StoringController) =>
        driver.requests().create.map(({ bucketName }) => bucketName);
      assert.deepEqual(names(workflow.driver), [made.request.uid]);
      assert.deepEqual(names(other), [bound.request.uid]);
      assert.deepEqual(
        [workflow.driver.rpcs(), other.rpcs()],
        [
          ["create", "delete"],
          ["create", "delete"],
        ],
      );
    } finally {
      await closeConnections();
      front.stop();
      other.fake.stop();
    }
  });

  describe("and answers", () => {
    let made: RequestSteps;

    before(async () => {
      beginRun();
      made = await steps.make("answers");
    });

    afterEach(() => {
      workflow.driver.credentialsFor = (access) => [keysOf(access)];
    });

    after(async () => {
      await steps.destroyRequest(made);
    });

    it("no to a create for good: the Bucket says why, and the next run goes on under the same name [K07-111]", async () => {
      workflow.driver.refuse("create", { code: status.INVALID_ARGUMENT, message: "no such tier" });
      const bound = await steps.bindRequest(`refused-${count}`);
      const inputs = steps.bucketInputs(bound);
      await assert.rejects(lifecycles.bucket.create(inputs), /no such tier/);
      const { phase, message } = await statusOf(kinds.bucket, bound.bucketName);
      assert.equal(phase, "Creating");
      assert.match(String(message), /no such tier/);
      beginRun();
      const bucket = await keep(lifecycles.bucket, inputs);
      const [first, second] = workflow.driver.requests().create;
      assert.deepEqual(second, first);
      await steps.destroyRequest({ ...bound, bucket });
    });

    it("nothing to a create: a destroy learns the name and deletes, or keeps and names it [K07-104]", async () => {
      const unknown = { code: status.UNKNOWN, message: "no idea" };
      for (const releasePolicy of ["Delete", "Retain"] as const) {
        count += 100;
        workflow.driver.forget();
        const bound = await steps.bindRequest(`lost-${count}`, { bucketClass: { releasePolicy } });
        const stop = workflow.driver.on("done", () => Promise.resolve(unknown));
        const { properties } = await failedResource(lifecycles.bucket.create(steps.bucketInputs(bound)));
        stop();
        beginRun();
        const lines = await printed(async () => {
          await steps.destroyRequest({ ...bound, bucket: { id: "", inputs: {}, outputs: properties } });
        });
        const rpcs = [
          "create",
          "create",
          "create",
          ...(releasePolicy === "Delete" ? ["create", "delete"] : []),
        ];
        assert.deepEqual(workflow.driver.rpcs(), rpcs);
        if (releasePolicy === "Retain")
          assert.match(lines.join("\n"), new RegExp(`${bound.request.uid}.*look for it`));
      }
    });

    it("ALREADY_EXISTS to a create: ours only where an earlier one may have come through [K07-136]", async () => {
      const exists = { code: status.ALREADY_EXISTS, message: "CREATE_ALREADY_EXISTS" };
      const bound = await steps.bindRequest(`exists-${count}`);
      const inputs = steps.bucketInputs(bound);
      workflow.driver.refuse("create", exists);
      await assert.rejects(lifecycles.bucket.create(inputs), /CREATE_ALREADY_EXISTS/);
      assert.equal((await statusOf(kinds.bucket, bound.bucketName))["phase"], "Creating");
      // A run that is killed after its call leaves the mark.
      beginRun();
      const stop = workflow.driver.on("done", () =>
        Promise.resolve({ code: status.UNKNOWN, message: "cut" }),
      );
      await failedResource(lifecycles.bucket.create(inputs));
      stop();
      beginRun();
      workflow.driver.refuse("create", exists);
      const bucket = await keep(lifecycles.bucket, inputs);
      assert.equal(bucket.outputs["bucketId"], bound.request.uid);
      await steps.destroyRequest({ ...bound, bucket });
    });

    it("a failure twice to a grant: the BucketAccess says Retrying, then Bound; always: Failed [K07-110]", async () => {
      const busy = { code: status.INTERNAL, message: "GRANT_INTERNAL_ERROR" };
      workflow.driver.refuse("grant", busy, busy);
      await workflow.timeline.restart();
      const access = await steps.grant(`retried-${count}`, made);
      const phases = (await workflow.timeline.texts())
        .filter((text) => text.startsWith("BucketAccess ") && text.includes(" status "))
        .map((text) => /"phase":"(\w+)"/.exec(text)?.[1]);
      assert.equal(phases[0], "Retrying");
      assert.equal(phases.at(-1), "Bound");
      await steps.destroyAccess(access);

      const failing = await steps.bindAccess(`failing-${count}`, made);
      workflow.driver.refuse("grant", busy, busy, busy);
      const { properties } = await failedResource(lifecycles.access.create(steps.accessInputs(failing)));
      const { phase, message } = await statusOf(kinds.bucketAccess, accessNameOf(failing.request));
      assert.equal(phase, "Failed");
      assert.match(String(message), /GRANT_INTERNAL_ERROR/);
      assert.equal(
        (await statusOf(kinds.bucketAccessRequest, failing.request.name, workflow.namespace))["phase"],
        "Failed",
      );
      beginRun();
      await lifecycles.access.delete(properties);
      await lifecycles.accessRequest.delete(failing.binding.outputs);
    });

    it("a final no to a grant: no Secret, no binding, nothing in the state [K07-138]", async () => {
      const names = [
        "GRANT_BUCKET_DOESNOT_EXIST",
        "GRANT_INVALID_CREDENTIALS",
        "GRANT_INVALID_ARGUMENT",
        "GRANT_INVALID_PRINCIPAL",
      ];
      for (const message of names) {
        count += 100;
        workflow.driver.forget();
        workflow.driver.refuse("grant", { code: status.UNKNOWN, message });
        const access = await steps.bindAccess(`no-${count}`, made);
        await assert.rejects(lifecycles.access.create(steps.accessInputs(access)), new RegExp(message));
        assert.deepEqual(workflow.driver.rpcs(), ["grant"]);
        assert.equal(await find(secretKind, `no-${count}-creds`, workflow.namespace), undefined);
        assert.deepEqual(specOf(await find(kinds.bucket, made.bucketName))["bindings"] ?? [], []);
        const object = await find(kinds.bucketAccess, accessNameOf(access.request));
        assert.equal(object?.metadata.finalizers, undefined);
        await lifecycles.accessRequest.delete(access.binding.outputs);
      }
    });

    it("no credentials where a Secret waits for them: revoked at once, or kept until that can be done [K07-131]", async () => {
      workflow.driver.credentialsFor = () => [];
      const access = await steps.bindAccess(`empty-${count}`, made);
      const inputs = steps.accessInputs(access);
      await assert.rejects(lifecycles.access.create(inputs), /issued no credentials.*revoked/s);
      assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke"]);
      assert.equal((await statusOf(kinds.bucketAccess, accessNameOf(access.request)))["phase"], "Failed");
      workflow.driver.refuse("revoke", { code: status.PERMISSION_DENIED, message: "not now" });
      beginRun();
      const { properties } = await failedResource(lifecycles.access.create(inputs));
      workflow.driver.forget();
      beginRun();
      await lifecycles.access.delete(properties);
      assert.deepEqual(workflow.driver.rpcs(), ["revoke"]);
      await lifecycles.accessRequest.delete(access.binding.outputs);
    });

    it("no to a delete, of a bucket that is not empty: asked once, and the bucket stays in the state [K07-101]", async () => {
      const full = await steps.make(`full-${count}`);
      beginRun();
      workflow.driver.forget();
      workflow.driver.refuse("delete", { code: status.FAILED_PRECONDITION, message: "not empty" });
      await assert.rejects(lifecycles.bucket.delete(full.bucket?.outputs ?? {}), /not empty/);
      assert.deepEqual(workflow.driver.rpcs(), ["delete"]);
      // An `up` after it finds a Bucket that can be bound.
      assert.equal((await statusOf(kinds.bucket, full.bucketName))["phase"], "Creating");
      await steps.destroyRequest(full);
      assert.deepEqual(workflow.driver.rpcs(), ["delete", "delete"]);
    });

    it("nothing that tells whether the bucket is gone: nobody gets access to it, and a destroy goes on", async () => {
      const lost = await steps.make(`gone-${count}`);
      const stop = workflow.driver.on("done", ({ rpc }) =>
        Promise.resolve(rpc === "delete" ? { code: status.UNKNOWN, message: "cut" } : undefined),
      );
      beginRun();
      await assert.rejects(lifecycles.bucket.delete(lost.bucket?.outputs ?? {}), /cut/);
      stop();
      assert.equal((await statusOf(kinds.bucket, lost.bucketName))["phase"], "Deleting");
      await assert.rejects(steps.bindAccess(`gone-${count}`, lost), /has the phase Deleting/);
      await steps.destroyRequest(lost);
      assert.equal(await find(kinds.bucket, lost.bucketName), undefined);
    });

    it("that a delete is under way: waited for, as long as deleteTimeoutSeconds says [K07-102]", async () => {
      const going = { code: status.ABORTED, message: "DELETE_DELETE_INPROGRESS" };
      const slow = await steps.make(`slow-${count}`);
      workflow.driver.forget();
      workflow.driver.refuse("delete", going, going, going);
      await steps.destroyRequest(slow);
      assert.deepEqual(workflow.driver.rpcs(), ["delete", "delete", "delete", "delete"]);
      const never = await steps.bindRequest(`never-${count}`);
      const inputs = { ...steps.bucketInputs(never), deleteTimeoutSeconds: 0.3 };
      const bucket = await keep(lifecycles.bucket, inputs);
      const stop = workflow.driver.on("received", ({ rpc }) =>
        Promise.resolve(rpc === "delete" ? going : undefined),
      );
      beginRun();
      await assert.rejects(lifecycles.bucket.delete(bucket.outputs), /DELETE_DELETE_INPROGRESS/);
      stop();
      await steps.destroyRequest({ ...never, bucket });
    });

    it("several credentials: one revoke each, and those done are noted and not sent again [K07-132]", async () => {
      workflow.driver.credentialsFor = (access) => [
        keysOf(`${access}-1`),
        keysOf(`${access}-2`),
        keysOf(`${access}-3`),
      ];
      const access: AccessSteps = await steps.grant(`several-${count}`, made);
      await steps.withdraw(access);
      workflow.driver.forget();
      const refusal = { code: status.PERMISSION_DENIED, message: "not that one" };
      let calls = 0;
      const stop = workflow.driver.on("received", ({ rpc }) => {
        if (rpc === "revoke") calls += 1;
        return Promise.resolve(calls === 2 ? refusal : undefined);
      });
      await assert.rejects(lifecycles.access.delete(access.access.outputs), /not that one.*1 are revoked/s);
      stop();
      beginRun();
      workflow.driver.forget();
      await lifecycles.access.delete(access.access.outputs);
      const keys = workflow.driver
        .requests()
        .revoke.map(({ serviceAccount }) => serviceAccount?.credentials)
        .map((sent) =>
          sent?.$case === "genericCredentials" ? sent.value.credentials.get("accessKeyID") : undefined,
        );
      const name = accessNameOf(access.request);
      assert.deepEqual(keys, [`AK-${name}-2`, `AK-${name}-3`]);
      await lifecycles.accessRequest.delete(access.binding.outputs);
    });

    it("an error to a revoke: final, and the BucketAccess stays; gone by its name counts as done [K07-139]", async () => {
      const names = ["REVOKE_INVALID_CREDENTIALS", "REVOKE_INVALID_ARGUMENT", "REVOKE_INVALID_PRINCIPAL"];
      const access = await steps.grant(`revoked-${count}`, made);
      await steps.withdraw(access);
      const cases = [
        ...names.map((message) => ({ code: status.UNKNOWN, message })),
        { code: status.NOT_FOUND, message: "what?" },
      ];
      for (const answer of cases) {
        workflow.driver.forget();
        beginRun();
        workflow.driver.refuse("revoke", answer);
        await assert.rejects(
          lifecycles.access.delete(access.access.outputs),
          new RegExp(answer.message.replace("?", "\\?")),
        );
        assert.deepEqual(workflow.driver.rpcs(), ["revoke"]);
        assert.ok((await find(kinds.bucketAccess, accessNameOf(access.request))) !== undefined);
      }
      beginRun();
      const internal = { code: status.INTERNAL, message: "REVOKE_INTERNAL_ERROR" };
      workflow.driver.forget();
      workflow.driver.refuse("revoke", internal, internal, {
        code: status.UNKNOWN,
        message: "REVOKE_BUCKET_DOESNOT_EXIST",
      });
      const lines = await printed(() => lifecycles.access.delete(access.access.outputs));
      assert.deepEqual(workflow.driver.rpcs(), ["revoke", "revoke", "revoke"]);
      assert.match(lines.join("\n"), /so it grants nothing any more/);
      await lifecycles.accessRequest.delete(access.binding.outputs);

      const switched = await steps.grant(`switched-${count}`, made);
      await steps.withdraw(switched);
      workflow.driver.refuse("revoke", { code: status.NOT_FOUND, message: "what?" });
      await lifecycles.access.delete({ ...switched.access.outputs, revokeNotFound: "ignore" });
      await lifecycles.accessRequest.delete(switched.binding.outputs);
    });
  });
});
