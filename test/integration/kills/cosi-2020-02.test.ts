import assert from "node:assert/strict";
import { assertRecovered } from "../../support/kills/assert-recovered";
import { proposal202002 } from "../../support/kills/cosi-2020-02/subject";
import { KillHarness, type Outcome } from "../../support/kills/harness";
import { pointsOf, type NamedPoint } from "../../support/kills/point";

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
  let harness: KillHarness;
  let outcomes: Promise<Outcome>[];

  before(async () => {
    const points = namedPoints.map(([, point]) => point);
    harness = await KillHarness.start(
      proposal202002,
      points.map(({ command }) => command),
    );
    // They run side by side; each test waits for its own.
    outcomes = harness.try(points);
  });

  after(() => harness.stop());

  for (const [index, [what]] of namedPoints.entries()) {
    it(`ends as an undisturbed one: ${what} [K02-008]`, async () => {
      assertRecovered(await outcomes[index]);
    });
  }

  it("is compared with one bucket and one live key per account, which both Secrets have, and with nothing after a destroy", async () => {
    const { buckets, ...users } = (await harness.reference("up")).dump.store;
    assert.equal(buckets.length, 1);
    assert.deepEqual(users, { usersWithoutAccess: [], accounts: [{ liveKeys: 1, inSecret: true }] });
    const shared = (await harness.reference("share")).dump.store;
    assert.equal(shared.buckets.length, 1);
    assert.deepEqual(shared.accounts, [
      { liveKeys: 1, inSecret: true },
      { liveKeys: 1, inSecret: true },
    ]);
    for (const command of ["destroy", "finish"]) {
      const { objects, store } = (await harness.reference(command)).dump;
      assert.deepEqual(objects, []);
      assert.deepEqual(store, { buckets: [], usersWithoutAccess: [], accounts: [] });
    }
  });
});
