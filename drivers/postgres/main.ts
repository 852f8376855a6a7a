#!/usr/bin/env node
import { Calls } from "../common/calls/calls";
import { createLog } from "../common/log";
import { runDriver } from "../common/run-driver";
import { readConfig } from "./config";
import { deploymentV1alpha1 } from "./contracts/deployment-v1alpha1/services";
import { createDriver } from "./core/driver";
import { toDriverError } from "./core/server-error";

runDriver("deployment-driver-postgres", () => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const calls = new Calls(log, toDriverError);
  const driver = createDriver(config.driverName, config.server, log);
  return {
    socket: config.socket,
    services: deploymentV1alpha1(driver, calls),
    calls,
    log,
    about: { driver: driver.name, server: `${config.server.host}:${config.server.port}` },
  };
});
