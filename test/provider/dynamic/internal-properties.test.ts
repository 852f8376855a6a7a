import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { fromInternalText, internalText } from "../../../provider/dynamic/internal-text";
import {
  checkedInputs,
  stateInputs,
  stateOutputs,
  withoutHidden,
} from "../../../provider/dynamic/state-properties";
import { programInputs } from "../../../provider/dynamic/program-inputs";
import { secretOutput } from "../../../provider/dynamic/values";

type Properties = Record<string, unknown>;

const unknown = pulumi.runtime.unknownValue;

/** What a provider is given: Pulumi takes secrets out of their marks. */
async function inputsOf(program: pulumi.Inputs): Promise<Properties> {
  return (await settled(pulumi.output(program))) as Properties;
}

function settled(output: pulumi.Output<unknown>): Promise<unknown> {
  return new Promise((resolve) => output.apply(resolve));
}

describe("a text of internal properties", () => {
  it("is one text for equal properties, and holds any of them", () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(record, (properties) => {
        const text = internalText(properties);
        const reversed = Object.fromEntries(Object.entries(properties).reverse());
        const plain: unknown = JSON.parse(JSON.stringify(properties));
        assert.deepEqual(fromInternalText(text), plain);
        assert.equal(internalText(reversed), text);
      }),
    );
  });

  it("has no quotes, which the state would escape, where no value has an apostrophe", () => {
    assert.equal(internalText({ b: 'say "no"', a: [{ c: null }] }), "{'a':[{'c':null}],'b':'say \\'no\\''}");
    assert.equal(internalText({ a: "o'clock" }), "{'a':'o\"clock'}");
  });

  it("is read without the marks that early versions wrote into it", () => {
    const kubernetes = { kubeconfig: secretOutput("/etc/kube/config"), contexts: [secretOutput("c")] };
    const read = { kubeconfig: "/etc/kube/config", contexts: ["c"] };
    assert.deepEqual(fromInternalText(internalText(kubernetes)), read);
    const objects = { kubernetes: internalText(kubernetes) };
    assert.deepEqual(withoutHidden({ __kubernetes: objects.kubernetes, __objects: objects }), {
      kubernetes: read,
      objects: { kubernetes: read },
    });
  });

  it("is refused where the state has something else", () => {
    assert.throws(() => fromInternalText("{'a':"), SyntaxError);
    assert.throws(() => fromInternalText("[]"), /"\[\]" in the state is no text of internal properties/);
  });
});

describe("the inputs of a program", () => {
  const uid = pulumi.output("u1");
  const target = { clusterUid: pulumi.output("c1"), stackId: pulumi.output("s1") };
  const props = {
    name: "photos",
    logicalName: "photos",
    parent: Promise.resolve("urn"),
    secretParameters: Promise.resolve(undefined),
    model: undefined,
    told: { stackId: pulumi.output("s1") },
    kubernetes: target,
    objects: { model: "m", owner: "o/p/s", claim: { name: "photos", uid }, kubernetes: target },
  };

  it("have what it says itself in one text, and a property each for what comes from other resources", async () => {
    assert.deepEqual(await inputsOf(programInputs(props)), {
      name: "photos",
      __internal: "{'logicalName':'photos','objects':{'model':'m','owner':'o/p/s'},'parent':'urn'}",
      __told: { stackId: "s1" },
      __kubernetes: { clusterUid: "c1", stackId: "s1" },
      __objects: { claim: { name: "photos", uid: "u1" }, kubernetes: { clusterUid: "c1", stackId: "s1" } },
    });
  });

  it("are to the provider what the program says", async () => {
    const said = Object.entries(await inputsOf(props)).filter(([, value]) => value !== undefined);
    assert.deepEqual(withoutHidden(await inputsOf(programInputs(props))), Object.fromEntries(said));
  });

  it("tell an error where it is, and not once more", async () => {
    const failing = pulumi.output("s1").apply((): string => {
      throw new Error("no such store");
    });
    const inputs = programInputs({ logicalName: "photos", owner: { name: failing } });
    assert.equal(await inputs["__internal"], "{'logicalName':'photos'}");
    assert.deepEqual(inputs["__owner"], { name: failing });
  });

  it("stay apart as a whole where a part of them is secret, in inputs and outputs", async () => {
    const secret = programInputs({
      logicalName: "photos",
      kubernetes: { kubeconfig: pulumi.secret("k"), clusterUid: "c1" },
      objects: {
        model: "m",
        secretName: pulumi.secret("n"),
        kubernetes: { clusterUid: pulumi.output("c1") },
      },
      data: pulumi.secret({ key: "k" }),
      owner: { name: pulumi.output("a") },
    });
    const given = await inputsOf(secret);
    assert.equal(
      given["__internal"],
      "{'logicalName':'photos','objects':{'model':'m'},'secret':['kubernetes','objects']}",
    );
    const known = withoutHidden(given);
    assert.equal("secret" in known, false);
    assert.deepEqual(stateInputs(known, given), given);
    assert.deepEqual(stateOutputs(known, given), {
      __internal: given["__internal"],
      __recorded: "{'owner':{'name':'a'}}",
      __kubernetes: { kubeconfig: "k", clusterUid: "c1" },
      __objects: { secretName: "n", kubernetes: { clusterUid: "c1" } },
      data: { key: "k" },
    });
  });
});

describe("what ignoreChanges is to leave as it is", () => {
  const program = async (said: Properties, ignored: string[] = []): Promise<Properties> =>
    inputsOf(programInputs({ logicalName: "photos", ...said }, ignored));

  it("has its old value in an internal property, too, wherever the state has that", async () => {
    const [own, none] = [{ ownDeletionPolicy: true }, {}];
    for (const [before, now] of [
      [own, own],
      [own, none],
      [none, own],
      [none, none],
    ]) {
      const state = await program(before ?? none);
      const news = await program(now ?? none, ["ownDeletionPolicy"]);
      const early = { __logicalName: "photos", ...(before === own ? { __ownDeletionPolicy: true } : {}) };
      for (const olds of [state, early, withoutHidden(state)]) {
        const known = { logicalName: "photos", ...before };
        assert.deepEqual(checkedInputs(news, withoutHidden(olds)), known);
        // The state tells nothing of the option.
        const kept = stateInputs(known, news);
        assert.deepEqual(withoutHidden(kept), known);
        assert.ok(!JSON.stringify(kept).includes("ignored"));
      }
    }
  });

  it("is what the program says in a create, and where it does not name it", async () => {
    const news = await program({ ownDeletionPolicy: true }, ["ownDeletionPolicy"]);
    const said = { logicalName: "photos", ownDeletionPolicy: true };
    assert.deepEqual(checkedInputs(news, {}), said);
    assert.deepEqual(checkedInputs(news, { logicalName: "photos" }), { logicalName: "photos" });
    const plain = await program({ ownDeletionPolicy: true });
    assert.deepEqual(checkedInputs(plain, { logicalName: "photos" }), said);
  });
});

describe("inputs as Pulumi keeps them", () => {
  const given = {
    name: "photos",
    __internal: "{'logicalName':'photos','objects':{'model':'m'},'parent':'urn'}",
    __kubernetes: { clusterUid: "c1", stackId: "s1" },
    __objects: { claim: { uid: "u1" }, kubernetes: { clusterUid: "c1" } },
    __warnings: [],
  };
  const kept = {
    ...given,
    __kubernetes: "{'clusterUid':'c1','stackId':'s1'}",
    __objects: { claim: { uid: "u1" }, kubernetes: "{'clusterUid':'c1'}" },
  };

  it("have each target as a text, and are read as what was given", () => {
    assert.deepEqual(stateInputs(withoutHidden(given), given), kept);
    assert.deepEqual(withoutHidden(kept), withoutHidden(given));
  });

  it("know of a target nothing where a part of it is not known: an up has to be by the plan of its preview", () => {
    const preview = { ...given, __kubernetes: { clusterUid: unknown, stackId: "s1" } };
    assert.deepEqual(stateInputs(withoutHidden(preview), preview), { ...kept, __kubernetes: unknown });
  });

  it("keep what a check has changed or taken out, and what it adds", () => {
    const { parent, ...known } = withoutHidden<Properties>(given);
    assert.equal(parent, "urn");
    const checked = { ...known, logicalName: "before", nameComputed: true };
    assert.deepEqual(stateInputs(checked, given), {
      ...kept,
      __internal: "{'logicalName':'before','objects':{'model':'m'}}",
      __nameComputed: true,
    });
  });

  it("keep apart what holds a mark, which Pulumi would not see in a text", () => {
    const marked = { kubeconfig: secretOutput("/etc/kube/config"), clusterUid: "c1" };
    const objects = { model: "m", claim: { uid: "u1" }, kubernetes: marked };
    assert.deepEqual(stateInputs<Properties>({ kubernetes: marked, objects }, given), {
      __internal: "{'objects':{'model':'m'}}",
      __kubernetes: marked,
      __objects: { claim: { uid: "u1" }, kubernetes: marked },
    });
    const said = { __internal: "{'objects':{'kubernetes':{'kubeconfig':'k'},'model':'m'},'owner':'o'}" };
    const hidden = { objects: { model: "m", kubernetes: marked }, owner: secretOutput("o") };
    const kept = {
      __internal: "{'objects':{'model':'m'}}",
      __objects: { kubernetes: marked },
      __owner: secretOutput("o"),
    };
    assert.deepEqual(stateInputs<Properties>(hidden, said), kept);
    assert.deepEqual(stateOutputs<Properties>(hidden, said), kept);
  });

  it("have the program's text, where nothing is in it, too", () => {
    const nothing = { name: "photos", __internal: "{}" };
    assert.deepEqual(stateInputs(withoutHidden(nothing), nothing), nothing);
  });

  it("do not know a property in part that the engine does not know", () => {
    assert.equal(withoutHidden<Properties>({ ...kept, __objects: unknown })["objects"], unknown);
  });
});

describe("outputs as Pulumi keeps them", () => {
  const given = { __internal: "{'logicalName':'photos','objects':{'model':'m'}}" };
  const outputs = {
    name: "photos",
    logicalName: "photos",
    resource: "r",
    told: { stackId: "s1" },
    kubernetes: { clusterUid: "c1" },
    objects: { model: "m", claim: { uid: "u1" } },
    schemaVersion: 1,
    granted: secretOutput({ keyId: "k" }),
    drift: null,
    expiry: null,
  };

  it("have all together that no program reads, but for what is secret", () => {
    assert.deepEqual(stateOutputs(outputs, given), {
      name: "photos",
      expiry: null,
      __resource: "r",
      __told: { stackId: "s1" },
      __internal: given.__internal,
      __recorded: "{'kubernetes':{'clusterUid':'c1'},'objects':{'claim':{'uid':'u1'}},'schemaVersion':1}",
      granted: secretOutput("{'keyId':'k'}"),
    });
  });

  it("are read as what the provider gave, without the marks", () => {
    const { granted, ...kept } = stateOutputs(outputs, given);
    const text = (granted as { value?: unknown }).value;
    const { drift, ...read } = { ...outputs, granted: { keyId: "k" } };
    assert.equal(drift, null);
    assert.deepEqual(withoutHidden({ ...kept, granted: text }), read);
  });

  it("show a drift that was found", () => {
    const found = stateOutputs({ ...outputs, drift: ["is gone"] }, given);
    assert.deepEqual(found.drift, ["is gone"]);
  });

  it("keep a property of an early state where it is: Pulumi knows by that what of it is secret", () => {
    const early = {
      name: "photos",
      __kubernetes: { context: "c", clusterUid: "c1" },
      __objects: { secretName: "s", kubernetes: { context: "c" } },
      __owner: { name: "o" },
    };
    const read = { ...withoutHidden(early), schemaVersion: 1 };
    const kept = { ...early, __recorded: "{'schemaVersion':1}" };
    assert.deepEqual(stateOutputs(read, early), kept);
    assert.deepEqual(stateOutputs(withoutHidden(kept), kept), kept);
  });

  it("keep apart what holds a mark, by which the state keeps it as a secret", () => {
    const kubernetes = { kubeconfig: secretOutput("k") };
    const kept: Properties = stateOutputs({ kubernetes }, given);
    assert.deepEqual(kept, { __kubernetes: kubernetes });
  });
});
