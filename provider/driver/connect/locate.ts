import * as fs from "node:fs";
import { errorText } from "../../dynamic/error-text";
import { recoveryOf } from "../call/codes";
import type { Channel } from "./channel";
import { ConnectFailure } from "./connect-failure";
import type { ConnectWait } from "./connect-wait";
import { contractOf } from "../../contracts/registry";
import { parseEndpoint, requireTls, type Endpoint } from "./endpoint";
import { effectiveEndpoint, endpointVariableOf, type ConnectionSettings } from "../settings";
import { outputOf, type DriverOutput } from "../process/driver-output";
import { outputMask } from "../process/output-mask";
import { superviseDriver, type SupervisedDriver } from "../process/supervised-driver";
import { untilSecure } from "./tls-handshake";
import { readTls, type ClientTls } from "./tls-settings";
import { whyUnreachable } from "./unreachable";

/** The connection is looked for this often, in milliseconds. */
const readyInterval = 1_000;

/** Where the driver is, and its process if the package started it. */
export interface Located {
  readonly endpoint: Endpoint;
  /** For an endpoint on the network. */
  readonly tls?: ClientTls;
  readonly process?: SupervisedDriver;
  /** What is shown of that process. */
  readonly output?: DriverOutput;
}

/**
 * Finds the driver: at its endpoint, by starting its command, or where the contract's variable in the environment says.
 *
 * @throws ConnectFailure
 */
export async function locateDriver(settings: ConnectionSettings): Promise<Located> {
  const { endpoint, command, environment } = settings;
  const variable = endpointVariableOf(settings);
  if (endpoint !== undefined) return find(endpoint, settings);
  if (command !== undefined) {
    const mask = outputMask(settings);
    const driver = await superviseDriver(command, environment, variable).catch((error: unknown) => {
      throw new ConnectFailure(mask(errorText(error)), { next: mendStarted });
    });
    return { endpoint: driver.endpoint, process: driver, output: outputOf(driver, settings) };
  }
  const inherited = effectiveEndpoint(settings);
  if (inherited === undefined) {
    throw new ConnectFailure(
      `the Driver has neither endpoint nor command, and ${variable} is not set in the environment of pulumi`,
      { next: `set ${variable}, or endpoint or command of the Driver, then run the command again` },
    );
  }
  return find(inherited, settings, `${variable} in the environment of pulumi: `);
}

function find(address: string, { tls, contract }: ConnectionSettings, origin = ""): Located {
  let endpoint: Endpoint;
  try {
    const rules = contractOf(contract);
    endpoint = parseEndpoint(address, rules);
    requireTls(endpoint, tls, rules);
  } catch (error) {
    throw new ConnectFailure(`${origin}${errorText(error)}`, {
      next: "correct the endpoint, then run the command again",
    });
  }
  // The variable may name a socket on one machine and a host on another, so TLS is no fault where it is not needed.
  if (endpoint.kind === "socket" || tls === undefined) return { endpoint };
  return { endpoint, tls: readTls(tls) };
}

/**
 * Waits until somebody listens: until the socket is there, or TLS with the host stands.
 *
 * @throws ConnectFailure at the end of the wait, when a started driver has ended, or when TLS is refused.
 */
export async function untilListening(driver: Located, wait: ConnectWait): Promise<void> {
  const { endpoint, tls } = driver;
  if (endpoint.kind === "socket") await untilSocket(driver, endpoint.path, wait);
  else if (tls !== undefined) await untilSecure(endpoint, tls, wait);
}

async function untilSocket(driver: Located, path: string, wait: ConnectWait): Promise<void> {
  while (!fs.existsSync(path)) {
    throwIfEnded(driver);
    if (wait.left === 0) throw await waitedInVain(`no socket appeared at ${path}`, driver, wait);
    await wait.pause(`driver socket ${path}`);
  }
}

/** Waits until the connection stands. @throws ConnectFailure at its end, or when a started driver has ended. */
export async function untilReady(channel: Channel, driver: Located, wait: ConnectWait): Promise<void> {
  for (;;) {
    try {
      await channel.ready(Date.now() + Math.min(readyInterval, wait.left));
      return;
    } catch {
      throwIfEnded(driver);
      const { address } = driver.endpoint;
      if (wait.left === 0) throw await waitedInVain(`nobody answered on ${address}`, driver, wait);
      await wait.pause(`a connection to ${address}`);
    }
  }
}

async function waitedInVain(
  what: string,
  { endpoint }: Located,
  { seconds }: ConnectWait,
): Promise<ConnectFailure> {
  const { why, ...more } = (await whyUnreachable(endpoint)) ?? {};
  return new ConnectFailure(`${what} within ${seconds} s${why === undefined ? "" : `: ${why}`}`, more);
}

const mendStarted =
  "correct command or environment of the Driver as this message suggests, then run the command again";

/** @throws ConnectFailure if the package started this driver, and it is not there any more. */
export function throwIfEnded({ process, output }: Located): void {
  const end = process?.ended();
  if (end !== undefined)
    throw new ConnectFailure(`the driver did not stay up: ${output?.mask(end) ?? end}`, {
      next: mendStarted,
    });
}

/**
 * The failure of a wait that is over, with what the driver wrote last where the package started it and it still runs: nobody
 * else can say what hinders it.
 */
export async function withOutput(error: unknown, { process, output }: Located): Promise<unknown> {
  if (!(error instanceof ConnectFailure) || error.next !== undefined) return error;
  if (process === undefined || output === undefined || process.ended() !== undefined) return error;
  const { code, message } = error;
  if (recoveryOf(code) !== "retry") return error;
  const lines = await output.lastLines();
  if (lines.length === 0) {
    return new ConnectFailure(`${message}; the driver is running and has written nothing`, { code });
  }
  const text = [`${message}; the driver is running and wrote last:`, ...lines].join("\n");
  return new ConnectFailure(text, { code, next: mendStarted });
}
