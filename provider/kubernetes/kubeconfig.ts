import * as os from "node:os";
import * as path from "node:path";
import type { KubeConfig } from "../../gen/kubeconfig";

/** A part of @kubernetes/client-node, which only commands that reach a cluster load. */
const loadLibrary = () => import("../../gen/kubeconfig/index.js");

/** What the library takes when it finds no kubeconfig at all. */
const libraryFallback = "http://localhost:8080";

/** True for the text of a kubeconfig, false for the path of one. */
export function isKubeconfigText(kubeconfig: string): boolean {
  return /[\n{]/.test(kubeconfig) || /^\s*apiVersion\s*:/.test(kubeconfig);
}

/**
 * Reads a kubeconfig: the given text or file, else what the environment says (`KUBECONFIG`, `~/.kube/config`, a
 * Pod's service account), and selects the context.
 *
 * @throws Error that names the file and the contexts there are, and quotes nothing of the content.
 */
export async function readKubeconfig(
  kubeconfig: string | undefined,
  context: string | undefined,
): Promise<KubeConfig> {
  const { KubeConfig } = await loadLibrary();
  const config = new KubeConfig();
  const source = sourceOf(kubeconfig);
  const problem = load(config, kubeconfig);
  if (problem !== undefined) throw new Error(`${source} cannot be used: ${problem}`);
  if (kubeconfig === undefined && config.getCurrentCluster()?.server === libraryFallback) {
    throw new Error(
      "no API server is known: give kubeconfig, set kubernetes:kubeconfig in the stack's config or KUBECONFIG, or have a " +
        "~/.kube/config",
    );
  }
  if (context !== undefined) config.setCurrentContext(context);
  if (config.getCurrentCluster() === null) {
    const known = config.getContexts().map((entry) => entry.name);
    throw new Error(
      `${source} has no cluster for the context ${JSON.stringify(config.getCurrentContext())}; ` +
        `it has the contexts: ${known.join(", ") || "none"}`,
    );
  }
  return config;
}

/** The same, of which no credentials or connections are kept. */
export async function renewed(config: KubeConfig): Promise<KubeConfig> {
  const { KubeConfig } = await loadLibrary();
  const fresh = new KubeConfig();
  fresh.loadFromOptions(config);
  return fresh;
}

/** @returns What is wrong; the parser's own message is left out, as it quotes lines that may hold a token. */
function load(config: KubeConfig, kubeconfig: string | undefined): string | undefined {
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else if (isKubeconfigText(kubeconfig)) config.loadFromString(kubeconfig);
    else config.loadFromFile(expandHome(kubeconfig));
    return undefined;
  } catch (error) {
    return isFileError(error) ? error.message : "it is not valid";
  }
}

function sourceOf(kubeconfig: string | undefined): string {
  if (kubeconfig !== undefined) {
    return isKubeconfigText(kubeconfig) ? "the given kubeconfig" : `the kubeconfig ${kubeconfig}`;
  }
  const environment = process.env["KUBECONFIG"];
  return environment === undefined || environment === ""
    ? "the kubeconfig of the environment"
    : `the kubeconfig ${environment} (from KUBECONFIG)`;
}

function expandHome(file: string): string {
  return file.startsWith("~/") ? path.join(os.homedir(), file.slice(2)) : path.resolve(file);
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && "syscall" in error;
}
