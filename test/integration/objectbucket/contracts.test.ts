import assert from "node:assert/strict";
import { configMapKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { objectBucketClaimKind, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { readClaim, readObjectBucket } from "../../../provider/models/objectbucket/records";
import { provisioner as february } from "../../support/cosi-2020-02";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { provisioner as july } from "../../support/cosi-2020-07";
import { StoringController } from "../../support/cosi-2020-07/storing-controller";
import { decodedData } from "../../support/objectbucket/claim-bench";
import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import type { Stack } from "../../support/stack";

const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

describe("object bucket claims that drivers of other contracts serve, by the real CLI", function () {
  this.timeout(600_000);
  let workflow: ClaimWorkflow;
  let handler: StoringHandler;
  let controller: StoringController;
  let stack: Stack;

  const driver = (name: string, endpoint: string, contract: string, driverName: string): string => `
const ${name} = new cosi.Driver("${name}", {
  endpoint: ${JSON.stringify(endpoint)}, contract: ${JSON.stringify(contract)} as const, driverName: ${JSON.stringify(driverName)},
  connectTimeoutSeconds: 10, firstRetryDelayMilliseconds: 20,
});
const ${name}New = new objectbucket.StorageClass("${name}-new", { driver: ${name}, name: "${name}-new-" + namespace, reclaimPolicy: "Delete", parameters: { endpoint: "https://s3.example.com", region: "eu-9" } });
const ${name}Old = new objectbucket.StorageClass("${name}-old", { driver: ${name}, name: "${name}-old-" + namespace, parameters: { bucketName: "archive-${name}", endpoint: "https://s3.example.com" } });
new objectbucket.ObjectBucketClaim("${name}-new", { namespace, storageClass: ${name}New, generateBucketName: "n" });
new objectbucket.ObjectBucketClaim("${name}-old", { namespace, storageClass: ${name}Old });
`;

  const find = (kind: typeof secretKind, name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kind, { name, namespace: workflow.namespace });

  before(async () => {
    workflow = await ClaimWorkflow.start();
    handler = await new StoringHandler().start();
    controller = await new StoringController().start();
    stack = await workflow.stack(
      `${workflow.programHead()}${driver("february", handler.fake.endpoint, "cosi-2020-02", february)}${driver(
        "july",
        controller.fake.endpoint,
        "cosi-2020-07",
        july,
      )}`,
    );
    const { code, text } = await stack.run(up);
    assert.equal(code, 0, text);
  });

  after(async () => {
    handler.fake.stop();
    controller.fake.stop();
    await workflow.stop();
  });

  for (const [name, calls] of [
    ["february", ["create", "grant"]],
    ["july", ["create", "grant", "grant"]],
  ] as const) {
    it(`are bound with all their objects: ${name} [OBC-009]`, async () => {
      const fake = name === "july" ? controller : handler;
      assert.deepEqual([...fake.rpcs()].sort(), calls);
      for (const claimName of [`${name}-new`, `${name}-old`]) {
        const claim = readClaim((await find(objectBucketClaimKind, claimName)) ?? assert.fail(claimName));
        assert.equal(claim.phase, "Bound");
        const object = await workflow.cluster.client.get(objectBucketKind, { name: claim.objectBucketName });
        const objectBucket = readObjectBucket(object ?? assert.fail());
        assert.equal(objectBucket.endpoint.bucketName, claim.bucketName);
        assert.notEqual(objectBucket.additionalState["cosi.accountID"], "");
        const data = decodedData(await find(secretKind, claimName));
        assert.deepEqual(Object.keys(data).sort(), [
          "ACCESS_KEY_ID",
          "AWS_ACCESS_KEY_ID",
          "AWS_SECRET_ACCESS_KEY",
          "SECRET_ACCESS_KEY",
        ]);
        assert.ok(Object.values(data).every((value) => value !== ""));
        const where = (await find(configMapKind, claimName))?.["data"] as Record<string, string>;
        assert.equal(where["BUCKET_NAME"], claim.bucketName);
        assert.match(where["BUCKET_HOST"] ?? "", /\w/);
      }
    });
  }

  it("have an empty preview, also after a refresh [OBC-082]", async () => {
    await stack.succeed(["preview", "--refresh", "--expect-no-changes"]);
  });

  it("go without a key or a bucket of theirs left [OBC-086]", async () => {
    const { code, text } = await stack.run(destroy);
    assert.equal(code, 0, text);
    assert.deepEqual([handler.buckets.size, handler.accounts.size], [0, 0]);
    assert.deepEqual([controller.buckets.size, controller.accounts.size], [0, 0]);
    for (const kind of [objectBucketClaimKind, secretKind]) {
      const left = await workflow.cluster.client.list(kind, { namespace: workflow.namespace });
      assert.deepEqual(
        left.map(({ metadata }) => metadata.name),
        [],
      );
    }
  });
});
