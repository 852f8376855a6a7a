import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { KubernetesClient } from "../../../provider/kubernetes/client";
import { customResourceDefinitionKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { untilGone } from "../../../provider/kubernetes/until-gone";

const ofServer = "customresourcecleanup.apiextensions.k8s.io";

describe("a definition that was deleted", () => {
  afterEach(() => {
    mock.timers.reset();
  });

  /** After how many seconds the wait ends, and how; the definition is never gone. */
  async function waitedFor(finalizers: string[]): Promise<{ seconds: number; said: string }> {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    const object: KubernetesObject = { metadata: { name: "buckets.example.com", uid: "u", finalizers } };
    const client = { get: () => Promise.resolve(object) } as unknown as KubernetesClient;
    let said: string | undefined;
    const wait = untilGone(client, customResourceDefinitionKind, object.metadata, "u").catch(
      (error: unknown) => {
        said = String(error);
      },
    );
    const began = Date.now();
    while (said === undefined) {
      await setImmediate();
      mock.timers.tick(100);
    }
    await wait;
    return { seconds: Math.round((Date.now() - began) / 1000), said };
  }

  it("is waited for longer while the API server itself holds it, and nobody is told to take that off", async () => {
    const { seconds, said } = await waitedFor([ofServer]);
    assert.equal(seconds, 180);
    assert.match(
      said,
      /still there after 180 s: the API server has not yet removed .*; run the command again$/,
    );
  });

  it("is waited for half a minute where somebody else holds it, too", async () => {
    const { seconds, said } = await waitedFor([ofServer, "example.com/theirs"]);
    assert.equal(seconds, 30);
    assert.match(said, /whoever set the finalizer has to take it off/);
  });
});
