import assert from "node:assert/strict";
import { closeConnections } from "../../../../provider/driver/connections";
import { provider as bucketProvider } from "../../../../provider/bucket/provider";
import { Lifecycle, type Properties } from "../../../support/lifecycle";
import { driverReference } from "../../../support/settings";
import { eventually, isAlive, StubDriver } from "../../../support/stub-driver";

describe("a started driver that dies in mid-run", function () {
  this.timeout(60_000);
  const bucket = new Lifecycle(bucketProvider);
  let stub: StubDriver;

  beforeEach(() => {
    stub = new StubDriver();
  });

  afterEach(async () => {
    delete process.env["STUB_SAY"];
    await closeConnections();
    stub.dispose();
  });

  const inputs = (environment: Record<string, string>, logicalName = "photos"): Properties => {
    const reference = driverReference("unused", {
      command: stub.command,
      environment: stub.environment(environment),
      driverName: StubDriver.driverName,
      connectTimeoutSeconds: 25,
      retryBudgetSeconds: 50,
    });
    Reflect.deleteProperty(reference, "endpoint");
    return { driver: reference, logicalName };
  };
  /** Bodies of the creates that came, in hex. */
  const creates = (): string[] =>
    stub.calls().flatMap((call) => {
      const [path, body = ""] = call.split(" ");
      return path?.endsWith("/DriverCreateBucket") === true ? [body] : [];
    });

  it("is started again, and its call repeated with the same name [GRPC-110]", async () => {
    const { outputs } = await bucket.create(inputs({ STUB_DIES: "1" }));
    assert.equal(stub.starts().length, 2);
    assert.equal(outputs["bucketId"], String(stub.starts()[1]?.pid));
    assert.equal(creates().length, 2);
    assert.equal(new Set(creates()).size, 1);
    const identified = stub.calls().filter((call) => call.includes("/DriverGetInfo"));
    assert.equal(identified.length, 2, "each start is asked for its name");
  });

  it("is one driver after its restart, which is ended with the run", async () => {
    await bucket.create(inputs({ STUB_DIES: "1" }));
    const [first, second] = stub.starts();
    assert.ok(first !== undefined && second !== undefined);
    await eventually("the first supervisor ends", () => !isAlive(first.parent));
    await bucket.create(inputs({ STUB_DIES: "1" }, "other"));
    assert.equal(stub.starts().length, 2);
    await closeConnections();
    assert.ok(!isAlive(second.pid));
  });

  it("serves all calls that were in flight after one restart [GRPC-110]", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => bucket.create(inputs({ STUB_DIES: "1" }, `photos-${n}`))),
    );
    assert.equal(stub.starts().length, 2);
    for (const { outputs } of made) assert.equal(outputs["bucketId"], String(stub.starts()[1]?.pid));
  });

  it("every time is an error after five restarts, with what it said last, and is left alone from then on [GRPC-110]", async () => {
    // Inherited, since what the program gives in environment is masked.
    process.env["STUB_SAY"] = "panic: out of range";
    for (let create = 1; create <= 2; create += 1) {
      await assert.rejects(bucket.create(inputs({ STUB_DIES: "1000" })), (error: unknown) => {
        assert.match(
          String(error),
          /ended 6 times in this run and is not started again; at last it ended with exit status 70\npanic: out of range/,
        );
        return true;
      });
      assert.equal(stub.starts().length, 6);
    }
    assert.equal(new Set(creates()).size, 1);
  });
});
