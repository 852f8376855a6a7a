import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { Connection } from "../../../provider/driver/connection";
import { Progress } from "../../../provider/driver/progress";
import { sleep } from "../../../provider/driver/call/retry";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { answers, driverName, obligingDriver, paths } from "../../support/cosi-v1alpha1";
import { quickSettings } from "../../support/settings";

/** The lines that an action prints about waits. */
async function waits(action: () => Promise<unknown> | undefined): Promise<string[]> {
  const lines: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text: string | Uint8Array): boolean => {
    if (!/^(waiting for|Driver\w+ for) /.test(String(text))) return write(text);
    lines.push(String(text).trimEnd());
    return true;
  };
  try {
    await action();
  } finally {
    process.stdout.write = write;
  }
  return lines;
}

describe("the lines about a long wait", () => {
  it("come after 5 s, and then at growing distances of at most a minute", async () => {
    const lines = await waits(() => {
      const progress = new Progress();
      for (let elapsed = 0; elapsed <= 300_000; elapsed += 100) {
        progress.report(elapsed, `waiting for it … ${elapsed / 1000} s`);
      }
      return undefined;
    });
    const times = lines.map((line) => line.replace("waiting for it … ", ""));
    assert.deepEqual(times, ["5 s", "10 s", "20 s", "40 s", "80 s", "140 s", "200 s", "260 s"]);
  });

  it("come once for looks that are far apart, and show no secret", async () => {
    secretMask.remember("in a path");
    const lines = await waits(() => {
      const progress = new Progress();
      for (const elapsed of [4_999, 50_000, 50_001, 79_999])
        progress.report(elapsed, "waiting for in a path");
      return undefined;
    });
    assert.deepEqual(lines, ["waiting for [secret]"]);
  });

  it("name the socket that is waited for, and the seconds", async () => {
    const driver = obligingDriver();
    const connection = new Connection({ ...quickSettings(driver.endpoint), connectTimeoutSeconds: 6 });
    try {
      const lines = await waits(() => connection.identity().catch(() => undefined));
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /^waiting for driver socket \/.*\/cosi\.sock … [5-9] s$/);
    } finally {
      driver.stop();
    }
  });

  it("name the call that is repeated, its code, attempt and budget", async () => {
    const driver = await obligingDriver()
      .on(paths.create, async (_, earlier) => {
        if (earlier > 0) return answers.created("b1");
        await sleep(5_100);
        return { code: status.RESOURCE_EXHAUSTED };
      })
      .start();
    const connection = new Connection({ ...quickSettings(driver.endpoint), callTimeoutSeconds: 20 });
    const target = { bucket: "b1", subject: "bucket b1", driverName };
    try {
      const lines = await waits(() => connection.client.createBucket({ name: "b1", parameters: {} }, target));
      assert.equal(lines.length, 1);
      assert.match(
        lines[0] ?? "",
        /^DriverCreateBucket for bucket b1: RESOURCE_EXHAUSTED, attempt 1, [5-9] s of 10 s$/,
      );
    } finally {
      await connection.close();
      driver.stop();
    }
  });
});
