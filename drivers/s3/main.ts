#!/usr/bin/env node
import { ConfigError } from "./config-error";
import { readConfig } from "./config";
import { Calls } from "./contracts/calls";
import { cosi202002 } from "./contracts/cosi-2020-02/services";
import { cosi202007 } from "./contracts/cosi-2020-07/services";
import { cosiV1alpha1 } from "./contracts/cosi-v1alpha1/services";
import { createDriver } from "./core/driver";
import { createLog } from "./log";
import { startServer } from "./server/driver-server";

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIG = 78;

async function main(): Promise<void> {
  // Whoever started the driver may close the other end; that is no reason to stop serving.
  process.stderr.on("error", () => undefined);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const calls = new Calls(log);
  const driver = createDriver(config.driverName, config.store, log);
  const server = await startServer(config.socket, [
    ...cosiV1alpha1(driver, calls),
    ...cosi202007(driver, calls),
    ...cosi202002(driver, calls),
  ]);
  log.info("serving", { driver: driver.name, socket: config.socket.path, endpoint: driver.endpoint });

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) {
      return;
    }
    stopping = true;
    log.info("stopping", { signal });
    const work = Promise.all([calls.settled(), driver.stop()]);
    void server
      .stop(work)
      .then(() => calls.settled())
      .then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`cosi-driver-s3: ${reason.replace(/\s+/g, " ")}\n`);
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
});
