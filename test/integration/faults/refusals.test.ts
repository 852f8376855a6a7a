import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  bucketAccessKind,
  revokeSentAnnotation,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import type { Refusal } from "../../support/faults/api-proxy";
import { ClaimWorld } from "../../support/faults/claim-world";
import { assertEnded, type RunResult } from "../../support/faults/small-stack";
import type { Rpc } from "../../support/workflows/storing-driver";
import { forbidden, noteWrites, textOf } from "../../support/faults/write-faults";

/** A write of the workflow. */
interface Write {
  /** In words: "up, before it protects the claim". */
  readonly what: string;
  readonly request: RegExp;
  /** Resource at which a run ends whose write is refused. */
  readonly stopsAt: string;
  /** RPCs of the command that came before it. */
  readonly sent: readonly Rpc[];
}

/** What an `up` writes, in its order; custom resources aside, which are not ours to write. */
const upWrites: readonly Write[] = [
  {
    what: "the claim's finalizer",
    request: /^PATCH \S+\/photos .*claim-protection/,
    stopsAt: "binding",
    sent: [],
  },
  { what: "the Bucket", request: /^POST \S+\/buckets /, stopsAt: "binding", sent: [] },
  {
    what: "the bucket's name in the claim's status",
    request: /^PATCH \S+\/photos\/status .*"bucketReady":false/,
    stopsAt: "bucket",
    sent: [],
  },
  { what: "the mark of the create", request: /^PATCH \S+ .*create-sent":"/, stopsAt: "bucket", sent: [] },
  {
    what: "the Bucket's status",
    request: /^PATCH \S+\/buckets\/\S+\/status .*"bucketReady":true/,
    stopsAt: "bucket",
    sent: ["create"],
  },
  {
    what: "the claim's status",
    request: /^PATCH \S+\/photos\/status .*"bucketReady":true/,
    stopsAt: "bucket",
    sent: ["create"],
  },
  {
    what: "the BucketAccess's finalizer",
    request: /^PATCH \S+\/rw .*access-protection/,
    stopsAt: "access",
    sent: ["create"],
  },
  {
    what: "the Bucket's second finalizer",
    request: /^PATCH \S+\/buckets\/\S+ .*access-bucket-protection/,
    stopsAt: "access",
    sent: ["create"],
  },
  {
    what: "the account in the BucketAccess's status",
    request: /^PATCH \S+\/rw\/status .*"accountID":"/,
    stopsAt: "access",
    sent: ["create", "grant"],
  },
  { what: "the Secret", request: /^POST \S+\/secrets /, stopsAt: "Secret", sent: ["create", "grant"] },
  {
    what: "that access is granted",
    request: /^PATCH \S+\/rw\/status .*"accessGranted":true/,
    stopsAt: "Secret",
    sent: ["create", "grant"],
  },
];

/** What a `destroy` writes, in its order. */
const destroyWrites: readonly Write[] = [
  {
    what: "that access is no longer granted",
    request: /^PATCH \S+\/rw\/status .*"status":\{"accessGranted":false/,
    stopsAt: "Secret",
    sent: [],
  },
  { what: "the Secret's finalizer", request: /^PATCH \S+\/secrets\/rw-creds /, stopsAt: "Secret", sent: [] },
  { what: "the Secret", request: /^DELETE \S+\/secrets\/rw-creds /, stopsAt: "Secret", sent: [] },
  {
    what: "the mark of the revoke",
    request: /^PATCH \S+ .*revoke-sent":"true"/,
    stopsAt: "access",
    sent: [],
  },
  {
    what: "the account in the BucketAccess's status",
    request: /^PATCH \S+\/rw\/status .*"accountID":null/,
    stopsAt: "access",
    sent: ["revoke"],
  },
  {
    what: "the BucketAccess's finalizer",
    request: /^PATCH \S+\/rw .*"finalizers":\[\]/,
    stopsAt: "access",
    sent: ["revoke"],
  },
  {
    what: "the Bucket's second finalizer",
    request: /^PATCH \S+\/buckets\/\S+ .*"finalizers":\["[^"]*\/bucket-protection"\]/,
    stopsAt: "access",
    sent: ["revoke"],
  },
  {
    what: "the mark of the revoke that is done",
    request: /^PATCH \S+ .*revoke-sent":null/,
    stopsAt: "access",
    sent: ["revoke"],
  },
  {
    what: "the Bucket's finalizer",
    request: /^PATCH \S+\/buckets\/\S+ .*"finalizers":\[\]/,
    stopsAt: "bucket",
    sent: ["revoke", "delete"],
  },
  {
    what: "the Bucket",
    request: /^DELETE \S+\/buckets\/\S+ /,
    stopsAt: "binding",
    sent: ["revoke", "delete"],
  },
  {
    what: "the claim's finalizer",
    request: /^PATCH \S+\/photos .*"finalizers":\[\]/,
    stopsAt: "binding",
    sent: ["revoke", "delete"],
  },
];

/** How an API server says no. */
const refusals: readonly Refusal[] = [
  forbidden,
  {
    code: 409,
    reason: "Conflict",
    message: "Operation cannot be fulfilled: the object has been modified; please apply your changes",
  },
  {
    code: 422,
    reason: "Invalid",
    message: "it is invalid: spec.owner: Required value: every object has an owner",
  },
  {
    code: 400,
    reason: "BadRequest",
    message: 'admission webhook "policy.example.com" denied the request: nothing is changed on Fridays',
  },
];

describe("an API server that refuses a write (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(300_000);
  let world: ClaimWorld;

  before(async () => {
    world = await ClaimWorld.start();
  });

  after(async () => {
    await world.stop();
  });

  beforeEach(() => {
    world.reset();
  });

  /** Refuses a write in every attempt from now on. */
  function refuse({ request }: Write, refusal: Refusal): void {
    world.api.at = (point) => (point.stage === "before" && request.test(textOf(point)) ? refusal : undefined);
  }

  it("has one rule below for every write that there is", async () => {
    const written: string[] = [];
    noteWrites(world.api, written);
    const claim = await world.stack();
    for (const [command, writes] of [
      ["up", upWrites],
      ["destroy", destroyWrites],
    ] as const) {
      written.length = 0;
      assertEnded(await claim.stack[command]());
      const rules = written.map((text) =>
        writes.filter(({ request }) => request.test(text)).map(({ what }) => what),
      );
      assert.deepEqual(
        rules,
        writes.map(({ what }) => [what]),
        command,
      );
    }
  });

  it("on up, at any write: the run stops there with the server's words, and the one that is not refused completes", async () => {
    const claim = await world.stack();
    for (const write of upWrites) {
      for (const refusal of refusals) {
        refuse(write, refusal);
        assertRefused(await claim.stack.up(), write, refusal);
        assert.deepEqual(world.driver.rpcs(), write.sent, `${write.what}, ${refusal.code}`);
      }
    }
    world.api.at = () => undefined;
    assertEnded(await claim.stack.up());
    assert.deepEqual(world.driver.rpcs(), ["create", "grant"]);
    await world.assertGranted(claim);
  });

  it("on destroy, at any write: the run stops there with the server's words, and the one that is not refused completes", async () => {
    const claim = await world.stack();
    assertEnded(await claim.stack.up());
    // A driver without the idempotency that is asked of it.
    const off = world.driver.on("received", ({ rpc, request }) =>
      Promise.resolve(
        rpc === "revoke" && !world.driver.accounts.has(request.accountId)
          ? { code: status.NOT_FOUND, message: "there is no such account" }
          : undefined,
      ),
    );
    for (const write of destroyWrites) {
      for (const refusal of refusals) {
        world.driver.forget();
        refuse(write, refusal);
        assertRefused(await claim.stack.destroy(), write, refusal);
        // What a run before has done may be asked for once more; nothing is beyond it.
        const sent = world.driver.rpcs();
        assert.ok(
          sent.every((rpc) => write.sent.includes(rpc)),
          `${write.what}, ${refusal.code}: ${sent.join()}`,
        );
      }
    }
    world.api.at = () => undefined;
    assertEnded(await claim.stack.destroy());
    off();
    await world.assertNothingLeft(claim);
  });

  it("on destroy, after the revoke: an up hands out no dead key, and one with a refresh grants anew", async () => {
    for (const write of destroyWrites.filter(
      ({ stopsAt, sent }) => stopsAt === "access" && sent.length > 0,
    )) {
      world.reset();
      const claim = await world.stack();
      assertEnded(await claim.stack.up());
      refuse(write, forbidden);
      assertRefused(await claim.stack.destroy(), write, forbidden);
      assert.deepEqual(world.driver.liveKeys(), []);
      world.api.at = () => undefined;
      const { stoppedAt, message } = await claim.stack.up();
      assert.equal(stoppedAt, "Secret", write.what);
      assert.match(message, /may already be revoked.*Next: `pulumi up --refresh` grants it anew/);
      assertEnded(await claim.stack.refresh());
      assertEnded(await claim.stack.up());
      await world.assertGranted(claim);
      assertEnded(await claim.stack.destroy());
      await world.assertNothingLeft(claim);
    }
  });

  it("of the status after a grant that the driver refused: a destroy leaves nothing", async () => {
    const claim = await world.stack();
    world.driver.refuse("grant", { code: status.PERMISSION_DENIED, message: "no keys for you" });
    world.api.at = ({ stage, path }) =>
      stage === "before" && path.endsWith("/rw/status") ? forbidden : undefined;
    assert.match((await claim.stack.up()).message, /^DriverGrantBucketAccess: PERMISSION_DENIED: no keys/);
    world.api.at = () => undefined;
    assertEnded(await claim.stack.destroy());
    await world.assertNothingLeft(claim);
  });

  it("of a finalizer's removal after a call that the driver refused: a destroy ends, and asks the driver for nothing", async () => {
    for (const [rpc, object] of [
      ["create", /\/buckets\/\S+ /],
      ["grant", /\/rw /],
    ] as const) {
      world.reset();
      const claim = await world.stack();
      world.driver.refuse(rpc, { code: status.PERMISSION_DENIED, message: "not yours" });
      world.api.at = (point) =>
        point.stage === "before" && object.test(textOf(point)) && point.body.includes(`"finalizers":[]`)
          ? forbidden
          : undefined;
      assert.match(
        (await claim.stack.up()).message,
        /not yours.*stays in the state as failed.*a destroy takes it off/,
      );
      world.api.at = () => undefined;
      world.driver.forget();
      assertEnded(await claim.stack.refresh());
      assertEnded(await claim.stack.destroy());
      assert.ok(!world.driver.rpcs().includes(rpc), world.driver.rpcs().join());
      await world.assertNothingLeft(claim);
    }
  });

  it("of the status before a revoke: nothing says that one was sent", async () => {
    const claim = await world.stack();
    assertEnded(await claim.stack.up());
    const access = { namespace: claim.namespace, name: "rw" };
    const { client } = world.cluster;
    world.api.at = async ({ stage, method, path }) => {
      if (stage === "before" && path.endsWith("/rw/status")) return forbidden;
      // Somebody writes that access is granted once the Secret is gone.
      if (stage === "after" && method === "DELETE") {
        await client.patchStatus(bucketAccessKind, access, { accessGranted: true });
      }
      return undefined;
    };
    await client.patchStatus(bucketAccessKind, access, { accessGranted: false });
    assert.equal((await claim.stack.destroy()).stoppedAt, "access");
    assert.deepEqual(world.driver.rpcs(), ["create", "grant"]);
    const { annotations = {} } = (await client.get(bucketAccessKind, access))?.metadata ?? {};
    assert.equal(annotations[revokeSentAnnotation], undefined);
  });

  it("with the values of the Secret in its words: the run shows none of them", async () => {
    const claim = await world.stack();
    let quoted: readonly string[] = [];
    world.api.at = ({ stage, method, path, body }) => {
      if (stage === "after" || method !== "POST" || !path.endsWith("/secrets")) return undefined;
      const base64 = /"key":"([^"]+)"/.exec(body)?.[1] ?? assert.fail("the Secret has the key");
      quoted = [base64, Buffer.from(base64, "base64").toString()];
      return { ...forbidden, message: `nobody may write ${quoted.join(" or ")} here` };
    };
    const { message } = await claim.stack.up();
    assert.match(message, /: 403 Forbidden: nobody may write \[secret\] or \[secret\] here\. Next: /);
    for (const value of quoted) assert.ok(!message.includes(value), message);
  });

  for (const write of upWrites) {
    it(`on up, ${write.what}: a destroy after it leaves nothing`, async () => {
      const claim = await world.stack();
      refuse(write, forbidden);
      assertRefused(await claim.stack.up(), write, forbidden);
      world.api.at = () => undefined;
      assertEnded(await claim.stack.destroy());
      await world.assertNothingLeft(claim);
    });
  }

  for (const write of destroyWrites.filter(({ sent }) => sent.length === 0)) {
    it(`on destroy, ${write.what}: an up after it restores the access without an RPC`, async () => {
      const claim = await world.stack();
      assertEnded(await claim.stack.up());
      refuse(write, forbidden);
      assertRefused(await claim.stack.destroy(), write, forbidden);
      world.api.at = () => undefined;
      assertEnded(await claim.stack.up());
      assert.deepEqual(world.driver.rpcs(), ["create", "grant"]);
      await world.assertGranted(claim);
      assertEnded(await claim.stack.destroy());
      await world.assertNothingLeft(claim);
    });
  }
});

function assertRefused({ stoppedAt, message }: RunResult, { stopsAt }: Write, refusal: Refusal): void {
  assert.equal(stoppedAt, stopsAt, message);
  assert.ok(message.includes(`: ${refusal.code} ${refusal.reason}: ${refusal.message}`), message);
  assert.match(
    message,
    /(patch|patch status of|create|delete) (Bucket|BucketClaim|BucketAccess|Secret) \S+: /,
  );
  assert.match(message, /Next: \S.*run (the command|pulumi up) again\.$/);
}
