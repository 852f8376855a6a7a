import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as path from "node:path";

const root = path.join(__dirname, "..", "..");

interface DemoRun {
  readonly code: number | null;
  readonly text: string;
}

/** Runs the demo as its script in package.json does; `onOutput` sees all that was printed so far. */
function runDemo(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  onOutput: (text: string, interrupt: () => void) => void = () => undefined,
): Promise<DemoRun> {
  return new Promise((resolve, reject) => {
    const demo = spawn(process.execPath, ["tools/setup/run.mjs", "demo", ...args], {
      cwd: root,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    const take = (chunk: Buffer): void => {
      text += chunk.toString();
      onOutput(text, () => demo.kill("SIGINT"));
    };
    demo.stdout.on("data", take);
    demo.stderr.on("data", take);
    demo.once("error", reject);
    demo.once("close", (code) => {
      resolve({ code, text });
    });
  });
}

describe("npm run demo", function () {
  this.timeout(300_000);

  it("makes a bucket, an access and a Secret, uses them as a workload, and leaves nothing", async () => {
    const { code, text } = await runDemo([]);
    assert.equal(code, 0, text);
    assert.match(
      text,
      /bucketclaims\n\s+NAME\s+CLASS\s+BUCKET\s+READY\s+AGE\n\s+photos\s+gold\s+bucket-\S+\s+true/,
    );
    assert.match(text, /✓ writes an object/);
    assert.match(text, /✓ reads it: "hello"/);
    assert.match(text, /✓ is refused at another bucket: AccessDenied/);
    assert.match(text, /22 unchanged/);
    assert.match(text, /✓ buckets in the store: none/);
    assert.match(text, /✓ users in the store: none/);
  });

  it("stays up with --keep, says how to look around, and ends all of it at Ctrl-C", async () => {
    let interrupted = false;
    const { code, text } = await runDemo(["--keep"], {}, (sofar, interrupt) => {
      if (interrupted || !/^aws --endpoint-url /m.test(sofar)) return;
      interrupted = true;
      interrupt();
    });
    assert.equal(code, 130, text);
    const server = /^aws --endpoint-url (\S+) s3 ls$/m.exec(text)?.[1];
    assert.ok(server !== undefined);
    await assert.rejects(fetch(server), "the store has ended");
    assert.match(text, /^export PULUMI_BACKEND_URL='file:/m);
  });

  it("ends what it started when it fails", async () => {
    // A store without keys: the API server runs by then, and would keep the demo from ending.
    const { code, text } = await runDemo([], { PULUMI_COSI_TEST_S3_ENDPOINT: "http://127.0.0.1:9" });
    assert.equal(code, 1, text);
    assert.match(text, /✓ API server/);
    assert.match(text, /PULUMI_COSI_TEST_S3_ACCESS_KEY_ID/);
  });
});
