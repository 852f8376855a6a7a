import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { specOf } from "../../support/cosi-2020-07/proposal-steps";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { errors } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { removeByHand } from "../../support/workflows/by-hand";
import { kinds } from "../kubernetes/cosi-2020-07/july";

const podKind: KubernetesKind = { apiVersion: "v1", kind: "Pod", plural: "pods" };
const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

interface Choice {
  readonly secret: string;
  readonly gold: string;
  readonly keys: string;
  readonly prefix: string;
  readonly protectData: boolean;
}

const first: Choice = {
  secret: "photos-creds",
  gold: 'releasePolicy: "Delete", parameters: { tier: "one" }',
  keys: 'policyActions: { allow: ["read"] }',
  prefix: "photos-",
  protectData: true,
};

describe("a program of the COSI proposal of 2020-07-08, by the real CLI, against an API server alone", function () {
  this.timeout(600_000);
  let workflow: ProposalWorkflow;
  let stack: Stack;
  let firstPreview: string;
  /** What was there after the first `up`. */
  let secretUid: string | undefined;
  let bucketId: string;
  let granted: ReadonlyMap<string, string> | undefined;

  const program = ({ secret, gold, keys, prefix, protectData }: Choice): string =>
    `${workflow.programHead(gold, keys)}
import * as k8s from "@pulumi/kubernetes";
const photos = new july.BucketRequest("photos", {
  namespace, protocol: "s3", bucketClass: gold, bucketPrefix: ${JSON.stringify(prefix)}, protectData: ${String(protectData)},
});
const web = new july.BucketAccessRequest("web", {
  namespace, bucketRequest: photos, bucketAccessClass: keys, accessSecretName: ${JSON.stringify(secret)}, connectionKeys: true,
});
const archive = new july.BucketClass("archive", { driver, name: "archive-" + namespace, protocol: "s3" });
new july.BucketRequest("kept", {
  namespace, protocol: "s3", bucketClass: archive, bucketPrefix: process.env["JULY_RETAINED"] ?? "kept-",
});
new k8s.core.v1.Pod("web", {
  metadata: { namespace, name: "web", annotations: {
    "pulumi.com/skipAwait": "true", "pulumi.com/deletionPropagationPolicy": "background",
  } },
  spec: { terminationGracePeriodSeconds: 0, automountServiceAccountToken: false, containers: [{ name: "web", image: "web" }],
    volumes: [{ name: "keys", secret: { secretName: web.secretName } }] },
});
export const bucketId = photos.bucketId;
export const secretName = web.secretName;
`;

  const find = (kind: KubernetesKind, name: string): Promise<KubernetesObject | undefined> => {
    const clusterWide = kind === kinds.bucket || kind === kinds.bucketAccess;
    return workflow.cluster.client.get(
      kind,
      clusterWide ? { name } : { name, namespace: workflow.namespace },
    );
  };
  const phaseOf = async (kind: KubernetesKind, name: string): Promise<unknown> =>
    ((await find(kind, name))?.["status"] as { phase?: string } | undefined)?.phase;
  const bucketName = (): string => `bucket-photos-${workflow.namespace}`;
  const accessName = (): string => `bucketaccess-web-${workflow.namespace}`;
  const written = (): Promise<(KubernetesObject | undefined)[]> =>
    Promise.all([
      find(kinds.bucketRequest, "photos"),
      find(kinds.bucketAccessRequest, "web"),
      find(kinds.bucket, bucketName()),
      find(kinds.bucketAccess, accessName()),
      find(secretKind, first.secret),
    ]);

  before(async () => {
    workflow = await ProposalWorkflow.start();
    const account = { apiVersion: "v1", kind: "ServiceAccount", plural: "serviceaccounts" };
    const metadata = { namespace: workflow.namespace, name: "default" };
    await workflow.cluster.client.create(account, { metadata });
    stack = await workflow.stack(program(first));
    ({ text: firstPreview } = await stack.run(["preview", "--diff"]));
    assert.deepEqual(workflow.driver.rpcs(), []);
    await stack.succeed(up);
    [granted] = workflow.driver.requests().grant.map(({ permissions }) => permissions);
    secretUid = (await find(secretKind, first.secret))?.metadata.uid;
    ({ bucketId } = (await stack.outputs()) as { bucketId: string });
  });

  after(() => workflow.stop());

  it("shows no made-up name in its first preview", () => {
    assert.match(firstPreview, /cosi:cosi20200708:BucketRequest/);
    assert.doesNotMatch(firstPreview, /photos-[0-9a-f]{8}-/);
  });

  it("comes up in one go, with Bucket and BucketAccess as children of their requests [K07-003] [K07-001] [K07-010]", async () => {
    assert.deepEqual(workflow.driver.rpcs().sort(), ["create", "create", "grant"]);
    const { resources } = await stack.state();
    const childrenOf = (parent: string): string[] =>
      resources
        .filter((resource) => resource.parent?.endsWith(parent) === true)
        .map(({ type }) => type.replace(/^.*:/, ""))
        .sort();
    assert.deepEqual(childrenOf("cosi20200708:BucketRequest::photos"), [
      "Bucket",
      "BucketRequest",
      "NameGuard",
      "RequestBinding",
    ]);
    assert.deepEqual(childrenOf("cosi20200708:BucketAccessRequest::web"), [
      "AccessRequestBinding",
      "BucketAccess",
      "BucketAccessRequest",
      "BucketBinding",
      "NameGuard",
      "Secret",
      "Secret",
    ]);
    const { client } = workflow.cluster;
    const own = (objects: readonly KubernetesObject[]) =>
      objects.filter(({ metadata }) => metadata.name.endsWith(workflow.namespace)).length;
    assert.equal(own(await client.list(kinds.bucket)), 2);
    assert.equal(own(await client.list(kinds.bucketAccess)), 1);
  });

  it("fills in what a program leaves out: Retain, private, its own namespace, no prefix, no parameters [K07-112] [K07-054]", async () => {
    const { client } = workflow.cluster;
    const { namespace, provisioner } = workflow;
    const bucketClass = await client.get(kinds.bucketClass, { name: `archive-${namespace}` });
    const named = { apiVersion: "cosi.io/v1alpha1", kind: "BucketClass", metadata: null };
    assert.deepEqual(
      { ...bucketClass, metadata: null },
      {
        ...named,
        provisioner,
        protocol: "s3",
        releasePolicy: "Retain",
        isDefaultBucketClass: false,
        anonymousAccessMode: "private",
      },
    );
    const { protocol, ...spec } = specOf(await find(kinds.bucket, `bucket-kept-${namespace}`));
    assert.ok(protocol !== undefined);
    assert.deepEqual(spec, {
      provisioner,
      bucketClassName: `archive-${namespace}`,
      releasePolicy: "Retain",
      anonymousAccessMode: "private",
      permittedNamespaces: [{ name: namespace, uid: await workflow.uidOfNamespace(namespace) }],
      parameters: {},
    });
  });

  it("has the same credentials in both Secrets, each of its owner, and how to reach the bucket in the workload's [K07-073] [K07-074] [K07-075]", async () => {
    const [provisionerNamespace = ""] = workflow.provisioner.split("/");
    const source = await workflow.cluster.client.get(secretKind, {
      namespace: provisionerNamespace,
      name: accessName(),
    });
    const copy = await find(secretKind, first.secret);
    const decode = (object: KubernetesObject | undefined): Record<string, string> =>
      Object.fromEntries(
        Object.entries((object?.["data"] ?? {}) as Record<string, string>).map(([key, value]) => [
          key,
          Buffer.from(value, "base64").toString(),
        ]),
      );
    const keys = {
      accessKeyID: `AK-${accessName()}`,
      accessSecretKey: `s3cr3t/of+${accessName()}`,
      endpoint: "http://127.0.0.1:9",
      region: "eu-1",
    };
    assert.deepEqual(decode(source), keys);
    assert.deepEqual(decode(copy), { ...keys, protocol: "s3", bucketName: bucketId });
    assert.equal(copy?.["type"], "Opaque");
    const owners = async (kind: KubernetesKind, name: string) => {
      const { uid } = (await find(kind, name))?.metadata ?? {};
      return [{ apiVersion: "cosi.io/v1alpha1", kind: kind.kind, name, uid, controller: true }];
    };
    assert.deepEqual(source?.metadata.ownerReferences, await owners(kinds.bucketAccess, accessName()));
    assert.deepEqual(copy.metadata.ownerReferences, await owners(kinds.bucketAccessRequest, "web"));
  });

  it("has an empty second up and preview, also after a refresh, without a call or a write [K07-142] [K07-030] [K07-056]", async () => {
    const before = await written();
    workflow.driver.forget();
    for (const args of [
      [...up, "--expect-no-changes"],
      ["preview", "--expect-no-changes"],
      ["preview", "--refresh", "--expect-no-changes"],
    ]) {
      const { code, text } = await stack.run(args);
      assert.equal(code, 0, text);
      assert.doesNotMatch(text, /warning: /);
    }
    assert.match(
      firstPreview,
      /warning: BucketClass gold-.*: releasePolicy is "Delete": .* destroyed with its content/,
    );
    assert.deepEqual(await written(), before);
    assert.deepEqual(workflow.driver.rpcs(), []);
    assert.equal(specOf(before[0])["bucketInstanceName"], bucketName());
  });

  it("shows of edited classes the classes only, and replaces them by what is fixed in them [K07-059] [K07-050]", async () => {
    const spec = specOf(await find(kinds.bucket, bucketName()));
    const gold = 'releasePolicy: "Retain", anonymousAccessMode: "ro", parameters: { tier: "one" }';
    stack.write(program({ ...first, gold }));
    const steps = await stack.plannedSteps();
    const changed = steps.filter(({ op }) => op !== "same");
    assert.deepEqual(
      changed.map(({ op, urn }) => [op, urn.replace(/^.*::/, "")]),
      [["update", "gold"]],
      JSON.stringify(changed.map(({ op, urn }) => [op, urn])),
    );
    stack.write(
      program({ ...first, gold: 'releasePolicy: "Delete", parameters: { tier: "two" }', keys: "" }),
    );
    workflow.driver.forget();
    await stack.succeed(up);
    assert.deepEqual(workflow.driver.rpcs(), []);
    assert.deepEqual(specOf(await find(kinds.bucket, bucketName())), spec);
  });

  it("moves the credentials to another Secret, written first, without a call [K07-069]", async () => {
    workflow.driver.forget();
    await workflow.timeline.restart();
    stack.write(program({ ...first, secret: "other-creds", keys: "" }));
    await stack.succeed(up);
    const texts = await workflow.timeline.texts();
    const [made, gone] = ["Secret other-creds added", `Secret ${first.secret} deleted`].map((text) =>
      texts.indexOf(text),
    );
    assert.ok(made !== undefined && gone !== undefined && made >= 0 && gone > made, texts.join("\n"));
    assert.deepEqual(workflow.driver.rpcs(), []);
    assert.equal(specOf(await find(kinds.bucketAccessRequest, "web"))["accessSecretName"], "other-creds");
    stack.write(program({ ...first, keys: "" }));
    await stack.succeed(up);
    assert.notEqual((await find(secretKind, first.secret))?.metadata.uid, secretUid);
    assert.equal(await find(secretKind, "other-creds"), undefined);
  });

  it("restores after a refresh what somebody has removed: a Secret without a call, a Bucket by a create of the same name [K07-143]", async () => {
    workflow.driver.forget();
    const { client } = workflow.cluster;
    await client.delete(secretKind, { namespace: workflow.namespace, name: first.secret });
    await removeByHand(client, kinds.bucket, { name: bucketName() });
    const { text } = await stack.run(["refresh", "--yes", "--skip-preview"]);
    assert.match(text, /Secret|deleted/);
    assert.deepEqual(workflow.driver.rpcs(), []);
    await stack.succeed(up);
    assert.ok((await find(secretKind, first.secret)) !== undefined);
    for (const { bucketName: sent } of workflow.driver.requests().create) assert.equal(sent, bucketId);
    assert.equal(await phaseOf(kinds.bucket, bucketName()), "Bound");
    const bucket = await find(kinds.bucket, bucketName());
    assert.deepEqual(specOf(bucket)["bindings"], [`${accessName()}:${workflow.namespace}/photos`]);
    assert.deepEqual(bucket?.metadata.finalizers, ["cosi.io/finalizer"]);
    const again = await stack.run(["preview", "--refresh", "--expect-no-changes"]);
    assert.equal(again.code, 0, again.text);
  });

  it("refuses a replacement that would delete data, and one that a kept Bucket is in the way of [K07-032] [K07-078]", async () => {
    stack.write(program({ ...first, prefix: "films-", keys: "" }));
    const refused = await stack.run(["preview"]);
    assert.notEqual(refused.code, 0);
    assert.match(errors(refused.text).join("\n"), /would be replaced.*would delete its data/s);
    stack.write(program({ ...first, keys: "", protectData: false }));
    await stack.succeed(up);
    // What counts is what the request took from its class when its bucket was made.
    const retained = await stack.run(["preview"], { JULY_RETAINED: "films-" });
    assert.notEqual(retained.code, 0);
    assert.match(
      errors(retained.text).join("\n"),
      /releasePolicy Retain, so it stays and keeps the name.*new name beside it/s,
    );
    workflow.driver.forget();
    stack.write(program({ ...first, prefix: "films-", keys: "", protectData: false }));
    const steps = await stack.plannedSteps();
    const replaced = steps
      .filter(({ op }) => op.includes("replace"))
      .map(({ urn }) => urn.replace(/^.*::/, ""));
    assert.ok(replaced.includes("photos"), JSON.stringify(replaced));
    await stack.succeed(up);
    assert.deepEqual(workflow.driver.rpcs(), ["revoke", "delete", "create", "grant"]);
    const { create, revoke } = workflow.driver.requests();
    assert.match(create[0]?.bucketName ?? "", /^films-/);
    // The class has given up its policy actions since.
    assert.equal(granted?.get("allow"), "read");
    assert.deepEqual(revoke[0]?.permissions, granted);
  });

  it("stops at a revoke that fails, is Bound again after an up without a call, and then goes, the workload first [K07-090] [K07-093] [K07-009]", async () => {
    workflow.driver.forget();
    workflow.driver.refuse("revoke", { code: status.PERMISSION_DENIED, message: "not yours" });
    const stopped = await stack.run(destroy);
    assert.notEqual(stopped.code, 0);
    assert.match(errors(stopped.text).join("\n"), /not yours/);
    assert.equal(await phaseOf(kinds.bucketAccessRequest, "web"), "Deleting");
    workflow.driver.forget();
    await stack.succeed(up);
    assert.deepEqual(workflow.driver.rpcs(), []);
    for (const [kind, name] of [
      [kinds.bucketRequest, "photos"],
      [kinds.bucketAccessRequest, "web"],
      [kinds.bucket, bucketName()],
      [kinds.bucketAccess, accessName()],
    ] as const) {
      assert.equal(await phaseOf(kind, name), "Bound", kind.kind);
    }
    assert.ok((await find(secretKind, first.secret)) !== undefined);

    let podAtRevoke: KubernetesObject | undefined;
    let secretAtRevoke: KubernetesObject | undefined;
    const [provisionerNamespace = ""] = workflow.provisioner.split("/");
    const stop = workflow.driver.on("received", async ({ rpc }) => {
      if (rpc !== "revoke") return undefined;
      podAtRevoke = await find(podKind, "web");
      const source = { namespace: provisionerNamespace, name: accessName() };
      secretAtRevoke =
        (await find(secretKind, first.secret)) ?? (await workflow.cluster.client.get(secretKind, source));
      return undefined;
    });
    await stack.succeed(destroy);
    stop();
    assert.deepEqual(workflow.driver.rpcs(), ["revoke", "delete"]);
    assert.deepEqual([podAtRevoke, secretAtRevoke], [undefined, undefined]);
    assert.deepEqual(await written(), [undefined, undefined, undefined, undefined, undefined]);
    // The one that is kept.
    assert.deepEqual([workflow.driver.buckets.size, workflow.driver.accounts.size], [1, 0]);
    assert.equal(await phaseOf(kinds.bucket, `bucket-kept-${workflow.namespace}`), "Released");
  });
});
