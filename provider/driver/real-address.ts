import * as fs from "node:fs";
import * as path from "node:path";

/**
 * An endpoint as one driver has it, however it is written: the socket to which links lead, or host and port in lower case with
 * the name by which a gateway tells the drivers behind it apart.
 *
 * @param serverName That of the Driver's TLS. @default the host
 */
export function realAddress(endpoint: string, serverName?: string): readonly string[] {
  const name = serverName?.toLowerCase();
  const socket = /^unix:\/\/(\/.*)$/.exec(endpoint)?.[1];
  if (socket !== undefined) return [`unix://${realPath(socket)}`, name ?? ""];
  const address = endpoint.replace(/^dns:\/\/\//, "").toLowerCase();
  return [address, name ?? address.replace(/:[0-9]+$/, "")];
}

/** The path without links, as far as there is anything at it. */
function realPath(name: string): string {
  try {
    return fs.realpathSync(name);
  } catch {
    const folder = path.dirname(name);
    return folder === name ? name : path.join(realPath(folder), path.basename(name));
  }
}
