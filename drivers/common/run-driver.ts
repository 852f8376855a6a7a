import type { Calls } from "./calls/calls";
import { ConfigError } from "./config-error";
import type { Log, LogFields } from "./log";
import { type Service, startServer } from "./server/driver-server";
import type { SocketConfig } from "./server/socket-config";

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIG = 78;

/** A driver that is ready to serve. */
export interface RunnableDriver {
  readonly socket: SocketConfig;
  readonly services: readonly Service[];
  readonly calls: Calls;
  readonly log: Log;
  /** What the first line of the log names. */
  readonly about: LogFields;
  /** Ends what goes on without a caller. @default there is no such thing */
  readonly stop?: () => Promise<unknown>;
}

/**
 * Runs a driver as the program of this process: it serves until SIGTERM or SIGINT, then lets the calls in flight end,
 * removes its socket and exits with 0. A wrong configuration ends it with status 78, anything else that keeps it from
 * serving with 1, and one line on stderr.
 *
 * @param program - name of the program, with which that line begins.
 * @param make - reads the configuration and makes the driver.
 */
export function runDriver(program: string, make: () => RunnableDriver): void {
  // Whoever started the driver may close the other end; that is no reason to stop serving.
  process.stderr.on("error", () => undefined);
  serve(make).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${program}: ${reason.replace(/\s+/g, " ")}\n`);
    process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
  });
}

async function serve(make: () => RunnableDriver): Promise<void> {
  const { socket, services, calls, log, about, stop: stopWork } = make();
  const server = await startServer(socket, services);
  log.info("serving", { ...about, socket: socket.path });

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) {
      return;
    }
    stopping = true;
    log.info("stopping", { signal });
    const work = Promise.all([calls.settled(), stopWork?.()]);
    void server
      .stop(work)
      .then(() => calls.settled())
      .then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
