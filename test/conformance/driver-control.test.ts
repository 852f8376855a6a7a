import assert from "node:assert/strict";
import fs from "node:fs";
import * as path from "node:path";
import { DriverControl } from "../../conformance/driver-control";
import { DriverWatch } from "../../conformance/driver-watch";
import { signalGroup } from "../../provider/driver/process/group";

/** Starts a process beside it in its group, and ends. */
const leaver =
  "require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' }).unref()";

describe("the control of a driver that a conformance run has started", function () {
  this.timeout(60_000);
  const methods = Object.getOwnPropertyDescriptors(DriverWatch.prototype);
  let told: string[];

  beforeEach(() => {
    told = [];
    DriverWatch.prototype.started = (pid) => told.push(`started ${pid}`);
    DriverWatch.prototype.ended = (pid) => told.push(`ended ${pid}`);
    DriverWatch.prototype.close = function (): void {
      told.push("close");
      methods.close.value?.call(this);
    };
  });

  afterEach(() => {
    Object.defineProperties(DriverWatch.prototype, methods);
  });

  it("takes a group off the watch once nothing of it runs, before the watch ends what is left [GRPC-130]", async () => {
    const control = new DriverControl([process.execPath, "-e", leaver], 10_000, "COSI_ENDPOINT");
    const driver = control.spawn(undefined, {});
    const pid = driver.pid ?? 0;
    await driver.whenEnded;
    assert.equal(driver.isGone, false);
    assert.deepEqual(told, [`started ${pid}`]);
    await control.dispose();
    // Where nobody collects what has ended, the number stays taken.
    const isGone = !signalGroup(pid, 0);
    assert.equal(driver.isGone, isGone);
    assert.deepEqual(told, [`started ${pid}`, ...(isGone ? [`ended ${pid}`] : []), "close"]);
  });

  it("ends, and its watch with it, though a folder cannot be removed [GRPC-130]", async () => {
    const control = new DriverControl([process.execPath, "-e", ""], 10_000, "COSI_ENDPOINT");
    const listeners = process.listenerCount("exit");
    const { rmSync } = fs;
    fs.rmSync = () => {
      throw new Error("EBUSY: resource busy or locked");
    };
    try {
      // An exit that waits for nothing comes to its end too.
      process.listeners("exit").at(-1)?.call(process, 0);
      await control.dispose();
    } finally {
      fs.rmSync = rmSync;
      fs.rmSync(path.dirname(control.socketFolder), { recursive: true, force: true });
    }
    assert.deepEqual(told, ["close"]);
    assert.equal(process.listenerCount("exit"), listeners - 1);
  });
});
