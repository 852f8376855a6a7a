import assert from "node:assert/strict";
import { ProposalWorld } from "../../support/cosi-2020-07/proposal-world";
import type { Rpc } from "../../support/cosi-2020-07/storing-controller";
import { assertEnded } from "../../support/faults/small-stack";
import { assertForbidden, noteWrites, refuseOnce, textOf } from "../../support/faults/write-faults";

/** A write of the workflow: what it is of, the request, and the resource at which a run ends that it is refused. */
type Write = readonly [what: string, request: RegExp, stopsAt: string];

/** What an `up` writes before, between and after its calls; custom resources aside, which are not ours to write. */
const upWrites: readonly (readonly [sent: readonly Rpc[], writes: readonly Write[]])[] = [
  [
    [],
    [
      ["the finalizer of the request", /^PATCH \S+\/bucketrequests\/\S+ .*"finalizers":\["/, "request"],
      ["the request's Creating", /^PATCH \S+\/bucketrequests\/\S+\/status .*"Creating"/, "request"],
      ["the request's label", /^PATCH \S+\/bucketrequests\/\S+ .*"labels"/, "request"],
      ["the Bucket", /^POST \S+\/buckets /, "request"],
      ["the Bucket's Creating", /^PATCH \S+\/buckets\/\S+\/status .*"the bucket is being made"/, "request"],
      ["finalizer and mark of the create", /^PATCH \S+\/buckets\/\S+ .*create-sent":"/, "bucket"],
    ],
  ],
  [
    ["create"],
    [
      ["what the driver told of the bucket", /^PATCH \S+\/buckets\/\S+ .*provider-context/, "bucket"],
      ["that access is awaited", /^PATCH \S+\/buckets\/\S+\/status .*no access is bound/, "bucket"],
      [
        "the finalizer of the request for access",
        /^PATCH \S+\/bucketaccessrequests\/\S+ .*"finalizers":\["/,
        "accessRequest",
      ],
      [
        "the Pending of the request for access",
        /^PATCH \S+\/bucketaccessrequests\/\S+\/status .*"Pending"/,
        "accessRequest",
      ],
      [
        "the label of the request for access",
        /^PATCH \S+\/bucketaccessrequests\/\S+ .*"labels"/,
        "accessRequest",
      ],
      ["the BucketAccess", /^POST \S+\/bucketaccesses /, "accessRequest"],
      ["the finalizer of the BucketAccess", /^PATCH \S+\/bucketaccesses\/\S+ .*"finalizers":\["/, "access"],
      ["that a grant is under way", /^PATCH \S+\/buckets\/\S+ .*\/granting-[0-9a-f]+":"/, "access"],
    ],
  ],
  [
    ["create", "grant"],
    [
      ["the source of the Secret", /^POST \S+\/secrets .*"kind":"BucketAccess"/, "source"],
      ["the Secret", /^POST \S+\/secrets .*"kind":"BucketAccessRequest"/, "copy"],
      ["the entry of the bindings", /^PATCH \S+\/buckets\/\S+ .*"bindings":\["/, "binding"],
      ["the Bucket's name in the request", /^PATCH \S+ .*"bucketInstanceName"/, "binding"],
      ["the BucketAccess's name in its request", /^PATCH \S+ .*"bucketAccessName"/, "binding"],
      ["the BucketAccess's Bound", /^PATCH \S+\/bucketaccesses\/\S+\/status .*"Bound"/, "binding"],
      [
        "the Bound of the request for access",
        /^PATCH \S+\/bucketaccessrequests\/\S+\/status .*"Bound"/,
        "binding",
      ],
      ["the Bucket's Bound", /^PATCH \S+\/buckets\/\S+\/status .*"Bound"/, "binding"],
      ["the request's Bound", /^PATCH \S+\/bucketrequests\/\S+\/status .*"Bound"/, "binding"],
    ],
  ],
];

/** What a `destroy` writes. */
const destroyWrites: readonly (readonly [sent: readonly Rpc[], writes: readonly Write[]])[] = [
  [
    [],
    [
      [
        "the Deleting of the request for access",
        /^PATCH \S+\/bucketaccessrequests\/\S+\/status .*"Deleting"/,
        "binding",
      ],
      ["the Secret", /^DELETE \S+\/secrets\/web-creds /, "copy"],
      ["the source of the Secret", /^DELETE \S+\/secrets\/bucketaccess-/, "source"],
      ["the mark of the revoke", /^PATCH \S+\/bucketaccesses\/\S+ .*revoke-sent":"true"/, "access"],
    ],
  ],
  [
    ["revoke"],
    [
      ["the BucketAccess's Released", /^PATCH \S+\/bucketaccesses\/\S+\/status .*"Released"/, "access"],
      ["the entry of the bindings", /^PATCH \S+\/buckets\/\S+ .*"bindings":\[\]/, "access"],
      ["that access is awaited", /^PATCH \S+\/buckets\/\S+\/status .*no access is bound/, "access"],
      ["the request's Creating", /^PATCH \S+\/bucketrequests\/\S+\/status .*"Creating"/, "access"],
      ["the finalizer of the BucketAccess", /^PATCH \S+\/bucketaccesses\/\S+ .*"finalizers":\[\]/, "access"],
      ["the BucketAccess", /^DELETE \S+\/bucketaccesses\//, "accessRequest"],
      [
        "the finalizer of the request for access",
        /^PATCH \S+\/bucketaccessrequests\/\S+ .*"finalizers":\[\]/,
        "accessRequest",
      ],
      ["the Bucket's Deleting", /^PATCH \S+\/buckets\/\S+\/status .*"Deleting"/, "bucket"],
      ["the request's Deleting", /^PATCH \S+\/bucketrequests\/\S+\/status .*"Deleting"/, "bucket"],
    ],
  ],
  [
    ["revoke", "delete"],
    [
      ["the Bucket's Deleted", /^PATCH \S+\/buckets\/\S+\/status .*"Deleted"/, "bucket"],
      ["the request's Deleted", /^PATCH \S+\/bucketrequests\/\S+\/status .*"Deleted"/, "bucket"],
      ["the finalizer of the Bucket", /^PATCH \S+\/buckets\/\S+ .*"finalizers":\[\]/, "bucket"],
      ["the Bucket", /^DELETE \S+\/buckets\//, "request"],
      ["the finalizer of the request", /^PATCH \S+\/bucketrequests\/\S+ .*"finalizers":\[\]/, "request"],
    ],
  ],
];

describe("an API server that fails once (COSI proposal of 2020-07-08)", function () {
  this.timeout(120_000);
  let world: ProposalWorld;

  before(async () => {
    world = await ProposalWorld.start();
  });

  after(() => world.stop());

  beforeEach(() => {
    world.reset();
  });

  const refuse = (request: RegExp): (() => void) => refuseOnce(world.api, request);

  it("has one rule below for every write that there is", async () => {
    const written: string[] = [];
    noteWrites(world.api, written);
    const { stack } = await world.stack();
    for (const [command, steps] of [
      ["up", upWrites],
      ["destroy", destroyWrites],
    ] as const) {
      written.length = 0;
      assertEnded(await stack[command]());
      const writes = steps.flatMap(([, each]) => each);
      const rules = written.map((text) =>
        writes.filter(([, request]) => request.test(text)).map(([what]) => what),
      );
      assert.deepEqual(
        rules,
        writes.map(([what]) => [what]),
        command,
      );
    }
  });

  it("that refuses, on up: the run stops with the server's words before the next call, and the same again goes on [K07-019]", async () => {
    const requested = await world.stack();
    for (const { what, request, stopsAt, sent } of all(upWrites)) {
      world.driver.forget();
      const passed = refuse(request);
      assertForbidden(await requested.stack.up(), stopsAt, what);
      passed();
      // What a run before has done may be asked for once more; nothing is beyond it.
      const rpcs = world.driver.rpcs();
      assert.ok(
        rpcs.every((rpc) => sent.includes(rpc)),
        `${what}: ${rpcs.join()}`,
      );
    }
    assertEnded(await requested.stack.up());
    await world.assertBound(requested);
    assertEnded(await requested.stack.destroy());
    await world.assertNothingLeft(requested);
  });

  it("that refuses, on destroy: the run stops with the server's words before the next call, and the same again goes on", async () => {
    const requested = await world.stack();
    assertEnded(await requested.stack.up());
    for (const { what, request, stopsAt, sent } of all(destroyWrites)) {
      world.driver.forget();
      const passed = refuse(request);
      assertForbidden(await requested.stack.destroy(), stopsAt, what);
      passed();
      const rpcs = world.driver.rpcs();
      assert.ok(
        rpcs.every((rpc) => sent.includes(rpc)),
        `${what}: ${rpcs.join()}`,
      );
    }
    assertEnded(await requested.stack.destroy());
    await world.assertNothingLeft(requested);
  });

  for (const stage of ["before", "after"] as const) {
    it(`that cuts the connection ${stage} every write's effect: nobody is stopped, and nothing is done twice`, async () => {
      const requested = await world.stack();
      for (const [command, writes] of [
        ["up", upWrites],
        ["destroy", destroyWrites],
      ] as const) {
        const waiting = new Set(all(writes).map(({ request }) => request));
        world.api.at = (point) => {
          const request = [...waiting].find((each) => point.stage === stage && each.test(textOf(point)));
          if (request === undefined) return undefined;
          waiting.delete(request);
          return Promise.reject(new Error("the connection is cut"));
        };
        assertEnded(await requested.stack[command]());
        assert.equal(waiting.size, 0);
        if (command === "up") await world.assertBound(requested);
      }
      assert.deepEqual(world.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
      await world.assertNothingLeft(requested);
    });
  }

  for (const { what, request, stopsAt } of all(upWrites)) {
    it(`that refuses ${what}: a destroy after it leaves nothing [K07-144]`, async () => {
      const requested = await world.stack();
      const passed = refuse(request);
      assertForbidden(await requested.stack.up(), stopsAt, what);
      passed();
      assertEnded(await requested.stack.destroy());
      await world.assertNothingLeft(requested);
    });
  }
});

/** Every write, with the calls of the command that came before it. */
function all(
  steps: typeof upWrites,
): { what: string; request: RegExp; stopsAt: string; sent: readonly Rpc[] }[] {
  return steps.flatMap(([sent, writes]) =>
    writes.map(([what, request, stopsAt]) => ({ what, request, stopsAt, sent })),
  );
}
