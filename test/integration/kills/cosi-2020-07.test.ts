import assert from "node:assert/strict";
import { assertRecovered } from "../../support/kills/assert-recovered";
import { proposal202007 } from "../../support/kills/cosi-2020-07/subject";
import { pointsOf, type NamedPoint } from "../../support/kills/point";
import { assertNothingLeft, assertOneLiveKey, strikesAt } from "../../support/kills/strikes";

const bucketMade = /POST .*\/buckets$/;
const bucketPatched = /PATCH .*\/buckets\/[^/]+$/;
const bucketDeleted = /DELETE .*\/buckets\/[^/]+$/;
const accessMade = /POST .*\/bucketaccesses$/;
const accessStatus = /PATCH .*\/bucketaccesses\/[^/]+\/status$/;
const secretMade = /POST .*\/secrets$/;

/** Where this model does other things than that of claims, in words. */
const namedPoints: readonly NamedPoint[] = [
  ...pointsOf("up", [
    ["everything between the Bucket object and its create", { request: bucketMade, stage: "after" }, "all"],
    [
      "everything after the create had its effect, before its reply",
      { rpc: "create", stage: "after" },
      "all",
    ],
    [
      "everything between the create's reply and its data in the Bucket",
      { request: bucketPatched, stage: "before", since: "create" },
      "all",
    ],
    ["Ctrl-C between the BucketAccess and its grant", { request: accessMade, stage: "after" }, "interrupt"],
    ["the host alone after the grant had its effect", { rpc: "grant", stage: "after" }, "host"],
    ["everything between the two Secrets", { request: secretMade, stage: "after" }, "all"],
    [
      "everything between the Secrets and the binding",
      { request: bucketPatched, stage: "before", since: "grant" },
      "all",
    ],
    [
      "everything between the binding and the phases",
      { request: accessStatus, stage: "before", since: "grant" },
      "all",
    ],
  ]),
  ...pointsOf("destroy", [
    ["the driver alone before the revoke", { rpc: "revoke", stage: "before" }, "driver"],
    ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
    [
      "everything between the revoke and the unbinding",
      { request: bucketPatched, stage: "before", since: "revoke" },
      "all",
    ],
    [
      "everything between the unbinding and the BucketAccess's end",
      { request: bucketPatched, stage: "after", since: "revoke" },
      "all",
    ],
    ["the CLI alone before the delete", { rpc: "delete", stage: "before" }, "cli"],
    ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
    [
      "everything between the phase Deleted and the finalizer",
      { request: bucketPatched, stage: "before", since: "delete" },
      "all",
    ],
    ["everything before the Bucket object is deleted", { request: bucketDeleted, stage: "before" }, "all"],
  ]),
  ...pointsOf("leave", [
    [
      "everything after the deletion of a Bucket began that another one holds",
      { request: bucketDeleted, stage: "after" },
      "all",
    ],
  ]),
  ...pointsOf("finish", [
    [
      "everything after the last binding is taken out",
      { request: bucketPatched, stage: "after", since: "revoke" },
      "all",
    ],
  ]),
];

describe("a command over requests that is struck, and run again (COSI proposal of 2020-07-08)", function () {
  this.timeout(1_800_000);
  const strikes = strikesAt(proposal202007, namedPoints, { idsOf: () => " [K07-141]" });

  it("leaves the bucket to the last one who is bound, and nothing behind that one [K07-096]", async () => {
    const { harness, outcomeOf } = strikes();
    await assertOneLiveKey(strikes(), "leave");
    await assertNothingLeft(strikes(), "finish");
    const { dump } = await harness.reference("finish");
    assert.deepEqual(dump, (await harness.reference("destroy")).dump);
    assertRecovered(await outcomeOf(({ command }) => command === "finish"));
  });
});
