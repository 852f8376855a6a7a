import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { givenControlPlane } from "../../../tools/local/given-control-plane";
import { givenStore } from "../../../tools/local/given-store";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("a cluster of the user's", () => {
  const folder = temporaryFolder();
  const write = async (current: string) => {
    const path = join(folder(), "kubeconfig");
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server: "https://cluster.example:6443" } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "mine", context: { cluster: "c", user: "u" } }],
      "current-context": current,
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  };

  it("is taken from the kubeconfig that is named, and never stopped", async () => {
    const kubeconfig = await write("mine");
    const given = await givenControlPlane({ PULUMI_COSI_TEST_KUBECONFIG: kubeconfig });
    assert.ok(given);
    assert.deepEqual(
      { ...given, stop: undefined },
      { kubeconfig, server: "https://cluster.example:6443", token: undefined, local: false, stop: undefined },
    );
    await given.stop();
  });

  it("is none when no kubeconfig is named", async () => {
    assert.equal(await givenControlPlane({}), undefined);
    assert.equal(await givenControlPlane({ PULUMI_COSI_TEST_KUBECONFIG: "" }), undefined);
  });

  it("is an error that names the file when that is missing or its context is", async () => {
    const missing = join(folder(), "missing");
    await assert.rejects(
      givenControlPlane({ PULUMI_COSI_TEST_KUBECONFIG: missing }),
      new RegExp(`PULUMI_COSI_TEST_KUBECONFIG names ${missing}, which cannot be read`),
    );
    const other = await write("other");
    await assert.rejects(
      givenControlPlane({ PULUMI_COSI_TEST_KUBECONFIG: other }),
      new RegExp(`names ${other}, whose current context "other" has no cluster`),
    );
  });
});

describe("a store of the user's", () => {
  const variables = {
    PULUMI_COSI_TEST_S3_ENDPOINT: "https://store.example",
    PULUMI_COSI_TEST_S3_ACCESS_KEY_ID: "id",
    PULUMI_COSI_TEST_S3_SECRET_ACCESS_KEY: "secret",
  };

  it("is taken from the variables, with us-east-1 as the default region", () => {
    const access = {
      endpoint: "https://store.example",
      accessKeyId: "id",
      secretAccessKey: "secret",
      local: false,
    };
    const given = givenStore(variables);
    assert.deepEqual({ ...given, stop: undefined }, { ...access, region: "us-east-1", stop: undefined });
    const elsewhere = givenStore({ ...variables, PULUMI_COSI_TEST_S3_REGION: "eu-west-1" });
    assert.equal(elsewhere?.region, "eu-west-1");
  });

  it("is none without an endpoint, and an error that names the variables when its administrator is missing", () => {
    assert.equal(givenStore({}), undefined);
    assert.throws(
      () => givenStore({ PULUMI_COSI_TEST_S3_ENDPOINT: "https://store.example" }),
      /PULUMI_COSI_TEST_S3_ACCESS_KEY_ID and PULUMI_COSI_TEST_S3_SECRET_ACCESS_KEY must be set too/,
    );
  });
});
