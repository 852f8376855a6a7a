import assert from "node:assert/strict";
import { secretKind } from "../../../provider/kubernetes/object";
import { bucketAccessKind, bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { errors } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";
import { statusOf } from "../kubernetes/objects";

const program = ({
  protocols = '["S3"]',
  protectData = "undefined",
  secret = "creds",
  protocol = "undefined",
}) => `
const photos = new cosi.objectstorage.BucketClaim("photos", {
  namespace, bucketClass: gold, protocols: ${protocols}, protectData: ${protectData},
});
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "${secret}", protocol: ${protocol},
});
`;

describe("the replacement of a claim and of an access, on a real API server", function () {
  this.timeout(600_000);
  let flow: Workflow;
  let stack: Stack;
  let head: string;

  before(async () => {
    flow = await Workflow.start();
    head = flow.programHead();
    stack = await flow.stack(head + program({}));
    await stack.up();
  });
  after(() => flow.stop());

  /** Changes the program and runs it, with its preview. */
  async function change(arguments_: Parameters<typeof program>[0]): Promise<string> {
    stack.write(head + program(arguments_));
    await flow.restart();
    return stack.succeed(["up", "--yes", "--diff"]);
  }

  const uidOf = async (kind: typeof bucketClaimKind, name: string): Promise<string> =>
    (await flow.cluster.client.get(kind, { namespace: flow.namespace, name }))?.metadata.uid ?? "";

  async function keyInSecret(name: string): Promise<string> {
    const found = await flow.cluster.client.get(secretKind, { namespace: flow.namespace, name });
    const data = found?.["data"] as Record<string, string> | undefined;
    const info = JSON.parse(Buffer.from(data?.["BucketInfo"] ?? "", "base64").toString()) as {
      spec: { secretS3: { accessKeyID: string } };
    };
    return info.spec.secretS3.accessKeyID;
  }

  it("of a claim under Delete is refused in the preview until protectData is false in the state [OS1-019]", async () => {
    stack.write(head + program({ protocols: '["S3", "Azure"]', protectData: "false" }));
    flow.driver.forget();
    const [refusal = ""] = errors(await stack.fail(["preview"]));
    assert.match(refusal, /would be replaced because of .*deletionPolicy Delete would delete its data/);
    assert.match(refusal, /set protectData to false and run pulumi up before this change/);
    assert.deepEqual(flow.driver.fake.calls, []);
    await change({ protectData: "false" });
    assert.deepEqual(flow.driver.fake.calls, []);
  });

  describe("of a claim, once protectData is false", () => {
    let old: { claim: string; access: string };
    let fresh: typeof old;
    let text: string;

    before(async () => {
      const uids = async () => ({
        claim: await uidOf(bucketClaimKind, "photos"),
        access: await uidOf(bucketAccessKind, "photos-rw"),
      });
      old = await uids();
      text = await change({ protocols: '["S3", "Azure"]', protectData: "false" });
      fresh = await uids();
    });

    it("shows claim, Bucket and access as replaced, and the field that is the reason [OS1-019]", () => {
      for (const type of replacedWithClaim)
        assert.match(preview(text), new RegExp(`\\+-${type}: \\(replace\\)`));
      assert.match(
        section(preview(text), "kubernetes:objectstorage.k8s.io/v1alpha1:BucketClaim"),
        /~ protocols/,
      );
    });

    it("revokes and deletes the old before it creates and grants the new [OS1-019]", async () => {
      assert.deepEqual(flow.driver.rpcs(), ["revoke", "delete", "create", "grant"]);
      const texts = await flow.timeline.texts();
      const order = ["DriverDeleteBucket done", "BucketClaim photos deleted", "BucketClaim photos added"];
      assert.deepEqual(
        texts.filter((event) => order.includes(event)),
        order,
      );
    });

    it("gives new UIDs, new names, fresh status and the second credentials [OS1-033]", async () => {
      assert.notEqual(fresh.claim, old.claim);
      assert.notEqual(fresh.access, old.access);
      const { create, grant } = flow.driver.requests();
      assert.deepEqual(
        [...create, ...grant].map(({ name }) => name),
        [`bucket-${fresh.claim}`, `ba-${fresh.access}`],
      );
      const claim = { namespace: flow.namespace, name: "photos" };
      assert.deepEqual(await statusOf(flow.cluster, bucketClaimKind, claim), {
        bucketName: `bucket-${fresh.claim}`,
        bucketReady: true,
      });
      assert.deepEqual(flow.driver.liveKeys(), ["AKEXAMPLE2"]);
      assert.equal(await keyInSecret("creds"), "AKEXAMPLE2");
    });
  });

  describe("of an access", () => {
    const cases = [
      ["with the same Secret", "protocol", "creds", "AKEXAMPLE3"],
      ["with another Secret", "credentialsSecretName", "other-creds", "AKEXAMPLE4"],
    ] as const;
    for (const [what, field, secret, key] of cases) {
      it(`${what} names the field, and revokes the old before it grants the new [OS1-030]`, async () => {
        const old = await uidOf(bucketAccessKind, "photos-rw");
        const text = await change({
          protocols: '["S3", "Azure"]',
          protectData: "false",
          protocol: '"S3"',
          secret,
        });
        const access = section(preview(text), "kubernetes:objectstorage.k8s.io/v1alpha1:BucketAccess");
        assert.match(access, new RegExp(`\\(replace\\)[^]*[~+] ${field}`));
        assert.deepEqual(flow.driver.rpcs(), ["revoke", "grant"]);
        const now = await uidOf(bucketAccessKind, "photos-rw");
        assert.notEqual(now, old);
        assert.deepEqual(
          flow.driver.requests().grant.map(({ name }) => name),
          [`ba-${now}`],
        );
        assert.deepEqual(flow.driver.liveKeys(), [key]);
        assert.equal(await keyInSecret(secret), key);
      });
    }
  });
});

const replacedWithClaim = [
  "kubernetes:objectstorage.k8s.io/v1alpha1:BucketClaim",
  "pulumi-nodejs:dynamic/cosi/objectstorage:ClaimBinding",
  "pulumi-nodejs:dynamic/cosi:Bucket",
  "kubernetes:objectstorage.k8s.io/v1alpha1:BucketAccess",
  "pulumi-nodejs:dynamic/cosi:BucketAccess",
];

/** The part of an `up --diff` before it begins its work. */
function preview(text: string): string {
  return text.split(/^Updating /m)[0] ?? "";
}

/** What a preview says of the resource of a type, the only one. */
function section(text: string, type: string): string {
  const begin = text.indexOf(`${type}: (`);
  const rest = text.slice(begin + type.length);
  return rest.slice(0, rest.search(/^ *(\+-|[-+~]) ?[\w.-]+:[\w./-]+:[\w]+: \(/m));
}
