import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { FebruarySteps, keep, lifecycles, specOf, statusOf } from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { printed } from "../../support/lifecycle";
import { forgetWarnings } from "../../../provider/run/warning";
import { kinds } from "../kubernetes/cosi-2020-02/february";

const identifier = { bucketName: "legacy" };

describe("what a Bucket is refused for, before anything is made (COSI proposal of 2020-02-27)", function () {
  this.timeout(180_000);
  let workflow: FebruaryWorkflow;
  let steps: FebruarySteps;
  let count = 0;
  const find = (kind: KubernetesKind, name: string, namespace?: string) =>
    workflow.cluster.client.get(kind, { name, namespace });
  const next = () => `b${(count += 1)}`;

  before(async () => {
    workflow = await FebruaryWorkflow.start();
    steps = new FebruarySteps(workflow);
  });

  beforeEach(() => {
    forgetWarnings();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  /** Asserts the text, and that neither driver nor cluster has anything of it. */
  async function assertRefused(name: string, attempt: Promise<unknown>, text: RegExp): Promise<void> {
    await assert.rejects(attempt, text);
    assert.deepEqual(workflow.driver.rpcs(), []);
    const bucket = await find(kinds.bucket, name, workflow.namespace);
    assert.equal(bucket?.metadata.finalizers, undefined);
    assert.deepEqual(statusOf(bucket), { phase: "Pending" });
    const contents = await workflow.cluster.client.list(kinds.bucketContent);
    assert.ok(contents.every(({ metadata }) => !metadata.name.endsWith(bucket?.metadata.uid ?? "?")));
  }

  it("names a class that does not exist [K02-024]", async () => {
    const name = next();
    const inputs = { bucketClass: null, bucketClassName: "nowhere" };
    await assertRefused(
      name,
      steps.up(name, { inputs }),
      /names the BucketClass "nowhere", which does not exist/,
    );
  });

  it("asks for a protocol that its class does not support [K02-028]", async () => {
    const name = next();
    const bucketClass = { supportedProtocols: ["swift", "GCS"] };
    await assertRefused(
      name,
      steps.up(name, { bucketClass }),
      /asks for protocol "s3", .* supports "swift", "GCS"/,
    );
  });

  it("gets a class for several protocols, in whatever case they are written [K02-051]", async () => {
    const name = next();
    await steps.bindContent(name, { bucketClass: { supportedProtocols: ["swift", "S3"] } });
  });

  it("has a class whose case is undefined [K02-063]", async () => {
    const name = next();
    const secretRef = { namespace: workflow.sourceNamespace, name: "keys" };
    const attempt = steps.up(name, { bucketClass: { secretRef } });
    await assertRefused(name, attempt, /has secretRef and no bucketIdentifier, .* does not define that case/);
  });

  it("has a static class beside a driver, or another one without a driver", async () => {
    const [first, second] = [next(), next()];
    const secretRef = { namespace: workflow.sourceNamespace, name: "keys" };
    const bucketClass = { releasePolicy: "Retain", bucketIdentifier: identifier, secretRef } as const;
    const attempt = steps.up(first, { bucketClass, inputs: { isManaged: true } });
    await assertRefused(first, attempt, /is given a driver, .* is static .*: leave driver out/);
    const none = steps.up(second, { inputs: { isManaged: false } });
    await assertRefused(second, none, /is given no driver, .* is greenfield, served by .*"rgw.example.com"/);
  });

  it("has a class of a provisioner for which no driver is registered [K02-007]", async () => {
    const name = next();
    const attempt = steps.up(name, { bucketClass: { provisioner: "other.example.com" } });
    await assertRefused(name, attempt, /provisioner "other.example.com", for which no driver is registered/);
  });

  it("is to have its credentials in a namespace that does not exist, which is not made [K02-020]", async () => {
    const name = next();
    const attempt = steps.up(name, { inputs: { sourceNamespace: "not-there" } });
    await assertRefused(name, attempt, /the namespace not-there, .* does not exist/);
  });

  it("is static, and the admin's Secret is not there [K02-080]", async () => {
    const name = next();
    const secretRef = { namespace: workflow.sourceNamespace, name: "missing" };
    const bucketClass = {
      provisioner: null,
      releasePolicy: "Retain",
      bucketIdentifier: identifier,
      secretRef,
    } as const;
    await assertRefused(name, steps.up(name, { bucketClass }), /Secret .*\/missing, .* does not exist/);
  });

  it("has a class with which the BucketContent's name is too long [K02-031]", async () => {
    const name = next();
    const attempt = steps.up(name, { bucketClass: { name: `${"long.".repeat(44)}class` } });
    await assertRefused(name, attempt, /has 2\d\d characters, and an object's name has at most 253/);
  });

  it("asks for the name of a Secret that is not its own, which stays as it is, until the time is up [K02-026]", async () => {
    const name = next();
    const secret = {
      metadata: { namespace: workflow.namespace, name: `${name}-creds` },
      data: { a: "YQ==" },
    };
    const foreign = await workflow.cluster.client.create(secretKind, secret);
    await assertRefused(
      name,
      steps.up(name),
      new RegExp(`Secret .*/${name}-creds exists and was not made for .*secretTimeout`),
    );
    assert.deepEqual(await find(secretKind, `${name}-creds`, workflow.namespace), foreign);
  });

  it("waits for that name, and makes the bucket once it is free [K02-026]", async () => {
    const name = next();
    const reference = { namespace: workflow.namespace, name: `${name}-creds` };
    await workflow.cluster.client.create(secretKind, { metadata: reference });
    const made = steps.up(name, { inputs: { secretTimeoutSeconds: 60 } });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.deepEqual(workflow.driver.rpcs(), []);
    await workflow.cluster.client.delete(secretKind, reference);
    await made;
    assert.deepEqual(workflow.driver.rpcs(), ["create"]);
    workflow.driver.forget();
  });

  it("never takes a BucketContent that was not made for it, bound or not [K02-009] [K02-030] [K02-038]", async () => {
    const name = next();
    const { inputs, bucket } = await steps.bucket(name);
    const { client } = workflow.cluster;
    const spec = {
      releasePolicy: "Delete",
      accessMode: "rw",
      bucketClassName: `gold-${workflow.namespace}`,
      protocol: "s3",
    };
    const left = await client.create(kinds.bucketContent, {
      metadata: { name: `gold-${workflow.namespace}-left-over` },
      spec,
    });
    const content = await keep(lifecycles.content, inputs);
    assert.equal(content.id, `gold-${workflow.namespace}-${bucket.uid}`);
    assert.deepEqual(await find(kinds.bucketContent, left.metadata.name), left);
    const other = await steps.bucket(next());
    const squatted = `gold-${workflow.namespace}-${other.bucket.uid}`;
    await client.create(kinds.bucketContent, { metadata: { name: squatted }, spec });
    await assert.rejects(keep(lifecycles.content, other.inputs), /exists and was not made for Bucket/);
    assert.deepEqual(specOf(await find(kinds.bucketContent, squatted)), spec);
  });

  it("is brownfield or static, and a class of others says Delete: Retain holds, with a warning [K02-033] [K02-054]", async () => {
    const name = next();
    const bucketClass = { releasePolicy: "Delete", bucketIdentifier: identifier } as const;
    let content = "";
    const lines = await printed(async () => {
      const made = await steps.bindContent(name, { bucketClass });
      content = steps.contentName(made);
      assert.equal(
        (made.content.outputs["bucketClass"] as { releasePolicy: string }).releasePolicy,
        "Retain",
      );
    });
    assert.match(
      lines.join("\n"),
      /has releasePolicy Delete and is brownfield: .*never deleted, so Retain holds/,
    );
    assert.equal(specOf(await find(kinds.bucketContent, content))["releasePolicy"], "Retain");
  });

  it("is static though a provisioner is named, which a warning says [K02-062]", async () => {
    const name = next();
    const secretRef = { namespace: workflow.sourceNamespace, name: `${name}-keys` };
    await workflow.cluster.client.create(secretKind, { metadata: secretRef });
    const className = `static-${workflow.namespace}`;
    await workflow.cluster.client.create(kinds.bucketClass, {
      metadata: { name: className },
      provisioner: "rgw.example.com",
      supportedProtocols: ["s3"],
      bucketIdentifier: identifier,
      secretRef,
    });
    const inputs = { bucketClass: null, bucketClassName: className, isManaged: false };
    const lines = await printed(() => steps.up(name, { bucketClass: { name: className }, inputs }));
    assert.match(
      lines.join("\n"),
      /so its buckets are static: the provisioner "rgw.example.com" is not called/,
    );
    assert.deepEqual(workflow.driver.rpcs(), []);
  });

  it("takes everything from a class of the cluster that it names [K02-034] [K02-044] [K02-113]", async () => {
    const name = next();
    const className = `plain-${workflow.namespace}`;
    await workflow.cluster.client.create(kinds.bucketClass, {
      metadata: { name: className },
      provisioner: "rgw.example.com",
      supportedProtocols: ["s3"],
    });
    const made = await steps.bindContent(name, {
      bucketClass: { name: className },
      inputs: { bucketClass: null, bucketClassName: className },
    });
    const spec = specOf(await find(kinds.bucketContent, steps.contentName(made)));
    assert.deepEqual(
      [spec["provisioner"], spec["accessMode"], spec["releasePolicy"], spec["bucketClassName"]],
      ["rgw.example.com", "rw", "Retain", className],
    );
  });
});
