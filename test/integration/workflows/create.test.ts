import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { DriverGrantBucketAccessRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { answers } from "../../support/cosi-v1alpha1";
import { Cluster } from "../../support/end-to-end/cluster";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";

/** What a preview says of a resource, as far as it is read here. */
interface PlannedStep {
  readonly urn: string;
  readonly newState: { readonly inputs?: unknown };
}

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const program = `
import * as k8s from "@pulumi/kubernetes";
const photos = new cosi.objectstorage.BucketClaim("photos", {
  namespace, bucketClass: gold, protocols: ["S3", "Azure"],
});
const access = new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, protocol: "S3", credentialsSecretName: "photos-creds",
});
const azure = new cosi.objectstorage.BucketAccess("photos-azure", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, protocol: "Azure", credentialsSecretName: "azure-creds",
}, { dependsOn: access });
new k8s.core.v1.ConfigMap("workload", {
  metadata: { namespace, name: "workload" },
  data: { secret: access.secretName, bucket: photos.bucketName, id: photos.bucketId, account: access.accountId },
});
export const { bucketName, bucketId, bucketInfo } = photos;
export const { accountId, secretName, accessKeyId, accessSecretKey, endpoint, region } = access;
export const { accessToken, expiry } = azure;
`;

describe("a first up of classes, claim, accesses and workload, on a cluster of its own", function () {
  this.timeout(600_000);
  let cluster: Cluster;
  let flow: Workflow;
  let stack: Stack;
  let claimUid: string;
  let bucketName: string;

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    const { plane, client } = cluster;
    flow = await Workflow.start({
      target: { kubeconfig: plane.kubeconfig },
      client,
      server: plane.server,
      kubeconfig: fs.readFileSync(plane.kubeconfig, "utf8"),
    });
    flow.driver.on("done", (call) =>
      Promise.resolve(
        call.rpc === "grant" && call.request.name !== firstGrant() ? azureKeys(call.request) : undefined,
      ),
    );
    stack = await flow.stack(flow.programHead({ parameters: { tier: "hot" } }) + program);
  });
  after(async () => {
    await flow.stop();
    await cluster.stop();
  });

  const firstGrant = (): string | undefined => flow.driver.requests().grant[0]?.name;

  it("previews with no UID that the server made up, and keeps to the plan that was saved before the kinds were defined [OS1-077] [CASE-U08]", async () => {
    await stack.succeed(["preview", "--save-plan=plan.json"]);
    await cluster.installDefinitions();
    await flow.timeline.whenWatchable();

    assert.deepEqual((await stack.succeed(["preview"])).match(uid), null);
    const json = await stack.succeed(["preview", "--json"]);
    const { steps } = JSON.parse(json.slice(json.indexOf("{"))) as { steps: PlannedStep[] };
    const derived = steps.filter(({ urn }) =>
      /dynamic\/.*:(ClaimBinding|Bucket|BucketAccess|Secret)::/.test(urn),
    );
    assert.equal(derived.length, 6);
    for (const { urn, newState } of derived) {
      const found = JSON.stringify(newState.inputs).match(uid) ?? [];
      assert.deepEqual([...new Set(found)], [unknown], urn);
    }
    assert.deepEqual(flow.driver.fake.calls, []);

    await stack.succeed(["up", "--yes", "--skip-preview", "--plan=plan.json"]);
    claimUid = (await cluster.get(bucketClaimKind, "photos", flow.namespace)).metadata.uid ?? "";
    bucketName = `bucket-${claimUid}`;
  });

  it("writes claim, Bucket, access and Secret in their order around Create and Grant [OS1-024] [OS1-054] [OS1-055] [OS1-056] [CASE-U28]", async () => {
    const texts = (await flow.timeline.texts()).map((text) =>
      text.replaceAll(bucketName, "<bucket>").replaceAll(firstGrant() ?? "", "<account>"),
    );
    assert.deepEqual(texts.slice(0, expectedOrder.length), expectedOrder);
  });

  it("gives what clients need as outputs, the keys as secrets [OS1-081]", async () => {
    assert.deepEqual(await stack.outputs(), {
      bucketName,
      bucketId: bucketName,
      bucketInfo: { protocol: "S3", region: "eu-1", signatureVersion: "S3V4" },
      accountId: firstGrant(),
      secretName: "photos-creds",
      accessKeyId: "AKEXAMPLE1",
      accessSecretKey: "s3cr3t/of+AKEXAMPLE1",
      endpoint: "http://127.0.0.1:9",
      region: "eu-1",
      accessToken: "sv=2019&sig=token",
      expiry: "2031-02-03T04:05:06Z",
    });
    const shown = JSON.parse(await stack.succeed(["stack", "output", "--json"])) as Record<string, unknown>;
    const secrets = Object.keys(shown).filter((name) => shown[name] === "[secret]");
    assert.deepEqual(secrets.sort(), ["accessKeyId", "accessSecretKey", "accessToken"]);
  });
});

const expectedOrder = [
  "BucketClaim photos added",
  "BucketClaim photos +finalizer bucketclaim-protection",
  "Bucket <bucket> added",
  "Bucket <bucket> +finalizer bucket-protection",
  'BucketClaim photos status {"bucketName":"<bucket>","bucketReady":false}',
  "Bucket <bucket> +annotation pulumi-cosi/create-sent",
  "DriverCreateBucket received",
  "DriverCreateBucket done",
  'Bucket <bucket> status {"bucketID":"<bucket>","bucketReady":true}',
  'BucketClaim photos status {"bucketName":"<bucket>","bucketReady":true}',
  "BucketAccess photos-rw added",
  "BucketAccess photos-rw +finalizer bucketaccess-protection",
  "Bucket <bucket> +finalizer bucketaccess-bucket-protection",
  "DriverGrantBucketAccess received",
  "DriverGrantBucketAccess done",
  'BucketAccess photos-rw status {"accessGranted":false,"accountID":"<account>"}',
  "Secret photos-creds added",
  "Secret photos-creds +finalizer secret-protection",
  'BucketAccess photos-rw status {"accessGranted":true,"accountID":"<account>"}',
];

function azureKeys({ name }: DriverGrantBucketAccessRequest) {
  const secrets = { accessToken: "sv=2019&sig=token", expiryTs: "2031-02-03T04:05:06Z" };
  return answers.granted(name, secrets, "azure");
}
