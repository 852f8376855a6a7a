import { proposal202002 } from "../../support/kills/cosi-2020-02/subject";
import { pointsOf, type NamedPoint } from "../../support/kills/point";
import { assertNothingLeft, assertOneLiveKey, assertShared, strikesAt } from "../../support/kills/strikes";

const contentMade = /POST .*\/bucketcontents$/;
const contentPatched = /PATCH .*\/bucketcontents\/[^/]+$/;
const contentStatus = /PATCH .*\/bucketcontents\/[^/]+\/status$/;
const bucketStatus = /PATCH .*\/buckets\/[^/]+\/status$/;

/** Where this model does other things than that of claims, in words. */
const namedPoints: readonly NamedPoint[] = [
  ...pointsOf("up", [
    [
      "Ctrl-C between the BucketContent and the create",
      { request: contentMade, stage: "after" },
      "interrupt",
    ],
    [
      "the driver is away for a moment at the create",
      { rpc: "create", stage: "before" },
      "driver for a moment",
    ],
    [
      "everything after the create had its effect, before its reply",
      { rpc: "create", stage: "after" },
      "all",
    ],
    [
      "everything between the create's reply and its data in the BucketContent",
      { request: contentPatched, stage: "before", since: "create" },
      "all",
    ],
    [
      "everything between the two Secrets",
      { request: contentStatus, stage: "after", since: "create" },
      "all",
    ],
    [
      "everything between the Secrets and the binding",
      { request: bucketStatus, stage: "before", since: "create" },
      "all",
    ],
  ]),
  ...pointsOf("share", [
    ["the host alone before the grant", { rpc: "grant", stage: "before" }, "host"],
    ["everything after the grant had its effect, before its reply", { rpc: "grant", stage: "after" }, "all"],
  ]),
  ...pointsOf("destroy", [
    ["Ctrl-C before the delete", { rpc: "delete", stage: "before" }, "interrupt"],
    ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
  ]),
  ...pointsOf("finish", [
    ["the driver alone before the revoke", { rpc: "revoke", stage: "before" }, "driver"],
    ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
  ]),
];

describe("a command over Buckets that is struck, and run again (COSI proposal of 2020-02-27)", function () {
  this.timeout(1_800_000);
  const strikes = strikesAt(proposal202002, namedPoints, { idsOf: () => " [K02-008]" });

  it("is compared with one bucket and one live key per account, which both Secrets have, and with nothing after a destroy", async () => {
    await assertOneLiveKey(strikes(), "up");
    await assertShared(strikes(), "share");
    for (const command of ["destroy", "finish"]) await assertNothingLeft(strikes(), command);
  });
});
