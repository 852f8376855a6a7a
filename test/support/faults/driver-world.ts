import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import type { ConnectionSettings } from "../../../provider/driver/settings";
import type { Properties } from "../lifecycle";
import { StoringDriver } from "../workflows/storing-driver";
import { SmallStack, type ProgramResource } from "./small-stack";

/** A parameter of bucket and access that the program marks as secret. */
export const secretParameter = "par4m/of+the=user";

/** A driver that keeps what it makes; programs reach it directly or through a network of the test. */
export class DriverWorld {
  readonly driver = new StoringDriver();
  #programs = 0;

  async start(): Promise<this> {
    await this.driver.start();
    return this;
  }

  async stop(): Promise<void> {
    await closeConnections();
    this.driver.fake.stop();
  }

  /** A Driver, a bucket that is deleted with its resource, and an access to it: a stack of its own. */
  stack(settings: ConnectionSettings): SmallStack {
    this.#programs += 1;
    const n = this.#programs;
    const reference = (outputs: (name: string) => Properties): Properties => {
      const { driverName, seed } = outputs("driver");
      return { ...settings, driverName, seed };
    };
    const parameters = { parameters: { key: secretParameter }, secretParameters: true };
    const program: readonly ProgramResource[] = [
      {
        name: "driver",
        provider: driverProvider,
        inputs: () => ({ ...settings, logicalName: `store-${n}` }),
      },
      {
        name: "bucket",
        provider: bucketProvider,
        inputs: (outputs) => ({
          driver: reference(outputs),
          logicalName: `photos-${n}`,
          deletionPolicy: "Delete",
          ...parameters,
        }),
      },
      {
        name: "access",
        provider: accessProvider,
        inputs: (outputs) => ({
          driver: reference(outputs),
          logicalName: `reader-${n}`,
          bucketName: outputs("bucket")["name"],
          bucketId: outputs("bucket")["bucketId"],
          bucketInfo: outputs("bucket")["bucketInfo"],
          ...parameters,
        }),
      },
    ];
    return new SmallStack(program);
  }

  /** What the driver holds, in numbers: buckets, and access keys that work. */
  holds(): { buckets: number; keys: number } {
    return { buckets: this.driver.buckets.size, keys: this.driver.liveKeys().length };
  }
}
