import assert from "node:assert/strict";
import * as zlib from "node:zlib";
import { status } from "@grpc/grpc-js";
import type { ConnectionSettings } from "../../../provider/driver/settings";
import { driverName, paths } from "../../support/cosi-v1alpha1";
import { DriverWorld, secretParameter } from "../../support/faults/driver-world";
import { RpcProxy, type RpcName, type RpcStage } from "../../support/faults/rpc-proxy";
import { assertEnded, type RunResult, type SmallStack } from "../../support/faults/small-stack";
import { framed, HttpFront, type HttpAnswer } from "../../support/http-front";
import { quickSettings } from "../../support/settings";

type Reaction = "retry" | "three attempts" | "final" | "done";
type Times = "once" | "three times" | "for ever";

const rpcs: readonly RpcName[] = ["getInfo", "create", "grant", "delete", "revoke"];
const stages: readonly RpcStage[] = ["before", "after"];

/** How many answers are replaced. */
const number: Readonly<Record<Times, number>> = {
  once: 1,
  "three times": 3,
  "for ever": Number.POSITIVE_INFINITY,
};

/** Section 9 of the requirements, but for what stands in {@link exceptions}. */
const reactions: Readonly<Record<number, Reaction>> = {
  1: "retry",
  2: "three attempts",
  3: "final",
  4: "retry",
  5: "final",
  6: "final",
  7: "final",
  8: "retry",
  9: "final",
  10: "retry",
  11: "final",
  12: "final",
  13: "three attempts",
  14: "retry",
  15: "final",
  16: "final",
};

/** GRPC-074: the one field of the table that its row does not tell. */
const exceptions: Partial<Record<RpcName, Readonly<Record<number, Reaction>>>> = { delete: { 5: "done" } };

/** Section 1: the call may have had its effect. */
const unknownOutcome: readonly number[] = [1, 2, 4, 13, 14];

/** GRPC-064 to GRPC-076: what the text has to say beside what each one says. */
const advice: Readonly<Record<number, Partial<Record<RpcName, RegExp>>>> = {
  3: { create: /correct the argument/, grant: /correct the argument/ },
  5: { revoke: /set revokeNotFound to "ignore", or PULUMI_COSI_REVOKE_NOT_FOUND=ignore/ },
  6: {
    create: /change the arguments back, choose another name, or take the bucket over by its id/,
    grant: /change the arguments back, choose another name, or take the account over by its id/,
  },
  7: Object.fromEntries(rpcs.map((rpc) => [rpc, /administrator to grant this permission/])),
  11: { create: /choose another value/, grant: /choose another value/ },
  16: Object.fromEntries(rpcs.map((rpc) => [rpc, /correct or renew the secrets/])),
};

/** Settings of the matrix, in milliseconds and seconds. */
const firstPause = 10;
const shortBudget = 0.15;
const shortConnect = 0.5;

/** What one fault did. */
interface Course {
  readonly stack: SmallStack;
  readonly result: RunResult;
  /** When the attempts of the RPC came, in milliseconds of the epoch. */
  readonly times: readonly number[];
}

describe("a driver that answers a code", function () {
  this.timeout(180_000);
  let world: DriverWorld;
  let network: RpcProxy;

  before(async () => {
    world = await new DriverWorld().start();
    network = await new RpcProxy(world.driver.fake.endpoint).start();
  });

  // What one test leaves behind after a failure is no fault of the next.
  beforeEach(() => {
    world.driver.buckets.clear();
    world.driver.accounts.clear();
  });

  after(async () => {
    network.stop();
    await world.stop();
  });

  const settings = (rpc: RpcName, brief: boolean): ConnectionSettings => ({
    ...quickSettings(network.endpoint),
    firstRetryDelayMilliseconds: firstPause,
    ...(brief && rpc !== "getInfo" ? { retryBudgetSeconds: shortBudget } : {}),
    ...(brief && rpc === "getInfo" ? { connectTimeoutSeconds: shortConnect } : {}),
  });

  /** Runs the command that sends the RPC, with the fault in it. */
  async function disturbed(
    rpc: RpcName,
    code: number,
    stage: RpcStage,
    times: Times,
    brief: boolean,
  ): Promise<Course> {
    const stack = world.stack(settings(rpc, brief));
    const removes = rpc === "delete" || rpc === "revoke";
    if (removes) assertEnded(await stack.up());
    let left = number[times];
    network.front.calls.length = 0;
    network.at = (point) => {
      if (point.rpc !== rpc || point.stage !== stage || left === 0) return undefined;
      left -= 1;
      return { code, message: `no luck with ${secretParameter}` };
    };
    const result = await (removes ? stack.destroy() : stack.up());
    network.at = () => undefined;
    const attempts = network.front.calls.filter(({ path }) => path === paths[rpc]);
    assert.equal(new Set(attempts.map(({ body }) => body.toString("hex"))).size, 1, "one request, repeated");
    return { stack, result, times: attempts.map(({ at }) => at) };
  }

  for (const rpc of rpcs) {
    describe(`to ${paths[rpc].slice(paths[rpc].lastIndexOf("/") + 1)}`, () => {
      for (const [text, row] of Object.entries(reactions)) {
        const code = Number(text);
        const reaction = exceptions[rpc]?.[code] ?? row;
        const unknown = unknownOutcome.includes(code);

        it(`${status[code] ?? text}, before or after the effect, once, three times or for ever: ${reaction} [GRPC-063]`, async () => {
          for (const stage of stages) {
            for (const times of Object.keys(number) as Times[]) {
              const brief = reaction === "retry" && times === "for ever";
              const where = `${times}, ${stage} the effect`;
              try {
                const course = await disturbed(rpc, code, stage, times, brief);
                const ends = endsWell(reaction, times);
                assertAttempts(course, reaction, times, rpc);
                assertWarnings(course.result, rpc, reaction, unknown);
                assertHeld(rpc, stage, ends, reaction);
                // The bucket that the driver denied to have is for its own operator to find.
                if (reaction === "done") world.driver.buckets.clear();
                if (ends) assertEnded(course.result);
                else {
                  assertText(course.result, rpc, code, course.stack);
                  assertState(course.stack, rpc, unknown);
                }
                await assertRecovers(course.stack, rpc, ends);
                if (times !== "for ever" || ends) continue;
                await assertRemovable(rpc, code, stage, brief, unknown);
              } catch (error) {
                if (error instanceof Error) error.message = `${where}: ${error.message}`;
                throw error;
              }
            }
          }
        });
      }
    });
  }

  /** What the driver holds after the run with the fault. */
  function assertHeld(rpc: RpcName, stage: RpcStage, ends: boolean, reaction: Reaction): void {
    // GRPC-074: the driver's word counts.
    const done = stage === "after" || (ends && reaction !== "done");
    const held: Readonly<Record<RpcName, { buckets: number; keys: number }>> = {
      getInfo: ends ? { buckets: 1, keys: 1 } : { buckets: 0, keys: 0 },
      create: { buckets: done ? 1 : 0, keys: ends ? 1 : 0 },
      grant: { buckets: 1, keys: done ? 1 : 0 },
      revoke: { buckets: ends ? 0 : 1, keys: done ? 0 : 1 },
      delete: { buckets: done ? 0 : 1, keys: 0 },
    };
    assert.deepEqual(world.holds(), held[rpc]);
  }

  /** The run is repeated without a fault, and ends as an undisturbed one. */
  async function assertRecovers(stack: SmallStack, rpc: RpcName, ended: boolean): Promise<void> {
    network.front.calls.length = 0;
    if (rpc === "delete" || rpc === "revoke") {
      assertEnded(await stack.destroy());
      assert.deepEqual([...stack.state().keys()], []);
    }
    assertEnded(await stack.up());
    assert.deepEqual(world.holds(), { buckets: 1, keys: 1 });
    assert.deepEqual(world.driver.liveKeys(), [stack.outputs("access")["accessKeyId"]]);
    assert.ok([...stack.state().values()].every(({ failed }) => !failed));
    if (ended && rpc !== "delete" && rpc !== "revoke") assert.deepEqual(network.front.paths(), []);
    assertEnded(await stack.destroy());
    assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
    assert.deepEqual([...stack.state().keys()], []);
  }

  /** GRPC-054, GRPC-055: what may have been made is removed without an `up` in between. */
  async function assertRemovable(
    rpc: RpcName,
    code: number,
    stage: RpcStage,
    brief: boolean,
    unknown: boolean,
  ): Promise<void> {
    if (rpc !== "create" && rpc !== "grant") return;
    // A driver that refuses for sure what it has done is at fault itself: nothing is left that would know of it.
    if (stage === "after" && !unknown) return;
    const { stack } = await disturbed(rpc, code, stage, "for ever", brief);
    network.front.calls.length = 0;
    assertEnded(await stack.destroy());
    assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
    const repeated = network.front
      .paths()
      .includes(rpc === "create" ? "DriverCreateBucket" : "DriverGrantBucketAccess");
    assert.equal(repeated, unknown, "asked for again to learn the id, if there may be one");
  }
});

describe("what stands between and answers in the driver's place", function () {
  this.timeout(60_000);
  let world: DriverWorld;
  let front: HttpFront;

  before(async () => {
    world = await new DriverWorld().start();
    front = await new HttpFront(world.driver.fake.socket).start();
  });

  after(async () => {
    front.stop();
    await world.stop();
  });

  afterEach(() => {
    front.at = () => undefined;
    world.driver.buckets.clear();
    world.driver.accounts.clear();
  });

  const stack = (): SmallStack =>
    world.stack({
      ...quickSettings(front.endpoint),
      firstRetryDelayMilliseconds: firstPause,
      retryBudgetSeconds: shortBudget,
    });
  const timedOut: HttpAnswer = { status: 504, headers: {}, body: Buffer.from("<html>timeout</html>") };
  const unknownRoute: HttpAnswer = { status: 404, headers: {}, body: Buffer.from("<html>?</html>") };
  /** How a proxy that speaks gRPC says HTTP 404. */
  const inGrpc: HttpAnswer = { headers: { "content-type": "application/grpc", "grpc-status": "12" } };

  for (const rpc of ["create", "grant"] as const) {
    const [resource, learnt] =
      rpc === "create"
        ? (["bucket", "DriverCreateBucket"] as const)
        : (["access", "DriverGrantBucketAccess"] as const);

    for (const [what, refusal, text] of [
      ["with HTTP 404", unknownRoute, /UNAVAILABLE: .* answered HTTP 404 in its place/],
      ["with a bare UNIMPLEMENTED", inGrpc, /UNIMPLEMENTED: the driver gave no reason/],
    ] as const) {
      it(`${what} to a ${rpc} that ran into its timeout before, has nothing given up [GRPC-053] [GRPC-054]`, async () => {
        const small = stack();
        let lost = 0;
        front.at = (path, stage) => {
          if (path !== paths[rpc]) return undefined;
          if (lost > 0 && stage === "before") return refusal;
          if (stage === "before") return undefined;
          lost += 1;
          return timedOut;
        };
        const failed = await small.up();
        assert.equal(failed.stoppedAt, resource);
        assert.match(failed.message, text);
        assert.equal(small.state().get(resource)?.failed, true);
        assert.deepEqual(world.holds(), { buckets: 1, keys: rpc === "create" ? 0 : 1 });

        const kept = await small.destroy();
        assert.equal(kept.stoppedAt, resource);
        assert.match(kept.message, text);
        assert.match(kept.message, /pulumi state delete/);
        assert.ok(small.state().has(resource), "the entry stays");

        front.at = () => undefined;
        front.paths.length = 0;
        assertEnded(await small.destroy());
        assert.ok(front.paths.some((path) => path.endsWith(learnt)));
        assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
        assert.deepEqual([...small.state().keys()], []);
      });
    }
  }

  for (const [code, what] of [
    [401, "secrets"],
    [403, "administrator"],
  ] as const) {
    it(`with HTTP ${code} for a moment, sends nobody to the ${what} of the store [GRPC-053]`, async () => {
      const small = stack();
      let left = 2;
      front.at = (path) => (path === paths.create && left-- > 0 ? { status: code } : undefined);
      assertEnded(await small.up());
      assertEnded(await small.destroy());
    });
  }

  it("with a reply that is over 4 MiB when it is unpacked, has one grant sent, warned of, kept and revoked [GRPC-055] [GRPC-056] [GRPC-079]", async () => {
    world.driver.mintsKeyPerGrant = true;
    const large: HttpAnswer = {
      headers: { "content-type": "application/grpc", "grpc-encoding": "gzip" },
      body: framed(zlib.gzipSync(Buffer.alloc(4 * 1024 * 1024 + 1)), true),
      trailers: { "grpc-status": "0" },
    };
    try {
      const small = stack();
      front.at = (path, stage) => (path === paths.grant && stage === "after" ? large : undefined);
      const failed = await small.up();
      assert.equal(failed.stoppedAt, "access");
      assert.match(
        failed.message,
        /answered OK, but its reply cannot be read: .*Next: have the driver fixed/s,
      );
      assert.equal(failed.warnings.length, 1);
      assert.match(failed.warnings[0] ?? "", /^warning: access .* a credential of it may be alive/);
      assert.equal(small.state().get("access")?.failed, true);
      assert.deepEqual(world.holds(), { buckets: 1, keys: 1 });
      front.at = () => undefined;
      assertEnded(await small.destroy());
      assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
    } finally {
      world.driver.mintsKeyPerGrant = false;
    }
  });
});

function endsWell(reaction: Reaction, times: Times): boolean {
  if (reaction === "done") return true;
  return reaction !== "final" && (times === "once" || (times === "three times" && reaction === "retry"));
}

/** How often and when the RPC was sent. Source: sections 1 and 9. */
function assertAttempts({ result, times }: Course, reaction: Reaction, kind: Times, rpc: RpcName): void {
  const faults = number[kind];
  if (reaction === "final" || reaction === "done") assert.equal(times.length, 1);
  else if (reaction === "three attempts") assert.equal(times.length, Math.min(faults + 1, 3));
  else if (Number.isFinite(faults)) assert.equal(times.length, faults + 1);
  else assertSpent(times, result, rpc === "getInfo" ? shortConnect : shortBudget);
  times.slice(1).forEach((time, n) => {
    const gap = time - (times[n] ?? 0);
    const rule = firstPause * 2 ** n;
    assert.ok(gap >= rule * 0.8 - 2, `pause ${n + 1} is ${gap} ms, the rule ${rule} ms`);
    assert.ok(gap <= rule * 1.2 + 3_000, `pause ${n + 1} is ${gap} ms, the rule ${rule} ms`);
  });
}

/** The attempts went on until the next one would have begun after the budget, in seconds. */
function assertSpent(times: readonly number[], { began, ended }: RunResult, budget: number): void {
  const [first = 0] = times;
  const last = times.at(-1) ?? 0;
  assert.ok(last - first <= budget * 1000 + 1_000, `an attempt ${last - first} ms after the first`);
  const nextPause = firstPause * 2 ** (times.length - 1);
  assert.ok(ended - began + nextPause * 1.2 >= budget * 1000, `given up after ${ended - began} ms`);
}

function assertWarnings({ warnings }: RunResult, rpc: RpcName, reaction: Reaction, unknown: boolean): void {
  const expected =
    reaction === "done"
      ? /^warning: bucket \S+: the driver says NOT_FOUND where OK is due/
      : /^warning: access \S+: .*a credential of it may be alive at the driver fake\.example\.com$/;
  const due = reaction === "done" || (rpc === "grant" && unknown);
  assert.equal(warnings.length, due ? 1 : 0, warnings.join("\n"));
  if (due) assert.match(warnings[0] ?? "", expected);
}

/** GRPC-062: what the user reads. */
function assertText({ message, stoppedAt }: RunResult, rpc: RpcName, code: number, stack: SmallStack): void {
  const name = paths[rpc].slice(paths[rpc].lastIndexOf("/") + 1);
  const resource = rpc === "getInfo" ? "driver" : rpc === "create" || rpc === "delete" ? "bucket" : "access";
  assert.equal(stoppedAt, resource);
  assert.ok(message.startsWith(`${name}: ${status[code] ?? ""}: `), message);
  const known = stack.state().get(resource)?.outputs["name"];
  const subject =
    rpc === "getInfo" ? "the driver itself" : `${resource} ${typeof known === "string" ? known : ""}`;
  assert.ok(message.includes(subject), message);
  assert.ok(
    message.includes(rpc === "getInfo" ? "driver at unix://" : `driver ${driverName} at unix://`),
    message,
  );
  // GRPC-124: a driver without DriverGetInfo is told by what else it serves, not by its words.
  if (rpc !== "getInfo" || code !== 12)
    assert.equal(message.split("no luck with [secret]").length, 2, message);
  assert.match(message, /Next: \S/);
  assert.match(
    message,
    advice[code]?.[rpc] ?? /then run the command again|this driver|point the Driver at a driver/,
  );
  assert.doesNotMatch(message, /undefined|\[object|^ {4}at /m);
  assert.ok(!message.includes(secretParameter), message);
}

/** What the state keeps after the error. Source: section 9, and GRPC-053. */
function assertState(stack: SmallStack, rpc: RpcName, unknown: boolean): void {
  const state = [...stack.state()].map(([name, { failed }]) => (failed ? `${name}, failed` : name));
  const kept = unknown ? [rpc === "create" ? "bucket, failed" : "access, failed"] : [];
  const expected: Readonly<Record<RpcName, readonly string[]>> = {
    getInfo: [],
    create: ["driver", ...kept],
    grant: ["driver", "bucket", ...kept],
    revoke: ["driver", "bucket", "access"],
    delete: ["driver", "bucket"],
  };
  assert.deepEqual(state, expected[rpc]);
  if (!unknown) return;
  if (rpc === "create") assert.equal(stack.outputs("bucket")["bucketId"], null);
  if (rpc === "grant") assert.equal(stack.outputs("access")["accountId"], null);
}
