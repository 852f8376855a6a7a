import * as fs from "node:fs";
import * as path from "node:path";
import { secretKey, s3Secrets } from "../cosi-v1alpha1";
import { ProcessWatch } from "./process-watch";
import { SecretScanner, shortestSecret } from "./secret-scanner";
import { secretsOfState } from "./state-secrets";
import { textsOfCluster } from "./watched-clusters";

/** A command of the CLI, as the watch needs it. */
export interface WatchedCommand {
  readonly args: readonly string[];
  /** The whole environment that it gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where the commands of a stack run. */
export interface WatchedPlace {
  /** Folder of the run's user, which every process of the run has as HOME. */
  readonly home: string;
  readonly temporary: string;
  /** Folder of the state backend. */
  readonly backend: string;
  readonly passphrase: string;
}

/** Names and addresses among what a state encrypts. */
const openKeys =
  /(?:endpoint|endpoint_url|region|bucket_?name|account_?id|user_?name|pguser|host|port|database|sslmode|protocol|expiry|expiryts)$/i;
const openTexts = /^(?:https?:\/\/[^@]*|unix:\/\/.*|dns:\/\/.*|\/.*|[\d-]+T[\d:.]+Z|\d+)$/s;
/** What shows secrets because it was asked to. */
const asked = "--show-secrets";
/**
 * Pulumi's SDK prints, at `--debug` or at the log level 11, all that the engine answers for a resource of any package,
 * in plain text. Source: @pulumi/pulumi, runtime/resource.ts.
 */
const answersOfEngine = /^.*\bRegisterResource RPC finished: .*$/gm;

/** What was printed, without that. */
export function withoutAnswersOfEngine(text: string): string {
  return text.replaceAll(answersOfEngine, "");
}

/**
 * Looks for secrets in everything that the commands of a stack produce: what they print, the state with its history and
 * backups, the arguments and environments of all processes while they run, temporary files, and the objects of the
 * cluster but for what Secrets hold. It knows all that the state encrypts, all that Secrets hold, and the passphrase, so
 * no test has to name a secret.
 */
export class SecretWatch {
  /** Secrets, by what a finding calls them. */
  readonly #secrets = new Map<string, string>();
  /** Secrets that a driver gets in its environment. */
  readonly #ofDrivers = new Set<string>();
  /** What commands have printed so far, by command. */
  readonly #printed: Record<string, () => string> = {};
  readonly #backend = new Map<string, string>();
  #objects: Readonly<Record<string, string>> = {};
  readonly #processes: ProcessWatch;
  /** All that the commands were given in their environment. */
  readonly #given = new Set<string>();
  #commands = 0;

  constructor(private readonly place: WatchedPlace) {
    this.#processes = new ProcessWatch(`HOME=${place.home}`, place.temporary);
    this.know("the passphrase", place.passphrase);
    this.know("the fake driver's secret key", secretKey);
    this.know("the fake driver's access key", s3Secrets()["accessKeyID"] ?? "");
  }

  /** Has a secret looked for that stands neither in the state nor in a Secret. */
  know(name: string, secret: string): void {
    if (secret.length < shortestSecret || [...this.#secrets.values()].includes(secret)) return;
    this.#secrets.set(name, secret);
  }

  /** Has what a command prints searched from now on, whether or not it comes to its end. */
  watchOutput(args: WatchedCommand["args"], printed: () => string): void {
    this.#commands += 1;
    if (args.includes(asked)) return;
    this.#printed[`output ${this.#commands} (${args.join(" ")})`] = printed;
  }

  /** Runs a command and searches all that there is since the first one. @throws Error that names what was found where. */
  async during<Result extends { readonly text: string }>(
    command: WatchedCommand,
    run: () => Promise<Result>,
  ): Promise<Result> {
    for (const [name, value] of Object.entries(command.env)) {
      if (value !== undefined && name !== "PULUMI_CONFIG_PASSPHRASE") this.#given.add(value);
    }
    const result = await this.#processes.during(run);
    this.watchOutput(command.args, () => result.text);
    await this.#readBackend();
    await this.#readCluster(command.env["KUBECONFIG"]);
    const found = this.find();
    if (found.length > 0) throw new Error(`secrets where none may be:\n${found.join("\n")}`);
    return result;
  }

  /** What is wrong so far, one line each, without the secret. */
  find(): string[] {
    return [...this.#findInTexts(), ...this.#findInProcesses(), ...this.#findModes()];
  }

  #findInTexts(): string[] {
    const commands = this.#processes.processes.map(({ role, command }, index): [string, string] => [
      `arguments of process ${index} (${role})`,
      command,
    ]);
    const printed = Object.entries(this.#printed).map(([command, text]): [string, string] => [
      command,
      withoutAnswersOfEngine(text()),
    ]);
    return this.#scanner().find({
      ...Object.fromEntries(printed),
      ...Object.fromEntries(this.#backend),
      ...this.#objects,
      ...Object.fromEntries(commands),
      ...this.#processes.files,
    });
  }

  /** A secret may stand in the environment of what a user gave it to, and a driver's in that of the driver. */
  #findInProcesses(): string[] {
    const granted = [...this.#secrets].filter(([, secret]) => !this.#given.has(secret));
    return this.#processes.processes.flatMap(({ role, command, environment }) => {
      const place = `the environment of a process (${role}: ${command.slice(0, 80)})`;
      const ofPulumi = environment.filter((variable) => variable.startsWith("PULUMI_"));
      const names = ofPulumi.map((variable) => variable.split("=")[0] ?? "");
      const own = role === "pulumi" ? [] : names.map((name) => `${name} in ${place}`);
      const kept = granted.filter(([name, secret]) => {
        if (role === "pulumi") return name !== "the passphrase";
        return !(role === "driver" && this.#ofDrivers.has(secret));
      });
      return [
        ...own,
        ...new SecretScanner(Object.fromEntries(kept)).find({ [place]: environment.join("\n") }),
      ];
    });
  }

  #findModes(): string[] {
    return this.#processes.ownEntries
      .filter(({ mode, isFolder }) => isFolder && mode !== 0o700)
      .map(({ path: folder, mode }) => `${folder} has the mode ${mode.toString(8)}`);
  }

  #scanner(): SecretScanner {
    return new SecretScanner(Object.fromEntries(this.#secrets));
  }

  async #readBackend(): Promise<void> {
    for (const entry of fs.readdirSync(this.place.backend, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const { mtimeMs, size } = fs.statSync(file);
      const id = `${file} of ${mtimeMs}, ${size} bytes`;
      if (this.#backend.has(id)) continue;
      const text = fs.readFileSync(file, "utf8");
      this.#backend.set(id, text);
      for (const { path: keys, text: secret } of await secretsOfState(text, this.place.passphrase)) {
        if (openKeys.test(keys.at(-1) ?? "") || openTexts.test(secret)) continue;
        if (keys.includes("environment")) this.#ofDrivers.add(secret);
        this.know(`${keys.slice(-4).join(".")} of the state (${this.#secrets.size})`, secret);
      }
    }
  }

  async #readCluster(kubeconfig: string | undefined): Promise<void> {
    const texts = await textsOfCluster(kubeconfig);
    if (texts === undefined) return;
    this.#objects = texts.open;
    for (const secret of texts.hidden) this.know(`of a Secret (${this.#secrets.size})`, secret);
  }
}
