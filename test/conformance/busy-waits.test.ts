import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { BusyWaits } from "../../conformance/busy-waits";
import type { Exchange } from "../../conformance/exchange";
import { throwIfUnanswered } from "../../conformance/judge";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal } from "./support/memory-driver";
import { TestedDriver } from "./support/tested-driver";

function answer(code: number): Exchange {
  return {
    rpc: "DriverDeleteBucket",
    sent: "DriverDeleteBucket {}",
    answered: "",
    code,
    message: "",
    details: false,
    lost: undefined,
    late: false,
    repeated: false,
    neverSent: false,
    deliberate: false,
    namesObject: false,
    mentions: () => false,
    mentionedKey: () => undefined,
    reply: undefined,
    brokenText: false,
  };
}

const patience = 60_000;

describe("how long a conformance run waits for what the driver cannot do now", () => {
  let calls = 0;
  let waited = 0;
  let waits: BusyWaits;

  /** A call that is answered so, from the first to the last. */
  const settled = (...codes: readonly [number, ...number[]]): Promise<Exchange> => {
    calls = 0;
    return waits.settled(() => Promise.resolve(answer(codes[Math.min(calls++, codes.length - 1)] ?? 0)));
  };

  beforeEach(() => {
    waited = 0;
    const pause = (milliseconds: number): Promise<void> => {
      waited += milliseconds;
      return Promise.resolve();
    };
    waits = new BusyWaits(patience, pause, () => waited);
  });

  it("is as long as one call may take, and twice that in all where it was in vain [GRPC-129]", async () => {
    await settled(status.UNAVAILABLE);
    assert.ok(waited > patience - 10_000 && waited <= patience, `${waited} ms`);
    for (let count = 0; count < 20; count++) {
      await settled(status.RESOURCE_EXHAUSTED);
      // Between them the driver answers other calls.
      assert.equal((await settled(status.OK)).repeated, false);
    }
    assert.ok(waited <= 2 * patience + 20_000, `${waited} ms`);
    const before = waited;
    const last = await settled(status.ABORTED);
    assert.equal(calls, 2);
    assert.equal(last.repeated, true);
    assert.equal(waited - before, 1_000);
  });

  it("is counted once for calls at the same time [GRPC-129]", async () => {
    let now = 0;
    const pause = (milliseconds: number): Promise<void> => {
      now = Math.max(now, milliseconds);
      return Promise.resolve();
    };
    const together = new BusyWaits(10, pause, () => now);
    const late = async (): Promise<Exchange> => {
      await Promise.resolve();
      now = 9;
      return answer(status.UNAVAILABLE);
    };
    await Promise.all(Array.from({ length: 20 }, () => together.settled(late)));
    // Another one is not repeated after the pause that is left in the end.
    await together.settled(() => Promise.resolve(answer(status.UNAVAILABLE)));
    assert.equal(now, 9);
  });

  it("is not counted where the call was done in the end [GRPC-129]", async () => {
    const refusals = Array.from({ length: 8 }, () => status.RESOURCE_EXHAUSTED);
    for (let count = 0; count < 20; count++) {
      const done = await settled(status.RESOURCE_EXHAUSTED, ...refusals, status.OK);
      assert.equal(done.code, status.OK);
      assert.equal(calls, 10);
    }
  });
});

describe("a call that the driver cannot do now", () => {
  it("is told as repeated only where it was [GRPC-129]", () => {
    const busy = answer(status.UNAVAILABLE);
    assert.throws(() => {
      throwIfUnanswered(busy);
    }, /^NotJudgedError: DriverDeleteBucket \{\}: /);
    assert.throws(() => {
      throwIfUnanswered({ ...busy, repeated: true });
    }, /^NotJudgedError: DriverDeleteBucket \{\}, also when it was repeated: /);
  });

  it("is judged where another one is in the way, and stays so [GRPC-129]", () => {
    throwIfUnanswered({ ...answer(status.ABORTED), repeated: true });
  });
});

describe("a call of the clean-up of a conformance run", function () {
  this.timeout(120_000);

  for (const [code, most, often] of [
    [status.UNAVAILABLE, 1, "not repeated by it as well"],
    [status.INTERNAL, 4, "sent four times"],
  ] as const) {
    it(`that ends in ${status[code]} is ${often} [GRPC-130]`, async () => {
      let deletes: number[] = [];
      const tested = await TestedDriver.start([], (path) => {
        if (path !== paths.delete) return undefined;
        deletes.push(Date.now());
        return new Refusal(code, "not now");
      });
      try {
        const interrupt = new AbortController();
        const report = await tested.run(
          { timeoutSeconds: 0.1 },
          {
            signal: interrupt.signal,
            onCheck: () => {
              deletes = [];
              interrupt.abort();
            },
          },
        );
        assert.equal(report.leftovers.length, 1);
        assert.ok(deletes.length >= most && deletes.length <= most + 1, `${deletes.length} deletes`);
      } finally {
        await tested.stop();
      }
    });
  }
});
