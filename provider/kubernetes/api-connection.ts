import { readFile } from "node:fs/promises";
import * as http from "node:http";
import type * as https from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { checkServerIdentity } from "node:tls";
import type { KubeConfig } from "../../gen/kubeconfig";
import { isRecord } from "../dynamic/values";
import { CredentialsError } from "./credentials-error";
import { errorCode } from "./error-code";
import { runExecPlugin, type IssuedCredentials } from "./exec-plugin";
import { impersonationHeaders } from "./impersonation";
import type { Kubeconfig } from "./kubeconfig";
import { textOf } from "./kubeconfig-content";
import { environmentProxy } from "./proxy-environment";

/** A part of @kubernetes/client-node, which only commands that reach a cluster load. */
const loadLibrary = () => import("../../gen/kubeconfig/index.js");

/** Connections to one API server; more requests than that wait for their turn. */
const maxConnections = 32;
/** Extension of a cluster that an exec plugin is told. */
const execExtension = "client.authentication.k8s.io/exec";

/** How a request is sent: TLS, a proxy, credentials. */
export type ApiConnection = Omit<https.RequestOptions, "headers"> & {
  readonly headers: http.OutgoingHttpHeaders;
};

/** Node keeps there what each connection of an agent is made with; its types do not say so of every agent. */
type AgentWithOptions = http.Agent & { readonly options?: https.AgentOptions };

/** The library with the files of the kubeconfig read, and the certificate that a plugin gave. */
interface Prepared {
  readonly config: KubeConfig;
  readonly issued: IssuedCredentials | undefined;
}

/**
 * What a kubeconfig says of connections, by the rules of client-go. The library makes the connections, and speaks with the old
 * `auth-provider`s; of the rest it leaves out much (`tokenFile`, all of impersonation but the name, the environment's proxy), and has
 * no bound for an exec plugin.
 */
export class ApiConnections {
  readonly #kubeconfig: Kubeconfig;
  readonly #credentialsMs: number;
  #prepared: Promise<Prepared> | undefined;

  /** @param credentialsMs Time for the user's credentials, in milliseconds. */
  constructor(kubeconfig: Kubeconfig, credentialsMs: number) {
    // Without TLS nobody's credentials are sent, as by client-go.
    this.#kubeconfig = kubeconfig.server.startsWith("http:") ? { ...kubeconfig, user: {} } : kubeconfig;
    this.#credentialsMs = credentialsMs;
  }

  /**
   * For the next request.
   *
   * @throws CredentialsError
   */
  async next(): Promise<ApiConnection> {
    const { config, issued } = await this.#current();
    const options: ApiConnection = { headers: {} };
    await this.#apply(config, options);
    const { user, cluster, server } = this.#kubeconfig;
    const token = (await bearerToken(user)) ?? issued?.token;
    if (token !== undefined) options.headers["Authorization"] = `Bearer ${token}`;
    Object.assign(options.headers, impersonationHeaders(user));
    // The library has one agent for all requests, which closes its connections after each of them.
    if (options.agent instanceof http.Agent) {
      Object.assign(options.agent, { keepAlive: true, maxSockets: maxConnections });
      knowName(options.agent, textOf(cluster, "tls-server-name") ?? hostOf(server));
    }
    return options;
  }

  /**
   * After a 401: files are read anew, and a plugin is asked anew.
   *
   * @param used What the request was sent with.
   * @returns False where the credentials are the same as before.
   */
  async renew(used: ApiConnection): Promise<boolean> {
    const before = this.#prepared;
    // Another request may have renewed them meanwhile.
    if (!haveSameCredentials(await this.next(), used)) return true;
    if (this.#prepared === before) this.#prepared = undefined;
    return !haveSameCredentials(await this.next(), used);
  }

  async #current(): Promise<Prepared> {
    const known = this.#prepared;
    if (known !== undefined) {
      const prepared = await known;
      if ((prepared.issued?.expires ?? Number.POSITIVE_INFINITY) > Date.now()) return prepared;
      // Who has waited for the same is first.
      if (this.#prepared === known) this.#prepared = undefined;
      return this.#current();
    }
    const preparing = this.#prepare();
    this.#prepared = preparing;
    preparing.catch(() => {
      if (this.#prepared === preparing) this.#prepared = undefined;
    });
    return preparing;
  }

  async #prepare(): Promise<Prepared> {
    const { server, cluster, user } = this.#kubeconfig;
    const authority = await pemOf(cluster, "certificate-authority");
    const certificate = await pemOf(user, "client-certificate");
    const key = await pemOf(user, "client-key");
    const proxy = textOf(cluster, "proxy-url") ?? environmentProxy(server);
    // It goes before a plugin, as for client-go.
    const hasOwnToken = textOf(user, "token") !== undefined || textOf(user, "tokenFile") !== undefined;
    const issued =
      isRecord(user["exec"]) && !hasOwnToken
        ? await runExecPlugin(
            user["exec"],
            { ...clusterInfo(this.#kubeconfig), ...optional("certificate-authority-data", authority) },
            this.#credentialsMs,
          )
        : undefined;
    const { KubeConfig } = await loadLibrary();
    const config = new KubeConfig();
    config.loadFromString(
      JSON.stringify({
        "current-context": "used",
        contexts: [{ name: "used", context: { cluster: "used", user: "used" } }],
        clusters: [
          {
            name: "used",
            cluster: {
              server,
              ...optional("certificate-authority-data", authority),
              ...optional("tls-server-name", textOf(cluster, "tls-server-name")),
              ...optional("proxy-url", proxy),
              // Without TLS there is nothing to verify, and the library asks for this.
              "insecure-skip-tls-verify":
                cluster["insecure-skip-tls-verify"] === true || server.startsWith("http:"),
            },
          },
        ],
        // Without a user the library leaves out what it knows of the cluster.
        users: [
          {
            name: "used",
            user: {
              ...optional("client-certificate-data", base64(issued?.certificate) ?? certificate),
              ...optional("client-key-data", base64(issued?.key) ?? key),
              ...optional("username", textOf(user, "username")),
              ...optional("password", textOf(user, "password")),
              ...optional("auth-provider", user["auth-provider"] ?? undefined),
            },
          },
        ],
      }),
    );
    return { config, issued };
  }

  /** An `auth-provider` may ask another server. */
  async #apply(config: KubeConfig, options: ApiConnection): Promise<void> {
    const stop = new AbortController();
    const late = pause(this.#credentialsMs, undefined, { signal: stop.signal }).then(() => {
      throw new CredentialsError(
        `the auth-provider of the kubeconfig's user gave no credentials within ${this.#credentialsMs / 1000} s`,
      );
    });
    late.catch(() => undefined);
    try {
      await Promise.race([config.applyToHTTPSOptions(options), late]);
    } catch (error) {
      if (error instanceof CredentialsError) throw error;
      // Its message may hold a token.
      const name = errorCode(error) ?? (error instanceof Error ? error.name : "unknown error");
      throw new CredentialsError(
        isRecord(this.#kubeconfig.user["auth-provider"])
          ? `the auth-provider of the kubeconfig's user failed (${name})`
          : `what the kubeconfig says about certificates or the proxy cannot be used (${name})`,
      );
    } finally {
      stop.abort();
    }
  }
}

/** A token that changes its file, as that of a service account does. */
async function bearerToken(user: Kubeconfig["user"]): Promise<string | undefined> {
  const file = textOf(user, "tokenFile");
  if (file === undefined) return textOf(user, "token");
  const token = (await readNamed(file, "tokenFile")).toString().trim();
  if (token === "") throw new CredentialsError(`the tokenFile ${file} of the kubeconfig is empty`);
  return token;
}

/** A PEM in base64, of which data go before a file. */
async function pemOf(entry: Kubeconfig["cluster"], key: string): Promise<string | undefined> {
  const data = textOf(entry, `${key}-data`);
  if (data !== undefined) return data;
  const file = textOf(entry, key);
  return file === undefined ? undefined : (await readNamed(file, key)).toString("base64");
}

async function readNamed(file: string, key: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CredentialsError(
      `the ${key} ${file} of the kubeconfig cannot be read (${errorCode(error) ?? "no reason is known"})`,
    );
  }
}

/** What a plugin may be told of the cluster, in the words of client-go. */
function clusterInfo({ server, cluster }: Kubeconfig): Record<string, unknown> {
  const extensions: readonly unknown[] = Array.isArray(cluster["extensions"]) ? cluster["extensions"] : [];
  const own = extensions.find((entry) => isRecord(entry) && entry["name"] === execExtension);
  return {
    server,
    ...optional("tls-server-name", textOf(cluster, "tls-server-name")),
    ...optional("insecure-skip-tls-verify", cluster["insecure-skip-tls-verify"] === true || undefined),
    ...optional("proxy-url", textOf(cluster, "proxy-url")),
    config: isRecord(own) ? (own["extension"] ?? null) : null,
  };
}

function optional(key: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [key]: value };
}

function base64(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : Buffer.from(pem).toString("base64");
}

function haveSameCredentials(one: ApiConnection, other: ApiConnection): boolean {
  return (
    one.headers["Authorization"] === other.headers["Authorization"] && String(one.cert) === String(other.cert)
  );
}

/** Through a SOCKS proxy Node does not know which address a certificate has to be for. */
function knowName({ options }: AgentWithOptions, name: string | undefined): void {
  if (options === undefined || name === undefined) return;
  options.checkServerIdentity ??= (_host, certificate) => checkServerIdentity(name, certificate);
}

/** Without the brackets of an IPv6 address, which no certificate has. */
function hostOf(server: string): string | undefined {
  return URL.canParse(server) ? new URL(server).hostname.replace(/^\[(.*)\]$/, "$1") : undefined;
}
