import { canonical } from "../dynamic/values";
import { forgetTurns } from "./call/turns";
import { Connection } from "./connection";
import type { ConnectionSettings } from "./settings";
import { stopSupervisedDrivers } from "./process/supervised-driver";

const connections = new Map<string, Connection>();

/** The connection for these settings; one per process, however many resources use it. */
export function connectionTo(settings: ConnectionSettings): Connection {
  const key = canonical(settings);
  let connection = connections.get(key);
  if (connection === undefined) {
    connection = new Connection(settings);
    connections.set(key, connection);
  }
  return connection;
}

/** Closes all connections and ends the drivers that were started for them. */
export async function closeConnections(): Promise<void> {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  connections.clear();
  forgetTurns();
  await stopSupervisedDrivers();
}
