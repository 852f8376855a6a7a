import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { closeConnections } from "../../../../provider/driver/connections";
import { connectionSettingsOf, type ConnectionSettings } from "../../../../provider/driver/settings";
import { superviseDriver } from "../../../../provider/driver/process/supervised-driver";
import { maximumSocketPathBytes } from "../../../../provider/driver/connect/endpoint";
import { provider as driverProvider } from "../../../../provider/driver-resource/provider";
import { forEachContract } from "../../../support/contracts-under-test";
import { Lifecycle, printed, type Properties } from "../../../support/lifecycle";
import { eventually, isAlive, StubDriver } from "../../../support/stub-driver";

const root = path.join(__dirname, "..", "..", "..", "..");

forEachContract("a driver that is started for the run", (contract) => {
  const { bucket, endpointVariable, driverReference, say, ids } = contract;
  let stub: StubDriver;

  beforeEach(() => {
    stub = new StubDriver();
  });

  afterEach(async () => {
    await closeConnections();
    stub.dispose();
  });

  /** Settings of a connection to the stub. */
  const settings = (changes: Partial<ConnectionSettings> = {}): ConnectionSettings => {
    const waits = connectionSettingsOf(driverReference("unused"));
    delete waits.endpoint;
    const started = { command: stub.command, environment: stub.environment() };
    return { ...waits, connectTimeoutSeconds: 25, ...started, ...changes };
  };
  const inputs = (n = 0, changes: Partial<ConnectionSettings> = {}): Properties => ({
    driver: { ...settings(changes), driverName: StubDriver.driverName },
    logicalName: `b${n}`,
  });

  it("is found by its name if the package ships it, whatever PATH says", async () => {
    const driver = await superviseDriver(["cosi-driver-s3"], { PATH: "/nowhere", AWS_REGION: "" });
    // It starts, and ends at once because it is not told of a store.
    await eventually("the driver has ended", () => driver.ended() !== undefined);
    assert.match(driver.ended() ?? "", /exit status 78\n.*AWS_REGION/);
  });

  it(`is started once for all calls with equal command and environment, and by no preview ${ids("[GRPC-105]", "[DEP-078]")}`, async () => {
    const twenty = Array.from({ length: 20 }, (_, n) => inputs(n));
    for (const news of twenty) await bucket.check({}, news);
    assert.equal(stub.starts().length, 0);

    const made = await Promise.all(twenty.map((news) => bucket.create(news)));
    const { pid } = stub.start;
    for (const { outputs } of made) assert.equal(outputs["bucketId"], String(pid));
    await bucket.diff(made[0]?.outputs ?? {}, (await bucket.check({}, inputs())).inputs);
    assert.equal(stub.starts().length, 1);
    assert.ok(isAlive(pid), "it stays between calls");

    await bucket.create(inputs(0, { command: [...stub.command, "another"] }));
    await bucket.create(inputs(0, { environment: stub.environment({ ANOTHER: "1" }) }));
    assert.equal(stub.starts().length, 3);
    assert.equal(new Set(stub.starts().map((start) => start.pid)).size, 3);
  });

  it(`gets its endpoint in the variable of the contract, and is called on it ${ids("[GRPC-096]", "[DEP-072]")}`, async () => {
    const { outputs } = await bucket.create(inputs());
    assert.equal(outputs["bucketId"], String(stub.start.pid));
    const endpoint = stub.start.environment[endpointVariable] ?? "";
    assert.match(endpoint, /^unix:\/\/\/.+\.sock$/);
    assert.ok(fs.statSync(endpoint.slice("unix://".length)).isSocket());
    const known = await superviseDriver(stub.command, stub.environment(), endpointVariable);
    assert.equal(known.endpoint.address, endpoint);
  });

  it(`inherits the environment but nothing of Pulumi's and of the contract's, and gets the user's ${ids("[GRPC-111]", "[DEP-078]")}`, async () => {
    await withEnvironment(
      {
        AWS_ACCESS_KEY_ID: "inherited",
        https_proxy: "http://127.0.0.1:9",
        PULUMI_CONFIG_PASSPHRASE: "do not tell",
        COSI_X: "of another driver",
        [endpointVariable]: "unix:///of-another-driver.sock",
      },
      () => bucket.create(inputs(0, { environment: stub.environment({ AWS_REGION: "eu-1" }) })),
    );
    const { environment } = stub.start;
    assert.equal(environment["AWS_ACCESS_KEY_ID"], "inherited");
    assert.equal(environment["https_proxy"], "http://127.0.0.1:9");
    assert.equal(environment["HOME"], process.env["HOME"]);
    assert.equal(environment["AWS_REGION"], "eu-1");
    const foreign = Object.keys(environment).filter((name) => /^(PULUMI|COSI|Deployment)_/.test(name));
    assert.deepEqual(foreign, [endpointVariable]);
    assert.notEqual(environment[endpointVariable], "unix:///of-another-driver.sock");
  });

  it(`gets no variable of the contract but that of its endpoint, which no program may set, and no other is read ${ids("[GRPC-102]", "[DEP-072]")}`, async () => {
    const other = `${endpointVariable.split("_")[0] ?? ""}_X`;
    const ofCaller = "unix:///of-the-caller.sock";
    const inherited = { [other]: "of the caller", [endpointVariable]: ofCaller };
    const isOfContract = (name: string): boolean => /^(COSI|Deployment)_/.test(name);
    const asked = new Set<string | symbol>();
    await withEnvironment(inherited, async () => {
      await bucket.create(inputs());
      const recorded = process.env;
      process.env = new Proxy(recorded, {
        get: (variables, name, receiver) => {
          asked.add(name);
          return Reflect.get(variables, name, receiver) as unknown;
        },
      });
      const anywhere = { ...inputs(), driver: { ...driverReference("unused"), connectTimeoutSeconds: 0.1 } };
      Reflect.deleteProperty(anywhere.driver, "endpoint");
      await assert.rejects(bucket.create(anywhere), /of-the-caller\.sock/);
    });
    assert.deepEqual(
      [...asked].filter((name) => isOfContract(String(name))),
      [endpointVariable],
    );
    const given = Object.entries(stub.start.environment).filter(([name]) => isOfContract(name));
    assert.deepEqual(given, [[endpointVariable, `unix://${stub.socketFolder}/driver.sock`]]);
    assert.notEqual(given[0]?.[1], ofCaller);

    const store = new Lifecycle(driverProvider);
    const check = (own: Record<string, string>) =>
      store.check({}, { ...settings({ environment: own }), logicalName: "started" });
    assert.match(
      (await check({ [endpointVariable]: "unix:///x.sock" })).failures.join(),
      say(/sets COSI_ENDPOINT.*leave it out/),
    );
    const lines = await printed(() => check({ [other]: "1" }));
    assert.match(lines.join(), new RegExp(`^warning: driver started: .*${other}`));
  });

  it(`gets its arguments without a shell, and the endpoint where it is asked for ${ids("[GRPC-112]", "[DEP-074]")}`, async () => {
    const marker = path.join(os.tmpdir(), `touched-${process.pid}`);
    const command = [
      "nice",
      "-n",
      "1",
      ...stub.command,
      `$(touch ${marker})`,
      "--driver-addr={endpoint}",
      "a b",
      "*",
    ];
    const environment = stub.environment({ ADDRESS: "at {endpoint}" });
    const { outputs } = await bucket.create(inputs(0, { command, environment }));
    assert.equal(outputs["bucketId"], String(stub.start.pid));
    const endpoint = stub.start.environment[endpointVariable] ?? "";
    assert.deepEqual(stub.start.arguments, [`$(touch ${marker})`, `--driver-addr=${endpoint}`, "a b", "*"]);
    assert.equal(stub.start.environment["ADDRESS"], `at ${endpoint}`);
    assert.ok(!fs.existsSync(marker));
  });

  it(`has its socket in a fresh folder that nobody else may enter ${ids("[GRPC-091]", "[DEP-070]")}`, async () => {
    const before = process.umask(0);
    try {
      await bucket.create(inputs());
    } finally {
      process.umask(before);
    }
    const { mode, uid } = fs.statSync(stub.socketFolder);
    assert.equal(mode & 0o777, 0o700);
    assert.equal(uid, process.getuid?.());
    assert.deepEqual(fs.readdirSync(stub.socketFolder), ["driver.sock"]);
    if (uid === 0)
      assert.equal(await connectAs(65534, path.join(stub.socketFolder, "driver.sock")), "EACCES");
    await bucket.create(inputs(0, { command: [...stub.command, "another"] }));
    const endpoints = stub.starts().map((start) => start.environment[endpointVariable]);
    assert.notEqual(endpoints[0], endpoints[1]);
  });

  it(`gets a short path where TMPDIR is long ${ids("[GRPC-097]", "[DEP-073]")}`, async () => {
    const folder = path.join(os.tmpdir(), "n".repeat(100));
    fs.mkdirSync(folder, { recursive: true });
    try {
      await withEnvironment({ TMPDIR: folder }, () => bucket.create(inputs()));
      assert.ok(Buffer.byteLength(path.join(stub.socketFolder, "driver.sock")) <= maximumSocketPathBytes);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it(`gets an absolute path where TMPDIR is relative ${ids("[GRPC-096] [GRPC-097]", "[DEP-072] [DEP-073]")}`, async () => {
    const TMPDIR = path.relative(process.cwd(), os.tmpdir());
    assert.ok(!path.isAbsolute(TMPDIR), TMPDIR);
    await withEnvironment({ TMPDIR }, () => bucket.create(inputs()));
    assert.equal(path.dirname(stub.socketFolder), os.tmpdir());
  });

  it(`that ends before it serves is an error at once, with status and last line, secrets masked ${ids("[GRPC-109]", "[DEP-080]")}`, async () => {
    const environment = stub.environment({ STUB_EXIT: "78", STUB_DSN: "hunter2222" });
    const said = { STUB_SAY: "COSI_STORE is missing, password hunter2222" };
    const started = Date.now();
    const create = () => bucket.create(inputs(0, { environment }));
    await assert.rejects(withEnvironment(said, create), (error: unknown) => {
      assert.match(
        String(error),
        /did not stay up: it ended with exit status 78\nCOSI_STORE is missing, password \[secret\]/,
      );
      assert.ok(!String(error).includes("hunter2222"));
      return true;
    });
    assert.ok(Date.now() - started < 15_000, "long before the wait for the connection is over");
    await eventually("nothing of it is left", () => !stub.remains());
  });

  it("that cannot be started is an error with the reason", async () => {
    const command = [path.join(root, "no-such-driver")];
    await assert.rejects(
      bucket.create(inputs(0, { command })),
      /no-such-driver" could not be started: .*ENOENT/,
    );
  });

  it("is ended with all that it started, and its folder removed, when the connections close", async () => {
    await bucket.create(inputs(0, { environment: stub.environment({ STUB_CHILD: "1" }) }));
    assert.ok(stub.remains());
    await closeConnections();
    assert.ok(!isAlive(stub.start.pid));
    assert.ok(!fs.existsSync(stub.socketFolder));
    await eventually("nothing of it is left", () => !stub.remains());
  });

  it("keeps no process that has nothing more to do, and ends with it", async () => {
    const call = `superviseDriver(${JSON.stringify(stub.command)}, ${JSON.stringify(stub.environment())})`;
    const untilItServes = "new Promise((resolve) => setTimeout(resolve, 3000))";
    const script = `require("pulumi-cosi/provider/driver/process/supervised-driver").${call}.then(() => ${untilItServes})`;
    await promisify(execFile)(process.execPath, ["--eval", script], { cwd: root, timeout: 25_000 });
    await eventually("nothing of it is left", () => !stub.remains());
  });

  it("is killed if it takes no notice, and leaves no folder, whatever is in it", async () => {
    await bucket.create(inputs(0, { environment: stub.environment({ STUB_STUBBORN: "1" }) }));
    fs.writeFileSync(path.join(stub.socketFolder, "lock"), "");
    await closeConnections();
    assert.ok(!stub.remains());
  });

  it("is started again if it died, and what it was asked then is asked again", async () => {
    await bucket.create(inputs());
    const { pid } = stub.start;
    process.kill(pid, "SIGKILL");
    await eventually("it is gone", () => !isAlive(pid));
    const { outputs } = await bucket.create(inputs(1));
    assert.equal(stub.starts().length, 2);
    assert.equal(outputs["bucketId"], String(stub.starts()[1]?.pid));
  });

  it(`is ended with its supervisor if that is killed, and started once for the next call ${ids("[GRPC-107]", "[DEP-078]")}`, async () => {
    const environment = stub.environment({ STUB_CHILD: "1" });
    await bucket.create(inputs(0, { environment }));
    const { parent } = stub.start;
    process.kill(parent, "SIGKILL");
    await eventually("nothing of it is left", () => !stub.remains());

    const { outputs } = await bucket.create(inputs(1, { environment }));
    const [, next, ...others] = stub.starts();
    assert.ok(next !== undefined);
    assert.deepEqual(others, []);
    assert.equal(outputs["bucketId"], String(next.pid));
    assert.ok(isAlive(next.pid));
    await closeConnections();
    assert.ok(!isAlive(next.pid));
  });

  it("is never beside the one before, which takes its time to end when its supervisor is killed", async () => {
    const environment = stub.environment({ STUB_STUBBORN: "1" });
    const driver = await superviseDriver(stub.command, environment);
    await eventually("it runs", () => stub.starts().length === 1);
    const { parent, pid } = stub.start;
    process.kill(parent, "SIGKILL");
    await eventually("that is known", () => driver.ended() !== undefined);
    assert.match(driver.ended() ?? "", /supervisor ended with SIGKILL/);
    assert.deepEqual(await driver.lastLines(), []);
    assert.ok(isAlive(pid), "it takes no notice of SIGTERM");
    await superviseDriver(stub.command, environment);
    assert.ok(!isRunning(pid));
  });

  it("has ended when the connections are closed, though its supervisor was killed", async () => {
    const environment = stub.environment({ STUB_STUBBORN: "1" });
    for (const isKnown of [false, true]) {
      const driver = await superviseDriver(stub.command, environment);
      await eventually("it runs", () => stub.starts().length === (isKnown ? 2 : 1));
      const { parent = 0, pid = 0 } = stub.starts().at(-1) ?? {};
      process.kill(parent, "SIGKILL");
      if (isKnown) await eventually("that is known", () => driver.ended() !== undefined);
      await closeConnections();
      assert.ok(!isRunning(pid));
      assert.ok(!fs.existsSync(path.dirname(driver.endpoint.path)));
    }
  });

  it("does not outlive a host that ends just after its supervisor was killed", async () => {
    const environment = stub.environment({ STUB_STUBBORN: "1" });
    const call = `superviseDriver(${JSON.stringify(stub.command)}, ${JSON.stringify(environment)})`;
    const script = `require("pulumi-cosi/provider/driver/process/supervised-driver").${call}.then((driver) => setInterval(
      () => driver.ended() !== undefined && process.exit(0), 10))`;
    const host = promisify(execFile)(process.execPath, ["--eval", script], { cwd: root, timeout: 25_000 });
    await eventually("it runs", () => stub.starts().length === 1);
    process.kill(stub.start.parent, "SIGKILL");
    await host;
    await eventually("nothing of it is left", () => !stub.remains());
  });

  it("does not outlive a host that is killed", async () => {
    const call = `require("pulumi-cosi/provider/driver/process/supervised-driver").superviseDriver(
      ${JSON.stringify(stub.command)}, ${JSON.stringify(stub.environment())})`;
    const host = spawn(process.execPath, ["-e", `${call}; setInterval(() => {}, 1000)`], {
      cwd: root,
      stdio: "ignore",
    });
    await eventually("the driver runs", () => stub.starts().length === 1);
    assert.ok(isAlive(stub.start.pid));
    host.kill("SIGKILL");
    await eventually("nothing of it is left", () => !stub.remains());
  });
});

/** Runs an action with these variables in the environment of this process. */
async function withEnvironment<T>(
  variables: Readonly<Record<string, string>>,
  action: () => Promise<T>,
): Promise<T> {
  const before = process.env;
  process.env = { ...before, ...variables };
  try {
    return await action();
  } finally {
    process.env = before;
  }
}

/** True for a process that has not ended; one that nobody has collected yet has. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The code of the error that another user gets on connecting to a socket. */
async function connectAs(uid: number, socket: string): Promise<string | undefined> {
  process.seteuid?.(uid);
  try {
    return await new Promise((resolve) => {
      net
        .connect(socket, () => {
          resolve(undefined);
        })
        .once("error", (error: NodeJS.ErrnoException) => {
          resolve(error.code);
        });
    });
  } finally {
    process.seteuid?.(0);
  }
}
