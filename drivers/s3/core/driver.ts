import type { StoreConfig, StoreCredentials } from "../config";
import type { Log } from "../../common/log";
import { Accounts } from "./accounts";
import { Buckets } from "./buckets";
import { CreateIntents } from "./create-intents";
import { Emptyings } from "./emptyings";
import { FreshUsers } from "./fresh-users";
import { IamUsers } from "./iam-users";
import { KeyedLock } from "../../../provider/driver/call/locks";
import { BucketOwners } from "./settings/bucket-owners";
import { BucketQuotas } from "./settings/bucket-quotas";
import { SettingsWriter } from "./settings/settings-writer";
import { connectStore } from "./store";
import { policyPartition } from "../aws-partition";

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
  /** The same driver at the same store, with other keys than its own; calls of both are put in one order. */
  withKeys(keys: StoreCredentials): Driver;
  /** Ends what goes on without a caller, at a place from which the same call goes on. */
  stop(): Promise<void>;
}

/** So many drivers with keys that came with a call are kept; one that is not is made anew. */
const KEPT = 16;

/**
 * A driver for the store of the configuration; sends no request yet.
 *
 * @param fresh - for tests; a driver has its own.
 */
export function createDriver(name: string, config: StoreConfig, log: Log, fresh = new FreshUsers()): Driver {
  const { region } = config;
  const partition = policyPartition(config);
  const lock = new KeyedLock();
  const emptyings = new Emptyings(log);
  const others = new Map<string, Driver>();

  function driverWith(credentials: StoreCredentials | undefined): Driver {
    const store = connectStore({ ...config, credentials }, log);
    const users = new IamUsers(store, fresh);
    const intents = new CreateIntents(users, name);
    const settings = new SettingsWriter(store.s3, new BucketQuotas(store.s3));
    const owners = new BucketOwners(users, lock, partition);
    const buckets = new Buckets(store, intents, emptyings, settings, owners, lock, name, region, log);
    const accounts = new Accounts(users, buckets, lock, name, partition);
    return {
      name,
      region,
      endpoint: config.clientEndpoint,
      buckets,
      accounts,
      withKeys,
      stop: () => emptyings.stop(),
    };
  }

  function withKeys(keys: StoreCredentials): Driver {
    const id = JSON.stringify([keys.accessKeyId, keys.secretAccessKey, keys.sessionToken]);
    const driver = others.get(id) ?? driverWith(keys);
    others.delete(id);
    others.set(id, driver);
    const [oldest] = others.keys();
    if (others.size > KEPT && oldest !== undefined) others.delete(oldest);
    return driver;
  }

  return driverWith(config.credentials);
}
