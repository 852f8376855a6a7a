import * as net from "node:net";
import * as os from "node:os";

/** A UNIX domain socket on which a driver listens. */
export interface SocketEndpoint {
  readonly kind: "socket";
  /** As the user wrote it, and as a driver gets it in `COSI_ENDPOINT`: `unix:///run/cosi/cosi.sock`. */
  readonly address: string;
  /** The socket's absolute path. */
  readonly path: string;
}

/** A driver at a host, which is spoken to over TLS if that is another machine. */
export interface NetworkEndpoint {
  readonly kind: "network";
  /** As the user wrote it: `dns:///cosi.example.com:443`, or `localhost:9000`. */
  readonly address: string;
  /** Name or address of the host, an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
}

/** Where a driver listens. */
export type Endpoint = SocketEndpoint | NetworkEndpoint;

/** Longest path, in bytes, that the kernel takes for a socket; Node cuts a longer one silently. */
export const maximumSocketPathBytes = os.platform() === "darwin" ? 103 : 107;

/** What a contract says of endpoints beside UNIX domain sockets. */
interface EndpointRules {
  /** Plain text is allowed to this machine, and the endpoint may be written `host:port`. */
  readonly plainTextToLoopback: boolean;
}

/** The strictest rules. */
const tlsOnly: EndpointRules = { plainTextToLoopback: false };

/** The right form of an endpoint, for messages. */
function endpointForm({ plainTextToLoopback }: EndpointRules): string {
  return plainTextToLoopback
    ? "unix:///<absolute path>.sock, as <host>:<port> of this machine, or as dns:///<host>:<port> together with tls"
    : "unix:///<absolute path>.sock, or as dns:///<host>:<port> together with tls";
}

const hostAndPort = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})$/;
const highestPort = 65_535;

/**
 * Reads a driver endpoint.
 *
 * @throws Error with the rule that the text breaks. Source: COSI specification, COSI_ENDPOINT; the form `dns:///` is
 * this package's (GRPC-085), `host:port` is read as that where the contract takes it (K07-005).
 */
export function parseEndpoint(address: string, rules: EndpointRules = tlsOnly): Endpoint {
  if (address.startsWith("dns:")) return parseNetworkEndpoint(address, rules);
  const [, host, digits] = (rules.plainTextToLoopback ? hostAndPort.exec(address) : null) ?? [];
  if (host !== undefined && digits !== undefined) return networkEndpoint(address, host, digits, rules);
  return parseSocketEndpoint(address, rules);
}

/** Reads the endpoint of a UNIX domain socket. @throws Error with the rule that the text breaks. */
export function parseSocketEndpoint(address: string, rules: EndpointRules = tlsOnly): SocketEndpoint {
  if (!address.startsWith("unix://")) throw refusal(address, "is not a UNIX domain socket", rules);
  const path = address.slice("unix://".length);
  if (!path.startsWith("/")) throw refusal(address, "has no absolute path", rules);
  if (!path.endsWith(".sock")) throw refusal(address, "does not end in .sock", rules);
  const bytes = Buffer.byteLength(path);
  if (bytes > maximumSocketPathBytes) {
    const rule = `has a path of ${bytes} bytes, and a socket path takes at most ${maximumSocketPathBytes}`;
    throw refusal(address, rule, rules);
  }
  return { kind: "socket", address, path };
}

function parseNetworkEndpoint(address: string, rules: EndpointRules): NetworkEndpoint {
  if (!address.startsWith("dns:///")) throw refusal(address, "does not begin with dns:///", rules);
  const [, host, digits] = hostAndPort.exec(address.slice("dns:///".length)) ?? [];
  if (host === undefined || digits === undefined) throw refusal(address, "has no host and port", rules);
  return networkEndpoint(address, host, digits, rules);
}

function networkEndpoint(
  address: string,
  host: string,
  digits: string,
  rules: EndpointRules,
): NetworkEndpoint {
  const port = Number(digits);
  if (port < 1 || port > highestPort)
    throw refusal(address, `has a port that is not within 1 to ${highestPort}`, rules);
  return { kind: "network", address, host, port };
}

function refusal(address: string, rule: string, rules: EndpointRules): Error {
  return new Error(`driver endpoint ${JSON.stringify(address)} ${rule}; write it as ${endpointForm(rules)}`);
}

/** True for a host that is this machine, by its address or by the name that is reserved for it (RFC 6761). */
export function isLoopback({ host }: NetworkEndpoint): boolean {
  return (
    host.toLowerCase() === "localhost" || host === "[::1]" || (net.isIPv4(host) && host.startsWith("127."))
  );
}

/**
 * Refuses a driver on the network without TLS: plain text never leaves this machine (GRPC-085), and goes to a port of it
 * only where the contract allows that.
 *
 * @throws Error with what to set.
 */
export function requireTls(
  endpoint: Endpoint,
  tls: object | undefined,
  rules: EndpointRules = tlsOnly,
): void {
  if (endpoint.kind === "socket" || tls !== undefined) return;
  if (rules.plainTextToLoopback && isLoopback(endpoint)) return;
  throw refusal(
    endpoint.address,
    "is on the network, where nothing is sent without TLS: set the input tls",
    rules,
  );
}
