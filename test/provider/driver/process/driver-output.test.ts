import assert from "node:assert/strict";
import * as fs from "node:fs";
import { LastLines } from "../../../../provider/driver/process/last-lines";
import { forEachContract, type ContractUnderTest } from "../../../support/contracts-under-test";
import { FakeEngine, ProviderHost } from "../../../support/provider-host";
import type { Properties } from "../../../support/lifecycle";
import { StubDriver } from "../../../support/stub-driver";

/** What Pulumi keeps as the provider of a resource. */
const providerOf = (file: string): string =>
  `exports.handler = () => require("pulumi-cosi/provider/${file}").provider;`;
const megabyte = 1024;

function ofDrivers(contract: ContractUnderTest): void {
  const { driverReference, endpointVariable, ids, named, providers } = contract;
  let engine: FakeEngine;
  let host: ProviderHost;
  let stub: StubDriver;

  beforeEach(async () => {
    stub = new StubDriver();
    engine = await new FakeEngine().start();
    host = await ProviderHost.start(engine);
    await host.configure({});
  });

  afterEach(async () => {
    await host.kill();
    engine.kill();
    stub.dispose();
  });

  const inputs = (environment: Record<string, string>, more: Properties): Properties => {
    const reference = driverReference("unused", {
      command: stub.command,
      environment: stub.environment(environment),
      driverName: StubDriver.driverName,
      connectTimeoutSeconds: 60,
      retryBudgetSeconds: 50,
    });
    Reflect.deleteProperty(reference, "endpoint");
    return named({ driver: reference, ...more });
  };
  const createBucket = async (environment: Record<string, string>, logicalName = "photos") => {
    const news = inputs(environment, { logicalName, __provider: providerOf(providers.bucket) });
    return host.create((await host.check({}, news)).inputs);
  };

  it(`is read to the end, kept nowhere and out of the host's own, however much it is ${ids("[GRPC-115]", "[DEP-082]")}`, async () => {
    await createBucket({});
    const [quiet] = stub.starts();
    await createBucket({ STUB_OUTPUT: "100" });
    const [, loud] = stub.starts();
    assert.ok(quiet !== undefined && loud !== undefined);

    const peaks = [quiet, loud].map(({ parent }) => peakKilobytes(parent));
    const [base = 0, most = 0] = peaks;
    assert.ok(most - base < 64 * megabyte, `the supervisor took ${most - base} kB more for 200 MB of output`);
    const socket = (loud.environment[endpointVariable] ?? "").slice("unix://".length);
    assert.deepEqual(fs.readdirSync(socket.slice(0, -"/driver.sock".length)), ["driver.sock"]);
    assert.ok(!host.output.includes("xxx") && !host.errors.includes("xxx"));
    await createBucket({ STUB_OUTPUT: "100" }, "more");
    assert.equal(stub.starts().length, 2, "host and driver go on");
  });

  it(`is shown without the credentials that the driver issued ${ids("[GRPC-115]", "[DEP-082]")}`, async () => {
    const secret = "of-an-account/that+prints";
    await host.kill();
    // Inherited: what the program gives in environment is masked anyway.
    const inherited = { STUB_SECRET: secret, STUB_SAY: `panic with ${secret}`, STUB_DIES: "1000" };
    host = await ProviderHost.start(engine, inherited);
    await host.configure({});
    const account = { logicalName: "photos-rw", bucketName: "b1", bucketId: "b1" };
    const news = inputs({}, { ...account, __provider: providerOf(providers.access) });
    const access = await host.create((await host.check({}, news)).inputs);
    assert.equal(access.outputs["accountId"], "account");
    await assert.rejects(createBucket({}), (error: unknown) => {
      assert.match(String(error), /exit status 70\npanic with \[secret\]/);
      return true;
    });
    assert.ok(!`${host.output}${host.errors}`.includes(secret));
  });
}

forEachContract("the output of a driver that is started for the run", ofDrivers, 120_000);

describe("the output of a driver", () => {
  it("is kept as its last lines, 20 at most, whole ones only", () => {
    const lines = new LastLines();
    lines.add(Buffer.from("one\n\ntwo\nthr"));
    lines.add(Buffer.from("ee\n"));
    assert.deepEqual(lines.get(), ["one", "two", "three"]);

    for (let n = 0; n < 30; n += 1) lines.add(Buffer.from(`line ${n}\n`));
    assert.equal(lines.get().length, 20);
    assert.equal(lines.get().at(-1), "line 29");

    // What is left of a long line may be the rest of a secret, which no mask would find.
    lines.add(Buffer.from(`${"secret".repeat(4000)}\nthe end`));
    assert.deepEqual(lines.get(), ["the end"]);
  });
});

/** Most memory that a process has had, in kilobytes. */
function peakKilobytes(pid: number): number {
  const [, peak = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(peak);
}
