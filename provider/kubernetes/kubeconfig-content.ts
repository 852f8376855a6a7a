import * as path from "node:path";
import { isRecord } from "../dynamic/values";
import { CredentialsError } from "./credentials-error";

/** A part of @kubernetes/client-node, which only commands that reach a cluster load. */
const loadLibrary = () => import("../../gen/kubeconfig/index.js");

/** What a kubeconfig says of one cluster, user or context, in its own words. */
export type Entry = Readonly<Record<string, unknown>>;

/** What one kubeconfig says, or several that were merged; its paths of files are absolute where it lay in a file. */
export interface KubeconfigContent {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
}

/**
 * Reads the text of a kubeconfig.
 *
 * @param folder Where its relative paths begin. @default the working directory
 * @throws Error that says what is wrong; the parser's own message is left out, as it quotes lines that may hold a token.
 */
export async function parseKubeconfig(text: string, folder?: string): Promise<KubeconfigContent> {
  const content = text.trim() === "" ? {} : await parseYaml(text);
  if (!isRecord(content)) throw new Error("it is not valid: it has no clusters, users and contexts");
  return {
    currentContext: textOf(content, "current-context"),
    clusters: entries(content, "clusters", "cluster", (entry) =>
      withPaths(entry, ["certificate-authority"], folder),
    ),
    users: entries(content, "users", "user", (entry) => {
      const user = withPaths(entry, ["client-certificate", "client-key", "tokenFile"], folder);
      return isRecord(user["exec"]) ? { ...user, exec: withCommand(user["exec"], folder) } : user;
    }),
    contexts: entries(content, "contexts", "context", (entry) => entry),
  };
}

/** By the rules of client-go: the first file that has a name, or sets the current context, wins. */
export function mergeKubeconfigs(contents: readonly KubeconfigContent[]): KubeconfigContent {
  const lastFirst = [...contents].reverse();
  const merged = (key: "clusters" | "users" | "contexts") =>
    new Map(lastFirst.flatMap((content) => [...content[key]]));
  return {
    currentContext: contents.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    clusters: merged("clusters"),
    users: merged("users"),
    contexts: merged("contexts"),
  };
}

/**
 * A text of an entry; an empty one is none, as for client-go.
 *
 * @throws CredentialsError for a number or whatever else is no text, which would be left out otherwise.
 */
export function textOf(entry: Entry, key: string): string | undefined {
  const value = entry[key] ?? "";
  if (typeof value !== "string") throw new CredentialsError(`its ${key} is no text`);
  return value === "" ? undefined : value;
}

async function parseYaml(text: string): Promise<unknown> {
  const { load } = await loadLibrary();
  let line: string;
  try {
    return load(text);
  } catch (error) {
    line = lineOf(error);
  }
  throw new Error(`it is not valid: it is neither YAML nor JSON${line}`);
}

function lineOf(error: unknown): string {
  const mark = isRecord(error) ? error["mark"] : undefined;
  return isRecord(mark) && typeof mark["line"] === "number" ? `, see line ${mark["line"] + 1}` : "";
}

function entries(
  content: Entry,
  list: string,
  key: string,
  resolve: (entry: Entry) => Entry,
): Map<string, Entry> {
  const named = content[list] ?? [];
  if (!Array.isArray(named)) throw new Error(`it is not valid: ${list} is no list`);
  const found = new Map<string, Entry>();
  for (const [index, element] of named.entries()) {
    const name = isRecord(element) ? textOf(element, "name") : undefined;
    if (!isRecord(element) || name === undefined) {
      throw new Error(`it is not valid: ${list}[${index}] has no name`);
    }
    const entry = element[key] ?? {};
    if (!isRecord(entry)) throw new Error(`it is not valid: ${key} of ${list}[${index}] is no object`);
    if (!found.has(name)) found.set(name, resolve(entry));
  }
  return found;
}

function withPaths(entry: Entry, keys: readonly string[], folder: string | undefined): Entry {
  const result: Record<string, unknown> = { ...entry };
  for (const key of keys) {
    const file = textOf(entry, key);
    if (file !== undefined && folder !== undefined) result[key] = path.resolve(folder, file);
  }
  return result;
}

/** A command without a slash is looked for in PATH. */
function withCommand(exec: Entry, folder: string | undefined): Entry {
  return textOf(exec, "command")?.includes("/") === true ? withPaths(exec, ["command"], folder) : exec;
}
