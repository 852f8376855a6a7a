import * as net from "node:net";

/**
 * The proxy that the environment names for a server, by the rules of client-go: `HTTPS_PROXY`, or `HTTP_PROXY` for `http:`, each
 * also in small letters, but for what `NO_PROXY` lists, and never for this machine.
 *
 * @returns A URL, or `undefined` for a direct connection.
 */
export function environmentProxy(
  server: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, hostname, port } = new URL(server);
  const variable = protocol === "http:" ? "HTTP_PROXY" : "HTTPS_PROXY";
  const proxy = valueOf(environment, variable);
  if (proxy === "") return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isThisMachine(host)) return undefined;
  const address = { host, port: port === "" ? (protocol === "http:" ? "80" : "443") : port };
  const exceptions = valueOf(environment, "NO_PROXY").split(",");
  if (exceptions.some((exception) => isMeant(exception.trim().toLowerCase(), address))) return undefined;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function valueOf(environment: NodeJS.ProcessEnv, name: string): string {
  // An empty one counts as absent.
  return (
    [environment[name], environment[name.toLowerCase()]].find(
      (value) => value !== undefined && value !== "",
    ) ?? ""
  );
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || (net.isIPv4(host) && host.startsWith("127."));
}

/** @param exception `*`, an address, a range of addresses, or a name, which means those below it, too; with a port or without. */
function isMeant(
  exception: string,
  { host, port }: { readonly host: string; readonly port: string },
): boolean {
  if (exception === "") return false;
  if (exception === "*") return true;
  const range = /^(.+)\/(\d+)$/.exec(exception);
  if (range !== null) return isInRange(host, range[1] ?? "", Number(range[2]));
  const [name, ofPort] = splitPort(exception);
  if (ofPort !== undefined && ofPort !== port) return false;
  if (net.isIP(name) !== 0) return name === host;
  // `.example.com` and `*.example.com` mean what is below alone.
  const below = name.replace(/^\*?(?=\.)/, "");
  return below.startsWith(".") ? host.endsWith(below) : host === name || host.endsWith(`.${name}`);
}

function splitPort(exception: string): readonly [name: string, port?: string] {
  if (net.isIPv6(exception)) return [exception];
  const [, name = exception, port] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  return port === undefined ? [bare] : [bare, port];
}

function isInRange(host: string, network: string, prefix: number): boolean {
  const family = net.isIPv6(network) ? "ipv6" : "ipv4";
  if (
    net.isIP(network) === 0 ||
    net.isIP(host) !== net.isIP(network) ||
    prefix > (family === "ipv6" ? 128 : 32)
  ) {
    return false;
  }
  const ranges = new net.BlockList();
  ranges.addSubnet(network, prefix, family);
  return ranges.check(host, family);
}
