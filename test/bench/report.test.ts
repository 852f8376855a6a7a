import assert from "node:assert/strict";
import type { Cycle, Step } from "../../bench/measure/cycle";
import type { Role, RoleUsage } from "../../bench/measure/process-tree";
import { shapeOf } from "../../bench/measure/shape";
import type { Single } from "../../bench/measure/single";
import type { Pair } from "../../bench/measure/size";
import type { Measured } from "../../bench/report/figures";
import { median } from "../../bench/report/median";
import { resultsOf } from "../../bench/report/results";
import { tableOf } from "../../bench/report/table";

function usage(hostMegabytes: number, programMegabytes: number): Record<Role, RoleUsage> {
  const none = { cpuSeconds: 0, peakMegabytes: 0 };
  return {
    cli: none,
    "language host": none,
    program: { cpuSeconds: 1, peakMegabytes: programMegabytes },
    "provider host": { cpuSeconds: 1, peakMegabytes: hostMegabytes },
    "kubernetes plugin": none,
    other: none,
  };
}

function step(wallSeconds: number, rpcs: Record<string, number> = {}): Step {
  const requests = { buckets: 30, other: 10 };
  const byRole = usage(100, 10 * wallSeconds);
  return { wallSeconds, cpuSeconds: 2 * wallSeconds, byRole, startedAt: 0, rpcs, requests };
}

function cycle(up: number, n: number): Cycle {
  const calls = { DriverCreateBucket: n, DriverGrantBucketAccess: n, DriverGetInfo: 1 };
  return {
    up: step(up, calls),
    preview: step(up / 2),
    refresh: step(up),
    destroy: step(up),
    result: {
      lastSecretSeconds: up - 1,
      secrets: n,
      stateBytes: 5_000 + 15_000 * n,
      stateGzipBytes: 3_000 * n,
      resources: 10 * n + 5,
      providerBytes: 90,
    },
  };
}

function pair(ours: number, floor: number, n: number): Pair {
  return { claims: cycle(ours, n), plain: cycle(floor, n), bare: { upSeconds: 1, destroySeconds: 1 } };
}

const single: Single = {
  shape: { components: 2, dynamic: 5, customResources: 2, secrets: 1 },
  baseBytes: 5_000,
  types: [],
  start: [13, 12, 14],
  bareStart: [10, 11, 9],
};

function measured(n: number, ours: number, withFaults: readonly Pair[] = []): Measured {
  return {
    n,
    withCheckpoints: n > 100 ? [] : [pair(24, 19, n)],
    withoutCheckpoints: [pair(ours, 9, n)],
    withFaults,
  };
}

describe("the figures of the benchmark", () => {
  const results = resultsOf([measured(100, 11, [pair(12, 9, 100)]), measured(1000, 13)], single);
  const [hundred, thousand] = results.runs;

  it("compare to the floor and the bare calls, with checkpoints where these were measured", () => {
    assert.equal(hundred?.upRatio, 24 / 20);
    assert.equal(hundred.withoutCheckpoints?.upRatio, 11 / 10);
    assert.equal(hundred.previewRatio, 24 / 19);
    assert.deepEqual([hundred.checkpoints, thousand?.checkpoints], [true, false]);
    assert.equal(thousand?.upRatio, 13 / 10);
  });

  it("count by claim what a claim adds", () => {
    assert.equal(hundred?.resourcesPerClaim, 10);
    assert.equal(hundred.stateGzipBytesPerClaim, 3_000);
    assert.equal(hundred.stateBytesPerClaim, 15_000);
    assert.deepEqual([hundred.createCallsPerClaim, hundred.grantCallsPerClaim, hundred.infoCalls], [1, 1, 1]);
    assert.equal(hundred.previewCalls, 0);
    assert.equal(hundred.requestsPerClaim, 0.4);
    assert.equal(hundred.hostPeakMegabytes, 100);
    assert.deepEqual([hundred.programPeakMegabytes, hundred.plainProgramPeakMegabytes], [240, 190]);
  });

  it("hold faults against a run without, growth and start against the floor's", () => {
    assert.ok(Math.abs((hundred?.faultsRatio ?? 0) - 12 / 11) < 1e-9);
    assert.equal(thousand?.faultsRatio, null);
    assert.ok(Math.abs((results.growth?.ratio ?? 0) - 1.3 / 1.1) < 1e-9);
    assert.equal(results.start.ratio, 1.3);
  });

  it("are told in a table that marks what is not as it has to be", () => {
    const table = tableOf(results);
    assert.match(table, /\| up, × floor \| ≤ 1\.25 at 100 \| 1\.20 \| 1\.30 \|/);
    assert.match(table, /\| grants per claim \| ≤ 1 \| 1\.00 \| 1\.00 \|/);
    const slow = resultsOf([{ ...measured(100, 11), withCheckpoints: [pair(40, 19, 100)] }], single);
    assert.match(tableOf(slow), /\| up, × floor \| ≤ 1\.25 at 100 \| 2\.00 \* \|/);
  });
});

describe("the shape of a claim", () => {
  it("is what a second claim adds, by kind", () => {
    const resource = (type: string, id?: string) => ({
      urn: type,
      type,
      ...(id === undefined ? {} : { id }),
    });
    const one = [
      resource("cosi:objectstorage:BucketClaim"),
      resource("kubernetes:objectstorage.k8s.io/v1alpha1:BucketClaim", "a"),
      resource("pulumi-nodejs:dynamic/cosi/kubernetes:Secret", "b"),
      resource("pulumi-nodejs:dynamic/cosi:Bucket", "c"),
    ];
    assert.deepEqual(shapeOf(one, [...one, ...one]), {
      components: 1,
      customResources: 1,
      secrets: 1,
      dynamic: 1,
    });
  });
});

describe("a median", () => {
  it("is the middle of the sorted values, or between two", () => {
    assert.equal(median([5, 1, 3]), 3);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.throws(() => median([]), /no median of nothing/);
  });
});
