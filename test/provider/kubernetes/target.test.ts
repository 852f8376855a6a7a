import assert from "node:assert/strict";
import { configureKubernetes, keepTarget, resolveTarget } from "../../../provider/kubernetes/target";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

function configure(values: Record<string, string>): void {
  const get = (key: string) => values[key];
  const require = (key: string) => values[key] ?? "";
  // Nothing is awaited: the next call of the host does not wait either.
  void configureKubernetes({ config: { get, require } });
}

describe("the API server of a dynamic resource", () => {
  afterEach(() => {
    configure({});
  });

  it("is the resource's own, else the stack's, else the environment's", () => {
    assert.deepEqual(resolveTarget({}), { kubeconfig: undefined, context: undefined });
    configure({ "kubernetes:kubeconfig": "stack", "kubernetes:context": "blue" });
    assert.deepEqual(resolveTarget({}), { kubeconfig: "stack", context: "blue" });
    assert.deepEqual(resolveTarget({ context: "green" }), { kubeconfig: "stack", context: "green" });
  });

  it("does not take the stack's context for a kubeconfig of its own", () => {
    configure({ "kubernetes:kubeconfig": "stack", "kubernetes:context": "blue" });
    assert.deepEqual(resolveTarget({ kubeconfig: "own" }), { kubeconfig: "own", context: undefined });
  });

  it("is in the recorded cluster while a preview does not know it", () => {
    const recorded = { clusterUid: "uid" };
    assert.deepEqual(keepTarget(recorded, { clusterUid: unknown }), { clusterUid: "uid" });
    assert.deepEqual(keepTarget(recorded, { clusterUid: "other" }), { clusterUid: "other" });
    assert.deepEqual(keepTarget(undefined, { clusterUid: unknown }), { clusterUid: unknown });
    assert.deepEqual(keepTarget({ stackId: "id" }, { stackId: unknown }), { stackId: "id" });
    assert.deepEqual(keepTarget(undefined, { stackId: unknown }), { stackId: unknown });
    assert.deepEqual(keepTarget({ stackId: "id" }, { stackId: "anew" }), { stackId: "anew" });
  });
});
