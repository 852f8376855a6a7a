import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../../provider/bucket-access/provider";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const unknown = pulumi.runtime.unknownValue;

describe("two accesses with one Secret", () => {
  const access = new Lifecycle(provider);

  beforeEach(beginRun);

  const inputsOf = (logicalName: string, change: Properties = {}): Properties => ({
    driver: driverReference("unix:///run/absent.sock"),
    logicalName,
    bucketName: "bucket-1",
    bucketId: "b-1",
    name: unknown,
    objects: {
      model: "objectstorage.k8s.io/v1alpha1",
      kubernetes: { kubeconfig: "one" },
      access: { namespace: "shop", name: logicalName, uid: unknown },
      bucket: { name: "bucket-1", uid: unknown },
      claim: { namespace: "shop", name: "photos" },
      secretName: "creds",
      ...change,
    },
  });
  const failuresOf = async (logicalName: string, change: Properties = {}) =>
    (await access.check({}, inputsOf(logicalName, change))).failures;

  it("fail in the preview, before anything is granted, and the error names both [CASE-C26]", async () => {
    assert.deepEqual(await failuresOf("reader"), []);
    assert.deepEqual(await failuresOf("writer"), [
      "objects Secret shop/creds is written by the access reader too: give each access a Secret of its own",
    ]);
    // Pulumi checks one resource twice where it plans a replacement.
    assert.deepEqual(await failuresOf("reader"), []);
    beginRun();
    assert.deepEqual(await failuresOf("writer"), []);
  });

  it("are two Secrets in other namespaces, in other clusters, or under other names", async () => {
    assert.deepEqual(await failuresOf("reader"), []);
    for (const change of [
      { access: { namespace: "bakery", name: "writer", uid: unknown } },
      { kubernetes: { kubeconfig: "two" } },
      { secretName: "others" },
      { secretName: unknown },
    ]) {
      assert.deepEqual(await failuresOf("writer", change), []);
    }
  });
});
