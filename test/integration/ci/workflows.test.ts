import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { provideTool } from "../../../tools/toolchain/toolchain";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { CertificateAuthority } from "../../support/certificate-authority";
import {
  FakeGitHub,
  git,
  repository,
  WorkflowFile,
  workflowFiles,
  type Runner,
} from "../../support/ci/workflow";
import { quickProgram } from "../../support/end-to-end/program";
import { Stack } from "../../support/stack";
import { StrictDriver } from "../../support/strict-driver";
import { TlsFront } from "../../support/tls-front";

describe("the workflow files to copy", function () {
  this.timeout(600_000);

  it("are ones that their linter accepts, and it finds a wrong one", async () => {
    const { path: actionlint } = await provideTool("actionlint");
    const files = workflowFiles();
    assert.equal(files.length, 4);
    execFileSync(actionlint, ["-no-color", ...files]);
    const text = fs.readFileSync(files[0] ?? "", "utf8").replace("runs-on", "runs-in");
    assert.throws(() =>
      execFileSync(actionlint, ["-"], { input: text, stdio: ["pipe", "ignore", "ignore"] }),
    );
  });

  it("may read the repository, and one of them write to its pull request; nothing else", async () => {
    for (const file of workflowFiles()) {
      const { all, jobs } = (await WorkflowFile.read(path.basename(file))).permissions();
      assert.deepEqual(all, {}, file);
      for (const [name, permissions] of Object.entries(jobs)) {
        const comment = file.endsWith("preview.yml") ? { "pull-requests": "write" } : {};
        assert.deepEqual(permissions, { contents: "read", ...comment }, `${file}: ${name}`);
      }
    }
  });

  it("wait in one group only where the newer run deploys what the older one would, as that one is cancelled", async () => {
    const queues = new Map<string, unknown[]>();
    for (const file of workflowFiles()) {
      const { on, group } = (await WorkflowFile.read(path.basename(file))).queue();
      queues.set(group, [...(queues.get(group) ?? []), on]);
    }
    assert.ok([...queues.values()].some((events) => events.length > 1));
    for (const [group, [first, ...more]] of queues) {
      for (const on of more)
        assert.deepEqual([first, on], Array(2).fill({ push: { branches: ["main"] } }), group);
    }
  });

  describe("run by a runner", () => {
    let store: Store;
    let admin: StoreAdmin;
    let stack: Stack;
    let github: FakeGitHub;
    let runner: Runner;
    let storeKeys: Readonly<Record<string, string>>;

    before(async () => {
      store = await startStore();
      admin = new StoreAdmin(store);
      stack = await Stack.create({ example: "without-cluster" }, quickProgram);
      await stack.succeed(["stack", "init", "prod"]);
      commit("The first program");
      github = new FakeGitHub(stack.environment.folder);
      const { env, pulumi } = stack.environment;
      const PATH = [github.folder, path.dirname(pulumi), env["PATH"] ?? ""].join(path.delimiter);
      storeKeys = {
        "vars.S3_DRIVER_S3_ENDPOINT": store.endpoint,
        "vars.AWS_REGION": store.region,
        "secrets.AWS_ACCESS_KEY_ID": store.accessKeyId,
        "secrets.AWS_SECRET_ACCESS_KEY": store.secretAccessKey,
      };
      runner = {
        folder: stack.folder,
        env: { ...env, ...quickProgram, PATH },
        values: {
          "secrets.PULUMI_ACCESS_TOKEN": "",
          "github.token": "t0ken",
          "github.event.pull_request.number": "7",
          "github.event.pull_request.head.repo.full_name": repository,
          "github.event.pull_request.head.sha": git(stack.folder, ["rev-parse", "HEAD"]),
        },
      };
    });
    after(async () => {
      await stack.remove();
      await admin.cleanUp();
      await store.stop();
    });

    /** Merges what the program is now. */
    function commit(message: string): void {
      if (!fs.existsSync(path.join(stack.folder, ".git")))
        git(stack.folder, ["init", "--quiet", "-b", "main"]);
      git(stack.folder, ["add", "index.ts", "package.json", "Pulumi.yaml"]);
      git(stack.folder, ["commit", "--quiet", "-m", message]);
    }
    const run = async (file: string, values = {}): Promise<Awaited<ReturnType<WorkflowFile["run"]>>> =>
      (await WorkflowFile.read(file)).run({ ...runner, values: { ...runner.values, ...values } });
    const users = async (): Promise<number> => (await admin.users()).length;

    it("does on a merge what was planned, with the driver started there", async () => {
      const before = await users();
      const { failed, output, summary } = await run("up.yml", storeKeys);
      assert.equal(failed, undefined, JSON.stringify(output));
      assert.match(summary, /## Credentials that will be made/);
      assert.equal(await users(), before + 1);
    });

    it("comments on a pull request that deletes data, fails it, and edits its comment from push to push", async () => {
      const program = fs.readFileSync(path.join(stack.folder, "index.ts"), "utf8");
      const gone = program.replace(/^const (photos|access).*\n/gm, "").replace(/^export .*\n/gm, "");
      stack.write(gone);
      const first = await run("preview.yml");
      assert.equal(first.failed, "Verdict", JSON.stringify(first.output));
      const [comment = "", ...more] = github.comments();
      assert.deepEqual(more, []);
      assert.match(comment, /^<!-- pulumi-cosi review -->\n# Review[^]*## Data that will be deleted/);
      assert.match(
        comment,
        /\nCommit [0-9a-f]{40}, \[run\]\(https:.*\/shop\/infra\/actions\/runs\/4711\)\n$/,
      );
      assert.doesNotMatch(comment, /This is not all/);
      assert.match(first.summary, /## Data that will be deleted/);

      stack.write(program);
      const second = await run("preview.yml");
      assert.equal(second.failed, undefined, JSON.stringify(second.output));
      assert.match(github.comments()[0] ?? "", /Nothing happens to data, credentials or access/);
      assert.equal(github.comments().length, 1);

      stack.write(`${program}\nnew cosi.Bucket("wrong", { driver: store, name: "" });`);
      assert.equal((await run("preview.yml")).failed, "Verdict");
      assert.match(github.comments()[0] ?? "", /There is no review:[^]*name is empty/);
      stack.write(program);
    });

    it("shows the start of a review that is too long for a comment, and all of it in the summary", async () => {
      const findings = Array.from(
        { length: 400 },
        (_, index) => `- **access-${index}**: ${"für ".repeat(60)}.`,
      );
      const review = `# Review\n\n## Credentials that will be made\n\n${findings.join("\n")}\n`;
      github.npxRuns({ out: review, err: "", code: 0 });
      const { failed, output, summary } = await run("preview.yml");
      github.npxRuns();
      assert.equal(failed, undefined, JSON.stringify(output));
      assert.ok(summary.includes(review));
      const [comment = ""] = github.comments();
      const shown = comment.split("\n").filter((line) => line.startsWith("- "));
      assert.deepEqual(shown, findings.slice(0, shown.length));
      assert.ok(shown.length > 190, String(shown.length));
      assert.match(comment, /\n\*\*This is not all: .* in the summary of the run\.\*\*\nCommit /);
    });

    for (const code of [0, 1]) {
      it(`takes the exit code ${code} without a review for none, and says what there was instead`, async () => {
        github.npxRuns({ out: "", err: "npm error could not determine executable to run\n", code });
        const { failed, summary } = await run("preview.yml");
        github.npxRuns();
        assert.equal(failed, "Verdict");
        const text = /There is no review:\n\n {4}npm error could not determine executable to run\n/;
        assert.match(github.comments()[0] ?? "", text);
        assert.match(summary, text);
      });
    }

    it("fails a pull request from a fork, of which there is no review, and runs nothing of it", async () => {
      const values = { "github.event.pull_request.head.repo.full_name": "stranger/infra" };
      const { failed, output } = await run("preview.yml", values);
      assert.equal(failed, "Fork");
      assert.deepEqual(Object.keys(output), ["Fork"]);
      assert.match(
        output["Fork"] ?? "",
        /^::error::A pull request from a fork .* push its commits to a branch/,
      );
    });

    it("finds no drift at night without a driver or its keys, nor in a merge that waits for its approval", async () => {
      const program = fs.readFileSync(path.join(stack.folder, "index.ts"), "utf8");
      stack.write(`${program}\nnew cosi.Bucket("next", { driver: store });\n`);
      commit("A merge that waits");
      const { failed, output } = await run("drift.yml");
      assert.equal(failed, undefined, JSON.stringify(output));
      assert.equal(fs.readFileSync(path.join(stack.folder, "index.ts"), "utf8"), program);

      stack.write(program.replace(/^const access.*\n/gm, "").replace(/^export .*\n/gm, ""));
      assert.equal((await run("drift.yml")).failed, "Drift");
      stack.write(program);
    });

    it("reaches a driver by TLS with a certificate of the runner's, whose key is in no other file than its own", async () => {
      const authority = new CertificateAuthority();
      const driver = await new StrictDriver().start();
      const options = { ...authority.issue(["localhost"]), ca: authority.cert, requestCert: true };
      const front = await new TlsFront(driver.fake.socket, options).start();
      const client = authority.issue(["client"]);
      try {
        await stack.succeed(["destroy", "--yes", "--skip-preview"], {
          S3_DRIVER_S3_ENDPOINT: store.endpoint,
          AWS_REGION: store.region,
          AWS_ACCESS_KEY_ID: store.accessKeyId,
          AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
        });
        stack.write(`
import * as cosi from "pulumi-cosi";
const tls = {
  caFile: "certificates/ca.pem", certFile: "certificates/client.pem", keyFile: "certificates/client.key",
};
const driver = new cosi.Driver("ceph", { tls });
new cosi.Bucket("photos", { driver, deletionPolicy: "Delete" });
`);
        const { failed, output } = await run("up-tls.yml", {
          "vars.COSI_ENDPOINT": front.endpoint(),
          "secrets.COSI_CA": authority.cert,
          "secrets.COSI_CLIENT_CERT": client.cert,
          "secrets.COSI_CLIENT_KEY": client.key,
        });
        assert.equal(failed, undefined, JSON.stringify(output));
        assert.deepEqual(driver.rpcs(), ["Create"]);
        const key = path.join(stack.folder, "certificates", "client.key");
        assert.equal(fs.statSync(key).mode & 0o777, 0o600);
      } finally {
        front.stop();
        driver.fake.stop();
      }
    });
  });
});
