import assert from "node:assert/strict";
import { FailedResourceError } from "../../../provider/dynamic/failed";
import { hosted, withoutStack } from "../../../provider/dynamic/hosted";
import { stateFormat } from "../../../provider/dynamic/state-format";

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

  it("refuses a state that a newer version wrote, before anything is done with it", async () => {
    const newer = { schemaVersion: stateFormat + 1 };
    const hidden = { __recorded: `{'schemaVersion':${stateFormat + 1}}`, __provider: "p" };
    const refused =
      /written by a newer version of pulumi-cosi \(form 2; this version knows 1\)\. Next: install the version/;
    for (const state of [newer, hidden]) {
      await assert.rejects(async () => provider.diff("x", state, {}), refused);
      await assert.rejects(async () => provider.read("x", state), refused);
      await assert.rejects(async () => provider.update("x", state, {}), refused);
      await assert.rejects(async () => provider.delete("x", state), refused);
    }
    await provider.update("x", { schemaVersion: stateFormat }, {});
  });

  it("hands on what the methods give", async () => {
    assert.deepEqual(await provider.create({}), { id: "id", outs: {} });
    assert.deepEqual(await provider.read("x"), { id: "x" });
    assert.deepEqual(await provider.update("x", {}, {}), { outs: { updated: true } });
  });

  it("has what Pulumi keeps under a hidden name under its own in the code, and hides what it gives back", async () => {
    const seen: unknown[] = [];
    const echo = hosted<Record<string, unknown>, Record<string, unknown>>({
      check: (olds, news) => {
        seen.push(olds, news);
        return Promise.resolve({ inputs: news });
      },
      diff: (_id, olds, news) => {
        seen.push(olds, news);
        return Promise.resolve({});
      },
      create: (inputs) => Promise.resolve({ id: "id", outs: { ...inputs, schemaVersion: 1 } }),
      read: (id, props) => Promise.resolve({ id, props: props ?? {}, inputs: props ?? {} }),
      update: (_id, _olds, news) => Promise.reject(new FailedResourceError("no", "id", news)),
      delete: (_id, props) => {
        seen.push(props);
        return Promise.resolve();
      },
    });
    const hidden = { name: "photos", __objects: { model: "m" }, __internal: "{}", __provider: "p" };
    const known = { name: "photos", objects: { model: "m" }, __provider: "p" };
    const recorded = (text: string) => ({ name: "photos", __provider: "p", __recorded: text });
    const kept = recorded("{'objects':{'model':'m'}}");
    // A state of an earlier release has its own names.
    assert.deepEqual(await echo.check(known, hidden), { inputs: hidden });
    await echo.diff("id", hidden, hidden);
    assert.deepEqual(await echo.create(hidden), {
      id: "id",
      outs: recorded("{'objects':{'model':'m'},'schemaVersion':1}"),
    });
    assert.deepEqual(await echo.read("id", hidden), { id: "id", props: kept, inputs: hidden });
    await assert.rejects(echo.update("id", known, hidden), { properties: kept });
    await echo.delete("id", kept);
    assert.deepEqual(seen, [known, known, known, known, known]);
    assert.deepEqual(await echo.create(known), { id: "id", outs: { ...known, schemaVersion: 1 } });
  });

  it("rejects with the error itself, whether it is thrown or rejected, so that tests and tools see its stack", async () => {
    await assert.rejects(provider.diff("x", {}, {}), (error: unknown) => {
      assert.ok(error instanceof RangeError);
      assert.match(error.stack ?? "", /hosted\.test\.ts/);
      return true;
    });
    await assert.rejects(provider.delete("x", {}), /stays/);
  });

  it("tells an error that several calls share to each of them, without a stack, and leaves it as it is", () => {
    const properties = { name: "photos" };
    const shared = Object.freeze(new FailedResourceError("the API server does not answer", "id", properties));
    const seen = [withoutStack(shared), withoutStack(shared)];
    for (const error of seen) {
      assert.ok(error instanceof FailedResourceError);
      assert.equal(error.message, "the API server does not answer");
      assert.deepEqual(error.reasons, [error.message]);
      assert.equal(error.properties, properties);
      assert.equal(
        `${String(error)}: ${error.stack ?? ""}`,
        "pulumi-cosi: an error stopped this step; it is shown with its resource",
      );
    }
    assert.match(shared.stack ?? "", /hosted\.test\.ts/);
  });
});
