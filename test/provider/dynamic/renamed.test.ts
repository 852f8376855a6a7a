import assert from "node:assert/strict";
import { FailedResourceError } from "../../../provider/dynamic/failed";
import type { WholeProvider } from "../../../provider/dynamic/hosted";
import { renamed } from "../../../provider/dynamic/renamed";

type Properties = Record<string, unknown>;

const names = { bucketId: "deploymentId", bucketName: "deploymentName" };
/** What every property of the code is called inside, and outside. */
const inside = { bucketId: "b1", name: "n", other: { bucketId: "not a property" } };
const outside = { deploymentId: "b1", name: "n", other: { bucketId: "not a property" } };

describe("a provider under other names", () => {
  /** A provider that notes what it gets, and gives the properties of its code. */
  function noting(changes: Partial<WholeProvider<Properties, Properties>> = {}): {
    provider: WholeProvider<Properties, Properties>;
    got: unknown[];
  } {
    const got: unknown[] = [];
    const note = (...given: unknown[]): void => {
      got.push(...given);
    };
    const core: WholeProvider<Properties, Properties> = {
      check: (olds, news) => (note(olds, news), Promise.resolve({ inputs: inside })),
      diff: (id, olds, news) => (
        note(id, olds, news),
        Promise.resolve({ changes: true, replaces: ["bucketId", "name"] })
      ),
      create: (news) => (note(news), Promise.resolve({ id: "n", outs: inside })),
      read: (id, props) => (note(id, props), Promise.resolve({ id, props: inside, inputs: inside })),
      update: (id, olds, news) => (note(id, olds, news), Promise.resolve({ outs: inside })),
      delete: (id, props) => (note(id, props), Promise.resolve()),
      ...changes,
    };
    return { provider: renamed(core, names), got };
  }

  it("gets its own names in every step, and gives the user's, of properties alone", async () => {
    const { provider, got } = noting();
    assert.deepEqual(await provider.check(outside, outside), { inputs: outside });
    assert.deepEqual(await provider.diff("n", outside, outside), {
      changes: true,
      replaces: ["deploymentId", "name"],
    });
    assert.deepEqual(await provider.create(outside), { id: "n", outs: outside });
    assert.deepEqual(await provider.read("n", outside), { id: "n", props: outside, inputs: outside });
    assert.deepEqual(await provider.update("n", outside, outside), { outs: outside });
    await provider.delete("n", outside);
    assert.deepEqual(
      got.filter((given) => given !== "n"),
      Array.from({ length: 9 }, () => inside),
    );
  });

  it("reads without properties as an import does", async () => {
    const { provider, got } = noting();
    await provider.read("n");
    assert.deepEqual(got, ["n", undefined]);
  });

  it("keeps what failed under the user's names too, and another error as it is", async () => {
    const cause = new Error("why");
    const failing = (): Promise<never> =>
      Promise.reject(new FailedResourceError("half done", "n", inside, { cause }));
    const { provider } = noting({ create: failing, update: failing });
    for (const step of [provider.create(outside), provider.update("n", outside, outside)]) {
      await assert.rejects(step, (error: unknown) => {
        assert.ok(error instanceof FailedResourceError);
        assert.deepEqual([error.message, error.id, error.cause], ["half done", "n", cause]);
        assert.deepEqual(error.properties, outside);
        return true;
      });
    }
    const plain = noting({ create: () => Promise.reject(cause) }).provider;
    await assert.rejects(plain.create(outside), cause);
  });

  it("leaves out the inputs that a failed check does not give, and configures as before", async () => {
    const configured: unknown[] = [];
    const { provider } = noting({
      check: () => Promise.resolve({ failures: [{ property: "deploymentId", reason: "is empty" }] }),
      configure: (request) => {
        configured.push(request);
        return Promise.resolve();
      },
    });
    const failures = [{ property: "deploymentId", reason: "is empty" }];
    assert.deepEqual(await provider.check(outside, outside), { failures });
    const request = { config: { get: () => undefined, require: () => "" } };
    await provider.configure?.(request);
    assert.deepEqual(configured, [request]);
    assert.equal(noting().provider.configure, undefined);
  });
});
