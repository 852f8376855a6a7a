import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { Socket } from "node:net";
import * as path from "node:path";
import type { EndpointVariable } from "../../contracts/contract";
import { errorText } from "../../dynamic/error-text";
import { canonical } from "../../dynamic/values";
import { parseSocketEndpoint, type SocketEndpoint } from "../connect/endpoint";
import { endGroup, type DriverGroup } from "./group";
import { engineAddress } from "./host";
import { askForLines } from "./last-lines";
import type { Order } from "./supervisor";
import { readEvents } from "./supervisor-events";

/** A driver that runs as long as this process, or until {@link SupervisedDriver.stop}. */
export interface SupervisedDriver {
  readonly endpoint: SocketEndpoint;
  /** True once it has said who it is. Such a driver is started again if it ends (GRPC-110). */
  served: boolean;
  /** Why the driver is not there any more, with its last lines; `undefined` while it runs. */
  ended(): string | undefined;
  /** What the driver wrote last, secrets and all; nothing where it has ended. */
  lastLines(): Promise<readonly string[]>;
  /** Ends the driver and waits for the end. */
  stop(): Promise<void>;
}

/** How often in a run a driver that ended is started again. */
const maximumRestarts = 5;

/** A supervisor answers so fast, in milliseconds, or it is not there any more. */
const answerMilliseconds = 2_000;

const running = new Map<string, Promise<SupervisedDriver>>();
/** Drivers that have lost their supervisor, until they have ended. */
const orphans = new Map<string, Promise<void>>();
/** How each driver has ended in this run, by command and environment. */
const ends = new Map<string, string[]>();

/**
 * Starts a driver, once for equal command and environment, however many resources ask for it, and again if it has
 * ended, at most 5 times in a run.
 *
 * The driver inherits the environment but what belongs to Pulumi or to the contract, and gets
 * `<variable>=unix://<fresh private folder>/driver.sock`. A driver that the package ships is found by its name;
 * any other program without a slash is looked for in the `node_modules/.bin` folders from the working directory upward,
 * then in PATH, as npm does for its scripts.
 *
 * @throws Error if the program cannot be started, or has ended too often.
 */
export function superviseDriver(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  variable: EndpointVariable = "COSI_ENDPOINT",
): Promise<SupervisedDriver> {
  const key = canonical([command, environment, variable]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const earlier = ends.get(key) ?? [];
  if (earlier.length > maximumRestarts) return Promise.reject(endedTooOften(earlier));
  const startNow = (): Promise<SupervisedDriver> =>
    start(command, environment, variable, {
      forget: (end) => {
        // A supervisor ends after its driver, and the next driver may run by then.
        if (running.get(key) === driver) running.delete(key);
        if (end !== undefined) ends.set(key, [...earlier, end]);
      },
      endOrphan: (group) => {
        const ending = endGroup(group).finally(() => orphans.delete(key));
        orphans.set(key, ending);
        return ending;
      },
    });
  const orphan = orphans.get(key);
  const driver: Promise<SupervisedDriver> = orphan === undefined ? startNow() : orphan.then(startNow);
  running.set(key, driver);
  return driver;
}

function endedTooOften(earlier: readonly string[]): Error {
  return new Error(
    `the driver ended ${earlier.length} times in this run and is not started again; at last ${earlier.at(-1) ?? ""}`,
  );
}

/** What is to be done when a driver comes to its end. */
interface Ending {
  /** Called when the driver is not to be used any more, with the reason if nobody here ended it. */
  readonly forget: (end?: string) => void;
  /** Ends a driver that has lost its supervisor. */
  readonly endOrphan: (group: DriverGroup) => Promise<void>;
}

async function start(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  variable: EndpointVariable,
  { forget, endOrphan }: Ending,
): Promise<SupervisedDriver> {
  const [program, ...args] = command;
  if (program === undefined)
    throw new Error("the driver's command is empty: give a program and its arguments");
  const engine = engineAddress();
  const order: Order = {
    command: [...executable(program), ...args],
    environment: driverEnvironment(environment),
    variable,
    workingDirectory: process.cwd(),
    ...(engine === undefined ? {} : { engine }),
  };
  // Detached: Ctrl-C reaches the terminal's group, and the driver must outlive it until the calls in flight have ended.
  const supervisor = spawn(
    process.execPath,
    [require.resolve("pulumi-cosi/provider/driver/process/supervisor")],
    {
      detached: true,
      // Nothing of Pulumi's there either.
      env: driverEnvironment({}),
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  supervisor.unref();
  let group: DriverGroup | undefined;
  let end: string | undefined;
  const closed = new Promise<void>((resolve) =>
    supervisor.once("close", (code, signal) => {
      // It ends with 0 when its driver has ended. GRPC-107: a driver that it leaves behind has nobody else.
      if (group === undefined || code === 0) {
        resolve();
        return;
      }
      if (end === undefined) {
        end = `its supervisor ended with ${signal ?? `exit status ${code ?? "unknown"}`}, and it was ended too`;
        forget(end);
      }
      resolve(endOrphan(group));
    }),
  );
  /** Who waits for the last lines, in the order in which they asked. */
  const waiting: ((lines: readonly string[]) => void)[] = [];
  const endpoint = await new Promise<SocketEndpoint>((resolve, reject) => {
    const refuse = (reason: string): void => {
      end ??= reason;
      forget();
      reject(new Error(`the driver ${JSON.stringify(program)} could not be started: ${reason}`));
    };
    supervisor.on("error", (error) => {
      refuse(error.message);
    });
    supervisor.once("close", () => {
      refuse("its supervisor ended");
      for (const answer of waiting.splice(0)) answer([]);
    });
    readEvents(
      supervisor.stdout,
      (event) => {
        switch (event.event) {
          case "started":
            group = event;
            resolve(parseSocketEndpoint(event.endpoint));
            break;
          case "failed":
            refuse(event.reason);
            break;
          case "lines":
            waiting.shift()?.(event.lastLines);
            break;
          case "ended":
            end = [`it ended with ${event.how}`, ...event.lastLines].join("\n");
            forget(end);
            break;
        }
      },
      (error) => {
        refuse(`its supervisor cannot be understood: ${errorText(error)}`);
        // Nobody will ask for the driver: it ends.
        supervisor.stdin.end();
      },
    );
    supervisor.stdin.on("error", () => undefined);
    supervisor.stdin.write(`${JSON.stringify(order)}\n`);
  });
  // A driver that runs is no reason for this process to stay: it ends with it.
  const pipes = [supervisor.stdin, supervisor.stdout].filter((pipe) => pipe instanceof Socket);
  for (const pipe of pipes) pipe.unref();
  return {
    endpoint,
    served: false,
    ended: () => end,
    lastLines: () => {
      if (end !== undefined) return Promise.resolve([]);
      return new Promise((resolve) => {
        const giveUp = setTimeout(resolve, answerMilliseconds, []);
        waiting.push((lines) => {
          clearTimeout(giveUp);
          resolve(lines);
        });
        supervisor.stdin.write(`${askForLines}\n`);
      });
    },
    stop: async () => {
      forget();
      for (const pipe of pipes) pipe.ref();
      supervisor.stdin.end();
      await closed;
    },
  };
}

/** A driver of this package is run from where the package lies: no package manager has to have linked it. */
export function executable(program: string): [string, ...string[]] {
  const manifestFile = require.resolve("pulumi-cosi/package.json");
  const { bin } = JSON.parse(fs.readFileSync(manifestFile, "utf8")) as {
    bin: Readonly<Record<string, string>>;
  };
  const file = Object.hasOwn(bin, program) ? bin[program] : undefined;
  return file === undefined ? [program] : [process.execPath, path.join(path.dirname(manifestFile), file)];
}

/** Variables of Pulumi, whose passphrase is there, and of the contracts. */
const foreignPrefixes = ["PULUMI_", "COSI_", "Deployment_"];

/** The environment that a driver may see: nothing of Pulumi's, and nothing of the contracts'. */
export function driverEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !foreignPrefixes.some((prefix) => entry[0].startsWith(prefix)),
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
  ends.clear();
  await Promise.all([
    ...drivers.map((driver) => (driver.status === "fulfilled" ? driver.value.stop() : Promise.resolve())),
    ...orphans.values(),
  ]);
}
