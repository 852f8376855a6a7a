#!/usr/bin/env node
import { Calls } from "../common/calls/calls";
import { createLog } from "../common/log";
import { runDriver } from "../common/run-driver";
import { readConfig } from "./config";
import { cosi202002 } from "./contracts/cosi-2020-02/services";
import { cosi202007 } from "./contracts/cosi-2020-07/services";
import { cosiV1alpha1 } from "./contracts/cosi-v1alpha1/services";
import { createDriver } from "./core/driver";
import { toDriverError } from "./core/store-error";

runDriver("cosi-driver-s3", () => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const calls = new Calls(log, toDriverError);
  const driver = createDriver(config.driverName, config.store, log);
  return {
    socket: config.socket,
    services: [...cosiV1alpha1(driver, calls), ...cosi202007(driver, calls), ...cosi202002(driver, calls)],
    calls,
    log,
    about: { driver: driver.name, endpoint: driver.endpoint },
    stop: () => driver.stop(),
  };
});
