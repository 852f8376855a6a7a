import assert from "node:assert/strict";
import { DriverCreateBucketResponse } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { configMapKind, secretKind } from "../../../provider/kubernetes/object";
import { objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { readObjectBucket } from "../../../provider/models/objectbucket/records";
import { answers } from "../../support/cosi-v1alpha1";
import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import type { Stack } from "../../support/stack";

const up = ["up", "--yes", "--skip-preview", "--continue-on-error"];

/** What the driver tells of an endpoint, by the prefix of the bucket's name. */
const told: Readonly<Record<string, Record<string, string>>> = {
  driver: { endpoint: "https://of-the-driver.example.com", region: "eu-7" },
  path: { endpoint: "https://of-the-driver.example.com/s3" },
};

describe("where the bucket of a claim is, by the real CLI (object bucket claims)", function () {
  this.timeout(600_000);
  let workflow: ClaimWorkflow;
  let stack: Stack;

  const claim = (name: string, storageClass: string, more = ""): string =>
    `new objectbucket.ObjectBucketClaim("${name}", { namespace, storageClass: ${storageClass}, generateBucketName: "${name}", ${more} });`;
  const program = (endpoint: string): string => `${workflow.programHead()}
const make = (name: string, parameters: Record<string, string>) =>
  new objectbucket.StorageClass(name, { driver, name: name + "-" + namespace, reclaimPolicy: "Delete", parameters });
const plain = make("plain", {});
const named = make("named", { endpoint: "of-the-class.example.com:8333", region: "eu-8" });
const rook = make("rook", { objectStoreName: "store", objectStoreNamespace: "rook-ceph" });
${claim("driver", "named")}
${claim("given", "named", 'endpoint: "https://of-the-program.example.com:9000", region: "eu-9",')}
${claim("classy", "named")}
${claim("rooky", "rook")}
${claim("none", "plain", endpoint)}
${claim("path", "plain", endpoint)}
`;

  const where = async (name: string): Promise<unknown[]> => {
    const { client } = workflow.cluster;
    const data = (await client.get(configMapKind, { namespace: workflow.namespace, name }))?.["data"];
    const { BUCKET_HOST, BUCKET_PORT, BUCKET_REGION, S3_BUCKET_SSL } = (data ?? {}) as Record<string, string>;
    return [BUCKET_HOST, BUCKET_PORT, S3_BUCKET_SSL, BUCKET_REGION];
  };

  before(async () => {
    workflow = await ClaimWorkflow.start();
    workflow.driver.on("done", (call) => {
      if (call.rpc === "create") {
        const bucket = DriverCreateBucketResponse.fromPartial({ bucketId: call.request.name });
        return Promise.resolve(DriverCreateBucketResponse.encode(bucket).finish());
      }
      if (call.rpc !== "grant") return Promise.resolve(undefined);
      const [prefix = ""] = call.request.bucketId.split("-");
      const keys = { accessKeyID: `AK${prefix}`, accessSecretKey: `s3cr3t/of+${prefix}` };
      return Promise.resolve(answers.granted(call.request.name, { ...keys, ...told[prefix] }));
    });
    stack = await workflow.stack(program(""));
  });

  after(() => workflow.stop());

  it("says what is missing or does not fit, and keeps the account for the corrected program [OBC-050] [OBC-051]", async () => {
    const { code, text } = await stack.run(up);
    assert.notEqual(code, 0);
    const said = text.replaceAll(/\s+/g, " ");
    assert.match(
      said,
      /ObjectBucketClaim (none: endpoint is missing|path: the endpoint that was told has the path "\/s3")/,
    );
    const { client } = workflow.cluster;
    for (const name of ["none", "path"])
      assert.equal(await client.get(secretKind, { namespace: workflow.namespace, name }), undefined);
    stack.write(program('endpoint: "http://corrected.example.com:8080",'));
    await stack.succeed(up);
    const grants = workflow.driver.requests().grant.map(({ name }) => name);
    assert.deepEqual([grants.length, new Set(grants).size], [6, 6]);
    for (const name of ["none", "path"])
      assert.deepEqual(await where(name), ["corrected.example.com", "8080", "no", ""]);
  });

  it("takes the program's word first, then the driver's, the class's, and Rook's service [OBC-051]", async () => {
    assert.deepEqual(await where("given"), ["of-the-program.example.com", "9000", "yes", "eu-9"]);
    assert.deepEqual(await where("driver"), ["of-the-driver.example.com", "443", "yes", "eu-7"]);
    assert.deepEqual(await where("classy"), ["of-the-class.example.com", "8333", "no", "eu-8"]);
    assert.deepEqual(await where("rooky"), ["rook-ceph-rgw-store.rook-ceph.svc", "80", "no", ""]);
    const name = `obc-${workflow.namespace}-rooky`;
    const found = await workflow.cluster.client.get(objectBucketKind, { name });
    const { additionalState } = readObjectBucket(found ?? assert.fail());
    assert.deepEqual(
      [additionalState["objectStoreName"], additionalState["objectStoreNamespace"]],
      ["store", "rook-ceph"],
    );
  });

  it("goes as it came", async () => {
    await stack.succeed(["destroy", "--yes", "--skip-preview"]);
    assert.deepEqual(workflow.driver.liveKeys(), []);
  });
});
