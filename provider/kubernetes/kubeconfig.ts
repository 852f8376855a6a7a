import { readFile } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { errorCode } from "./error-code";
import {
  mergeKubeconfigs,
  parseKubeconfig,
  textOf,
  type Entry,
  type KubeconfigContent,
} from "./kubeconfig-content";
import { readServiceAccount } from "./service-account";

/** A kubeconfig with one context selected. */
export interface Kubeconfig {
  /** Where it comes from, for messages: `the kubeconfig /home/me/.kube/config`. */
  readonly source: string;
  /** Name of the context. */
  readonly context: string;
  /** Namespace of the context. */
  readonly namespace: string | undefined;
  /** Address of the API server, without a slash at its end. */
  readonly server: string;
  readonly cluster: Entry;
  /** Empty where the context has none. */
  readonly user: Entry;
}

/** Who gives a kubeconfig: the program, as an argument, or the stack's config. */
export type KubeconfigGiver = "program" | "stack";

interface Source {
  readonly name: string;
  /** `undefined` where nothing is found. */
  readonly read: () => Promise<KubeconfigContent | undefined>;
}

/** True for the text of a kubeconfig, false for the path of one. */
export function isKubeconfigText(kubeconfig: string): boolean {
  return /[\n{]/.test(kubeconfig) || /^\s*apiVersion\s*:/.test(kubeconfig);
}

/**
 * Reads a kubeconfig: the given text or file, else what the environment says (the files of `KUBECONFIG`, merged as kubectl
 * merges them, or `~/.kube/config`; where none of them is there, a Pod's service account), and selects the context.
 *
 * @throws Error that names the file and the contexts there are, and quotes nothing of the content.
 */
export async function readKubeconfig(
  kubeconfig: string | undefined,
  context: string | undefined,
  giver: KubeconfigGiver = "program",
): Promise<Kubeconfig> {
  const sources = kubeconfig === undefined ? environmentSources() : [givenSource(kubeconfig, giver)];
  for (const { name, read } of sources) {
    try {
      const content = await read();
      if (content !== undefined) return select(name, content, context);
    } catch (error) {
      throw error instanceof Error ? new Error(`${name} cannot be used: ${error.message}`) : error;
    }
  }
  throw new Error(
    `no API server is known: neither ${sources.map(({ name }) => name).join(" nor ")} is there; give ` +
      "kubeconfig, set kubernetes:kubeconfig in the stack's config or KUBECONFIG, or have a ~/.kube/config",
  );
}

function givenSource(kubeconfig: string, giver: KubeconfigGiver): Source {
  const ofStack = giver === "stack" ? "kubernetes:kubeconfig of the stack's config" : undefined;
  if (isKubeconfigText(kubeconfig)) {
    return { name: ofStack ?? "the given kubeconfig", read: () => parseKubeconfig(kubeconfig) };
  }
  const name = `the kubeconfig ${kubeconfig}${ofStack === undefined ? "" : ` (${ofStack})`}`;
  return { name, read: () => readFiles([expandHome(kubeconfig)], "needed") };
}

function environmentSources(): readonly Source[] {
  const variable = process.env["KUBECONFIG"] ?? "";
  const files = variable.split(path.delimiter).filter((file) => file !== "");
  return [
    files.length === 0
      ? homeSource()
      : { name: `the kubeconfig ${variable} (from KUBECONFIG)`, read: () => readFiles(files, "optional") },
    { name: "the Pod's service account", read: readServiceAccount },
  ];
}

function homeSource(): Source {
  const file = path.join(homeFolder(), ".kube", "config");
  return { name: `the kubeconfig ${file}`, read: () => readFiles([file], "optional") };
}

/** @returns `undefined` where all files are absent or say nothing, and may. */
async function readFiles(
  files: readonly string[],
  presence: "needed" | "optional",
): Promise<KubeconfigContent | undefined> {
  const contents: KubeconfigContent[] = [];
  for (const file of files) {
    let text: string;
    try {
      text = await readFile(file, "utf8");
    } catch (error) {
      if (presence === "optional" && errorCode(error) === "ENOENT") continue;
      throw error;
    }
    try {
      contents.push(await parseKubeconfig(text, path.dirname(path.resolve(file))));
    } catch (error) {
      if (files.length === 1 || !(error instanceof Error)) throw error;
      throw new Error(`${file}: ${error.message}`, { cause: error });
    }
  }
  const merged = mergeKubeconfigs(contents);
  const isEmpty = merged.currentContext === undefined && merged.contexts.size === 0;
  return presence === "optional" && isEmpty ? undefined : merged;
}

/** Only what is selected is judged, as kubectl does. */
function select(source: string, content: KubeconfigContent, context = content.currentContext): Kubeconfig {
  const known = `it has the contexts: ${[...content.contexts.keys()].join(", ") || "none"}`;
  if (context === undefined) throw new Error(`it sets no current-context, and no context is given; ${known}`);
  const selected = content.contexts.get(context);
  if (selected === undefined) throw new Error(`it has no context ${JSON.stringify(context)}; ${known}`);
  const clusterName = textOf(selected, "cluster") ?? "";
  const cluster = content.clusters.get(clusterName);
  const server = cluster === undefined ? undefined : textOf(cluster, "server");
  if (server !== undefined && !/^https?:\/\//.test(server)) {
    throw new Error(`its cluster ${JSON.stringify(clusterName)} has a server without https://`);
  }
  if (cluster === undefined || server === undefined) {
    throw new Error(
      `its context ${JSON.stringify(context)} names the cluster ${JSON.stringify(clusterName)}, ` +
        (cluster === undefined ? "which it does not have" : "which has no server"),
    );
  }
  const userName = textOf(selected, "user");
  const user = userName === undefined ? {} : content.users.get(userName);
  if (user === undefined) {
    throw new Error(
      `its context ${JSON.stringify(context)} names the user ${JSON.stringify(userName)}, which it does not have`,
    );
  }
  return {
    source,
    context,
    namespace: textOf(selected, "namespace"),
    server: server.replace(/\/$/, ""),
    cluster,
    user,
  };
}

/** As the environment says, as for kubectl; only without it Node asks the system. */
function homeFolder(): string {
  const { HOME: home = "" } = process.env;
  return home === "" ? os.homedir() : home;
}

function expandHome(file: string): string {
  return file.startsWith("~/") ? path.join(homeFolder(), file.slice(2)) : path.resolve(file);
}
