import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as objectstorage from "../../../components/objectstorage";
import { Driver } from "../../../provider/driver-resource/driver";
import { only, run } from "../objectstorage/mocks";

describe("the kubernetes provider of a component's cluster", function () {
  this.timeout(60_000);

  let ofEnvironment: string | undefined;

  beforeEach(() => {
    ofEnvironment = process.env["KUBECONFIG"];
    process.env["KUBECONFIG"] = "/home/somebody/kubeconfig";
  });

  afterEach(() => {
    if (ofEnvironment === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = ofEnvironment;
    pulumi.runtime.setAllConfig({});
  });

  const makeClass = (cluster: objectstorage.ClusterArgs) =>
    run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      new objectstorage.BucketClass("gold", { driver, ...cluster });
    });
  const providerOf = async (cluster: objectstorage.ClusterArgs) => {
    const registered = await makeClass(cluster);
    const [provider, ...others] = registered.filter(({ type }) => type === "pulumi:providers:kubernetes");
    assert.deepEqual(others, []);
    const { kubeconfig, context, clusterIdentifier } = provider?.inputs ?? {};
    const { kubernetes } = only(registered, "CustomResourceDefinitions").inputs;
    return { provider: { kubeconfig, context, clusterIdentifier }, kubernetes };
  };
  const clusterIdentifier = "pulumi-cosi";

  it("has what the component says, and an identifier by which a renewed authority replaces nothing", async () => {
    assert.deepEqual(await providerOf({ kubeconfig: "path/of/a", context: "blue" }), {
      provider: { kubeconfig: "path/of/a", context: "blue", clusterIdentifier },
      kubernetes: { kubeconfig: "path/of/a", context: "blue" },
    });
  });

  it("has the stack's kubeconfig beside a context, as dynamic resources have", async () => {
    pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": "path/of/stack", "kubernetes:context": "green" });
    const { provider } = await providerOf({ context: "blue" });
    assert.deepEqual(provider, { kubeconfig: "path/of/stack", context: "blue", clusterIdentifier });
  });

  it("takes nothing of the environment into the state", async () => {
    const { provider } = await providerOf({ context: "blue" });
    assert.deepEqual(provider, { kubeconfig: undefined, context: "blue", clusterIdentifier });
  });

  it("is none for a component that says nothing; what sends Pulumi's default one elsewhere is refused", async () => {
    const registered = await makeClass({});
    assert.deepEqual(
      registered.filter(({ type }) => type === "pulumi:providers:kubernetes"),
      [],
    );
    const elsewhere = { "kubernetes:cluster": "b", "kubernetes:renderYamlToDirectory": "rendered" };
    pulumi.runtime.setAllConfig(elsewhere);
    await providerOf({ kubeconfig: "path/of/a" });
    for (const [key, value] of Object.entries(elsewhere)) {
      pulumi.runtime.setAllConfig({ [key]: value });
      await assert.rejects(
        makeClass({}),
        /objectstorage: only @pulumi\/kubernetes obeys kubernetes:\w+ of the stack's config, .* Next: take it out of the config/,
      );
    }
  });
});
