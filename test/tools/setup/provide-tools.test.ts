import assert from "node:assert/strict";

import { toolsOfDemo, toolsOfTests } from "../../../tools/setup/provide-tools";

describe("the tools that are made ready before the tests", () => {
  it("are all of them on a machine that gives nothing", () => {
    assert.deepEqual(toolsOfTests({}), [
      "pulumi",
      "pulumi-language-nodejs",
      "pulumi-resource-kubernetes",
      "etcd",
      "kube-apiserver",
      "kube-controller-manager",
      "weed",
      "pulumi-language-yaml",
      "actionlint",
      "cosi-recorder",
      "cosi-recorder-v0.1",
    ]);
  });

  it("of the demo leave out the control plane and the store when the user gives them", () => {
    const given = {
      PULUMI_COSI_TEST_KUBECONFIG: "kubeconfig",
      PULUMI_COSI_TEST_S3_ENDPOINT: "http://127.0.0.1:1",
    };
    assert.deepEqual(toolsOfDemo(given), ["pulumi", "pulumi-language-nodejs", "pulumi-resource-kubernetes"]);
  });
});
