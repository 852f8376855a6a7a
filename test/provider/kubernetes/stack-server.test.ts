import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { movedServerProblem, stackServer } from "../../../provider/kubernetes/stack-server";
import { configureKubernetes } from "../../../provider/kubernetes/target";

const text = (cluster: Record<string, unknown>): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "a",
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    clusters: [{ name: "a", cluster }],
    users: [{ name: "a", user: { token: "s3cret-token" } }],
  });
const one = { server: "https://one.example.com", "certificate-authority-data": "b25l" };
const renewed = { ...one, "certificate-authority-data": "dHdv" };
const moved = { ...one, server: "https://two.example.com" };

describe("what a stack's config says of its API server", () => {
  const configure = (kubeconfig: string | undefined, clusterIdentifier?: string): void => {
    const values: Record<string, string | undefined> = {
      "kubernetes:kubeconfig": kubeconfig,
      "kubernetes:clusterIdentifier": clusterIdentifier,
    };
    const get = (key: string): string | undefined => values[key];
    void configureKubernetes({ config: { get, require: (key) => get(key) ?? "" } });
  };
  const known = (cluster: Record<string, unknown>, identifier?: string) => {
    configure(text(cluster), identifier);
    return stackServer({});
  };

  afterEach(() => {
    configure(undefined);
  });

  it("is nothing without a kubeconfig, for a component that has one of its own, and where it cannot be read", async () => {
    assert.equal(await stackServer({}), undefined);
    configure(text(one));
    assert.equal(await stackServer({ kubeconfig: "own" }), undefined);
    assert.equal(await stackServer({ context: "own" }), undefined);
    configure("{ nonsense");
    assert.equal(await stackServer({}), undefined);
  });

  it("holds nothing secret", async () => {
    assert.doesNotMatch(JSON.stringify(await known(one)), /s3cret/);
  });

  it("is another one by its address or authority, with what to do", async () => {
    const before = await known(one);
    assert.equal(movedServerProblem(before, await known({ ...one })), undefined);
    assert.match(
      movedServerProblem(before, await known(moved)) ?? "",
      /names the API server https:\/\/two\.example\.com where it was https:\/\/one\.example\.com/,
    );
    const problem = movedServerProblem(before, await known(renewed)) ?? "";
    assert.match(problem, /names https:\/\/one\.example\.com with another certificate authority/);
    assert.match(
      problem,
      /Next: put the config back .*clusterIdentifier NAME` and `pulumi up`, and change it after that/,
    );
  });

  it("is the same one while its identifier stays; one that came with the change is of no use", async () => {
    const before = await known(one, "mine");
    assert.equal(movedServerProblem(before, await known(moved, "mine")), undefined);
    assert.notEqual(movedServerProblem(before, await known(moved, "other")), undefined);
    assert.notEqual(movedServerProblem(before, await known(moved)), undefined);
    assert.notEqual(movedServerProblem(await known(one), await known(moved, "mine")), undefined);
  });

  it("says nothing of what changes in a file, nor of a state that has none", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "stack-server-")), "kubeconfig");
    try {
      fs.writeFileSync(file, text(one));
      configure(file);
      const before = await stackServer({});
      fs.writeFileSync(file, text(moved));
      assert.equal(movedServerProblem(before, await stackServer({})), undefined);
      assert.equal(movedServerProblem(undefined, await stackServer({})), undefined);
      assert.equal(movedServerProblem(before, undefined), undefined);
    } finally {
      fs.rmSync(path.dirname(file), { recursive: true });
    }
  });
});
