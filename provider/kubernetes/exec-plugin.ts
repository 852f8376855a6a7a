import { spawn, type ChildProcess } from "node:child_process";
import { endWithEngine } from "../driver/process/host";
import { signalGroup } from "../driver/process/group";
import { isRecord } from "../dynamic/values";
import { CredentialsError } from "./credentials-error";
import { errorCode } from "./error-code";
import { textOf, type Entry } from "./kubeconfig-content";

/** Characters of an answer; credentials have a few thousand. */
const longestAnswer = 1_000_000;

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What an exec plugin gave. */
export interface IssuedCredentials {
  readonly token: string | undefined;
  /** As PEM, with its key. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since 1970; infinite where the plugin sets no end. */
  readonly expires: number;
}

/**
 * Runs the exec plugin of a kubeconfig's user. It gets no standard input, as there is no terminal here, and is ended at the
 * deadline, and with this process. Nothing that it writes is told: it may be a token.
 *
 * @param exec The `exec` of the user.
 * @param cluster What the plugin is told of the cluster where the kubeconfig says so (`provideClusterInfo`).
 * @throws CredentialsError that names the command and what became of it.
 */
export async function runExecPlugin(
  exec: Entry,
  cluster: Entry,
  deadlineMs: number,
): Promise<IssuedCredentials> {
  const command = textOf(exec, "command");
  if (command === undefined) throw new CredentialsError("the exec of the kubeconfig's user has no command");
  const plugin = `the exec plugin ${command}`;
  if (exec["interactiveMode"] === "Always") {
    throw new CredentialsError(
      `${plugin} wants a terminal (interactiveMode Always), and there is none here: log in beforehand, and set ` +
        "interactiveMode to IfAvailable if it can do without",
    );
  }
  const args = Array.isArray(exec["args"]) ? exec["args"].map(String) : [];
  const output = await outputOf(plugin, [command, ...args], environment(exec, cluster), deadlineMs);
  return issued(plugin, output);
}

/** As client-go makes it. */
function environment(exec: Entry, cluster: Entry): NodeJS.ProcessEnv {
  const own = Array.isArray(exec["env"]) ? exec["env"].filter(isRecord) : [];
  const spec = { ...(exec["provideClusterInfo"] === true ? { cluster } : {}), interactive: false };
  const info = { apiVersion: exec["apiVersion"], kind: "ExecCredential", spec };
  return {
    ...process.env,
    ...Object.fromEntries(own.map((entry) => [textOf(entry, "name") ?? "", textOf(entry, "value") ?? ""])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
}

async function outputOf(
  plugin: string,
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<string> {
  // The engine gives no sign of its end: this process would stay as long as the plugin does.
  endWithEngine();
  // A group of its own: what the plugin has started ends with it.
  const child = spawn(command, args, { env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const end = (): void => void signalGroup(child.pid, "SIGKILL");
  const stopWatching = callAtEnd(end);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const within = `within ${deadlineMs / 1000} s`;
      reject(
        new CredentialsError(
          `${plugin} gave no credentials ${within} and was ended: if it asks, log in beforehand`,
        ),
      );
    }, deadlineMs);
  });
  try {
    return await Promise.race([finished(plugin, child), late]);
  } catch (error) {
    end();
    child.stdout.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    stopWatching();
  }
}

/** Calls back when this process ends, also by a signal, which has the effect that it has without this. */
function callAtEnd(end: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    end();
    stop();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const stop = (): void => {
    process.off("exit", end);
    for (const signal of endingSignals) process.off(signal, onSignal);
  };
  process.once("exit", end);
  for (const signal of endingSignals) process.on(signal, onSignal);
  return stop;
}

function finished(plugin: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      if (output.length > longestAnswer) reject(new CredentialsError(`${plugin} wrote too much output`));
    });
    child.once("error", (error) => {
      const code = errorCode(error) ?? error.name;
      const where = code === "ENOENT" ? ": install it, or have its folder in PATH" : "";
      reject(new CredentialsError(`${plugin} cannot be started (${code})${where}`));
    });
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else if (code === null) reject(new CredentialsError(`${plugin} was ended by ${signal ?? "a signal"}`));
      else reject(new CredentialsError(`${plugin} failed with exit code ${code}`));
    });
  });
}

function issued(plugin: string, output: string): IssuedCredentials {
  let status: unknown;
  try {
    const answer: unknown = JSON.parse(output);
    status = isRecord(answer) ? answer["status"] : undefined;
  } catch {
    // The parser quotes what it has read.
  }
  if (!isRecord(status)) throw new CredentialsError(`${plugin} wrote no ExecCredential with a status`);
  const token = textOf(status, "token");
  const certificate = textOf(status, "clientCertificateData");
  const key = textOf(status, "clientKeyData");
  if ((certificate === undefined) !== (key === undefined)) {
    throw new CredentialsError(`${plugin} gave a client certificate without its key, or a key without one`);
  }
  if (token === undefined && certificate === undefined) {
    throw new CredentialsError(`${plugin} gave neither a token nor a client certificate`);
  }
  const expires = Date.parse(textOf(status, "expirationTimestamp") ?? "");
  return { token, certificate, key, expires: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires };
}
