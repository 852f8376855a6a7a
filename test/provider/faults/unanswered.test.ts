import assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as http2 from "node:http2";
import * as net from "node:net";
import { sleep } from "../../../provider/driver/call/retry";
import type { ConnectionSettings } from "../../../provider/driver/settings";
import { driverName } from "../../support/cosi-v1alpha1";
import { DriverWorld } from "../../support/faults/driver-world";
import { RpcProxy, type RpcName, type RpcStage } from "../../support/faults/rpc-proxy";
import { assertEnded, type RunResult, type SmallStack } from "../../support/faults/small-stack";
import { quickSettings } from "../../support/settings";
import { eventually } from "../../support/stub-driver";

const rpcNames = {
  create: "DriverCreateBucket",
  grant: "DriverGrantBucketAccess",
  revoke: "DriverRevokeBucketAccess",
  delete: "DriverDeleteBucket",
} as const satisfies Partial<Record<RpcName, string>>;

type Provisioner = keyof typeof rpcNames;

const provisioner: readonly Provisioner[] = ["create", "grant", "revoke", "delete"];

async function assertLeavesNothing(stack: SmallStack, world: DriverWorld): Promise<void> {
  assertEnded(await stack.up());
  assert.deepEqual(world.holds(), { buckets: 1, keys: 1 });
  assert.deepEqual(world.driver.liveKeys(), [stack.outputs("access")["accessKeyId"]]);
  assertEnded(await stack.destroy());
  assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
  assert.equal(stack.state().size, 0);
}

describe("a driver that takes longer than the deadline", function () {
  this.timeout(120_000);
  let world: DriverWorld;
  let network: RpcProxy;

  beforeEach(async () => {
    world = await new DriverWorld().start();
    network = await new RpcProxy(world.driver.fake.endpoint).start();
  });

  afterEach(async () => {
    network.stop();
    await world.stop();
  });

  const settings = (changes: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
    ...quickSettings(network.endpoint),
    callTimeoutSeconds: 0.4,
    ...changes,
  });

  /** Runs the command that sends the RPC; the first replies are held back until after the deadline. */
  async function delayed(
    stack: SmallStack,
    rpc: Provisioner,
    stage: RpcStage,
    times: number,
  ): Promise<RunResult> {
    const removes = rpc === "delete" || rpc === "revoke";
    if (removes) assertEnded(await stack.up());
    let left = times;
    network.at = async (point) => {
      if (point.rpc !== rpc || point.stage !== stage || left === 0) return undefined;
      left -= 1;
      await sleep(600);
      return undefined;
    };
    network.front.calls.length = 0;
    const result = await (removes ? stack.destroy() : stack.up());
    network.at = () => undefined;
    return result;
  }

  const attempts = (rpc: Provisioner) =>
    network.front.calls.filter(({ path }) => path.endsWith(`/${rpcNames[rpc]}`));

  for (const rpc of provisioner) {
    it(`once, with ${rpcNames[rpc]}, has it cancelled and sent again [GRPC-050] [GRPC-078]`, async () => {
      for (const stage of ["before", "after"] as const) {
        const stack = world.stack(settings());
        const result = await delayed(stack, rpc, stage, 1);
        assertEnded(result);
        assert.equal(result.warnings.length, rpc === "grant" ? 1 : 0, result.warnings.join("\n"));
        const sent = attempts(rpc);
        assert.ok(sent.length > 1);
        assert.ok(sent[0]?.cancelled);
        assert.equal(new Set(sent.map(({ body }) => body.toString("hex"))).size, 1);
        // The call that was given up reaches the driver all the same.
        await eventually("the late call is answered", () => {
          const known = world.driver.rpcs().filter((done) => done === rpc);
          return known.length === sent.length;
        });
        await assertLeavesNothing(stack, world);
        world.driver.forget();
      }
    });

    it(`with every ${rpcNames[rpc]} ends the run by DEADLINE_EXCEEDED, and nothing is lost [GRPC-050] [GRPC-051] [GRPC-053]`, async () => {
      const stack = world.stack(settings({ retryBudgetSeconds: 0.6 }));
      const { message, stoppedAt, ended, began } = await delayed(
        stack,
        rpc,
        "after",
        Number.POSITIVE_INFINITY,
      );
      const resource = rpc === "create" || rpc === "delete" ? "bucket" : "access";
      assert.equal(stoppedAt, resource);
      assert.match(
        message,
        new RegExp(`^${rpcNames[rpc]}: DEADLINE_EXCEEDED: .*\\((\\d+) attempts? in \\d+\\.\\d s\\)`),
      );
      assert.ok(message.includes(`${resource} ${String(stack.outputs(resource)["name"])}`), message);
      assert.ok(message.includes(`driver ${driverName} at unix://`), message);
      assert.match(message, /Next: .*raise callTimeoutSeconds of the Driver/);
      // The budget, one deadline, and what a busy machine adds.
      assert.ok(ended - began < 20_000);
      assert.equal(stack.state().get(resource)?.failed, rpc === "create" || rpc === "grant");
      assert.equal(world.holds().buckets, rpc === "delete" ? 0 : 1);
      assert.equal(world.holds().keys, rpc === "grant" ? 1 : 0);
      if (rpc === "delete" || rpc === "revoke") assertEnded(await stack.destroy());
      await assertLeavesNothing(stack, world);
    });
  }
});

describe("what listens at the endpoint and is no driver yet", function () {
  this.timeout(120_000);
  let world: DriverWorld;
  let stop: () => void;
  const sockets = new Set<{ destroy(): void }>();

  beforeEach(() => {
    world = new DriverWorld();
    stop = () => undefined;
  });

  afterEach(async () => {
    stop();
    await world.stop();
  });

  async function listen(server: net.Server): Promise<void> {
    server.listen(world.driver.fake.socket);
    await once(server, "listening");
    stop = () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      server.close();
      fs.rmSync(world.driver.fake.socket, { force: true });
    };
  }

  const settings = (changes: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
    ...quickSettings(world.driver.fake.endpoint),
    ...changes,
  });

  /** The run ends with the connect wait; with a driver in the place the next one goes well. */
  async function assertWaitsThenRecovers(stack: SmallStack, text: RegExp): Promise<void> {
    const { stoppedAt, message, began, ended } = await stack.up();
    assert.equal(stoppedAt, "driver");
    assert.match(message, text);
    assert.ok(message.includes(world.driver.fake.socket), message);
    assert.match(
      message,
      /Next: check that the driver runs and reaches its store, then run the command again/,
    );
    assert.ok(ended - began >= 400, "the wait was made use of");
    assert.ok(ended - began < 20_000);
    assert.equal(stack.state().size, 0);
    stop();
    await world.start();
    await assertLeavesNothing(stack, world);
  }

  const brief = { connectTimeoutSeconds: 0.5 };

  it("accepts and never answers: the run ends with the connect wait, and says where [GRPC-087]", async () => {
    await listen(net.createServer((socket) => sockets.add(socket.on("error", () => undefined))));
    await assertWaitsThenRecovers(
      world.stack(settings(brief)),
      /^DriverGetInfo: UNAVAILABLE: nobody answered on unix:\S+ within 0\.5 s/,
    );
  });

  it("ends each connection at once: the run ends with the connect wait", async () => {
    await listen(net.createServer((socket) => socket.destroy()));
    await assertWaitsThenRecovers(
      world.stack(settings(brief)),
      /^DriverGetInfo: UNAVAILABLE: nobody answered on unix:\S+ within 0\.5 s/,
    );
  });

  it("answers in another protocol: the run ends with the connect wait", async () => {
    await listen(
      net.createServer((socket) => {
        sockets.add(socket.on("error", () => undefined));
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      }),
    );
    await assertWaitsThenRecovers(world.stack(settings(brief)), /^DriverGetInfo: UNAVAILABLE: /);
  });

  it("speaks HTTP/2 and answers no call: DriverGetInfo has its deadline [GRPC-050]", async () => {
    const server = http2.createServer();
    server.on("session", (session) => sockets.add(session));
    await listen(server);
    await assertWaitsThenRecovers(world.stack(settings(brief)), /^DriverGetInfo: DEADLINE_EXCEEDED: /);
  });

  it("is a socket file of a dead process, and a driver later: the run waits for it [GRPC-087] [GRPC-088]", async () => {
    const dead = net.createServer();
    await listen(dead);
    // Node would take the file away; a process that is killed leaves it.
    fs.renameSync(world.driver.fake.socket, `${world.driver.fake.socket}.kept`);
    stop();
    fs.renameSync(`${world.driver.fake.socket}.kept`, world.driver.fake.socket);
    const stack = world.stack(settings());
    const running = stack.up();
    await sleep(400);
    fs.rmSync(world.driver.fake.socket);
    await world.start();
    assertEnded(await running);
    await assertLeavesNothing(stack, world);
  });

  it("is nothing, and a driver later, on up and on destroy: the run waits for it [GRPC-087]", async () => {
    const stack = world.stack(settings());
    for (const command of [() => stack.up(), () => stack.destroy()]) {
      world.driver.fake.kill();
      const running = command();
      await sleep(400);
      await world.start();
      assertEnded(await running);
    }
    assert.deepEqual(world.holds(), { buckets: 0, keys: 0 });
  });
});
