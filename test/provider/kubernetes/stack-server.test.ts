import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
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
  const configure = (kubeconfig: string | undefined, clusterIdentifier?: string, context?: string): void => {
    const values: Record<string, string | undefined> = {
      "kubernetes:kubeconfig": kubeconfig,
      "kubernetes:clusterIdentifier": clusterIdentifier,
      "kubernetes:context": context,
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

  it("is nothing without a config, and for a component that says it itself; not known where it cannot be read", async () => {
    assert.equal(await stackServer({}), null);
    assert.equal(await stackServer(undefined), null);
    configure(text(one));
    assert.equal(await stackServer({ kubeconfig: "own" }), null);
    assert.equal(await stackServer({ context: "own" }), null);
    assert.equal(await stackServer({ kubeconfig: pulumi.runtime.unknownValue }), undefined);
    configure("{ nonsense");
    assert.equal(await stackServer({}), undefined);
  });

  it("is the same where a setting says what is so without it", async () => {
    const plain = { ...one, "insecure-skip-tls-verify": false, "proxy-url": "", extensions: null };
    assert.deepEqual(await known(plain), await known(one));
    assert.notDeepEqual(await known({ ...one, extensions: [{ name: "a" }] }), await known(one));
  });

  it("holds nothing secret", async () => {
    assert.doesNotMatch(JSON.stringify(await known(one)), /s3cret/);
  });

  it("is another one by its address or authority, with what to do", async () => {
    const before = await known(one);
    assert.equal(movedServerProblem(before, await known({ ...one })), undefined);
    assert.match(
      movedServerProblem(before, await known(moved)) ?? "",
      /names the API server https:\/\/two\.example\.com, and named https:\/\/one\.example\.com/,
    );
    const problem = movedServerProblem(before, await known(renewed)) ?? "";
    assert.match(
      problem,
      /says something else about https:\/\/one\.example\.com, such as its certificate authority/,
    );
    assert.match(
      problem,
      /Next: put the config back .* give the new one as KUBECONFIG .* kubernetes:clusterIdentifier/,
    );
  });

  it("is the same one while its identifier stays; one that came with the change is of no use", async () => {
    const before = await known(one, "mine");
    assert.equal(movedServerProblem(before, await known(moved, "mine")), undefined);
    const other = await known(one, "other");
    assert.match(
      movedServerProblem(before, other) ?? "",
      /clusterIdentifier is other, and was mine .* Next: put it back/,
    );
    configure(undefined, "mine");
    const without = await stackServer({});
    assert.notEqual(movedServerProblem(without, other), undefined);
    assert.equal(movedServerProblem(without, await known(moved, "mine")), undefined);
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
      const now = await stackServer({});
      assert.equal(movedServerProblem(before, now), undefined);
      for (const none of [undefined, null]) {
        assert.equal(movedServerProblem(none, now), undefined);
        assert.equal(movedServerProblem(before, none), undefined);
      }
      // Another context of it is another cluster, or another way to it.
      configure(file, undefined, "a");
      assert.notEqual(movedServerProblem(before, await stackServer({})), undefined);
    } finally {
      fs.rmSync(path.dirname(file), { recursive: true });
    }
  });
});
