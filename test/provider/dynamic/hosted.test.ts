import assert from "node:assert/strict";
import { hosted } from "../../../provider/dynamic/hosted";

describe("hosted", () => {
  const recorded: unknown[] = [];
  const provider = hosted<object, object>({
    check: (olds, news) => {
      recorded.push(olds, news);
      return Promise.resolve({ inputs: news });
    },
    diff: () => {
      throw new RangeError("no");
    },
    create: () => Promise.resolve({ id: "id", outs: {} }),
    read: (id) => Promise.resolve({ id }),
    update: () => Promise.resolve({ outs: { updated: true } }),
    delete: () => Promise.reject(new Error("stays")),
  });

  it("takes an input that is null for one that is left out", async () => {
    assert.deepEqual(await provider.check({ a: null }, { a: null, b: { c: null } }), {
      inputs: { b: { c: null } },
    });
    assert.deepEqual(recorded, [{ a: null }, { b: { c: null } }]);
  });

  it("hands on what the methods give", async () => {
    assert.deepEqual(await provider.create({}), { id: "id", outs: {} });
    assert.deepEqual(await provider.read("x"), { id: "x" });
    assert.deepEqual(await provider.update("x", {}, {}), { outs: { updated: true } });
  });

  it("rejects with the error itself, whether it is thrown or rejected, so that tests and tools see its stack", async () => {
    await assert.rejects(provider.diff("x", {}, {}), (error: unknown) => {
      assert.ok(error instanceof RangeError);
      assert.match(error.stack ?? "", /hosted\.test\.ts/);
      return true;
    });
    await assert.rejects(provider.delete("x", {}), /stays/);
  });
});
