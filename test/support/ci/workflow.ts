import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

const folder = path.join(__dirname, "..", "..", "..", "examples", "ci", "github");

/** Paths of the workflow files to copy. */
export function workflowFiles(): string[] {
  return fs.readdirSync(folder).map((name) => path.join(folder, name));
}

/** As far as the files to copy go. */
interface Conditional {
  readonly if?: string;
}

interface Step extends Conditional {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job extends Conditional {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Document {
  readonly on: unknown;
  readonly concurrency: { readonly group: string };
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The repository of all workflows. */
export const repository = "shop/infra";

/** Where the commands of a workflow run. */
export interface Runner {
  /** The checkout. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What expressions stand for, `secrets.AWS_REGION`. */
  readonly values: Readonly<Record<string, string>>;
}

/** How the commands of a workflow ended. */
export interface WorkflowResult {
  /** Name of the step that failed; `undefined` if none did. */
  readonly failed: string | undefined;
  /** What each step printed, by its name. */
  readonly output: Readonly<Record<string, string>>;
  /** What stands in the summary of the run. */
  readonly summary: string;
}

/** A workflow file, whose commands are run here as a runner would run them. */
export class WorkflowFile {
  private constructor(private readonly document: Document) {}

  static async read(name: string): Promise<WorkflowFile> {
    const { loadYaml } = await import("@kubernetes/client-node");
    return new WorkflowFile(loadYaml<Document>(fs.readFileSync(path.join(folder, name), "utf8")));
  }

  /** What the workflow as a whole, and each of its jobs, may do. */
  permissions(): { all: unknown; jobs: Readonly<Record<string, unknown>> } {
    const jobs = Object.entries(this.document.jobs).map(([name, job]) => [name, job.permissions] as const);
    return { all: this.document.permissions, jobs: Object.fromEntries(jobs) };
  }

  /** What starts the workflow, and the group of which one run waits at a time: a newer one cancels it. */
  queue(): { on: unknown; group: string } {
    return { on: this.document.on, group: this.document.concurrency.group };
  }

  /** Names of what other people's actions do, by their names. */
  uses(): string[] {
    return Object.values(this.document.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  }

  /**
   * Runs the commands of all jobs, one after the other in one folder. What others' actions do is done already, but for the
   * checkout of a named commit. A job that its condition skips counts as passed, as it does at GitHub.
   */
  async run({ folder: checkout, env, values }: Runner): Promise<WorkflowResult> {
    const files = path.join(checkout, ".runner");
    fs.mkdirSync(files, { recursive: true });
    const file = (name: string): string => {
      const found = path.join(files, name);
      if (!fs.existsSync(found)) fs.writeFileSync(found, "");
      return found;
    };
    const output: Record<string, string> = {};
    const known: Record<string, string> = { "github.repository": repository, ...values };
    for (const job of Object.values(this.document.jobs)) {
      if (!holds(job, known)) continue;
      fs.rmSync(path.join(files, "env"), { force: true });
      for (const step of job.steps) {
        if (!holds(step, known)) continue;
        const ref = step.uses?.startsWith("actions/checkout@") === true ? step.with?.["ref"] : undefined;
        if (typeof ref === "string") git(checkout, ["checkout", "--quiet", filled(ref, known)]);
        if (step.run === undefined) continue;
        const name = step.name ?? step.run;
        fs.rmSync(path.join(files, "output"), { force: true });
        const given = Object.entries({ ...job.env, ...step.env }).map(([key, value]) => [
          key,
          filled(value, known),
        ]);
        const { code, text } = await bash(step.run, checkout, {
          ...env,
          ...linesOf(fs.readFileSync(file("env"), "utf8")),
          ...(Object.fromEntries(given) as Record<string, string>),
          GITHUB_OUTPUT: file("output"),
          GITHUB_ENV: file("env"),
          GITHUB_STEP_SUMMARY: file("summary"),
          GITHUB_REPOSITORY: repository,
          GITHUB_SERVER_URL: "https://github.com",
          GITHUB_RUN_ID: "4711",
          GITHUB_SHA: git(checkout, ["rev-parse", "HEAD"]),
          RUNNER_TEMP: files,
        });
        output[name] = text;
        for (const [key, value] of Object.entries(linesOf(fs.readFileSync(file("output"), "utf8")))) {
          known[`steps.${step.id ?? ""}.outputs.${key}`] = value;
        }
        if (code !== 0) return { failed: name, output, summary: fs.readFileSync(file("summary"), "utf8") };
      }
    }
    return { failed: undefined, output, summary: fs.readFileSync(file("summary"), "utf8") };
  }
}

/** @throws Error for an expression that a runner would know and this one does not. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`nothing is known of ${expression}`);
    return value;
  });
}

/** @throws Error for a condition that is no comparison of two values that are known. */
function holds({ if: condition }: Conditional, values: Readonly<Record<string, string>>): boolean {
  if (condition === undefined) return true;
  const [, left, operator, right] = /^([\w.]+) (==|!=) ([\w.]+)$/.exec(condition) ?? [];
  const [one, other] = [left, right].map((name) => filled(`\${{ ${name ?? condition} }}`, values));
  return (one === other) === (operator === "==");
}

/** Runs git in a checkout. @returns what it printed. */
export function git(checkout: string, args: readonly string[]): string {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...author, ...args], { cwd: checkout, encoding: "utf8" }).trim();
}

function linesOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes("="));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/** As a runner does where no shell is named. */
function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    execFile("bash", ["-e", "-c", script], { cwd, env: { ...env } }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, text: stdout + stderr });
    });
  });
}

const cli = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");

/** A comment on a pull request. */
export interface GitHubComment {
  readonly id: number;
  readonly user: { readonly login: string };
  readonly body: string;
}

/** Who comments where a workflow does. */
const bot = "github-actions[bot]";

/** What a program printed, and how it ended. */
interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Stands for `gh` on a runner: a pull request whose comments are kept in a file. */
export class FakeGitHub {
  readonly #folder: string;
  readonly #file: string;

  constructor(parent: string) {
    this.#folder = fs.mkdtempSync(path.join(parent, "gh-"));
    this.#file = path.join(this.#folder, "comments.json");
    fs.writeFileSync(this.#file, JSON.stringify(foreignComments));
    fs.writeFileSync(path.join(this.#folder, "gh"), program(this.#file), { mode: 0o755 });
    // Dependencies are there already, and npx finds the package's program where npm would have linked it.
    fs.writeFileSync(path.join(this.#folder, "npm"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    this.npxRuns();
  }

  /** Has npx end so; without an argument it runs the package's program. */
  npxRuns(ended?: Ended): void {
    const script =
      ended === undefined
        ? `test "$1" = pulumi-cosi || exit 127\nshift\nexec "${process.execPath}" "${cli}" "$@"\n`
        : `cat "$0.out"; cat "$0.err" >&2; exit ${ended.code}\n`;
    const file = path.join(this.#folder, "npx");
    fs.writeFileSync(file, `#!/bin/sh\n${script}`, { mode: 0o755 });
    fs.writeFileSync(`${file}.out`, ended?.out ?? "");
    fs.writeFileSync(`${file}.err`, ended?.err ?? "");
  }

  /** For PATH. */
  get folder(): string {
    return this.#folder;
  }

  /** Texts of the comments that workflows have made. @throws Error if another one was changed. */
  comments(): string[] {
    const all = JSON.parse(fs.readFileSync(this.#file, "utf8")) as readonly GitHubComment[];
    assert.deepEqual(all.slice(0, foreignComments.length), foreignComments);
    return all.slice(foreignComments.length).map(({ body }) => body);
  }
}

/** Of people, one of whom has copied the start of the workflow's. */
const foreignComments: readonly GitHubComment[] = [
  { id: 1, user: { login: "alice" }, body: "Looks good." },
  { id: 2, user: { login: "mallory" }, body: "<!-- pulumi-cosi review -->\nNothing happens." },
];

function program(file: string): string {
  return `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
if (args[0] !== "api") throw new Error("gh " + args.join(" "));
const value = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const comments = JSON.parse(fs.readFileSync(${JSON.stringify(file)}, "utf8"));
const address = args.find((arg) => arg.startsWith("repos/shop/infra/issues/"));
const filter = value("--jq");
if (filter !== undefined) {
  if (!address.endsWith("/7/comments")) throw new Error(address);
  const [, marker] = /startswith\\("(.*?)"\\)/.exec(filter);
  const [, login] = /\\.user\\.login == "(.*?)"/.exec(filter) ?? [];
  for (const { id, user, body } of comments) {
    if (body.startsWith(marker) && (login === undefined || user.login === login)) console.log(id);
  }
} else {
  const body = fs.readFileSync(value("-F").replace("body=@", ""), "utf8");
  if (body.length > 65536) {
    console.error("gh: Validation Failed (HTTP 422)\\nBody is too long (maximum is 65536 characters)");
    process.exit(1);
  }
  if (value("--method") === "PATCH") {
    comments.find(({ id }) => address === "repos/shop/infra/issues/comments/" + id).body = body;
  } else comments.push({ id: comments.length + 1, user: { login: ${JSON.stringify(bot)} }, body });
  fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify(comments));
}
`;
}
