import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ProcessTree } from "../../bench/measure/process-tree";

const burn = "while (process.cpuUsage().user < 500_000);";
const hold = "const held = Buffer.alloc(150 * 2 ** 20, 1); setTimeout(() => held.length, 600);";

describe("the cost of a command", () => {
  it("is that of its processes, whoever started them, by what they are for", async () => {
    // The argument after the script stands for the path by which the real processes are known.
    const program = [
      `const { spawn } = require("node:child_process");`,
      `const child = (text, mark) => spawn(process.execPath, ["-e", text, mark], { stdio: "inherit" });`,
      `child(${JSON.stringify(burn)}, "@pulumi/pulumi/cmd/run");`,
      `child(${JSON.stringify(hold)}, "@pulumi/pulumi/cmd/dynamic-provider");`,
    ].join("\n");
    const root = spawn(process.execPath, ["-e", program], { stdio: "inherit" });
    const tree = new ProcessTree(root.pid ?? 0);
    await once(root, "close");
    const usage = tree.stop();
    assert.ok(usage.program.cpuSeconds >= 0.3, `${usage.program.cpuSeconds} s`);
    assert.ok(usage["provider host"].peakMegabytes >= 150, `${usage["provider host"].peakMegabytes} MB`);
    assert.ok(usage.program.peakMegabytes < 150);
    assert.equal(usage["kubernetes plugin"].cpuSeconds, 0);
  });
});
