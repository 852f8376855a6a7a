import * as os from "node:os";

/** A UNIX domain socket on which a driver listens. */
export interface Endpoint {
  /** As the user wrote it, and as a driver gets it in `COSI_ENDPOINT`: `unix:///run/cosi/cosi.sock`. */
  readonly address: string;
  /** The socket's absolute path. */
  readonly path: string;
}

/** Longest path, in bytes, that the kernel takes for a socket; Node cuts a longer one silently. */
export const maximumSocketPathBytes = os.platform() === "darwin" ? 103 : 107;

const form = "unix:///<absolute path>.sock";

/**
 * Reads a driver endpoint.
 *
 * @throws Error with the rule that the text breaks. Source: COSI specification, COSI_ENDPOINT.
 */
export function parseEndpoint(address: string): Endpoint {
  const refuse = (rule: string): Error =>
    new Error(`driver endpoint ${JSON.stringify(address)} ${rule}; write it as ${form}`);
  if (!address.startsWith("unix://")) throw refuse("is not a UNIX domain socket");
  const path = address.slice("unix://".length);
  if (!path.startsWith("/")) throw refuse("has no absolute path");
  if (!path.endsWith(".sock")) throw refuse("does not end in .sock");
  const bytes = Buffer.byteLength(path);
  if (bytes > maximumSocketPathBytes) {
    throw refuse(`has a path of ${bytes} bytes, and a socket path takes at most ${maximumSocketPathBytes}`);
  }
  return { address, path };
}
