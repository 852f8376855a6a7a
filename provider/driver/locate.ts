import * as fs from "node:fs";
import { status } from "@grpc/grpc-js";
import { errorText } from "../dynamic/error-text";
import type { Channel } from "./channel";
import { parseEndpoint, type Endpoint } from "./endpoint";
import { sleep } from "./retry";
import { secretMask } from "./secret-mask";
import type { ConnectionSettings } from "./settings";
import { superviseDriver, type SupervisedDriver } from "./supervised-driver";

/** Socket and connection are looked for this often, in milliseconds. */
const lookInterval = 100;
/** The whole environment is secret in the state; what is shorter, such as `true` or a port, would mask ordinary text. */
const shortestEnvironmentSecret = 8;

/** Where the driver is, and its process if the package started it. */
export interface Located {
  readonly endpoint: Endpoint;
  readonly process?: SupervisedDriver;
}

/** The driver could not be reached, or did not say who it is. */
export class ConnectFailure extends Error {
  constructor(
    message: string,
    readonly code: number = status.UNAVAILABLE,
  ) {
    super(secretMask.apply(message));
  }
}

/**
 * Finds the driver: at its endpoint, by starting its command, or where COSI_ENDPOINT of the environment says.
 *
 * @throws ConnectFailure
 */
export async function locateDriver({ endpoint, command, environment }: ConnectionSettings): Promise<Located> {
  if (endpoint !== undefined) return { endpoint: parseEndpoint(endpoint) };
  if (command !== undefined) {
    for (const value of Object.values(environment ?? {})) {
      if (value.length >= shortestEnvironmentSecret) secretMask.remember(value);
    }
    const driver = await superviseDriver(command, environment).catch((error: unknown) => {
      throw new ConnectFailure(errorText(error));
    });
    return { endpoint: driver.endpoint, process: driver };
  }
  const inherited = process.env["COSI_ENDPOINT"];
  if (inherited === undefined || inherited === "") {
    throw new ConnectFailure(
      "the Driver has neither endpoint nor command, and COSI_ENDPOINT is not set in the environment of pulumi",
    );
  }
  return { endpoint: parseEndpoint(inherited) };
}

/** Waits until the socket is there. @throws ConnectFailure at the deadline, or when a started driver has ended. */
export async function waitForSocket(driver: Located, seconds: number, deadline: number): Promise<void> {
  const { path } = driver.endpoint;
  while (!fs.existsSync(path)) {
    throwIfEnded(driver);
    if (Date.now() >= deadline) throw new ConnectFailure(`no socket appeared at ${path} within ${seconds} s`);
    await sleep(lookInterval);
  }
}

/** Waits until the connection stands. @throws ConnectFailure at the deadline, or when a started driver has ended. */
export async function untilReady(
  channel: Channel,
  driver: Located,
  seconds: number,
  deadline: number,
): Promise<void> {
  for (;;) {
    try {
      await channel.ready(Math.min(Date.now() + lookInterval * 10, deadline));
      return;
    } catch {
      throwIfEnded(driver);
      if (Date.now() >= deadline) {
        throw new ConnectFailure(`nobody answered on ${driver.endpoint.path} within ${seconds} s`);
      }
    }
  }
}

/** Why a driver that the package started is not there any more; `undefined` while it is, and for any other driver. */
export function endOf(driver: Located): string | undefined {
  const end = driver.process?.ended();
  return end === undefined ? undefined : `the driver did not stay up: ${end}`;
}

function throwIfEnded(driver: Located): void {
  const end = endOf(driver);
  if (end !== undefined) throw new ConnectFailure(end);
}
