import assert from "node:assert/strict";
import {
  configMapKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import {
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../../provider/models/objectbucket/kinds";
import { errors } from "../../support/end-to-end/output";
import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import type { Stack } from "../../support/stack";
import { assertInOrder } from "../../support/workflows/in-order";

const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

/** The command has no use for the answer that every other one is given beforehand. */
const interactive = { PULUMI_SKIP_CONFIRMATIONS: "" };

interface Choice {
  readonly prefix: string;
  readonly team: string;
  readonly policy: "Delete" | "Retain";
  readonly tier: string;
  readonly protectData: boolean;
  readonly className: string;
  /** More arguments of the claim `photos`, as the program has them. */
  readonly more: string;
  /** More statements. */
  readonly statements: string;
}

const first: Choice = {
  prefix: "photos",
  team: "one",
  policy: "Delete",
  tier: "gold",
  protectData: true,
  className: "gold",
  more: "",
  statements: "",
};

describe("a program of object bucket claims, by the real CLI, against an API server alone", function () {
  this.timeout(600_000);
  let workflow: ClaimWorkflow;
  let stack: Stack;
  let firstPreview: string;
  let firstUp: string;
  let created: string[];
  const ofCluster = () => `cluster-${workflow.namespace}`;

  const program = (choice: Choice): string => `${workflow.programHead()}
const gold = new objectbucket.StorageClass("gold", {
  driver, name: ${JSON.stringify(choice.className)} + "-" + namespace, reclaimPolicy: ${JSON.stringify(choice.policy)},
  parameters: { tier: ${JSON.stringify(choice.tier)} },
});
const photos = new objectbucket.ObjectBucketClaim("photos", {
  namespace, storageClass: gold, generateBucketName: ${JSON.stringify(choice.prefix)}, labels: { team: ${JSON.stringify(choice.team)} },
  extraKeys: { configMap: { AWS_ENDPOINT_URL: "endpointUrl" } }, protectData: ${String(choice.protectData)},
  ...({ objectBucketName: "of-the-program" }), ${choice.more}
});
const archive = new objectbucket.StorageClass("archive", { driver, name: "archive-" + namespace, parameters: { bucketName: "archive-2019" } });
new objectbucket.ObjectBucketClaim("reader", {
  namespace, storageClass: archive, bucketName: "ignored", brownfield: true, keySets: ["seed"],
  secretName: "reader-keys", configMapName: "reader-where", additionalConfig: null,
});
new objectbucket.ObjectBucketClaim("looked-up", {
  namespace, storageClassName: ${JSON.stringify(ofCluster())}, driver, generateBucketName: "looked-up", keySets: ["rook"],
});
import * as k8s from "@pulumi/kubernetes";
new k8s.core.v1.ConfigMap("user", {
  metadata: { namespace, name: "user", annotations: { "pulumi.com/deletionPropagationPolicy": "background" } },
  data: { host: photos.bucketHost },
});
${choice.statements}
export const bucketName = photos.bucketName;
export const bucketHost = photos.bucketHost;
export const bucketPort = photos.bucketPort;
export const ssl = photos.ssl;
export const region = photos.region;
export const endpointUrl = photos.endpointUrl;
export const secretName = photos.secretName;
export const configMapName = photos.configMapName;
export const objectBucketName = photos.objectBucketName;
export const phase = photos.phase;
export const checksum = photos.checksum;
export const accessKeyId = photos.accessKeyId;
export const secretAccessKey = photos.secretAccessKey;
`;

  const find = (kind: KubernetesKind, name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kind, { name, namespace: workflow.namespace });
  const findClass = (name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(storageClassKind, { name });
  const findObjectBucket = (name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(objectBucketKind, { name: `obc-${workflow.namespace}-${name}` });
  /** Everything that is written for the claims. */
  const written = async (): Promise<(KubernetesObject | undefined)[]> => [
    ...(await Promise.all(
      ["photos", "reader", "looked-up"].map((name) => find(objectBucketClaimKind, name)),
    )),
    ...(await Promise.all(["photos", "reader", "looked-up"].map(findObjectBucket))),
    ...(await Promise.all(["photos", "reader-keys", "looked-up"].map((name) => find(secretKind, name)))),
    ...(await Promise.all(["photos", "reader-where", "looked-up"].map((name) => find(configMapKind, name)))),
  ];
  const edited = (changes: Partial<Choice>): void => {
    stack.write(program({ ...first, ...changes }));
  };

  before(async () => {
    workflow = await ClaimWorkflow.start();
    await workflow.cluster.client.create(storageClassKind, {
      metadata: { name: ofCluster() },
      provisioner: "cosi.objectbucket.io/fake.example.com",
      reclaimPolicy: "Retain",
      parameters: { tier: "of-the-cluster" },
    });
    stack = await workflow.stack(program(first));
    workflow.driver.fake.kill();
    const preview = await stack.run(["preview", "--diff"], { KUBECONFIG: "/nowhere/kubeconfig" });
    assert.equal(preview.code, 0, preview.text);
    firstPreview = preview.text;
    await workflow.driver.fake.start();
    assert.deepEqual(workflow.driver.rpcs(), []);
    await workflow.restart();
    const made = await stack.run(up);
    assert.equal(made.code, 0, made.text);
    firstUp = made.text;
    created = await workflow.timeline.texts();
  });

  after(() => workflow.stop());

  it("has its first preview without driver and cluster, and says there what a class of the program does [OBC-040] [OBC-101]", () => {
    assert.match(firstPreview, /cosi:objectbucket:ObjectBucketClaim/);
    assert.match(firstPreview, /deletionPolicy\s*: "Delete"/);
    assert.match(firstPreview, /onDelete\s*: "keeps the bucket and its data \(it existed before\)"/);
    assert.doesNotMatch(firstPreview, /photos-[0-9a-f]{8}-/);
  });

  it("comes up in one go, with a new bucket, and an account of one that was there [OBC-002] [OBC-009]", async () => {
    assert.deepEqual(workflow.driver.rpcs().sort(), ["create", "create", "grant", "grant", "grant"]);
    for (const object of await written()) assert.ok(object);
    const parameters = workflow.driver
      .requests()
      .create.map((request) => Object.fromEntries(request.parameters));
    assert.ok(parameters.some(({ tier }) => tier === "of-the-cluster"));
  });

  it("warns of what it ignores, in the run that sets it [OBC-023] [OBC-025]", async () => {
    assert.match(firstUp, /reader: bucketName and generateBucketName are ignored/);
    assert.match(firstUp, /photos: objectBucketName is ignored/);
    const claim = await find(objectBucketClaimKind, "photos");
    const spec = claim?.["spec"] as Record<string, unknown>;
    assert.equal(spec["objectBucketName"], `obc-${workflow.namespace}-photos`);
    const { text } = await stack.run(["preview"]);
    assert.doesNotMatch(text, /ignored/);
  });

  it("writes the class with Retain unless it is told otherwise, and the provisioner of its driver [OBC-032] [OBC-036]", async () => {
    const archive = await findClass(`archive-${workflow.namespace}`);
    assert.equal(archive?.["reclaimPolicy"], "Retain");
    assert.equal(archive["provisioner"], "cosi.objectbucket.io/fake.example.com");
    assert.equal((await findClass(`gold-${workflow.namespace}`))?.["reclaimPolicy"], "Delete");
  });

  it("writes the sets of keys, names and further keys that are asked for [OBC-041] [OBC-043] [OBC-046]", async () => {
    const keysOf = async (kind: KubernetesKind, name: string): Promise<string[]> =>
      Object.keys((await find(kind, name))?.["data"] ?? {}).sort();
    assert.deepEqual(await keysOf(secretKind, "reader-keys"), ["ACCESS_KEY_ID", "SECRET_ACCESS_KEY"]);
    assert.deepEqual(await keysOf(configMapKind, "reader-where"), [
      "S3_BUCKET_HOST",
      "S3_BUCKET_NAME",
      "S3_BUCKET_PORT",
      "S3_BUCKET_REGION",
      "S3_BUCKET_SSL",
    ]);
    assert.deepEqual(await keysOf(secretKind, "looked-up"), ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]);
    assert.ok((await keysOf(configMapKind, "photos")).includes("AWS_ENDPOINT_URL"));
    assert.equal(await find(secretKind, "reader"), undefined);
  });

  it("tells all of it as outputs, the keys as secrets [OBC-114]", async () => {
    const outputs = await stack.outputs();
    const uid = (await find(objectBucketClaimKind, "photos"))?.metadata.uid ?? "";
    const { accessKeyId, secretAccessKey, checksum, ...shown } = outputs;
    assert.match(String(checksum), /^[0-9a-f]{32}$/);
    assert.deepEqual(shown, {
      bucketName: `photos-${uid}`,
      bucketHost: "127.0.0.1",
      bucketPort: 9,
      ssl: false,
      region: "eu-1",
      endpointUrl: "http://127.0.0.1:9",
      secretName: "photos",
      configMapName: "photos",
      objectBucketName: `obc-${workflow.namespace}-photos`,
      phase: "Bound",
    });
    assert.match(String(accessKeyId), /^AKEXAMPLE\d$/);
    assert.equal(secretAccessKey, `s3cr3t/of+${String(accessKeyId)}`);
  });

  it("has whoever takes an output come after Bound [OBC-115]", async () => {
    const user = await find(configMapKind, "user");
    const claim = await find(objectBucketClaimKind, "photos");
    assert.ok(Number(user?.metadata.resourceVersion) > Number(claim?.metadata.resourceVersion));
    assertInOrder(created, 'ObjectBucketClaim photos status {"phase":"Bound"}', "ConfigMap user added");
  });

  it("has no key in what it prints, in the state, or beside the Secrets [OBC-104]", async () => {
    const keys = workflow.driver.liveKeys();
    assert.equal(keys.length, 3);
    for (const key of keys) stack.know(`secret key ${key}`, `s3cr3t/of+${key}`);
    const { text: exported } = await stack.run(["stack", "export"]);
    const { text: json } = await stack.run(["preview", "--json"]);
    const objects = (await written()).filter((object) => object?.["type"] !== "Opaque");
    const plain = [firstPreview, firstUp, exported, json, JSON.stringify(objects)];
    for (const text of plain) assert.doesNotMatch(text, /AKEXAMPLE|s3cr3t/);
  });

  it("is empty in its next preview and up, which make no call and write nothing, also after a refresh [OBC-024] [OBC-062] [OBC-082]", async () => {
    const before = await written();
    workflow.driver.forget();
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.succeed(["preview", "--refresh", "--expect-no-changes"]);
    await stack.succeed([...up, "--expect-no-changes"]);
    await stack.succeed(["refresh", "--yes", "--expect-no-changes"]);
    assert.deepEqual(workflow.driver.rpcs(), []);
    assert.deepEqual(await written(), before);
  });

  it("replaces the class alone where the program edits it [OBC-039]", async () => {
    edited({ tier: "iron", policy: "Retain" });
    const { code, text } = await stack.run(["preview"]);
    assert.equal(code, 0, text);
    const changed = text.split("\n").filter((line) => /^\s*(~|\+-|\+|-)\s/.test(line));
    assert.ok(
      changed.length > 0 &&
        changed.every((line) => /StorageClass\s+gold|(Name|Deletion)Guard\s+gold/.test(line)),
      text,
    );
    assert.deepEqual(workflow.driver.rpcs(), []);
  });

  it("replaces nothing for labels, another prefix, or another word on the data [OBC-077]", async () => {
    edited({ team: "two", prefix: "pictures", protectData: false });
    const { code, text } = await stack.run(["preview", "--diff"]);
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /replace/, text);
  });

  it("refuses in the preview what would delete data, and names the way on [OBC-077] [OBC-094]", async () => {
    for (const changes of [
      { className: "other" },
      { more: 'name: "renamed",' },
      { more: 'bucketName: "exact", bothNames: "preferBucketName",' },
    ]) {
      edited(changes);
      const { code, text } = await stack.run(["preview"]);
      assert.notEqual(code, 0);
      assert.match(
        errors(text).join("\n"),
        /would be replaced because of .*deletionPolicy Delete would delete its data/,
      );
      assert.match(text, /leave this claim as it is, and make one of a new name beside it/);
    }
    assert.deepEqual(workflow.driver.rpcs(), []);
  });

  it("refuses in the preview what it cannot make [OBC-053] [OBC-102]", async () => {
    edited({
      statements: `new objectbucket.ObjectBucketClaim("wrong", {
  namespace, storageClass: gold, bucketName: "My_Bucket", secretName: "photos",
}, { dependsOn: photos });`,
    });
    const { code, text } = await stack.run(["preview"]);
    assert.notEqual(code, 0);
    const said = text.replaceAll(/\s+/g, " ");
    assert.match(said, /bucketName is "My_Bucket"/);
    assert.match(said, /Secret .*photos is written by the resource/);
    assert.deepEqual(workflow.driver.rpcs(), []);
  });

  it("shows in the preview of a destroy what becomes of each bucket [OBC-094]", async () => {
    edited({});
    const { text } = await stack.run(["destroy", "--preview-only", "--diff"], interactive);
    assert.match(text, /onDelete\s*: "DELETES the bucket photos-[0-9a-f-]{36} /);
    assert.match(text, /onDelete\s*: "keeps the bucket and its data \(it existed before\)"/);
    assert.match(text, /onDelete\s*: "keeps the bucket and its data \(deletionPolicy Retain\)"/);
    const { text: json } = await stack.run(["destroy", "--preview-only", "--json"], interactive);
    assert.match(json, /"onDelete":\s*"DELETES the bucket photos-/);
    assert.match(json, /"onDelete":\s*"keeps the bucket and its data \(it existed before\)"/);
    assert.match(json, /"onDelete":\s*"keeps the bucket and its data \(deletionPolicy Retain\)"/);
  });

  it("honours protect [OBC-094]", async () => {
    const { resources } = await stack.state();
    const bucket = resources.find(
      ({ type, urn }) => type.endsWith("cosi:Bucket") && urn.endsWith("::photos"),
    );
    await stack.succeed(["state", "protect", "--yes", bucket?.urn ?? ""]);
    const { code, text } = await stack.run(["destroy", "--yes"]);
    assert.notEqual(code, 0);
    assert.match(text, /protected/);
    assert.deepEqual(workflow.driver.rpcs(), []);
    await stack.succeed(["state", "unprotect", "--yes", bucket?.urn ?? ""]);
  });

  it("rotates the account in place of Secret and ObjectBucket, and revokes the old one last [OBC-045]", async () => {
    const before = await find(secretKind, "photos");
    edited({ more: "rotation: { trigger: 1 }," });
    await workflow.restart();
    const { code, text } = await stack.run(up);
    assert.equal(code, 0, text);
    assert.deepEqual(workflow.driver.rpcs(), ["grant", "revoke"]);
    const after = await find(secretKind, "photos");
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.notDeepEqual(after?.["data"], before?.["data"]);
    assertInOrder(
      await workflow.timeline.texts(),
      "DriverGrantBucketAccess done",
      "Secret photos",
      "DriverRevokeBucketAccess received",
    );
    const [grant] = workflow.driver.requests().grant;
    const spec = (await findObjectBucket("photos"))?.["spec"] as { additionalState: Record<string, string> };
    assert.equal(spec.additionalState["cosi.accountID"], grant?.name);
    workflow.driver.forget();
    await stack.succeed(["preview", "--refresh", "--expect-no-changes"]);
  });

  it("goes in one destroy: dependents, Secret and ConfigMap, calls, ObjectBucket, claim [OBC-083] [OBC-084] [OBC-115]", async () => {
    await workflow.restart();
    const { code, text } = await stack.run(destroy);
    assert.equal(code, 0, text);
    assert.deepEqual(workflow.driver.rpcs().sort(), ["delete", "revoke", "revoke", "revoke"]);
    const ended = await workflow.timeline.texts();
    assertInOrder(
      ended,
      "ConfigMap user deleted",
      "Secret photos deleted",
      "DriverRevokeBucketAccess received",
      "DriverDeleteBucket received",
      `ObjectBucket obc-${workflow.namespace}-photos deleted`,
      "ObjectBucketClaim photos deleted",
    );
    assert.deepEqual(
      (await written()).filter((object) => object !== undefined),
      [],
    );
    assert.ok(await findClass(ofCluster()));
    assert.deepEqual(workflow.driver.liveKeys(), []);
  });
});
