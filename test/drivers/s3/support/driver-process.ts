import {
  DriverProcess as AnyDriverProcess,
  type StartOptions,
  untilAnswers,
} from "../../common/driver-process";
import { DriverClient } from "./driver-client";

export { type Folders, makeFolders } from "../../common/folders";
export { type StartOptions, underUmask } from "../../common/driver-process";

/** The driver as its users run it: a process of its own with nothing but the given environment. */
export class DriverProcess extends AnyDriverProcess {
  constructor(options: StartOptions) {
    super("s3", options);
  }
}

/** A driver that answers at the socket, and a client of it. */
export async function startDriver(
  socket: string,
  options: StartOptions,
): Promise<{ readonly driver: DriverProcess; readonly client: DriverClient }> {
  const driver = new DriverProcess({
    ...options,
    env: { ...options.env, COSI_ENDPOINT: `unix://${socket}` },
  });
  const client = new DriverClient(socket);
  try {
    await untilAnswers(driver, client.getInfo());
  } catch (error) {
    client.close();
    throw error;
  }
  return { driver, client };
}
