import assert from "node:assert/strict";
import { Life } from "../../bench/measure/cycle";
import { shapeOf, sizeOf } from "../../bench/measure/shape";
import { createStack } from "../../bench/measure/size";
import { stateSize } from "../../bench/measure/state-size";
import { measure } from "../../bench/measure/command";
import { ApiReader } from "../../bench/parts/api-reader";
import { bareCalls } from "../../bench/parts/bare-calls";
import { DriverProcess } from "../../bench/parts/driver-process";
import type { Stack } from "../../tools/local/stack";
import { Cluster } from "../support/end-to-end/cluster";
import { quickProgram } from "../support/end-to-end/program";

/**
 * What a claim with its access may cost; times are for the benchmark alone. The state has to come down to 16 KB:
 * docs/performance.md says what is in the way.
 */
const most = { resources: 10, stateBytes: 36_000, providerBytes: 1024, requests: 22 };

describe("what a claim with its access costs", function () {
  this.timeout(300_000);
  const namespace = "bench";
  let cluster: Cluster;
  let driver: DriverProcess;
  let stack: Stack;

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    driver = await DriverProcess.start();
    await cluster.installDefinitions();
    await cluster.createNamespace(namespace);
    stack = await createStack("claims", { ...parts(), driver });
  });

  after(async () => {
    await stack.remove();
    await driver.stop();
    await cluster.stop();
  });

  function parts() {
    const { kubeconfig } = cluster.plane;
    return { kubeconfig, api: new ApiReader(kubeconfig), driver, namespace };
  }

  const claims = (n: number) => ({ ...quickProgram, BENCH_CLAIMS: String(n) });

  it("is at most ten resources and 36 KB of state, with one line of provider, by the lines of the program", async () => {
    await measure(stack, ["up", "--yes", "--skip-preview"], claims(1));
    const one = await stateSize(stack);
    await measure(stack, ["up", "--yes", "--skip-preview"], claims(2));
    const two = await stateSize(stack);
    const shape = shapeOf(one.resources, two.resources);
    assert.ok(sizeOf(shape) <= most.resources, JSON.stringify(shape));
    assert.ok(two.bytes - one.bytes <= most.stateBytes, `${two.bytes - one.bytes} bytes`);
    assert.ok(two.providerBytes <= most.providerBytes, `${two.providerBytes} bytes`);
    // A kilobyte for each resource otherwise: every line of this package, of the SDK and of the module loader.
    const positions = two.resources
      .filter(({ urn }) => urn.includes("::cosi:objectstorage:"))
      .map((resource) => Reflect.get(resource, "stackTrace") as { sourcePosition?: string }[]);
    assert.ok(positions.length > 10);
    for (const frames of positions) {
      const [only, ...others] = frames.map(({ sourcePosition = "" }) => sourcePosition);
      assert.match(only ?? "", /^project:\/\/\/index\.ts#\d+,\d+$/);
      assert.deepEqual(others, []);
    }
    await measure(stack, ["destroy", "--yes", "--skip-preview"]);
  });

  it("is one create and one grant, none of them in a preview, and one question for the driver's name", async () => {
    const n = 3;
    const life = new Life(stack, parts(), claims(n));
    await life.run("up");
    await life.run("preview");
    await life.run("refresh");
    await life.run("destroy");
    const { up, preview, destroy, result } = life.finished();
    assert.deepEqual(up.rpcs, { DriverGetInfo: 1, DriverCreateBucket: n, DriverGrantBucketAccess: n });
    assert.deepEqual(preview.rpcs, {});
    assert.equal(destroy.rpcs["DriverRevokeBucketAccess"], n);
    assert.equal(destroy.rpcs["DriverDeleteBucket"], n);
    assert.equal(result.secrets, n);
    assert.ok(result.lastSecretSeconds > 0 && result.lastSecretSeconds <= up.wallSeconds);
    const requests = ["bucketclaims", "buckets", "bucketaccesses", "secrets"].map(
      (kind) => up.requests[kind],
    );
    assert.ok(
      requests.every((count = 0) => count >= n),
      JSON.stringify(up.requests),
    );
    const sum = requests.reduce<number>((total, count = 0) => total + count, 0);
    assert.ok(sum <= most.requests * n, JSON.stringify(up.requests));
    assert.ok(up.byRole["provider host"].peakMegabytes > 0);
  });

  it("is measured against calls of a client that does nothing else, and that the driver counts as well", async () => {
    await driver.forget();
    const { upSeconds, destroySeconds } = await bareCalls(driver.endpoint, 5);
    assert.ok(upSeconds > 0 && destroySeconds > 0);
    assert.deepEqual((await driver.calls()).counts, {
      DriverCreateBucket: 5,
      DriverGrantBucketAccess: 5,
      DriverRevokeBucketAccess: 5,
      DriverDeleteBucket: 5,
    });
  });

  it("with a tenth of the calls failing once is these calls sent once more", async () => {
    await driver.forget(0.5);
    const life = new Life(stack, parts(), claims(1), 0.5);
    await life.run("up");
    await life.run("preview");
    await life.run("refresh");
    await life.run("destroy");
    const { DriverCreateBucket: creates = 0, DriverGrantBucketAccess: grants = 0 } = life.finished().up.rpcs;
    assert.equal(creates + grants, 3);
  });
});
