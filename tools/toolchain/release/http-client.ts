import type { IncomingMessage } from "node:http";

import { codeOf, describeError } from "./describe-error";
import { DownloadError, TransientError } from "./download-error";
import { agentsOf, sendRequest, UnansweredError, type Agents } from "./http-request";
import type { DownloadLimits } from "./limits";
import { shownUrl } from "./shown-url";
import type { UnusableHosts } from "./unusable-hosts";

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Refused because of a certificate, not by the network. */
const CERTIFICATE = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|ERR_TLS_)/;

/** Gets files over HTTP: through the user's proxies, over redirects, with bounds on every wait. */
export class HttpClient {
  readonly #agents: Agents;

  /**
   * @param environment - HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case. Certificate authorities are those of
   * Node, so NODE_EXTRA_CA_CERTS adds to them.
   * @param hosts - What is known of hosts; it is asked first, and told.
   */
  constructor(
    environment: Readonly<NodeJS.ProcessEnv>,
    readonly hosts: UnusableHosts,
    readonly limits: DownloadLimits,
  ) {
    this.#agents = agentsOf(environment, limits);
  }

  /**
   * Asks for a file. The answer may have any status but a redirect.
   *
   * @throws HostError when the host cannot be reached, and from then on at once.
   * @throws TransientError when another try may help.
   * @throws DownloadError when a redirect is not to be followed.
   */
  async get(url: URL, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    let current = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const response = await this.#ask(current, headers);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return response;
      response.destroy();
      current = target(current, location);
    }
    throw new DownloadError(`${shownUrl(url)} redirects more than ${MOST_REDIRECTS} times`);
  }

  async #ask(url: URL, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    this.hosts.check(url.host);
    try {
      return await sendRequest(url, headers, this.#agents, this.limits);
    } catch (error) {
      throw error instanceof UnansweredError ? this.#explain(url, error) : error;
    }
  }

  #explain({ host }: URL, { connected, cause }: UnansweredError): DownloadError {
    if (cause instanceof DownloadError) return cause;
    const said = describeError(cause);
    if (CERTIFICATE.test(codeOf(cause))) {
      return this.hosts.add(
        host,
        `the certificate of ${host} is not accepted: ${said}`,
        "let NODE_EXTRA_CA_CERTS name a PEM file with the certificate authority of your network",
      );
    }
    if (connected)
      return new TransientError(`the connection to ${host} broke: ${said}`, undefined, { cause });
    return this.hosts.add(
      host,
      `${host} cannot be reached: ${said}`,
      "let HTTPS_PROXY, HTTP_PROXY and NO_PROXY name the way through a proxy, or PULUMI_COSI_TOOLS_MIRROR a mirror of the releases",
    );
  }
}

/** Where a redirect leads. */
function target(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const safe = to?.protocol === "https:" || (to?.protocol === "http:" && from.protocol === "http:");
  if (to !== undefined && safe) return to;
  throw new DownloadError(
    `${shownUrl(from)} redirects to ${to === undefined ? location : shownUrl(to)}, which is not followed`,
  );
}
