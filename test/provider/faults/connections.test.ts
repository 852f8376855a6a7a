import assert from "node:assert/strict";
import type { ConnectionSettings } from "../../../provider/driver/settings";
import { driverName } from "../../support/cosi-v1alpha1";
import { DriverWorld } from "../../support/faults/driver-world";
import { assertEnded, type RunResult, type SmallStack } from "../../support/faults/small-stack";
import { goaway, SocketProxy } from "../../support/faults/socket-proxy";
import { quickSettings } from "../../support/settings";
import type { Rpc } from "../../support/workflows/storing-driver";

const rpcs: readonly Rpc[] = ["create", "grant", "revoke", "delete"];

const rpcNames: Readonly<Record<Rpc, string>> = {
  create: "DriverCreateBucket",
  grant: "DriverGrantBucketAccess",
  revoke: "DriverRevokeBucketAccess",
  delete: "DriverDeleteBucket",
};

const leak = /^warning: access \S+: .*a credential of it may be alive at the driver fake\.example\.com$/;

describe("a connection that breaks", function () {
  this.timeout(120_000);
  let world: DriverWorld;
  let network: SocketProxy;

  beforeEach(async () => {
    world = await new DriverWorld().start();
    network = await new SocketProxy(world.driver.fake.socket).start();
  });

  afterEach(async () => {
    await world.stop();
    await network.stop();
  });

  const settings = (changes: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
    ...quickSettings(network.endpoint),
    ...changes,
  });

  /** Runs the command that sends the RPC; what happens between its effect and its reply is the test's. */
  async function during(
    stack: SmallStack,
    rpc: Rpc,
    meanwhile: (earlier: number) => void,
    when: "received" | "done" = "done",
  ): Promise<RunResult> {
    const removes = rpc === "delete" || rpc === "revoke";
    if (removes && stack.state().size === 0) assertEnded(await stack.up());
    let earlier = 0;
    const off = world.driver.on(when, (call) => {
      if (call.rpc === rpc) meanwhile(earlier++);
      return Promise.resolve(undefined);
    });
    try {
      world.driver.forget();
      return await (removes ? stack.destroy() : stack.up());
    } finally {
      off();
      network.heal();
    }
  }

  /** Bytes that the driver sends for one reply, headers and trailers among them. */
  async function lengthOfReply(rpc: Rpc): Promise<number> {
    const stack = world.stack(settings());
    let passed = (): number => 0;
    let whole: number | undefined;
    const off = world.driver.on("received", () => {
      if (passed() > 0) whole ??= passed();
      return Promise.resolve(undefined);
    });
    assertEnded(await during(stack, rpc, () => (passed = network.count())));
    off();
    whole ??= passed();
    if (stack.state().size > 0) assertEnded(await stack.destroy());
    return whole;
  }

  /** How often the RPC was sent in the last run. */
  const sent = (rpc: Rpc): number => world.driver.rpcs().filter((known) => known === rpc).length;

  async function assertLeavesNothing(stack: SmallStack): Promise<void> {
    assertEnded(await stack.up());
    assert.deepEqual(world.holds(), { buckets: 1, keys: 1 });
    assert.deepEqual(world.driver.liveKeys(), [stack.outputs("access")["accessKeyId"]]);
    assertEnded(await stack.destroy());
    assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
    assert.equal(stack.state().size, 0);
  }

  for (const rpc of rpcs) {
    it(`in the middle of the reply to ${rpcNames[rpc]}, at any byte, has the call made again [GRPC-088]`, async () => {
      const whole = await lengthOfReply(rpc);
      assert.ok(whole > 20, `a reply of ${whole} bytes`);
      for (const bytes of [0, 9, Math.round(whole / 2), whole - 1]) {
        const stack = world.stack(settings());
        const result = await during(stack, rpc, (earlier) => {
          if (earlier === 0) network.treat({ cutAfter: bytes });
        });
        assertEnded(result, `cut after ${bytes} of ${whole} bytes`);
        assert.equal(sent(rpc), 2, `cut after ${bytes} of ${whole} bytes`);
        assertLeakWarning(result, rpc);
        await assertLeavesNothing(stack);
      }
    });

    it(`that stays open and brings no reply to ${rpcNames[rpc]} is left for another one after the deadline [GRPC-078]`, async () => {
      const stack = world.stack(settings({ callTimeoutSeconds: 0.5 }));
      const result = await during(stack, rpc, (earlier) => {
        if (earlier === 0) network.treat({ stallAfter: 5 });
      });
      assertEnded(result);
      assert.ok(sent(rpc) > 1);
      assertLeakWarning(result, rpc);
      await assertLeavesNothing(stack);
    });

    for (const [what, treatment] of [
      ["is cut", { cutAfter: 5 }],
      ["stands still", { stallAfter: 5 }],
    ] as const) {
      it(`whose every reply to ${rpcNames[rpc]} ${what} ends the run, and nothing is lost [GRPC-053] [GRPC-054] [GRPC-055]`, async () => {
        const brief = settings({ callTimeoutSeconds: 0.3, retryBudgetSeconds: 0.5 });
        for (const second of ["up", "destroy"] as const) {
          const stack = world.stack(brief);
          const result = await during(stack, rpc, () => {
            network.treat(treatment);
          });
          assertText(result, stack, rpc);
          if (rpc === "create" || rpc === "grant") {
            const name = rpc === "create" ? "bucket" : "access";
            assert.equal(stack.state().get(name)?.failed, true, "kept as failed");
            assert.deepEqual(world.holds(), { buckets: 1, keys: rpc === "grant" ? 1 : 0 });
            if (second === "destroy") assertEnded(await stack.destroy());
          } else {
            assert.deepEqual(world.holds(), { buckets: rpc === "delete" ? 0 : 1, keys: 0 });
            assertEnded(await stack.destroy());
          }
          if (second === "destroy") assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
          await assertLeavesNothing(stack);
        }
      });
    }

    it(`by a GOAWAY while ${rpcNames[rpc]} is under way still has its reply`, async () => {
      const stack = world.stack(settings());
      const result = await during(stack, rpc, () => {
        network.inject(goaway(2 ** 31 - 1));
      });
      assertEnded(result);
      assert.deepEqual(result.warnings, []);
      assert.equal(sent(rpc), 1);
      await assertLeavesNothing(stack);
    });

    it(`by a GOAWAY that did not take ${rpcNames[rpc]} has it made again`, async () => {
      const stack = world.stack(settings());
      const result = await during(stack, rpc, (earlier) => {
        if (earlier === 0) network.inject(goaway(1));
      });
      assertEnded(result);
      assert.equal(sent(rpc), 2);
      assertLeakWarning(result, rpc);
      await assertLeavesNothing(stack);
    });
  }
});

/** GRPC-056. */
function assertLeakWarning({ warnings }: RunResult, rpc: Rpc): void {
  assert.equal(warnings.length, rpc === "grant" ? 1 : 0, warnings.join("\n"));
  if (rpc === "grant") assert.match(warnings[0] ?? "", leak);
}

/** GRPC-062: what the user reads. */
function assertText({ message, stoppedAt }: RunResult, stack: SmallStack, rpc: Rpc): void {
  const resource = rpc === "create" || rpc === "delete" ? "bucket" : "access";
  assert.equal(stoppedAt, resource);
  assert.match(
    message,
    new RegExp(`^${rpcNames[rpc]}: (UNAVAILABLE|DEADLINE_EXCEEDED|INTERNAL|CANCELLED|UNKNOWN): `),
  );
  assert.ok(message.includes(`${resource} ${String(stack.outputs(resource)["name"])}`), message);
  assert.ok(message.includes(`driver ${driverName} at unix://`), message);
  assert.match(message, /\(\d+ attempts? in \d+\.\d s\)/);
  assert.match(message, /Next: .*then run the command again/);
}
