import assert from "node:assert/strict";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { specOf, statusOf } from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { errors } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { assertInOrder } from "../../support/workflows/in-order";
import { kinds } from "../kubernetes/cosi-2020-02/february";

const podKind: KubernetesKind = { apiVersion: "v1", kind: "Pod", plural: "pods" };
const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

interface Choice {
  readonly prefix: string;
  readonly tier: string;
  readonly secretTimeout: number;
  readonly protectData: boolean;
}

const first: Choice = { prefix: "YosemitePhotos-", tier: "one", secretTimeout: 30, protectData: true };

describe("a program of the COSI proposal of 2020-02-27, by the real CLI, against an API server alone", function () {
  this.timeout(600_000);
  let workflow: FebruaryWorkflow;
  let stack: Stack;
  let firstPreview: string;
  let firstUp: string;
  let created: string[];

  const program = ({ prefix, tier, secretTimeout, protectData }: Choice): string =>
    `${workflow.programHead()}
import * as k8s from "@pulumi/kubernetes";
const gold = new february.BucketClass("gold", {
  driver, name: "gold-" + namespace, supportedProtocols: ["s3"], releasePolicy: "Delete", parameters: { tier: ${JSON.stringify(tier)} },
});
const photos = new february.Bucket("photos", {
  namespace, requestProtocol: "s3", bucketClass: gold, bucketPrefix: ${JSON.stringify(prefix)}, secretName: "photos-creds",
  secretTimeout: ${secretTimeout}, protectData: ${String(protectData)},
});
const legacy = new february.BucketClass("legacy", {
  driver, name: "legacy-" + namespace, supportedProtocols: ["s3"],
  bucketIdentifier: { bucketName: "legacy", endpoint: "https://legacy.example.com" },
});
new february.Bucket("old", { namespace, requestProtocol: "s3", bucketClassName: legacy.className, driver, protectData: ${String(protectData)} }, { dependsOn: [legacy] });
const admins = new k8s.core.v1.Secret("archive", {
  metadata: { namespace: ${JSON.stringify(workflow.sourceNamespace)}, name: "archive", annotations: {
    "pulumi.com/deletionPropagationPolicy": "background",
  } },
  stringData: { key: "of-the-admin" },
});
const archive = new february.BucketClass("archive", {
  name: "archive-" + namespace, supportedProtocols: ["s3"], bucketIdentifier: { bucketName: "archive" },
  secretRef: { namespace: admins.metadata.namespace, name: admins.metadata.name },
});
new february.Bucket("archive", { namespace, requestProtocol: "s3", bucketClass: archive });
new k8s.core.v1.Pod("web", {
  metadata: { namespace, name: "web", annotations: {
    "pulumi.com/skipAwait": "true", "pulumi.com/deletionPropagationPolicy": "background",
  } },
  spec: { terminationGracePeriodSeconds: 0, automountServiceAccountToken: false, containers: [{ name: "web", image: "web" }],
    volumes: [{ name: "keys", secret: { secretName: photos.secretName } }] },
});
export const bucketId = photos.bucketId;
export const contentName = photos.contentName;
`;

  const find = (kind: KubernetesKind, name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kind, { name, namespace: workflow.namespace });
  const contents = async (): Promise<KubernetesObject[]> => {
    const all = await workflow.cluster.client.list(kinds.bucketContent);
    return all.filter(({ metadata }) => metadata.name.includes(workflow.namespace));
  };
  /** Everything that is written for the Buckets, without what a server's clock puts in. */
  const written = async (): Promise<unknown[]> => [
    await find(kinds.bucket, "photos"),
    await find(kinds.bucket, "old"),
    await find(kinds.bucket, "archive"),
    await find(secretKind, "photos-creds"),
    await find(secretKind, "old"),
    ...(await contents()),
  ];

  before(async () => {
    workflow = await FebruaryWorkflow.start();
    const account = { apiVersion: "v1", kind: "ServiceAccount", plural: "serviceaccounts" };
    await workflow.cluster.client.create(account, {
      metadata: { namespace: workflow.namespace, name: "default" },
    });
    stack = await workflow.stack(program(first));
    ({ text: firstPreview } = await stack.run(["preview", "--diff"]));
    assert.deepEqual(workflow.driver.rpcs(), []);
    await workflow.restart();
    const made = await stack.run(up);
    assert.equal(made.code, 0, made.text);
    firstUp = made.text;
    created = await workflow.timeline.texts();
  });

  after(() => workflow.stop());

  it("shows no made-up name in its first preview [K02-023]", () => {
    assert.match(firstPreview, /cosi:cosi20200227:Bucket/);
    assert.doesNotMatch(firstPreview, /YosemitePhotos-[0-9a-f]{8}-/);
  });

  it("comes up in one go, each Bucket with all that is its own below it [K02-001] [K02-002] [K02-004]", async () => {
    assert.deepEqual(workflow.driver.rpcs().sort(), ["create", "grant"]);
    const { resources } = await stack.state();
    const childrenOf = (parent: string): string[] =>
      resources
        .filter((resource) => resource.parent?.endsWith(parent) === true)
        .map(({ type }) => type.replace(/^.*:/, ""))
        .sort();
    const own = ["Bucket", "Bucket", "BucketBinding", "ContentBinding", "NameGuard", "SourceSecret"];
    assert.deepEqual(childrenOf("cosi20200227:Bucket::photos"), own);
    assert.deepEqual(childrenOf("cosi20200227:Bucket::old"), own);
    assert.deepEqual(childrenOf("cosi20200227:Bucket::archive"), [
      "Bucket",
      "BucketBinding",
      "ContentBinding",
      "NameGuard",
    ]);
    for (const content of await contents()) assert.equal(statusOf(content)["phase"], "Bound");
    assert.equal((await contents()).length, 3);
  });

  it("starts the workload when the Secret is there [K02-011] [K02-072]", async () => {
    assertInOrder(
      created,
      "CreateBucket done",
      "Secret photos-creds added",
      'Bucket photos status {"bucketContentName"',
    );
    const pod = await find(podKind, "web");
    const secret = await find(secretKind, "photos-creds");
    assert.ok(Number(pod?.metadata.resourceVersion) > Number(secret?.metadata.resourceVersion));
    const volumes = JSON.stringify(specOf(pod)["volumes"]);
    assert.match(volumes, /"secretName":"photos-creds"/);
  });

  it("has no secret of an account in what it prints, keeps in the state, or writes beside the Secrets [K02-076]", async () => {
    const accounts = [...workflow.driver.accounts.values()];
    assert.equal(accounts.length, 2);
    for (const [index, { secretKey }] of accounts.entries()) stack.know(`secret key ${index}`, secretKey);
    const { text: exported } = await stack.run(["stack", "export"]);
    const objects = await Promise.all(["photos", "old"].map((name) => find(kinds.bucket, name)));
    const plain = [firstPreview, firstUp, exported, JSON.stringify([objects, await contents()])];
    for (const { secretKey } of accounts) {
      for (const form of [
        secretKey,
        Buffer.from(secretKey).toString("base64"),
        encodeURIComponent(secretKey),
      ]) {
        assert.ok(plain.every((text) => !text.includes(form)));
      }
    }
    for (const { accessKeyId } of accounts)
      assert.ok([firstUp, exported].every((text) => !text.includes(accessKeyId)));
  });

  it("is empty in its next preview and up, which make no call and write nothing, also after a refresh [K02-115] [K02-116]", async () => {
    const before = await written();
    workflow.driver.forget();
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.succeed([...up, "--expect-no-changes"]);
    await stack.succeed(["refresh", "--yes", "--expect-no-changes"]);
    assert.deepEqual(workflow.driver.rpcs(), []);
    assert.deepEqual(await written(), before);
  });

  it("shows in the preview of an edited class the class only [K02-046] [K02-059]", async () => {
    stack.write(program({ ...first, tier: "two" }));
    const { code, text } = await stack.run(["preview"]);
    assert.equal(code, 0, text);
    const changed = text.split("\n").filter((line) => /^\s*(~|\+-|\+|-)\s/.test(line));
    assert.ok(
      changed.length > 0 &&
        changed.every((line) => /BucketClass\s+gold|(Name|Deletion)Guard\s+gold/.test(line)),
      text,
    );
  });

  it("replaces nothing where the program says another word on its data, or waits longer", async () => {
    stack.write(program({ ...first, protectData: false, secretTimeout: 40 }));
    const { code, text } = await stack.run(["preview", "--diff"]);
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /replace/, text);
  });

  it("refuses in the preview what would delete data, and names the way on [K02-029]", async () => {
    stack.write(program({ ...first, prefix: "other-" }));
    const { code, text } = await stack.run(["preview"]);
    assert.notEqual(code, 0);
    assert.match(
      errors(text).join("\n"),
      /would be replaced because of .*deletionPolicy Delete would delete its data/,
    );
    assert.match(text, /leave this Bucket as it is, and make one of a new name beside it/);
    assert.deepEqual(workflow.driver.rpcs(), []);
  });

  it("goes in one destroy: workload, Secrets, calls, objects, and says what stays [K02-011] [K02-089] [K02-093] [K02-094]", async () => {
    stack.write(program(first));
    await workflow.restart();
    const { code, text } = await stack.run(destroy);
    assert.equal(code, 0, text);
    assert.match(text, /old: stays with its data: driver rgw.example.com, protocol s3, bucket legacy/);
    assert.deepEqual(workflow.driver.rpcs().sort(), ["delete", "revoke"]);
    const ended = await workflow.timeline.texts();
    assertInOrder(ended, "Secret photos-creds deleted", "DeleteBucket received", "Bucket photos deleted");
    for (const name of ["photos", "old", "archive"]) assert.equal(await find(kinds.bucket, name), undefined);
    assert.deepEqual([await find(podKind, "web"), await contents()], [undefined, []]);
    assert.deepEqual([workflow.driver.buckets.size, workflow.driver.accounts.size], [0, 0]);
  });
});
