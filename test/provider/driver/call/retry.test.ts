import assert from "node:assert/strict";
import { pauseBeforeRetry } from "../../../../provider/driver/call/retry";

describe("pauseBeforeRetry", () => {
  const steady = (n: number) => pauseBeforeRetry(n, 200, () => 0.5);

  it("doubles from the first pause up to 5 seconds [GRPC-052]", () => {
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 60].map(steady), [200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  });

  it("spreads each pause by a fifth to either side [GRPC-052]", () => {
    assert.ok(Math.abs(pauseBeforeRetry(1, 200, () => 0) - 160) < 0.001);
    assert.ok(Math.abs(pauseBeforeRetry(1, 200, () => 1) - 240) < 0.001);
    assert.ok(Math.abs(pauseBeforeRetry(9, 200, () => 1) - 6000) < 0.001);
  });

  it("differs from one caller to the next [GRPC-052]", () => {
    const pauses = Array.from({ length: 20 }, () => pauseBeforeRetry(3, 200));
    assert.ok(new Set(pauses).size > 1);
    assert.ok(pauses.every((pause) => pause >= 640 && pause <= 960));
  });
});
