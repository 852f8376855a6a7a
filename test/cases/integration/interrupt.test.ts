import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { sleep } from "../../../provider/driver/call/retry";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const program = (endpoint: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, callTimeoutSeconds: 6, retryBudgetSeconds: 6,
});
for (const name of ["slow", "silent"]) {
  const bucket = new cosi.Bucket(name, { driver, name, deletionPolicy: "Delete" });
  new cosi.BucketAccess(name + "-rw", { bucket });
}
`;

describe("an up that is ended by Ctrl-C while two creates are in flight", function () {
  this.timeout(300_000);
  let driver: WatchedDriver;
  let stack: Stack;
  /** What the interrupted run printed. */
  let text: string;

  before(async () => {
    driver = await new WatchedDriver().start();
    driver.meanwhile = async ({ bucket }) => {
      if (bucket === "silent") return new Promise<never>(() => undefined);
      await sleep(1_500);
      return undefined;
    };
    stack = await Stack.create({ source: program(driver.fake.endpoint) }, quickProgram);
    text = await interruptedUp();
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  it("ends by itself, with the slow bucket in the state and the silent one an error at its deadline [CASE-U17]", async () => {
    assert.match(text, /DriverCreateBucket: DEADLINE_EXCEEDED/);
    const { resources } = await stack.state();
    const bucketIds = resources
      .filter(({ type }) => type === "pulumi-nodejs:dynamic/cosi:Bucket")
      .map(({ id, outputs, initErrors = [] }) => [id, outputs?.["bucketId"], initErrors.length]);
    assert.deepEqual(bucketIds.sort(), [
      ["silent", null, 1],
      ["slow", "slow", 0],
    ]);
    assert.deepEqual(
      driver.events.filter((event) => event.includes("grant")),
      [],
      "nothing new is begun",
    );
  });

  it("is completed by the next up, which repeats only what had no answer, and destroyed without a rest [CASE-U17] [CASE-U16]", async () => {
    const [first] = driver.fake.bodies("DriverCreateBucket").filter((body) => body.includes(hexOf("silent")));
    driver.forget();
    driver.meanwhile = () => Promise.resolve(undefined);
    await stack.up();
    assert.deepEqual(driver.fake.bodies("DriverCreateBucket"), [first]);
    driver.forget();
    await stack.destroy();
    const { DriverRevokeBucketAccess: revokes, DriverDeleteBucket: deletes } = driver.counts();
    assert.deepEqual([revokes, deletes], [2, 2]);
    assert.deepEqual((await stack.state()).resources, []);
  });

  /** Runs `up` as a terminal does, and sends what Ctrl-C sends to all that it runs in the foreground. */
  async function interruptedUp(): Promise<string> {
    const { environment, variables, folder } = stack;
    const cli = spawn(environment.pulumi, ["--non-interactive", "up", "--yes", "--skip-preview"], {
      cwd: folder,
      env: { ...environment.env, ...variables },
      // A process group of its own.
      detached: true,
    });
    let printed = "";
    for (const stream of [cli.stdout, cli.stderr]) {
      stream.on("data", (data: Buffer) => (printed += data.toString()));
    }
    const closed = once(cli, "close");
    while (!["slow", "silent"].every((name) => driver.events.includes(`received create ${name}`))) {
      assert.equal(cli.exitCode, null, printed);
      await sleep(50);
    }
    process.kill(-(cli.pid ?? 0), "SIGINT");
    const [code] = (await closed) as [number | null];
    assert.notEqual(code, 0, printed);
    return printed;
  }
});

function hexOf(text: string): string {
  return Buffer.from(text).toString("hex");
}
