import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as cosi20200708 from "../../../components/cosi20200708";
import { dynamic, makeDriver, run } from "./mocks";

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{ name: a, cluster: { server: "https://127.0.0.1:1" } }]
users: [{ name: a, user: {} }]
contexts:
  - { name: first, context: { cluster: a, user: a, namespace: team-a } }
  - { name: second, context: { cluster: a, user: a } }
current-context: first
`;

describe("the namespace of a request that gives none", function () {
  this.timeout(60_000);

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "namespace-"));
  const file = path.join(folder, "kubeconfig");
  const before: Record<string, string | undefined> = {};

  beforeEach(() => {
    before["KUBECONFIG"] = process.env["KUBECONFIG"];
    fs.writeFileSync(file, kubeconfig);
    process.env["KUBECONFIG"] = file;
  });

  afterEach(() => {
    if (before["KUBECONFIG"] === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = before["KUBECONFIG"];
    pulumi.runtime.setAllConfig({});
  });

  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const namespaceOf = async (args: cosi20200708.ClusterArgs, preview = true): Promise<unknown> => {
    const made = await run(
      () => {
        const driver = makeDriver();
        new cosi20200708.BucketRequest("photos", { protocol: "s3", driver, ...args });
      },
      { preview },
    );
    const { request } = dynamic(made, "RequestBinding").inputs as { request: { namespace: unknown } };
    return request.namespace;
  };

  it("is that of the context, of the environment's kubeconfig or of a given one [K07-011]", async () => {
    assert.equal(await namespaceOf({}), "team-a");
    assert.equal(await namespaceOf({}, false), "team-a");
    process.env["KUBECONFIG"] = path.join(folder, "none");
    assert.equal(await namespaceOf({ kubeconfig: file }), "team-a");
    assert.equal(await namespaceOf({ kubeconfig: pulumi.secret(kubeconfig) }), "team-a");
  });

  it("is `default` where the context has none, or nothing can be read", async () => {
    assert.equal(await namespaceOf({ context: "second" }), "default");
    process.env["KUBECONFIG"] = path.join(folder, "none");
    assert.equal(await namespaceOf({}), "default");
  });

  it("is the stack's, unless the component has a cluster of its own", async () => {
    const kubernetes = { "kubernetes:namespace": "team-b", "kubernetes:kubeconfig": file };
    pulumi.runtime.setAllConfig(kubernetes);
    assert.equal(await namespaceOf({}), "team-b");
    assert.equal(await namespaceOf({ context: "first" }), "team-a");
    pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": file, "kubernetes:context": "second" });
    process.env["KUBECONFIG"] = path.join(folder, "none");
    assert.equal(await namespaceOf({}), "default");
    assert.equal(await namespaceOf({ context: "first" }), "team-a");
  });
});
