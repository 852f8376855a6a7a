import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { createPulumiEnvironment, type PulumiEnvironment } from "../../tools/toolchain/pulumi-environment";

const root = path.join(__dirname, "..", "..");

describe("Pulumi.yaml in the root", function () {
  this.timeout(180_000);
  const stack = `test-${process.pid}`;
  const settings = path.join(root, `Pulumi.${stack}.yaml`);
  let environment: PulumiEnvironment;

  before(async () => {
    environment = await createPulumiEnvironment();
  });

  after(async () => {
    await rm(settings, { force: true });
    await environment.remove();
  });

  it("runs the program of the quickstart", async () => {
    const pulumi = (...args: string[]) =>
      promisify(execFile)(environment.pulumi, ["--non-interactive", ...args], {
        cwd: root,
        env: { ...environment.env, KUBECONFIG: path.join(environment.folder, "none") },
      });
    await pulumi("stack", "init", stack);
    const { stdout } = await pulumi("preview", "--suppress-progress");
    assert.match(stdout, /cosi:objectstorage:BucketClaim photos create/);
    assert.match(stdout, /\+ 22 to create/);
  });
});
