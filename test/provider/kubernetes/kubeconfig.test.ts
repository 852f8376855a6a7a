import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isKubeconfigText, readKubeconfig } from "../../../provider/kubernetes/kubeconfig";

const kubeconfig = `apiVersion: v1
kind: Config
current-context: first
clusters:
  - { name: one, cluster: { server: "https://one.example.com" } }
  - { name: two, cluster: { server: "https://two.example.com" } }
users:
  - { name: me, user: { token: very-secret-token } }
contexts:
  - { name: first, context: { cluster: one, user: me } }
  - { name: second, context: { cluster: two, user: me } }
`;

describe("a kubeconfig", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  it("is given as text or as the path of a file", async () => {
    const file = join(folder, "config");
    await writeFile(file, kubeconfig);
    for (const given of [kubeconfig, file]) {
      const config = await readKubeconfig(given, undefined);
      assert.equal(config.getCurrentCluster()?.server, "https://one.example.com");
    }
    assert.equal(isKubeconfigText(kubeconfig), true);
    assert.equal(isKubeconfigText(file), false);
  });

  it("is used with the context that is asked for", async () => {
    const config = await readKubeconfig(kubeconfig, "second");
    assert.equal(config.getCurrentCluster()?.server, "https://two.example.com");
  });

  it("without that context is refused with the contexts there are", async () => {
    await assert.rejects(
      readKubeconfig(kubeconfig, "third"),
      /no cluster for the context "third"; it has the contexts: first, second/,
    );
  });

  it("that cannot be read is named, and nothing of it is quoted", async () => {
    const file = join(folder, "broken");
    await writeFile(file, 'users: [ { token: "very-secret-token\n');
    await assert.rejects(readKubeconfig(file, undefined), (error) => {
      assert.ok(error instanceof Error);
      assert.ok(error.message.includes(file));
      assert.doesNotMatch(`${error.message} ${String(error.stack)}`, /very-secret/);
      return true;
    });
    await assert.rejects(readKubeconfig(join(folder, "absent"), undefined), /absent cannot be used: ENOENT/);
  });

  it("that is nowhere is asked for", async () => {
    const before = { KUBECONFIG: process.env["KUBECONFIG"], HOME: process.env["HOME"] };
    process.env["KUBECONFIG"] = "";
    process.env["HOME"] = folder;
    try {
      await assert.rejects(readKubeconfig(undefined, undefined), /no API server is known: give kubeconfig/);
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });
});
