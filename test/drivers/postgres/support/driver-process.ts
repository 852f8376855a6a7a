import { DriverProcess, type StartOptions, untilAnswers } from "../../common/driver-process";
import { DriverClient } from "./driver-client";

/** A driver that answers at the socket, and a client of it. */
export interface StartedDriver {
  readonly driver: DriverProcess;
  readonly client: DriverClient;
}

/** Starts the driver as its users run it. */
export async function startDriver(socket: string, options: StartOptions): Promise<StartedDriver> {
  const env = { ...options.env, Deployment_ENDPOINT: `unix://${socket}` };
  const driver = new DriverProcess("postgres", { ...options, env });
  const client = new DriverClient(socket);
  try {
    await untilAnswers(driver, client.getInfo());
  } catch (error) {
    client.close();
    throw error;
  }
  return { driver, client };
}
