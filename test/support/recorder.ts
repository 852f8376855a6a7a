import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { provideTool } from "../../tools/toolchain/toolchain";

/** Releases of upstream's messages: v0.1 has no contexts in delete and revoke. */
export const recorderReleases = ["cosi-recorder", "cosi-recorder-v0.1"] as const;

/** The program that is built on one release of upstream's messages. */
export type RecorderRelease = (typeof recorderReleases)[number];

/** One call as upstream's code decoded it. */
export interface DecodedCall {
  readonly path: string;
  readonly authority: readonly string[];
  readonly request: Record<string, unknown>;
  /** Bytes of fields that the release does not have. */
  readonly unknownBytes: number;
}

/** A driver in Go, on upstream's own messages and grpc-go, that records what it is sent. */
export class Recorder {
  readonly #folder = mkdtempSync(join(tmpdir(), "recorder-"));
  readonly #log = join(this.#folder, "calls");
  readonly endpoint = `unix://${join(this.#folder, "cosi.sock")}`;
  #process: ChildProcess | undefined;

  async start(release: RecorderRelease): Promise<this> {
    const { path } = await provideTool(release);
    this.#process = spawn(path, { env: { COSI_ENDPOINT: this.endpoint, RECORDER_LOG: this.#log } });
    return this;
  }

  /** All calls so far, in their order. */
  calls(): DecodedCall[] {
    const lines = readFileSync(this.#log, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as DecodedCall);
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (running?.exitCode === null) {
      const ended = new Promise((resolve) => running.once("exit", resolve));
      running.kill("SIGKILL");
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Sends one request by upstream's client to the driver at the endpoint. @throws with the status in its text. */
export async function callByUpstream(
  release: RecorderRelease,
  endpoint: string,
  rpc: string,
  request: object,
): Promise<Record<string, unknown>> {
  const { path } = await provideTool(release);
  const { stdout } = await promisify(execFile)(path, ["call", rpc, JSON.stringify(request)], {
    env: { COSI_ENDPOINT: endpoint },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}
