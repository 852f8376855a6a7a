import { execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import {
  createPulumiEnvironment,
  type PulumiEnvironment,
  type PulumiEnvironmentOptions,
} from "../toolchain/pulumi-environment";

const repository = path.join(__dirname, "..", "..");

/** How a command of the CLI ended. */
export interface CommandResult {
  readonly code: number;
  /** Standard output and standard error in the order of a terminal. */
  readonly text: string;
}

/** Steps of a preview, and what the state holds, as far as the tests read them. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly replaceReasons?: readonly string[];
}

export interface ExportedResource {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  /** URN. */
  readonly parent?: string;
  readonly initErrors?: readonly string[];
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A program and its stack, driven by the real CLI on a file backend, in a folder of its own. */
export class Stack {
  protected constructor(
    readonly environment: PulumiEnvironment,
    readonly folder: string,
    readonly variables: Readonly<Record<string, string>>,
  ) {}

  /**
   * @param program Folder below `examples/`, or the text of an `index.ts`.
   * @param variables Environment of the CLI, beside what it needs itself.
   */
  static async create(
    program: { example: string } | { source: string },
    variables: Readonly<Record<string, string>> = {},
    options: Pick<PulumiEnvironmentOptions, "color"> = {},
  ): Promise<Stack> {
    const environment = await createPulumiEnvironment(options);
    const folder = path.join(environment.folder, "program");
    if ("example" in program) {
      fs.cpSync(path.join(repository, "examples", program.example), folder, { recursive: true });
    } else {
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
      fs.writeFileSync(path.join(folder, "package.json"), '{ "main": "index.ts" }');
      fs.writeFileSync(path.join(folder, "index.ts"), program.source);
    }
    fs.rmSync(path.join(folder, "node_modules"), { recursive: true, force: true });
    fs.symlinkSync(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
    const stack = new this(environment, folder, variables);
    await stack.succeed(["stack", "init", "test"]);
    return stack;
  }

  /** Replaces the program. */
  write(source: string): void {
    fs.writeFileSync(path.join(this.folder, "index.ts"), source);
  }

  /** Runs one command, however it ends. */
  run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    return new Promise((resolve) => {
      execFile(
        this.environment.pulumi,
        ["--non-interactive", ...args],
        {
          cwd: this.folder,
          env: { ...this.environment.env, ...this.variables, ...variables },
          maxBuffer: 64 * 1024 * 1024,
        },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
          resolve({ code, text: stdout + stderr });
        },
      );
    });
  }

  /** Runs a command that must succeed, in front of the user. */
  async show(args: readonly string[]): Promise<void> {
    const code = await new Promise<number | null>((resolve, reject) => {
      const cli = spawn(this.environment.pulumi, [...args, "--suppress-progress"], {
        cwd: this.folder,
        env: { ...this.environment.env, ...this.variables },
        stdio: ["ignore", "inherit", "inherit"],
      });
      cli.once("error", reject);
      cli.once("close", resolve);
    });
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code ?? "a signal"}`);
  }

  /** Runs a command that must succeed. @returns what it printed. */
  async succeed(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, text } = await this.run(args, variables);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
    return text;
  }

  /** Runs a command that must fail. @returns what it printed. */
  async fail(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, text } = await this.run(args, variables);
    if (code === 0) throw new Error(`pulumi ${args.join(" ")} was to fail, and did not:\n${text}`);
    return text;
  }

  up(variables?: Readonly<Record<string, string>>): Promise<string> {
    return this.succeed(["up", "--yes", "--skip-preview"], variables);
  }

  destroy(variables?: Readonly<Record<string, string>>): Promise<string> {
    return this.succeed(["destroy", "--yes", "--skip-preview"], variables);
  }

  /** Steps that a preview plans, those that change nothing left out. */
  async plannedSteps(variables?: Readonly<Record<string, string>>): Promise<PreviewStep[]> {
    const text = await this.succeed(["preview", "--json"], variables);
    const { steps } = JSON.parse(text.slice(text.indexOf("{"))) as { steps: PreviewStep[] };
    return steps.filter(({ op }) => op !== "same");
  }

  /** The state as it lies in the backend, and as text. */
  async state(): Promise<{ resources: readonly ExportedResource[]; text: string }> {
    const text = await this.succeed(["stack", "export"]);
    const exported = JSON.parse(text) as { deployment: { resources?: ExportedResource[] } };
    return { resources: exported.deployment.resources ?? [], text };
  }

  /** Stack outputs, secrets shown. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await this.succeed(["stack", "output", "--json", "--show-secrets"])) as Record<
      string,
      unknown
    >;
  }

  async remove(): Promise<void> {
    await this.environment.remove();
  }
}
