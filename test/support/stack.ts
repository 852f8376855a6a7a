import * as fs from "node:fs";
import * as path from "node:path";
import { Stack as LocalStack, type CommandResult } from "../../tools/local/stack";
import { SecretWatch } from "./end-to-end/secret-watch";

export type { CommandResult, ExportedResource, PreviewStep } from "../../tools/local/stack";

/** A stack of a test. Every command of it is searched for secrets in all that it produces, and fails if there are any. */
export class Stack extends LocalStack {
  #watch: { readonly secrets: SecretWatch; readonly temporary: string } | undefined;

  static override async create(...args: Parameters<typeof LocalStack.create>): Promise<Stack> {
    const stack = await super.create(...args);
    if (!(stack instanceof Stack)) throw new Error("the stack is none of a test");
    return stack;
  }

  /** Has a secret looked for that stands neither in the state nor in a Secret. */
  know(name: string, secret: string): void {
    this.#watched().secrets.know(name, secret);
  }

  /** Has what a command prints that a test runs by itself searched by every later command. */
  watchOutput(args: readonly string[], printed: () => string): void {
    this.#watched().secrets.watchOutput(args, printed);
  }

  override run(
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<CommandResult> {
    const { secrets, temporary } = this.#watched();
    const env = { ...this.environment.env, TMPDIR: temporary, ...this.variables, ...variables };
    return secrets.during({ args, env }, () => super.run(args, { ...variables, TMPDIR: env.TMPDIR }));
  }

  #watched(): { readonly secrets: SecretWatch; readonly temporary: string } {
    if (this.#watch !== undefined) return this.#watch;
    const { folder, backend, env } = this.environment;
    let temporary = this.variables["TMPDIR"];
    if (temporary === undefined) {
      temporary = path.join(folder, "tmp");
      fs.mkdirSync(temporary, { recursive: true, mode: 0o700 });
    }
    const secrets = new SecretWatch({
      home: env["HOME"] ?? "",
      temporary,
      backend,
      passphrase: env["PULUMI_CONFIG_PASSPHRASE"] ?? "",
    });
    this.#watch = { secrets, temporary };
    return this.#watch;
  }
}
