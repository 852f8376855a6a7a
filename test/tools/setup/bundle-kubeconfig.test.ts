import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import type { KubeConfig, load } from "../../../gen/kubeconfig";
import { bundleKubeconfig } from "../../../tools/setup/bundle-kubeconfig";

const root = path.join(__dirname, "..", "..", "..");

describe("the bundle that reads a kubeconfig", function () {
  this.timeout(60_000);
  let folder: string;

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "bundle-"));
    await bundleKubeconfig(root, folder);
  });

  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  it("needs no package, and has neither the clients of the library nor fetch", () => {
    const text = fs.readFileSync(path.join(folder, "index.js"), "utf8");
    const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? "");
    assert.deepEqual(
      required.filter((name) => !name.startsWith("node:")),
      [],
    );
    assert.doesNotMatch(text, /CoreV1Api|UndiciError/);
  });

  it("has the types of the library's class, as far as they are used", async () => {
    // The compiler judges it.
    const library: typeof KubeConfig = (await import("@kubernetes/client-node")).KubeConfig;
    const bundled = createRequire(__filename)(path.join(folder, "index.js")) as {
      KubeConfig: typeof KubeConfig;
      load: typeof load;
    };
    for (const { prototype } of [library, bundled.KubeConfig]) {
      assert.equal(typeof prototype.applyToHTTPSOptions, "function");
    }
    assert.deepEqual(bundled.load("a: [b]"), { a: ["b"] });
  });

  it("tells the licences of all that it has", () => {
    const licences = fs.readFileSync(path.join(folder, "LICENSES.txt"), "utf8");
    for (const name of [
      "@kubernetes/client-node",
      "js-yaml",
      "openid-client",
      "socks-proxy-agent",
      "hpagent",
    ]) {
      const { version } = JSON.parse(
        fs.readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8"),
      ) as { version: string };
      assert.ok(licences.includes(`${name} ${version} (`), name);
    }
    assert.match(licences, /Apache License\s+Version 2\.0/);
    assert.doesNotMatch(licences, /^undici/m);
  });
});
