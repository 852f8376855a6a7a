import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { configMapKind, secretKind } from "../../../provider/kubernetes/object";
import { objectBucketClaimKind, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { readObjectBucket } from "../../../provider/models/objectbucket/records";
import { provisioner } from "../../support/cosi-2020-02";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { destroyArgs, upArgs } from "../../support/kills/commands";
import { KillableProgram } from "../../support/kills/objectbucket/killable-program";
import { objectBuckets } from "../../support/kills/objectbucket/subject";
import { pointsOf, type NamedPoint } from "../../support/kills/point";
import {
  assertAsAfterUp,
  assertNothingLeft,
  assertOneLiveKey,
  assertShared,
  strikesAt,
} from "../../support/kills/strikes";
import { dataOf } from "../../support/kills/subject";
import { installObjectBuckets } from "../../support/objectbucket/claim-workflow";
import type { RecordingDriver } from "../../support/workflows/recorded-workflow";
import { StoringDriver } from "../../support/workflows/storing-driver";
import { cluster, newNamespace, type Cluster } from "../kubernetes/cluster";

const claimMade = /POST .*\/objectbucketclaims$/;
const claimPatched = /PATCH .*\/objectbucketclaims\/[^/]+$/;
const secretMade = /POST .*\/secrets$/;
const objectBucketMade = /POST .*\/objectbuckets$/;
const objectBucketDeleted = /DELETE .*\/objectbuckets\/[^/]+$/;

/** Where this model does other things than those of the sisters, in words. */
const namedPoints: readonly NamedPoint[] = [
  ...pointsOf("up", [
    ["everything between the claim and its bucket's name", { request: claimMade, stage: "after" }, "all"],
    [
      "everything after the create had its effect, before its reply [OBC-066] [CASE-P32]",
      { rpc: "create", stage: "after" },
      "all",
    ],
    ["the host alone before the grant [CASE-P26]", { rpc: "grant", stage: "before" }, "host"],
    [
      "everything after the grant had its effect, before its reply [OBC-118]",
      { rpc: "grant", stage: "after" },
      "all",
    ],
    [
      "everything between the grant's reply and its account in the claim",
      { request: claimPatched, stage: "before", since: "grant" },
      "all",
    ],
    ["Ctrl-C when the Secret is written", { request: secretMade, stage: "after" }, "interrupt"],
    [
      "everything between the ObjectBucket and the claim's Bound",
      { request: objectBucketMade, stage: "after" },
      "all",
    ],
  ]),
  ...pointsOf("change-config", [
    ["everything after the create had its effect", { rpc: "create", stage: "after" }, "all"],
  ]),
  ...pointsOf("replace-bucket", [
    [
      "everything between the old ObjectBucket's end and the old claim's",
      { request: objectBucketDeleted, stage: "after" },
      "all",
    ],
  ]),
  ...pointsOf("rotate", [
    ["everything after the grant had its effect", { rpc: "grant", stage: "after" }, "all"],
  ]),
  ...pointsOf("destroy", [
    ["the driver alone before the revoke [OBC-085]", { rpc: "revoke", stage: "before" }, "driver"],
    ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
    ["the CLI alone before the ObjectBucket's end", { request: objectBucketDeleted, stage: "before" }, "cli"],
  ]),
  ...pointsOf("share", [
    [
      "everything after the second grant had its effect",
      { rpc: "grant", stage: "before", since: "grant", later: 1 },
      "all",
    ],
  ]),
  ...pointsOf("finish", [
    ["everything after the first revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
  ]),
];

describe("a command over object bucket claims that is struck, and run again (objectbucket.io/v1alpha1)", function () {
  this.timeout(1_800_000);
  const strikes = strikesAt(objectBuckets, namedPoints);

  it("is compared with one bucket and one live key per account, which its Secret has, and with nothing after a destroy", async () => {
    for (const command of ["up", "change-config", "rotate"]) await assertOneLiveKey(strikes(), command);
    await assertShared(strikes(), "share");
    for (const command of ["destroy", "finish"]) await assertNothingLeft(strikes(), command);
  });

  it("leaves after a replacement what an up leaves", async () => {
    await assertAsAfterUp(strikes(), "replace-bucket");
  });
});

/** What a claim says whose bucket or account the state does not know. */
const unknownBackend =
  /may have a bucket or an account in the backend, which no resource of the state has any more: .*; nothing was deleted\. Next: run `pulumi up` first/;

const takenUp = /warning: bucket \S+: the driver says that it exists; it stems from an attempt whose answer/;

describe("a claim whose up was killed after its create (objectbucket.io/v1alpha1)", function () {
  this.timeout(600_000);
  let kube: Cluster;
  let namespace: string;

  beforeEach(async () => {
    kube = await cluster();
    await installObjectBuckets(kube);
    namespace = await newNamespace(kube);
  });

  /** A claim for a new bucket of a driver, under policy Delete. */
  function programOf(
    driver: RecordingDriver,
    args: Readonly<Record<string, string>> = {},
  ): Promise<KillableProgram> {
    const source = `
import { Driver, objectbucket } from "pulumi-cosi";
const namespace = ${JSON.stringify(namespace)};
const driver = new Driver("store", ${JSON.stringify({ endpoint: driver.fake.endpoint, ...args })});
const gold = new objectbucket.StorageClass("gold", { driver, name: "gold-" + namespace, reclaimPolicy: "Delete" });
new objectbucket.ObjectBucketClaim("photos", { namespace, storageClass: gold, generateBucketName: "photos" });
`;
    return KillableProgram.create(source, driver, kube.target.kubeconfig ?? "");
  }

  it("is not destroyed by what does not know its bucket, says so, and is whole after an up [OBC-066] [OBC-067] [CASE-C03]", async () => {
    const driver = await new StoringDriver().start();
    const program = await programOf(driver);
    try {
      await program.killAfter("create");
      driver.forget();
      const refused = await program.stack.run(destroyArgs);
      assert.notEqual(refused.code, 0);
      assert.match(refused.text, unknownBackend);
      assert.deepEqual(driver.rpcs(), []);
      const [name, ...others] = driver.buckets.keys();
      assert.deepEqual(others, []);
      // Some drivers say so of their own bucket.
      driver.refuse("create", { code: status.ALREADY_EXISTS, message: `${name ?? ""} is there` });
      const { code, text } = await program.stack.run(upArgs);
      assert.equal(code, 0, text);
      assert.match(text, takenUp);
      const { create, grant } = driver.requests();
      assert.deepEqual(
        [create.map((request) => request.name), grant.map(({ bucketId }) => bucketId)],
        [[name], [name]],
      );
      assert.deepEqual([[...driver.buckets.keys()], driver.liveKeys().length], [[name], 1]);
      await program.stack.succeed(destroyArgs);
      assert.deepEqual([driver.buckets.size, driver.accounts.size], [0, 0]);
      await assertNothingOf(kube, namespace);
    } finally {
      await program.remove();
      driver.fake.stop();
    }
  });

  it("has the account that came with the bucket last, by a driver of cosi-2020-02 [OBC-066]", async () => {
    const handler = await new StoringHandler().start();
    const program = await programOf(handler, { contract: "cosi-2020-02", driverName: provisioner });
    try {
      await program.killAfter("create");
      await program.stack.succeed(upArgs);
      const names = handler.requests().create.map(({ RequestBucketName }) => RequestBucketName);
      assert.deepEqual([names.length, new Set(names).size, handler.buckets.size], [2, 1, 1]);
      const [account, ...others] = handler.accounts.values();
      assert.deepEqual(others, []);
      const secret = await kube.client.get(secretKind, { namespace, name: "photos" });
      assert.equal(dataOf(secret, "AWS_ACCESS_KEY_ID"), account?.accessKeyId);
      await program.killAfter("delete", destroyArgs);
      await program.stack.succeed(destroyArgs);
      assert.deepEqual([handler.buckets.size, handler.accounts.size], [0, 0]);
      await assertNothingOf(kube, namespace);
    } finally {
      await program.remove();
      handler.fake.stop();
    }
  });
});

/** No object of a claim is left in its namespace, and no ObjectBucket of it. */
async function assertNothingOf({ client }: Cluster, namespace: string): Promise<void> {
  const kinds = [objectBucketClaimKind, secretKind, configMapKind];
  const left = await Promise.all(kinds.map((kind) => client.list(kind, { namespace })));
  const objectBuckets = await client.list(objectBucketKind);
  const ofClaim = objectBuckets.filter(
    (object) => readObjectBucket(object).claimRef?.namespace === namespace,
  );
  assert.deepEqual(
    [...left.flat(), ...ofClaim].map(({ metadata }) => metadata.name),
    [],
  );
}
