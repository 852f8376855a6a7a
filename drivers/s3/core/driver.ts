import type { StoreConfig } from "../config";
import type { Log } from "../log";
import { Accounts } from "./accounts";
import { Buckets } from "./buckets";
import { CreateIntents } from "./create-intents";
import { Emptyings } from "./emptyings";
import { IamUsers } from "./iam-users";
import { KeyedLock } from "../../../provider/driver/call/locks";
import { connectStore } from "./store";

/** What every contract serves: buckets and accounts at one store, with no word of any wire protocol. */
export interface Driver {
  /** Unique name, in domain name notation. */
  readonly name: string;
  /** Region of the store. */
  readonly region: string;
  /** URL of the S3 API that clients use. */
  readonly endpoint: string;
  readonly buckets: Buckets;
  readonly accounts: Accounts;
  /** Ends what goes on without a caller, at a place from which the same call goes on. */
  stop(): Promise<void>;
}

/** A driver for the store of the configuration; sends no request yet. */
export function createDriver(name: string, config: StoreConfig, log: Log): Driver {
  const { region } = config;
  const store = connectStore(config, log);
  const users = new IamUsers(store);
  const lock = new KeyedLock();
  const emptyings = new Emptyings(log);
  const buckets = new Buckets(store, new CreateIntents(users, name), emptyings, lock, name, region);
  const accounts = new Accounts(users, buckets, lock, name, region);
  return { name, region, endpoint: config.clientEndpoint, buckets, accounts, stop: () => emptyings.stop() };
}
