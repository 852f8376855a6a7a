import type { DriverProcess } from "../../drivers/common/driver-process";
import type { Folders } from "../../drivers/common/folders";

/** An account at a backend: a user of a store, a role of a database server. */
export interface BackendAccount {
  readonly name: string;
  /** How many of its credentials work. */
  readonly liveKeys: number;
  /** Whether a key, as Secrets have it, is one that works. */
  readonly accepts: (key: string) => boolean | Promise<boolean>;
}

/** Our driver as a process of its own, and a client of it. */
export interface RunningDriver {
  readonly driver: Pick<DriverProcess, "stop">;
  readonly client: { close(): void };
}

/** What a driver makes things at, and nobody else meanwhile: what is there and was not before is the program's. */
export interface Backend {
  /** Where it is. Objects and states may have it; it is another one in each lane. */
  readonly address: string;
  /** Leaves out what is there by now. */
  ignorePresent(): Promise<void>;
  /** Names of what a create makes: buckets of a store, databases of a server. */
  buckets(): Promise<string[]>;
  accounts(): Promise<BackendAccount[]>;
  /** Starts our driver for it. */
  startDriver(folders: Folders): Promise<RunningDriver>;
  stop(): Promise<void>;
}
