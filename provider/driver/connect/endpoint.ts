import * as os from "node:os";

/** A UNIX domain socket on which a driver listens. */
export interface SocketEndpoint {
  readonly kind: "socket";
  /** As the user wrote it, and as a driver gets it in `COSI_ENDPOINT`: `unix:///run/cosi/cosi.sock`. */
  readonly address: string;
  /** The socket's absolute path. */
  readonly path: string;
}

/** A driver on another machine, which is spoken to over TLS. */
export interface NetworkEndpoint {
  readonly kind: "network";
  /** As the user wrote it: `dns:///cosi.example.com:443`. */
  readonly address: string;
  /** Name or address of the host, an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
}

/** Where a driver listens. */
export type Endpoint = SocketEndpoint | NetworkEndpoint;

/** Longest path, in bytes, that the kernel takes for a socket; Node cuts a longer one silently. */
export const maximumSocketPathBytes = os.platform() === "darwin" ? 103 : 107;

/** The right form of an endpoint, for messages. */
const endpointForm = "unix:///<absolute path>.sock, or as dns:///<host>:<port> together with tls";

const hostAndPort = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})$/;
const highestPort = 65_535;

/**
 * Reads a driver endpoint.
 *
 * @throws Error with the rule that the text breaks. Source: COSI specification, COSI_ENDPOINT; the form `dns:///` is
 * this package's (GRPC-085).
 */
export function parseEndpoint(address: string): Endpoint {
  return address.startsWith("dns:") ? parseNetworkEndpoint(address) : parseSocketEndpoint(address);
}

/** Reads the endpoint of a UNIX domain socket. @throws Error with the rule that the text breaks. */
export function parseSocketEndpoint(address: string): SocketEndpoint {
  if (!address.startsWith("unix://")) throw refusal(address, "is not a UNIX domain socket");
  const path = address.slice("unix://".length);
  if (!path.startsWith("/")) throw refusal(address, "has no absolute path");
  if (!path.endsWith(".sock")) throw refusal(address, "does not end in .sock");
  const bytes = Buffer.byteLength(path);
  if (bytes > maximumSocketPathBytes) {
    const rule = `has a path of ${bytes} bytes, and a socket path takes at most ${maximumSocketPathBytes}`;
    throw refusal(address, rule);
  }
  return { kind: "socket", address, path };
}

function parseNetworkEndpoint(address: string): NetworkEndpoint {
  if (!address.startsWith("dns:///")) throw refusal(address, "does not begin with dns:///");
  const [, host, digits] = hostAndPort.exec(address.slice("dns:///".length)) ?? [];
  if (host === undefined) throw refusal(address, "has no host and port");
  const port = Number(digits);
  if (port < 1 || port > highestPort)
    throw refusal(address, `has a port that is not within 1 to ${highestPort}`);
  return { kind: "network", address, host, port };
}

function refusal(address: string, rule: string): Error {
  return new Error(`driver endpoint ${JSON.stringify(address)} ${rule}; write it as ${endpointForm}`);
}

/**
 * Refuses a driver on the network without TLS: plain text never leaves this machine (GRPC-085).
 *
 * @throws Error with what to set.
 */
export function requireTls(endpoint: Endpoint, tls: object | undefined): void {
  if (endpoint.kind === "socket" || tls !== undefined) return;
  throw refusal(endpoint.address, "is on the network, where nothing is sent without TLS: set the input tls");
}
