import type { Log } from "../../common/log";
import type { ClientConfig, ServerConfig } from "../config";
import { Accounts } from "./accounts";
import { Deployments } from "./deployments";
import { Server } from "./server";

/** What the contract serves: databases and accounts at one server, with no word of any wire protocol. */
export interface Driver {
  /** Unique name, in domain name notation. */
  readonly name: string;
  /** How those who get credentials reach the server. */
  readonly client: ClientConfig;
  readonly deployments: Deployments;
  readonly accounts: Accounts;
}

/** A driver for the server of the configuration; does not connect yet. */
export function createDriver(name: string, config: ServerConfig, log: Log): Driver {
  const server = new Server(config, log);
  // As callers do, names of drivers that differ in case alone are taken for one.
  const identity = name.toLowerCase();
  const deployments = new Deployments(server, identity);
  return { name, client: config.client, deployments, accounts: new Accounts(server, deployments, identity) };
}
