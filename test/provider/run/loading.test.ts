import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { beforeLoading, untilCallsAreOut } from "../../../provider/run/loading";

describe("loading a large library", () => {
  it("waits for the call of a driver that is on its way, though it fails, and for one that comes at once", async () => {
    const order: string[] = [];
    const loaded = untilCallsAreOut().then(() => order.push("loaded"));
    const answered = beforeLoading(pause(200).then(() => order.push("answered")));
    const failed = assert.rejects(
      beforeLoading(
        pause(100).then(() => {
          order.push("failed");
          throw new Error("no driver");
        }),
      ),
      /no driver/,
    );
    await Promise.all([loaded, answered, failed]);
    assert.deepEqual(order, ["failed", "answered", "loaded"]);
  });

  it("does not wait for ever for a driver that gives no answer", async () => {
    let answer = (): void => undefined;
    const call = beforeLoading(
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
    );
    await untilCallsAreOut();
    answer();
    await call;
  });
});
