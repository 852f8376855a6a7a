/**
 * A driver as a process, for `--command`: it keeps its state in the file FAKE_STATE, or forgets it where there is
 * none. FAKE_FAULT makes it a faulty one: "careless", "dies of a grant", "hands out its own password" (which is
 * FAKE_PASSWORD), "serves on TCP too". FAKE_CONTRACT is the contract that it speaks. FAKE_LOCK is a file that it makes at its start
 * and removes at an orderly end; where it is there already, the driver does not start.
 */
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { ServerCredentials } from "@grpc/grpc-js";
import { paths } from "../../support/cosi-v1alpha1";
import { MemoryDriver } from "./memory-driver";
import { serve } from "./serve";
import { speeches, type SpokenContract } from "./speech";

const exitConfig = 78;
const contract: SpokenContract =
  process.env["FAKE_CONTRACT"] === "deployment.v1alpha1" ? "deployment.v1alpha1" : "cosi.v1alpha1";
const { endpointVariable } = speeches[contract];

function fail(reason: string): never {
  process.stderr.write(`fake driver: ${reason}\n`);
  process.exit(exitConfig);
}

function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", () => {
      resolve(false);
    });
  });
}

async function freePath(socket: string): Promise<void> {
  const there = fs.lstatSync(socket, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isSocket()) fail(`${endpointVariable}: ${socket} is no socket`);
  if (await isServed(socket)) fail(`${endpointVariable}: another process listens on ${socket}`);
  fs.rmSync(socket);
}

function takeLock(file: string): void {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    fail(`another instance holds ${file}`);
  }
}

function restore(driver: MemoryDriver, file: string): void {
  if (fs.existsSync(file)) {
    const { buckets, accounts } = JSON.parse(fs.readFileSync(file, "utf8")) as {
      buckets: [string, string][];
      accounts: [string, ReturnType<MemoryDriver["state"]["accounts"]["get"]> & object][];
    };
    for (const [name, parameters] of buckets) driver.state.buckets.set(name, parameters);
    for (const [name, account] of accounts) driver.state.accounts.set(name, account);
  }
  driver.onChange = () => {
    const { buckets, accounts } = driver.state;
    fs.writeFileSync(file, JSON.stringify({ buckets: [...buckets], accounts: [...accounts] }));
  };
}

/** A driver as it should not be: no state kept, no question of who else is there, and much said. */
async function careless(driver: MemoryDriver, socket: string): Promise<void> {
  fs.rmSync(socket, { force: true });
  fs.writeFileSync(`${socket}.pid`, String(process.pid));
  const log = fs.createWriteStream(path.join(process.env["TMPDIR"] ?? os.tmpdir(), "driver.log"));
  driver.onChange = () => {
    for (const { key } of driver.state.accounts.values()) process.stdout.write(`issued ${key.secret}\n`);
  };
  process.umask(0);
  await serve(driver, socket, (path) => {
    log.write(`${path}\n`);
    return undefined;
  });
}

async function careful(driver: MemoryDriver, socket: string): Promise<void> {
  await freePath(socket);
  const file = process.env["FAKE_STATE"];
  if (file !== undefined) restore(driver, file);
  const lock = process.env["FAKE_LOCK"];
  if (lock !== undefined) takeLock(lock);
  process.umask(0o177);
  const server = await serve(driver, socket, (path) => {
    if (process.env["FAKE_FAULT"] === "dies of a grant" && path === paths.grant) process.exit(3);
    return undefined;
  });
  if (process.env["FAKE_FAULT"] === "serves on TCP too") {
    server.bindAsync("127.0.0.2:0", ServerCredentials.createInsecure(), (error) => {
      if (error !== null) fail(error.message);
    });
  }
  process.once("SIGTERM", () => {
    if (lock !== undefined) fs.rmSync(lock, { force: true });
    server.tryShutdown(() => process.exit(0));
  });
}

async function main(): Promise<void> {
  const endpoint = process.env[endpointVariable] ?? "";
  const driver = new MemoryDriver(new Set(), undefined, contract);
  if (process.env["FAKE_FAULT"] === "hands out its own password")
    driver.password = process.env["FAKE_PASSWORD"];
  if (process.env["FAKE_FAULT"] === "careless") {
    return careless(
      driver,
      endpoint.replace("unix://", "") || path.join(os.tmpdir(), `lost-${process.pid}.sock`),
    );
  }
  if (!endpoint.startsWith("unix:///") || !endpoint.endsWith(".sock")) {
    return fail(`${endpointVariable} must be unix:///<path>.sock`);
  }
  return careful(driver, endpoint.slice("unix://".length));
}

void main();
