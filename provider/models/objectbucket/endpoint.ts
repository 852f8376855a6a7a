import { namespaceProblem } from "../../kubernetes/names";
import { objectStoreOf } from "./class-parameters";

/** Where a bucket is reached, in the parts that the objects have keys for. */
export interface BucketEndpoint {
  /** Without scheme and port; an IPv6 address has its brackets. */
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean;
  /** The same as one text, without the port that the scheme has anyway. */
  readonly url: string;
}

const way = "give scheme, host and port only, such as https://s3.example.com:8443";

/** The port that means TLS where no scheme tells of it. */
const tlsPort = "443";

/**
 * What is wrong with an endpoint, or `undefined`: OBC-049, OBC-050. Of a user, a password or a query nothing is repeated,
 * as they may be secret.
 */
export function endpointProblem(text: string): string | undefined {
  const parsed = parse(text);
  return typeof parsed === "string" ? parsed : undefined;
}

/**
 * An endpoint in its parts, by the scheme and the port that it has or lacks: OBC-049.
 *
 * @param text `<host>`, `<host>:<port>`, or a URL of `http` or `https`.
 * @throws Error for a text that has an {@link endpointProblem}.
 */
export function endpointOf(text: string): BucketEndpoint {
  const parsed = parse(text);
  if (typeof parsed === "string") throw new Error(`the endpoint ${parsed}`);
  return parsed;
}

/**
 * The service that Rook gives an object store in its cluster, for a class that names both store and namespace: OBC-051.
 * A name that no service can have tells of none.
 */
export function inClusterEndpoint(parameters: Readonly<Record<string, string>>): string | undefined {
  const { name, namespace } = objectStoreOf(parameters);
  if (name === undefined || namespace === undefined) return undefined;
  const service = `rook-ceph-rgw-${name}`;
  // The name of a service and that of a namespace have the same form.
  if (namespaceProblem(service) !== undefined || namespaceProblem(namespace) !== undefined) return undefined;
  return `http://${service}.${namespace}.svc:80`;
}

/** The parts, or what is wrong. */
function parse(text: string): BucketEndpoint | string {
  if (text === "") return `is empty: ${way}`;
  const hasScheme = text.includes("://");
  const asUrl = hasScheme ? text : `http://${text}`;
  if (!URL.canParse(asUrl)) return `is neither a URL nor a host with port: ${way}`;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(asUrl);
  if (protocol !== "http:" && protocol !== "https:") {
    return `has the scheme ${JSON.stringify(protocol.slice(0, -1))}, and a bucket is reached by http or https: ${way}`;
  }
  if (username !== "" || password !== "") return `has a user or a password in it: ${way}`;
  if (search !== "" || hash !== "") {
    return `has a query or a fragment behind its host, for which the objects have no key: ${way}`;
  }
  if (pathname !== "/") {
    return `has the path ${JSON.stringify(pathname)}, for which the objects have no key: ${way}`;
  }
  if (port === "0") return `has the port 0: ${way}`;
  const ssl = protocol === "https:" || (!hasScheme && port === tlsPort);
  const { origin } = new URL(`${ssl ? "https" : "http"}://${hostname}${port === "" ? "" : `:${port}`}`);
  return { host: hostname, port: port === "" ? (ssl ? 443 : 80) : Number(port), ssl, url: origin };
}
