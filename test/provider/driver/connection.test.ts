import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import type { CallTarget } from "../../../provider/contracts/contract";
import { Connection } from "../../../provider/driver/connection";
import { DriverError } from "../../../provider/driver/call/driver-error";
import { WrongDriverError } from "../../../provider/driver/call/wrong-driver-error";
import { sleep } from "../../../provider/driver/call/retry";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, driverName, paths, secretKey } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName };

forEachContract("the connection to a driver", (contract) => {
  const { obligingDriver, settings, say, ids } = contract;
  let driver: FakeDriver;
  let connection: Connection;

  const use = async (fake: FakeDriver): Promise<void> => {
    driver = await fake.start();
    connection = new Connection(settings(driver.endpoint));
  };
  const create = (name = "b1") =>
    connection.client.createBucket({ name, parameters: {} }, { ...target, bucket: name });

  afterEach(async () => {
    await connection.close();
    driver.stop();
  });

  it(`asks for the driver's name first, once for many calls ${ids("[GRPC-010]", "[DEP-010]")}`, async () => {
    await use(obligingDriver());
    await Promise.all(Array.from({ length: 20 }, (_, n) => create(`b${n}`)));
    const order = driver.paths();
    assert.equal(order[0], "DriverGetInfo");
    assert.equal(order.filter((rpc) => rpc === "DriverGetInfo").length, 1);
    assert.equal(order.filter((rpc) => rpc === "DriverCreateBucket").length, 20);
  });

  it(`asks for the name again after a reconnect, and goes on ${ids("[GRPC-010] [GRPC-088]", "[DEP-010] [DEP-069]")}`, async () => {
    await use(obligingDriver());
    await create();
    driver.kill();
    const second = create("b2");
    await sleep(300);
    await driver.start();
    await second;
    assert.deepEqual(driver.paths(), [
      "DriverGetInfo",
      "DriverCreateBucket",
      "DriverGetInfo",
      "DriverCreateBucket",
    ]);
  });

  it(`waits for a socket that appears late ${ids("[GRPC-087]", "[DEP-069]")}`, async () => {
    driver = obligingDriver();
    connection = new Connection(settings(driver.endpoint));
    const call = create();
    await sleep(400);
    await driver.start();
    assert.equal((await call).reply.bucketId, "b1");
  });

  it("says which socket never appeared, and after how long", async () => {
    driver = obligingDriver();
    connection = new Connection({ ...settings(driver.endpoint), connectTimeoutSeconds: 0.3 });
    await assert.rejects(create(), (error: unknown) => {
      assert.ok(error instanceof DriverError);
      assert.match(
        error.message,
        say(/DriverCreateBucket: UNAVAILABLE: no socket appeared at .*cosi\.sock within 0\.3 s/),
      );
      assert.equal(error.outcomeUnknown, false);
      return true;
    });
  });

  it("sends nothing to a driver of another name, and names both", async () => {
    await use(obligingDriver("other.example.com"));
    await assert.rejects(create(), (error: unknown) => {
      assert.ok(error instanceof WrongDriverError);
      assert.match(error.message, /"fake\.example\.com".*"other\.example\.com".*driverName/s);
      return true;
    });
    assert.deepEqual(driver.paths(), ["DriverGetInfo"]);
  });

  it("compares driver names without regard to case", async () => {
    await use(obligingDriver(driverName.toUpperCase()));
    await create();
    assert.equal(driver.bodies("DriverCreateBucket").length, 1);
  });

  for (const [code, attempts] of [
    [status.CANCELLED, 4],
    [status.UNKNOWN, 3],
    [status.INVALID_ARGUMENT, 1],
    [status.DEADLINE_EXCEEDED, 4],
    [status.NOT_FOUND, 1],
    [status.ALREADY_EXISTS, 1],
    [status.PERMISSION_DENIED, 1],
    [status.RESOURCE_EXHAUSTED, 4],
    [status.FAILED_PRECONDITION, 1],
    [status.ABORTED, 4],
    [status.OUT_OF_RANGE, 1],
    [status.UNIMPLEMENTED, 1],
    [status.INTERNAL, 3],
    [status.UNAVAILABLE, 4],
    [status.DATA_LOSS, 1],
    [status.UNAUTHENTICATED, 1],
    [77, 3],
  ] as const) {
    it(`makes ${attempts} attempts when the driver answers ${status[code] ?? code}`, async () => {
      // A driver that has recovered at the fourth attempt shows which codes are retried without an end.
      await use(
        obligingDriver().on(paths.create, (_, earlier) =>
          earlier < 3 ? { code, message: "no luck" } : answers.created("b1"),
        ),
      );
      const outcome = await create().then(
        () => "done",
        (error: unknown) => error,
      );
      assert.equal(driver.bodies("DriverCreateBucket").length, attempts);
      if (attempts === 4) assert.equal(outcome, "done");
      else {
        assert.ok(outcome instanceof DriverError);
        assert.equal(outcome.code, code);
        assert.match(outcome.message, say(/DriverCreateBucket: .*no luck/));
      }
    });
  }

  it(`repeats a call with the same bytes ${ids("[GRPC-030]", "[DEP-030]")}`, async () => {
    await use(
      obligingDriver().on(paths.create, (_, earlier) =>
        earlier < 2 ? { code: status.UNAVAILABLE } : answers.created("b1"),
      ),
    );
    const parameters = { b: "2", a: "1" };
    await connection.client.createBucket({ name: "b1", parameters }, target);
    const bodies = driver.bodies("DriverCreateBucket");
    assert.equal(bodies.length, 3);
    assert.equal(new Set(bodies).size, 1);
  });

  it(`waits longer before each retry, within a quarter of the rule ${ids("[GRPC-052]", "[DEP-047]")}`, async () => {
    await use(
      obligingDriver().on(paths.create, (_, earlier) =>
        earlier < 4 ? { code: status.UNAVAILABLE } : answers.created("b1"),
      ),
    );
    connection = new Connection({ ...settings(driver.endpoint), firstRetryDelayMilliseconds: 200 });
    await create();
    const times = driver.calls.filter((call) => call.path === paths.create).map((call) => call.at);
    const gaps = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    assert.equal(gaps.length, 4);
    gaps.forEach((gap, n) => {
      // Never shorter than the rule allows; a busy machine may make it longer.
      assert.ok(gap >= 200 * 2 ** n * 0.75, `gap ${n + 1} is ${gap} ms`);
    });
  });

  it("ends a call that is never answered at its deadline", async () => {
    await use(obligingDriver().on(paths.create, () => new Promise<never>(() => undefined)));
    connection = new Connection({
      ...settings(driver.endpoint),
      callTimeoutSeconds: 0.2,
      retryBudgetSeconds: 0.3,
    });
    await assert.rejects(create(), (error: unknown) => {
      assert.ok(error instanceof DriverError);
      assert.match(error.message, /DEADLINE_EXCEEDED.*attempts? in/);
      assert.equal(error.outcomeUnknown, true);
      return true;
    });
  });

  it(`has at most one call in flight per bucket, and several for several buckets ${ids("[GRPC-037]", "[DEP-036]")}`, async () => {
    let busiest = 0;
    let busy = 0;
    await use(
      obligingDriver().on(paths.grant, async () => {
        busy += 1;
        busiest = Math.max(busiest, busy);
        await sleep(30);
        busy -= 1;
        return answers.granted("u");
      }),
    );
    const grant = (bucketId: string, n: number) =>
      connection.client.grantAccess(
        { bucketId, name: `a${n}`, authenticationType: "Key", parameters: {} },
        { ...target, bucket: bucketId },
      );
    await Promise.all(Array.from({ length: 6 }, (_, n) => grant("one", n)));
    assert.equal(busiest, 1);
    await Promise.all(Array.from({ length: 6 }, (_, n) => grant(`b${n}`, n)));
    assert.notEqual(busiest, 1, "calls for different buckets run side by side");
  });

  it("keeps within maxConcurrentCalls", async () => {
    await use(obligingDriver().on(paths.create, async () => (await sleep(20), answers.created("b"))));
    connection = new Connection({ ...settings(driver.endpoint), maxConcurrentCalls: 2 });
    await Promise.all(Array.from({ length: 8 }, (_, n) => create(`b${n}`)));
    assert.equal(Math.max(...driver.calls.map((call) => call.inFlight)), 2);
  });

  it("makes the calls that wait for their turn although the driver dies meanwhile", async () => {
    let alive = true;
    await use(
      obligingDriver().on(paths.create, async () => {
        if (!alive) return answers.created("b");
        alive = false;
        driver.kill();
        await sleep(200);
        await driver.start();
        return { code: status.UNAVAILABLE };
      }),
    );
    connection = new Connection({ ...settings(driver.endpoint), maxConcurrentCalls: 1 });
    const made = await Promise.all(Array.from({ length: 5 }, (_, n) => create(`b${n}`)));
    assert.deepEqual(
      made.map(({ reply }) => reply.bucketId),
      ["b", "b", "b", "b", "b"],
    );
  });

  it("speaks plain text with authority localhost, past any proxy [GRPC-090]", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { http_proxy: "http://127.0.0.1:9", grpc_proxy: "http://127.0.0.1:9" });
    try {
      await use(obligingDriver());
      await create();
    } finally {
      process.env = before;
    }
    assert.deepEqual(new Set(driver.calls.map((call) => call.authority)), new Set(["localhost"]));
  });

  it("does not repeat a grant whose reply cannot be decoded", async () => {
    await use(obligingDriver().on(paths.grant, () => Buffer.from("ffffff", "hex")));
    await assert.rejects(
      connection.client.grantAccess(
        { bucketId: "b1", name: "a", authenticationType: "Key", parameters: {} },
        target,
      ),
      /cannot be decoded/,
    );
    assert.equal(driver.bodies("DriverGrantBucketAccess").length, 1);
  });

  it(`ignores the details of a status, decodable or not ${ids("[GRPC-061]", "[DEP-053]")}`, async () => {
    const { Metadata } = await import("@grpc/grpc-js");
    const texts: string[] = [];
    for (const details of [undefined, Buffer.alloc(2048, 7), Buffer.from("ff", "hex")]) {
      const metadata = new Metadata();
      if (details !== undefined) metadata.set("grpc-status-details-bin", details);
      const fake = obligingDriver().on(paths.create, () => ({
        code: status.INVALID_ARGUMENT,
        message: "bad",
        metadata,
      }));
      await use(fake);
      await create().catch((error: unknown) => texts.push(String(error).replaceAll(driver.endpoint, "")));
      driver.stop();
    }
    assert.equal(texts.length, 3);
    assert.equal(new Set(texts).size, 1);
  });

  it("masks a secret that the driver repeats in its message", async () => {
    await use(
      obligingDriver().on(paths.revoke, () => ({
        code: status.PERMISSION_DENIED,
        message: `key ${secretKey} (${encodeURIComponent(secretKey)}) is locked`,
      })),
    );
    await connection.client.grantAccess(
      { bucketId: "b1", name: "a", authenticationType: "Key", parameters: {} },
      target,
    );
    await assert.rejects(
      connection.client.revokeAccess({ bucketId: "b1", accountId: "a", context: {} }, target),
      (error: unknown) => {
        assert.match(String(error), /key \[secret\] \(\[secret\]\) is locked/);
        assert.ok(!String(error).includes(secretKey));
        return true;
      },
    );
  });
});
