import assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as http2 from "node:http2";
import * as net from "node:net";
import * as path from "node:path";
import { sleep } from "../../../provider/driver/call/retry";
import { Connection } from "../../../provider/driver/connection";
import { closeConnections } from "../../../provider/driver/connections";
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
  async function assertWaitsThenRecovers(
    stack: SmallStack,
    text: RegExp,
    next = /Next: check that the driver runs and reaches its store, then run the command again/,
  ): Promise<void> {
    const { stoppedAt, message, began, ended } = await stack.up();
    assert.equal(stoppedAt, "driver");
    assert.match(message, text);
    assert.ok(message.includes(world.driver.fake.socket), message);
    assert.match(message, next);
    assert.ok(ended - began >= 400, "the wait was made use of");
    assert.ok(ended - began < 20_000);
    assert.equal(stack.state().size, 0);
    stop();
    await world.start();
    await assertLeavesNothing(stack, world);
  }

  async function leaveDeadSocket(): Promise<void> {
    const { socket } = world.driver.fake;
    await listen(net.createServer());
    // Node would take the file away; a process that is killed leaves it.
    fs.renameSync(socket, `${socket}.kept`);
    stop();
    fs.renameSync(`${socket}.kept`, socket);
  }

  const brief = { connectTimeoutSeconds: 0.5 };
  const mendPath = /Next: remove what is there and start the driver, or correct the endpoint of the Driver/;
  const permit =
    /Next: give the user that runs pulumi the right to enter the folders of the socket and to write to it/;

  it("accepts and never answers: the run ends with the connect wait, and says where [GRPC-087]", async () => {
    await listen(net.createServer((socket) => sockets.add(socket.on("error", () => undefined))));
    await assertWaitsThenRecovers(
      world.stack(settings(brief)),
      /^DriverGetInfo: UNAVAILABLE: nobody answered on unix:\S+ within 0\.5 s: the connection is open, but no gRPC/,
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
    await leaveDeadSocket();
    const stack = world.stack(settings());
    const running = stack.up();
    await sleep(400);
    fs.rmSync(world.driver.fake.socket);
    await world.start();
    assertEnded(await running);
    await assertLeavesNothing(stack, world);
  });

  it("is a socket file of a dead process, and stays one: the error says that the connection is refused [GRPC-087]", async () => {
    await leaveDeadSocket();
    stop = () => {
      fs.rmSync(world.driver.fake.socket);
    };
    await assertWaitsThenRecovers(
      world.stack(settings(brief)),
      /^DriverGetInfo: UNAVAILABLE: nobody answered on unix:\S+ within 0\.5 s: connect ECONNREFUSED /,
    );
  });

  for (const what of ["file", "folder"] as const) {
    it(`is a ${what}: the error says that it is no socket, and what to do [GRPC-062] [GRPC-087]`, async () => {
      const { socket } = world.driver.fake;
      if (what === "file") fs.writeFileSync(socket, "");
      else fs.mkdirSync(socket);
      stop = () => {
        fs.rmSync(socket, { recursive: true });
      };
      const text = new RegExp(
        `^DriverGetInfo: UNAVAILABLE: nobody answered on unix:\\S+ within 0\\.5 s: it is a ${what}, not a socket`,
      );
      await assertWaitsThenRecovers(world.stack(settings(brief)), text, mendPath);
    });
  }

  it("lies below a file: the error says so [GRPC-062] [GRPC-087]", async () => {
    const { socket } = world.driver.fake;
    fs.writeFileSync(socket, "");
    stop = () => {
      fs.rmSync(socket, { force: true });
    };
    const { message } = await world.stack(settings({ ...brief, endpoint: `unix://${socket}/x.sock` })).up();
    assert.match(message, /no socket appeared at \S+ within 0\.5 s: ENOTDIR: /);
  });

  it("is a port of this machine where nobody listens: the error says that the connection is refused [K07-005]", async () => {
    const port = net.createServer().listen(0, "127.0.0.1");
    await once(port, "listening");
    const { port: free } = port.address() as net.AddressInfo;
    port.close();
    await once(port, "close");
    const connection = new Connection({
      ...quickSettings(`localhost:${free}`, "cosi-2020-07"),
      ...brief,
    });
    await assert.rejects(
      connection.identity(),
      /nobody answered on localhost:\d+ within 0\.5 s: (connect )?ECONNREFUSED/,
    );
  });

  /** Runs an action as a user without any right, where this one may become another. */
  async function asNobody<T>(action: () => Promise<T>): Promise<T> {
    process.seteuid?.("nobody");
    try {
      return await action();
    } finally {
      process.seteuid?.(0);
    }
  }

  for (const [what, socketMode, folderMode, text] of [
    ["socket", 0o600, 0o755, /nobody answered on unix:\S+ within 0\.5 s: connect EACCES /],
    // Whether it is there at all is asked with the real user id, which stays root's.
    [
      "folder",
      0o666,
      0o700,
      /(no socket appeared at|nobody answered on) \S+ within 0\.5 s: EACCES: permission/,
    ],
  ] as const) {
    it(`is a driver whose ${what} belongs to another user: the error says what to do [GRPC-062] [GRPC-087]`, async function () {
      if (process.getuid?.() !== 0) this.skip();
      await world.start();
      const { socket } = world.driver.fake;
      const stack = world.stack(settings());
      assertEnded(await stack.up());
      assertEnded(await stack.destroy());
      await closeConnections();
      fs.chmodSync(socket, socketMode);
      fs.chmodSync(path.dirname(socket), folderMode);
      const { message, stoppedAt } = await asNobody(() => world.stack(settings(brief)).up());
      assert.equal(stoppedAt, "driver");
      assert.match(message, text);
      assert.match(message, permit);
    });
  }

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
