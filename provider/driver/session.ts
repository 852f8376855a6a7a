import { status } from "@grpc/grpc-js";
import type { DriverIdentity } from "../contracts/contract";
import { attemptCall } from "./call/attempt";
import { Channel } from "./connect/channel";
import { codeName } from "./call/codes";
import { ConnectFailure } from "./connect/connect-failure";
import { ConnectWait } from "./connect/connect-wait";
import type { Endpoint } from "./connect/endpoint";
import { loadInterceptors } from "./connect/interceptors";
import {
  locateDriver,
  throwIfEnded,
  untilListening,
  untilReady,
  withOutput,
  type Located,
} from "./connect/locate";
import { identifyOtherService } from "./connect/other-service";
import { AttemptCodes, pauseBeforeRetry } from "./call/retry";
import { rpcName } from "./call/rpc-name";
import type { DriverOutput } from "./process/driver-output";
import { identifyMethod, type ConnectionSettings } from "./settings";
import { warnOfOpenSocket } from "./connect/socket-access";

/** Least deadline of the call that asks for the driver's name, in milliseconds. */
const shortestDeadline = 100;

/** A connection that stands, to a driver that said who it is, where it has a call for that. */
export interface Session {
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  /** `null` if the driver cannot be asked. */
  readonly identity: DriverIdentity | null;
  /** What is shown of a driver that the package started. */
  readonly output?: DriverOutput | undefined;
}

/**
 * Finds the driver, or starts it, connects and asks for its name, all within the connect wait.
 *
 * @throws ConnectFailure
 */
export async function openSession(settings: ConnectionSettings): Promise<Session> {
  const wait = new ConnectWait(settings.connectTimeoutSeconds);
  for (;;) {
    const driver = await locateDriver(settings);
    try {
      return await connect(driver, settings, wait);
    } catch (error) {
      // GRPC-110: it had served, and its end was not known yet when it was looked up; the next one is another.
      if (driver.process?.ended() === undefined || !driver.process.served) {
        throw await withOutput(error, driver);
      }
    }
  }
}

async function connect(driver: Located, settings: ConnectionSettings, wait: ConnectWait): Promise<Session> {
  await untilListening(driver, wait);
  const { endpoint } = driver;
  const channel = new Channel({ ...driver, interceptors: await loadInterceptors() });
  try {
    await untilReady(channel, driver, wait);
    const identity = await identityOf(channel, driver, settings, wait);
    if (driver.process !== undefined) driver.process.served = true;
    else if (endpoint.kind === "socket") {
      await warnOfOpenSocket(endpoint.path, identity?.name ?? endpoint.address);
    }
    return { channel, endpoint, identity, output: driver.output };
  } catch (error) {
    channel.close();
    throw error;
  }
}

/** Who the driver is, asked for until the connect wait ends; nothing is sent where it cannot be asked. */
async function identityOf(
  channel: Channel,
  driver: Located,
  settings: ConnectionSettings,
  wait: ConnectWait,
): Promise<DriverIdentity | null> {
  const { endpoint } = driver;
  const { contract } = settings;
  const identify = identifyMethod(settings);
  if (identify === null) return null;
  const rpc = rpcName(identify);
  const body = identify.encode();
  const codes = new AttemptCodes();
  for (let attempt = 1; ; attempt += 1) {
    // GRPC-050: at least a moment, so that the answer on a connection made at the last one is still read.
    const timeoutMilliseconds = Math.min(
      settings.callTimeoutSeconds * 1000,
      Math.max(wait.left, shortestDeadline),
    );
    const result = await attemptCall(
      { channel, endpoint, contract, attempt, timeoutMilliseconds, output: driver.output },
      identify,
      body,
    );
    if ("reply" in result) return result.reply;
    const { code, reason, next } = result;
    if (code === status.UNIMPLEMENTED && settings.identityMethod !== undefined) {
      throw new ConnectFailure(`the process at ${endpoint.address} has no ${identify.path}`, {
        code,
        next: "correct identityMethod of the Driver, or leave it out, then run the command again",
      });
    }
    if (code === status.UNIMPLEMENTED) {
      const { what, next } = await identifyOtherService(channel, contract, reason, timeoutMilliseconds);
      throw new ConnectFailure(
        `the process at ${endpoint.address} does not serve ${contract}: it has no ${rpc}; ${what}`,
        { code, next },
      );
    }
    throwIfEnded(driver);
    const isAllowed = codes.allowAfter(code) && result.final !== true;
    const pause = pauseBeforeRetry(attempt, settings.firstRetryDelayMilliseconds);
    if (!isAllowed || pause > wait.left) {
      throw new ConnectFailure(`${rpc} failed: ${reason}`, {
        code,
        ...(next === undefined ? {} : { next }),
      });
    }
    await wait.pause(`an answer to ${rpc} from ${endpoint.address} (${codeName(code)})`, pause);
  }
}
