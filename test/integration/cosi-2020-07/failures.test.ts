import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { diagnostics } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { kinds } from "../kubernetes/cosi-2020-07/july";

const adminKey = "admin-k3y/of+store";

describe("a program that fails half-way, with keys of the store in a Secret of its own (COSI proposal of 2020-07-08)", function () {
  this.timeout(600_000);
  let workflow: ProposalWorkflow;
  let stack: Stack;
  let failed: string;

  const objects = async (): Promise<KubernetesObject[]> => {
    const { client } = workflow.cluster;
    const { namespace } = workflow;
    const own = (found: readonly KubernetesObject[]) =>
      found.filter(({ metadata }) => metadata.name.endsWith(namespace));
    return [
      ...(await client.list(kinds.bucketRequest, { namespace })),
      ...(await client.list(kinds.bucketAccessRequest, { namespace })),
      ...own(await client.list(kinds.bucket)),
      ...own(await client.list(kinds.bucketAccess)),
      ...(await client.list(secretKind, { namespace })),
    ];
  };

  before(async () => {
    workflow = await ProposalWorkflow.start();
    const parameters = `{
      "cosi.io/provisioner-secret-name": storeKeys.metadata.name, "cosi.io/provisioner-secret-namespace": namespace,
    }`;
    const head = workflow.programHead(`releasePolicy: "Delete", parameters: ${parameters}`);
    const [imports = "", classes = ""] = head.split("const gold");
    stack = await workflow.stack(`${imports}
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
const storeKeys = new k8s.core.v1.Secret("store-keys", {
  metadata: { namespace, name: "store-keys", annotations: { "pulumi.com/deletionPropagationPolicy": "background" } },
  stringData: { SecretKey: pulumi.secret(${JSON.stringify(adminKey)}) },
});
const gold${classes}
for (const name of ["good", "unmade", "ungranted"]) {
  const bucketRequest = new july.BucketRequest(name, { namespace, protocol: "s3", bucketClass: gold });
  new july.BucketAccessRequest(name, { namespace, bucketRequest, bucketAccessClass: keys, accessSecretName: name + "-creds" });
}
`);
    stack.know("the store's key", adminKey);
    const uids = new Map<string, string>();
    workflow.driver.on("received", async ({ rpc, request }) => {
      const requests = await workflow.cluster.client.list(kinds.bucketRequest, {
        namespace: workflow.namespace,
      });
      for (const { metadata } of requests) uids.set(metadata.uid ?? "", metadata.name);
      const name = uids.get(request.bucketName);
      if (rpc === "create" && name === "unmade")
        return { code: status.INVALID_ARGUMENT, message: "no such tier" };
      return undefined;
    });
    const mend = workflow.driver.on("done", ({ rpc, request }) => {
      const isCut = rpc === "grant" && uids.get(request.bucketName) === "ungranted";
      return Promise.resolve(isCut ? { code: status.UNKNOWN, message: "cut" } : undefined);
    });
    failed = await stack.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    mend();
  });

  after(() => workflow.stop());

  it("tells each failure with its object and the driver's words", () => {
    const said = diagnostics(failed);
    assert.match(said, /no such tier.*BucketRequest .*\/unmade/);
    assert.match(said, /cut.*BucketAccessRequest .*\/ungranted/);
  });

  it("sends the keys of the Secret, and prints or keeps them nowhere [K07-120] [K07-121]", async () => {
    const { create, grant } = workflow.driver.requests();
    for (const { secrets } of [...create, ...grant]) assert.equal(secrets.get("SecretKey"), adminKey);
    const { text } = await stack.state();
    assert.doesNotMatch(text, /admin-k3y|s3cr3t\/of/);
    assert.doesNotMatch(failed, /admin-k3y|s3cr3t\/of/);
    const told = JSON.stringify(await objects());
    assert.doesNotMatch(told.replaceAll(/"data":\{[^}]*\}/g, ""), /admin-k3y|s3cr3t\/of/);
  });

  it("has all that came into being in the state, so that a destroy leaves nothing, the store's keys last [K07-144]", async () => {
    await workflow.timeline.restart();
    await stack.succeed(["destroy", "--yes", "--skip-preview"]);
    assert.deepEqual(await objects(), []);
    assert.deepEqual([workflow.driver.buckets.size, workflow.driver.accounts.size], [0, 0]);
    const texts = await workflow.timeline.texts();
    const deletes = texts.lastIndexOf("DeleteBucket done");
    assert.ok(deletes >= 0 && texts.indexOf("Secret store-keys deleted") > deletes, texts.join("\n"));
    for (const { secrets } of workflow.driver.requests().delete)
      assert.equal(secrets.get("SecretKey"), adminKey);
  });
});
