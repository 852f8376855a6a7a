import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { createPulumiEnvironment, type PulumiEnvironment } from "../../tools/toolchain/pulumi-environment";

const START_TIMEOUT_MS = 180_000;

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import * as k8s from "@pulumi/kubernetes";

const echo: pulumi.dynamic.ResourceProvider = {
  create: async (inputs) => ({ id: "echo", outs: inputs }),
  diff: async (_, olds, news) => ({ changes: olds.text !== news.text }),
};
class Echo extends pulumi.dynamic.Resource {
  declare readonly text: pulumi.Output<string>;
  constructor(name: string, text: pulumi.Input<string>) { super(echo, name, { text }); }
}
export const said = new Echo("echo", pulumi.secret("hello")).text;

const files = new k8s.Provider("files", { renderYamlToDirectory: "rendered" });
new k8s.core.v1.ConfigMap("settings", { metadata: { name: "settings" }, data: { a: "b" } }, { provider: files });
`;

describe("the environment for pulumi", function () {
  this.timeout(START_TIMEOUT_MS);
  let environment: PulumiEnvironment;
  let program: string;

  const pulumi = async (...args: string[]): Promise<string> => {
    const options = { cwd: program, env: { ...environment.env } };
    const { stdout, stderr } = await promisify(execFile)(environment.pulumi, args, options);
    return stdout + stderr;
  };

  before(async () => {
    environment = await createPulumiEnvironment();
    program = join(environment.folder, "program");
    await mkdir(program);
    await symlink(resolve(__dirname, "..", "..", "node_modules"), join(program, "node_modules"));
    await writeFile(join(program, "Pulumi.yaml"), "name: echo\nruntime: nodejs\n");
    await writeFile(join(program, "package.json"), JSON.stringify({ name: "echo", main: "index.ts" }));
    await writeFile(join(program, "index.ts"), PROGRAM);
  });
  after(() => environment.remove());

  it("runs a program with dynamic and Kubernetes resources, without an account, a download or a warning [CASE-U15]", async () => {
    await pulumi("stack", "init", "test");
    const up = await pulumi("up", "--yes", "--skip-preview");
    assert.match(up, /\+ 4 created/);
    assert.doesNotMatch(up, /warning|error/i);
    assert.match(up, /said: \[secret\]/);
    assert.match(await pulumi("stack", "output", "said", "--show-secrets"), /^hello$/m);
    assert.deepEqual(await readdir(join(program, "rendered", "1-manifest")), [
      "v1-configmap-default-settings.yaml",
    ]);
    assert.match(await pulumi("preview", "--expect-no-changes"), /4 unchanged/);
    assert.match(await pulumi("destroy", "--yes"), /- 4 deleted/);
  });

  it("keeps the state and the settings of a run in its own folder", async () => {
    assert.equal(environment.backend, join(environment.folder, "backend"));
    assert.ok((await readdir(join(environment.backend, ".pulumi"))).includes("stacks"));
    assert.equal(environment.home, join(environment.folder, "home"));
    assert.ok((await readdir(environment.home)).includes("workspaces"));
  });

  it("keeps no file beside a state that a kill could leave half written", async () => {
    const files = await readdir(environment.backend, { recursive: true });
    assert.ok(files.some((file) => file.endsWith(".json")));
    assert.deepEqual(
      files.filter((file) => file.endsWith(".attrs")),
      [],
    );
  });

  it("names no account and no cluster of the user's", async () => {
    const users = {
      PULUMI_ACCESS_TOKEN: "t",
      KUBECONFIG: "/k",
      KUBERNETES_SERVICE_HOST: "10.0.0.1",
      HOME: "/home/me",
    };
    const before = Object.keys(users).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, users);
    try {
      const { env, remove } = await createPulumiEnvironment();
      await remove();
      for (const [name, value] of Object.entries(users)) assert.notEqual(env[name], value, name);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });
});
