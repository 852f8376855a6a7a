import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import * as readline from "node:readline";
import { canonical } from "../dynamic/values";
import { parseEndpoint, type Endpoint } from "./endpoint";
import { engineAddress } from "./host";
import type { Order, SupervisorEvent } from "./supervisor";

/** A driver that runs as long as this process, or until {@link SupervisedDriver.stop}. */
export interface SupervisedDriver {
  readonly endpoint: Endpoint;
  /** Why the driver is not there any more, with its last lines; `undefined` while it runs. */
  ended(): string | undefined;
  /** Ends the driver and waits for the end. */
  stop(): Promise<void>;
}

const running = new Map<string, Promise<SupervisedDriver>>();

/**
 * Starts a driver, once for equal command and environment, however many resources ask for it.
 *
 * The driver inherits the environment but what belongs to Pulumi or to the contract, and gets
 * `COSI_ENDPOINT=unix://<fresh private folder>/driver.sock`. A driver that the package ships is found by its name;
 * any other program without a slash is looked for in the `node_modules/.bin` folders from the working directory upward,
 * then in PATH, as npm does for its scripts.
 *
 * @throws Error if the program cannot be started.
 */
export function superviseDriver(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SupervisedDriver> {
  const key = canonical([command, environment]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const driver = start(command, environment, () => running.delete(key));
  running.set(key, driver);
  return driver;
}

async function start(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  forget: () => void,
): Promise<SupervisedDriver> {
  const [program, ...args] = command;
  if (program === undefined)
    throw new Error("the driver's command is empty: give a program and its arguments");
  const engine = engineAddress();
  const order: Order = {
    command: [...executable(program), ...args],
    environment: driverEnvironment(environment),
    workingDirectory: process.cwd(),
    ...(engine === undefined ? {} : { engine }),
  };
  // Detached: Ctrl-C reaches the terminal's group, and the driver must outlive it until the calls in flight have ended.
  const supervisor = spawn(process.execPath, [require.resolve("pulumi-cosi/provider/driver/supervisor")], {
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  supervisor.unref();
  const closed = new Promise<void>((resolve) =>
    supervisor.once("close", () => {
      resolve();
    }),
  );
  let end: string | undefined;
  const endpoint = await new Promise<Endpoint>((resolve, reject) => {
    const refuse = (reason: string): void => {
      end ??= reason;
      forget();
      reject(new Error(`the driver ${JSON.stringify(program)} could not be started: ${reason}`));
    };
    supervisor.once("error", (error) => {
      refuse(error.message);
    });
    supervisor.once("close", () => {
      refuse("its supervisor ended");
    });
    readline.createInterface({ input: supervisor.stdout }).on("line", (line) => {
      const event = JSON.parse(line) as SupervisorEvent;
      if (event.event === "started") resolve(parseEndpoint(event.endpoint));
      else if (event.event === "failed") refuse(event.reason);
      else {
        end = [`it ended with ${event.how}`, ...event.lastLines].join("\n");
        forget();
      }
    });
    supervisor.stdin.on("error", () => undefined);
    supervisor.stdin.write(`${JSON.stringify(order)}\n`);
  });
  return {
    endpoint,
    ended: () => end,
    stop: async () => {
      forget();
      supervisor.stdin.end();
      await closed;
    },
  };
}

/** A driver of this package is run from where the package lies: no package manager has to have linked it. */
function executable(program: string): [string, ...string[]] {
  const manifestFile = require.resolve("pulumi-cosi/package.json");
  const { bin } = JSON.parse(fs.readFileSync(manifestFile, "utf8")) as {
    bin: Readonly<Record<string, string>>;
  };
  const file = Object.hasOwn(bin, program) ? bin[program] : undefined;
  return file === undefined ? [program] : [process.execPath, path.join(path.dirname(manifestFile), file)];
}

/** The environment that a driver may see: nothing of Pulumi's, whose passphrase is there, and nothing of the contract's. */
function driverEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith("PULUMI_") && !entry[0].startsWith("COSI_"),
  );
  const environment = { ...Object.fromEntries(inherited), ...own };
  environment["PATH"] = [...binFolders(process.cwd()), environment["PATH"] ?? ""].join(path.delimiter);
  return environment;
}

function binFolders(folder: string): string[] {
  const parent = path.dirname(folder);
  const here = path.join(folder, "node_modules", ".bin");
  return parent === folder ? [here] : [here, ...binFolders(parent)];
}

/** Ends all drivers that this process started. */
export async function stopSupervisedDrivers(): Promise<void> {
  const drivers = await Promise.allSettled(running.values());
  await Promise.all(
    drivers.map((driver) => (driver.status === "fulfilled" ? driver.value.stop() : Promise.resolve())),
  );
}
