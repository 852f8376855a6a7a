import { spawn } from "node:child_process";
import { once } from "node:events";
import { errorText } from "../provider/dynamic/error-text";
import type { Granted } from "./ledger";
import type { MadeBucket } from "./ledger";
import { NotJudgedError } from "./not-judged-error";
import type { TestedContract } from "./tested-contract";
import type { BackendAnswer, Trial } from "./trial";

const answers: ReadonlyMap<number | null, BackendAnswer> = new Map([
  [0, "allowed"],
  [1, "refused"],
]);

/** A program needs a moment to start, however short the user wants to wait for the driver. In milliseconds. */
const shortestPatience = 30_000;

/**
 * Granted credentials tried by a program of the user's, for backends that the check knows nothing of. It reads one JSON
 * document, `{ contract, id, name, accountId, credentials: { <entry>: { <key>: <value> } } }`, from its standard input,
 * and says by its exit status whether they open the deployment: 0 yes, 1 no, any other: it cannot tell. What it writes
 * is not read, since it may hold secrets.
 */
export class TrialProgram implements Trial {
  readonly what: string;
  readonly by: string;

  constructor(
    private readonly program: string,
    private readonly contract: TestedContract,
    private readonly granted: Granted,
    private readonly bucket: MadeBucket,
    private readonly patience: number,
    private readonly interrupt: AbortSignal,
  ) {
    this.what = `${program} with the credentials of account ${granted.accountId}`;
    this.by = `the ${contract.backend}, as the program says`;
  }

  async attempt(): Promise<BackendAnswer> {
    const child = spawn(this.program, [], {
      stdio: ["pipe", "ignore", "ignore"],
      timeout: Math.max(this.patience, shortestPatience),
      killSignal: "SIGKILL",
      signal: this.interrupt,
    });
    // A program that does not read to the end says by its status what it found.
    child.stdin.on("error", () => undefined);
    child.stdin.end(this.#document());
    let end: unknown[];
    try {
      end = await once(child, "close");
    } catch (error) {
      if (this.interrupt.aborted) throw new NotJudgedError("the run was interrupted");
      throw new NotJudgedError(`${this.program} could not be started: ${errorText(error)}`);
    }
    const [code, signal] = end;
    const answer = typeof code === "number" ? answers.get(code) : undefined;
    if (answer !== undefined) return answer;
    const how = typeof code === "number" ? `exit status ${code}` : `signal ${String(signal)}`;
    throw new NotJudgedError(
      `${this.program} could not tell for account ${this.granted.accountId}: it ended with ${how}`,
    );
  }

  #document(): string {
    const { accountId, reply } = this.granted;
    const { bucketId, name } = this.bucket;
    const credentials = Object.fromEntries(
      [...reply.credentials].map(([entry, { secrets }]) => [entry, Object.fromEntries(secrets)]),
    );
    return JSON.stringify({ contract: this.contract.name, id: bucketId, name, accountId, credentials });
  }
}
