import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { defaultReadyTimeoutSeconds } from "../../../provider/bucket/until-ready";
import { provider } from "../../../provider/deployment/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { contractsUnderTest } from "../../support/contracts-under-test";
import type { Answer, FakeDriver } from "../../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { message } from "../../support/protobuf";
import { beginRun } from "../../support/run";

const { obligingDriver, driverReference } = contractsUnderTest.deployment;

const statusPath = "/deployment.v1alpha1.Provisioner/DriverGetDeploymentStatus";
const statusRpc = "DriverGetDeploymentStatus";

/** DriverGetDeploymentStatusResponse, with this member of the status, or none. */
const say = (member: "ready" | "pending" | "error" | undefined, value = true, text = ""): Buffer => {
  const numbers = { ready: 1, pending: 2, error: 3 };
  return message(
    [1, "d1"],
    ...(member === undefined ? [] : [[2, message([numbers[member], value ? 1 : 0])] as const]),
    ...(text === "" ? [] : [[3, text] as const]),
  );
};

describe("a deployment that is waited for", () => {
  const deployment = new Lifecycle(provider);
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(() => {
    beginRun();
    driver = obligingDriver();
    const reference = driverReference(driver.endpoint, { firstRetryDelayMilliseconds: 50 });
    inputs = (changes = {}) => ({
      driver: reference,
      logicalName: "orders",
      name: "d1",
      waitUntilReady: true,
      deletionPolicy: "Delete",
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  /** Has the driver answer so, the last one for ever. */
  const answering = async (...given: readonly Answer[]): Promise<void> => {
    await driver
      .on(statusPath, (_, earlier) => given[Math.min(earlier, given.length - 1)] ?? assert.fail("no answer"))
      .start();
  };
  const rpcs = (): string[] => driver.paths().filter((rpc) => rpc !== "DriverGetInfo");

  it("is not asked for where the program does not say so, nor in a preview [DEP-011]", async () => {
    await answering(say("ready"));
    const news = inputs({ waitUntilReady: false });
    const { outputs } = await deployment.create(news);
    const { inputs: checked } = await deployment.check(outputs, inputs());
    await deployment.diff(outputs, checked);
    await deployment.read(outputs);
    assert.deepEqual(rpcs(), ["DriverCreateBucket"]);
  });

  it("is asked for after the create until it is ready, at growing gaps [DEP-011] [DEP-012]", async () => {
    await answering(say("pending"), say(undefined), say("ready", false), say("ready"));
    const { outputs } = await deployment.create(inputs());
    assert.equal(outputs["deploymentId"], "d1");
    assert.deepEqual(rpcs(), ["DriverCreateBucket", statusRpc, statusRpc, statusRpc, statusRpc]);
    assert.deepEqual(new Set(driver.bodies(statusRpc)), new Set(["0a026431"]));
    const times = driver.calls.filter(({ path }) => path === statusPath).map(({ at }) => at);
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    // Never shorter than the rule allows; a busy machine may make them longer.
    gaps.forEach((gap, n) => {
      assert.ok(gap >= 50 * 2 ** n * 0.75, `gap ${n + 1} is ${gap} ms`);
    });
    assert.equal((await deployment.diff(outputs, outputs)).changes, false);
  });

  for (const [what, answer, text] of [
    [
      "stays pending",
      say("pending", true, "booting"),
      /did not say within 0\.3 s .*deployment d1 is ready: booting/,
    ],
    ["has failed", say("error", true, "no disk"), /says that the deployment d1 failed: no disk\./],
    [
      "cannot be told of",
      { code: status.PERMISSION_DENIED, message: "not you" },
      /PERMISSION_DENIED: not you/,
    ],
  ] as const) {
    it(`fails the run where it ${what}, and stays in the state: the next up asks again [DEP-012]`, async () => {
      await answering(answer);
      const news = inputs({ readyTimeoutSeconds: 0.3 });
      const failed = await failedResource(deployment.create(news));
      assert.match(failed.message, text);
      assert.match(failed.message, /stays in the state as failed/);
      const kept = wire(failed.properties);
      assert.deepEqual([failed.id, kept["deploymentId"]], ["d1", "d1"]);

      const { outputs: read } = await deployment.read(kept);
      assert.equal((await deployment.diff(read, (await deployment.check(read, news)).inputs)).changes, true);
      driver.on(statusPath, () => say("ready"));
      const before = rpcs().length;
      beginRun();
      const updated = await deployment.update(read, news);
      assert.deepEqual(rpcs().slice(before), [statusRpc]);
      const { inputs: checked } = await deployment.check(updated, news);
      assert.deepEqual(await deployment.diff(updated, checked), { changes: false, replaces: [] });
    });
  }

  it("is given ten minutes where the program does not say how long [DEP-012]", () => {
    assert.equal(defaultReadyTimeoutSeconds, 600);
  });

  it("is deleted by its id where it never was ready [DEP-012]", async () => {
    await answering(say("error"));
    const failed = await failedResource(deployment.create(inputs()));
    beginRun();
    await deployment.delete(wire(failed.properties));
    assert.deepEqual(rpcs(), ["DriverCreateBucket", statusRpc, "DriverDeleteBucket"]);
    assert.deepEqual(driver.bodies("DriverDeleteBucket"), ["0a026431"]);
  });

  it("is ready with its create at a driver without the call, which is asked once [DEP-013]", async () => {
    await answering({ code: status.UNIMPLEMENTED, message: "unknown method" });
    const lines = await printed(async () => {
      const { outputs } = await deployment.create(inputs());
      const { inputs: checked } = await deployment.check(outputs, inputs());
      assert.deepEqual(await deployment.diff(outputs, checked), { changes: false, replaces: [] });
    });
    assert.deepEqual(rpcs(), ["DriverCreateBucket", statusRpc]);
    assert.equal(lines.length, 1);
    assert.match(
      lines[0] ?? "",
      /^warning: deployment d1: the driver has no call that tells whether it is ready/,
    );
  });

  it("is given up at the limit where the driver does not answer at all [DEP-012]", async () => {
    await driver.on(statusPath, () => new Promise<Answer>(() => undefined)).start();
    const hanging = inputs({ readyTimeoutSeconds: 0.5 });
    const reference = {
      ...(hanging["driver"] as Properties),
      callTimeoutSeconds: 30,
      retryBudgetSeconds: 60,
    };
    const failed = await failedResource(deployment.create({ ...hanging, driver: reference }));
    assert.match(failed.message, /did not say within 0\.5 s \(readyTimeoutSeconds\).*it did not answer/);
  });

  for (const member of ["error", "pending"] as const) {
    it(`shows no secret parameter that the driver repeats when it says ${member} [DEP-068]`, async () => {
      await answering(say(member, true, "login with hunter2-secret failed"));
      const parameters = { parameters: { password: "hunter2-secret" }, secretParameters: true };
      const failed = await failedResource(
        deployment.create(inputs({ readyTimeoutSeconds: 0.2, ...parameters })),
      );
      assert.doesNotMatch(failed.message, /hunter2-secret/);
      assert.match(failed.message, /login with .* failed/);
    });
  }

  it("speaks of deployments where it is not in the state", async () => {
    await answering(say("ready"));
    await assert.rejects(
      deployment.read({}),
      /the deployment id can only be read from the state; to take a deployment over, use existingDeploymentId/,
    );
  });

  it("is refused with a limit that is none", async () => {
    await answering(say("ready"));
    const { failures } = await deployment.check({}, inputs({ readyTimeoutSeconds: 0 }));
    assert.match(failures.join(), /^readyTimeoutSeconds is 0: give a number above 0/);
  });
});
