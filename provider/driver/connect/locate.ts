import * as fs from "node:fs";
import { errorText } from "../../dynamic/error-text";
import type { Channel } from "./channel";
import { ConnectFailure } from "./connect-failure";
import type { ConnectWait } from "./connect-wait";
import { contractOf } from "../../contracts/registry";
import { parseEndpoint, requireTls, type Endpoint } from "./endpoint";
import { effectiveEndpoint, endpointVariableOf, type ConnectionSettings } from "../settings";
import { outputMask } from "../process/output-mask";
import { superviseDriver, type SupervisedDriver } from "../process/supervised-driver";
import { untilSecure } from "./tls-handshake";
import { readTls, type ClientTls } from "./tls-settings";

/** The connection is looked for this often, in milliseconds. */
const readyInterval = 1_000;

/** Where the driver is, and its process if the package started it. */
export interface Located {
  readonly endpoint: Endpoint;
  /** For an endpoint on the network. */
  readonly tls?: ClientTls;
  readonly process?: SupervisedDriver;
  /** Masks what the process writes; for one that the package started. */
  readonly mask?: (text: string) => string;
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
    return { endpoint: driver.endpoint, process: driver, mask };
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
    if (wait.left === 0) throw new ConnectFailure(`no socket appeared at ${path} within ${wait.seconds} s`);
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
      if (wait.left === 0) throw new ConnectFailure(`nobody answered on ${address} within ${wait.seconds} s`);
      await wait.pause(`a connection to ${address}`);
    }
  }
}

const mendStarted =
  "correct command or environment of the Driver by what is said here, then run the command again";

/** @throws ConnectFailure if the package started this driver, and it is not there any more. */
export function throwIfEnded({ process, mask = (text) => text }: Located): void {
  const end = process?.ended();
  if (end !== undefined)
    throw new ConnectFailure(`the driver did not stay up: ${mask(end)}`, { next: mendStarted });
}
