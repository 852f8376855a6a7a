import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { programInputs } from "../../../provider/dynamic/program-inputs";
import { holdsSecret, isRecord, isSecretOutput } from "../../../provider/dynamic/values";
import { provider } from "../../../provider/models/cosi-2020-07/default-class";
import { Lifecycle, wire, type Properties } from "../../support/lifecycle";

/** What a state has of a resource. */
interface State {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** @throws if a secret can be read in the state, or a mark that Pulumi does not know as one. */
function requireClosed(state: State): void {
  const open = JSON.stringify(state, (_key, part: unknown) => (isSecretOutput(part) ? "[secret]" : part));
  for (const text of ["t0ken", pulumi.runtime.specialSigKey]) assert.ok(!open.includes(text), open);
}

describe("a refresh of a resource that keeps a target", () => {
  // It looks nothing up where it guards no default class.
  const resource = new Lifecycle(provider);
  const path = "/etc/kube/config";
  const text = "apiVersion: v1\nkind: Config\ntoken: t0ken\n";

  /** What the program gives, as the engine hands it over. */
  const program = async (kubeconfig: pulumi.Input<string>): Promise<Properties> => {
    const inputs = programInputs({
      kubernetes: { kubeconfig, clusterUid: pulumi.output("c1"), stackId: pulumi.output("s1") },
      owner: "o/p/s",
      resource: "r",
      model: "cosi-2020-07",
      className: "gold",
      protocol: "S3",
      isDefault: false,
    });
    return new Promise((resolve) => pulumi.output(inputs).apply(resolve));
  };

  const made = async (news: Properties): Promise<State> => {
    const { inputs } = await resource.check({}, news);
    return { inputs, outputs: (await resource.create(news)).outputs };
  };

  /** As the engine does: what is in the state is compared with what is found. @returns the state, with its marks. */
  const refreshed = async ({ inputs, outputs }: State): Promise<State> => {
    const read = await provider.read("gold", wire(outputs) as never);
    assert.ok(isRecord(read.props) && isRecord(read.inputs));
    assert.deepEqual(await resource.diff(wire(read.props), wire(inputs)), { changes: false, replaces: [] });
    return { inputs: read.inputs, outputs: read.props };
  };

  const requireEmptyPreview = async ({ inputs, outputs }: State, news: Properties): Promise<void> => {
    const checked = await resource.check(wire(inputs), news);
    assert.deepEqual(await resource.diff(wire(outputs), checked.inputs), { changes: false, replaces: [] });
  };

  for (const [what, kubeconfig] of [
    ["the path of a kubeconfig", path],
    ["the text of a kubeconfig", pulumi.secret(text)],
  ] as const) {
    it(`shows nothing however often it runs, nor does the next preview: ${what}`, async () => {
      const news = await program(kubeconfig);
      let state = await made(news);
      for (let times = 0; times < 3; times++) {
        state = await refreshed(state);
        requireClosed(state);
        await requireEmptyPreview(state, news);
      }
    });
  }

  it("shows nothing, and leaves no secret open, where an early version has written the outputs", async () => {
    const news = await program(pulumi.secret(text));
    const { inputs, outputs } = await made(news);
    const { __internal, __recorded, ...own } = outputs;
    assert.ok(__internal !== undefined && __recorded !== undefined);
    const hidden = { owner: "o/p/s", model: "cosi-2020-07", schemaVersion: 1 };
    const early = Object.fromEntries(Object.entries(hidden).map(([key, value]) => [`__${key}`, value]));
    let state: State = { inputs, outputs: { ...own, ...early } };
    for (let times = 0; times < 3; times++) {
      state = await refreshed(state);
      assert.ok(holdsSecret(state.inputs) && holdsSecret(state.outputs));
      requireClosed(state);
      await requireEmptyPreview(state, news);
    }
  });

  it("shows nothing where an early version has written marks into a text of the inputs", async () => {
    const news = await program(path);
    const { inputs, outputs } = await made(news);
    const mark = "{'4dabf18193072939515e22adb298388d':'1b47061264138c4ac30d75fd1eb44270','value':";
    const __kubernetes = String(inputs["__kubernetes"]).replace(`'${path}'`, `${mark}'${path}'}`);
    assert.ok(__kubernetes.includes(mark));
    const state = { inputs: { ...inputs, __kubernetes }, outputs };
    await requireEmptyPreview(state, news);
    await requireEmptyPreview(await refreshed(await refreshed(state)), news);
  });
});
