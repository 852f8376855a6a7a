import { status } from "@grpc/grpc-js";
import type { DriverIdentity } from "../contracts/contract";
import { contractOf } from "../contracts/registry";
import { Channel } from "./channel";
import { codeName, recoveryOf } from "./codes";
import { ConnectFailure } from "./connect-failure";
import { ConnectWait } from "./connect-wait";
import type { Endpoint } from "./endpoint";
import { loadInterceptors } from "./interceptors";
import { locateDriver, throwIfEnded, untilListening, untilReady, type Located } from "./locate";
import { identifyOtherService } from "./other-service";
import { attemptsOnUnknownFault, pauseBeforeRetry } from "./retry";
import { rpcName } from "./rpc-name";
import type { ConnectionSettings } from "./settings";
import { warnOfOpenSocket } from "./socket-access";

/** Least deadline of the call that asks for the driver's name, in milliseconds. */
const shortestDeadline = 100;

/** A connection that stands, to a driver that said who it is. */
export interface Session {
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  readonly driverName: string;
}

/** Asks the driver for its name once. */
export type AskName = (
  at: Pick<Session, "channel" | "endpoint">,
  attempt: number,
  timeoutMilliseconds: number,
) => Promise<{ reply: DriverIdentity } | { code: number; reason: string }>;

/**
 * Finds the driver, or starts it, connects and asks for its name, all within the connect wait.
 *
 * @throws ConnectFailure
 */
export async function openSession(settings: ConnectionSettings, ask: AskName): Promise<Session> {
  const wait = new ConnectWait(settings.connectTimeoutSeconds);
  for (;;) {
    const driver = await locateDriver(settings);
    try {
      return await connect(driver, settings, ask, wait);
    } catch (error) {
      // GRPC-110: it had served, and its end was not known yet when it was looked up; the next one is another.
      if (driver.process?.ended() === undefined || !driver.process.served) throw error;
    }
  }
}

async function connect(
  driver: Located,
  settings: ConnectionSettings,
  ask: AskName,
  wait: ConnectWait,
): Promise<Session> {
  await untilListening(driver, wait);
  const { endpoint } = driver;
  const channel = new Channel({ ...driver, interceptors: await loadInterceptors() });
  try {
    await untilReady(channel, driver, wait);
    const driverName = await nameOf(channel, driver, settings, ask, wait);
    if (driver.process !== undefined) driver.process.served = true;
    else if (endpoint.kind === "socket") await warnOfOpenSocket(endpoint.path, driverName);
    return { channel, endpoint, driverName };
  } catch (error) {
    channel.close();
    throw error;
  }
}

/** The driver's name, asked for until the connect wait ends. */
async function nameOf(
  channel: Channel,
  driver: Located,
  settings: ConnectionSettings,
  ask: AskName,
  wait: ConnectWait,
): Promise<string> {
  const { endpoint } = driver;
  const rpc = rpcName(contractOf(settings.contract).identify);
  for (let attempt = 1; ; attempt += 1) {
    // GRPC-050: at least a moment, so that the answer on a connection made at the last one is still read.
    const timeout = Math.min(settings.callTimeoutSeconds * 1000, Math.max(wait.left, shortestDeadline));
    const result = await ask({ channel, endpoint }, attempt, timeout);
    if ("reply" in result) return result.reply.name;
    const { code, reason } = result;
    if (code === status.UNIMPLEMENTED) {
      const { what, next } = await identifyOtherService(channel, reason, timeout);
      throw new ConnectFailure(
        `the process at ${endpoint.address} does not serve ${settings.contract}: it has no ${rpc}; ${what}`,
        { code, next },
      );
    }
    throwIfEnded(driver);
    const recovery = recoveryOf(code);
    const pause = pauseBeforeRetry(attempt, settings.firstRetryDelayMilliseconds);
    const spent = recovery === "three-attempts" && attempt >= attemptsOnUnknownFault;
    if (recovery === "final" || spent || pause > wait.left) {
      throw new ConnectFailure(`${rpc} failed: ${reason}`, { code });
    }
    await wait.pause(`an answer to ${rpc} from ${endpoint.address} (${codeName(code)})`, pause);
  }
}
