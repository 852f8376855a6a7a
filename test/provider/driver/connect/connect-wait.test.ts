import assert from "node:assert/strict";
import { mock } from "node:test";
import { ConnectWait } from "../../../../provider/driver/connect/connect-wait";

describe("the wait for a driver", () => {
  afterEach(() => {
    mock.timers.reset();
  });

  it("looks again within 250 ms, and does not turn without a pause [GRPC-087] [DEP-069]", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    let looks = 0;
    const next = new ConnectWait(30).pause("driver socket").then(() => (looks += 1));
    mock.timers.tick(1);
    await new Promise(setImmediate);
    assert.equal(looks, 0);
    mock.timers.tick(249);
    await new Promise(setImmediate);
    assert.equal(looks, 1);
    await next;
  });
});
