import assert from "node:assert/strict";
import * as path from "node:path";
import { linkPlugin } from "../../support/linked-plugin";
import { Stack } from "../../support/stack";
import { violationsIn, writePolicyPack } from "./policy-pack";

/** Resources by their types, as a program in a language without an SDK has them. Nobody answers, which a preview does not notice. */
const program = `
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
class Cosi extends pulumi.CustomResource {
  declare readonly accessSecretKey: pulumi.Output<string>;
  constructor(kind: string, name: string, inputs: pulumi.Inputs) {
    super(\`cosi:index:\${kind}\`, name, { accessSecretKey: undefined, ...inputs });
  }
}
const driver = {
  endpoint: "unix:///run/nobody.sock", driverName: "evil.example.com", seed: "0123456789abcdef", contract: "cosi.v1alpha1",
};
new Cosi("Driver", "store", { endpoint: driver.endpoint, driverName: driver.driverName });
new Cosi("Bucket", "photos", { driver, deletionPolicy: "Delete" });
const access = new Cosi("BucketAccess", "photos-rw", { bucket: { name: "photos", bucketId: "photos", driver } });
new k8s.core.v1.Secret("copy", { metadata: { namespace: "default" }, stringData: { key: access.accessSecretKey } });
`;

const pack = `import { cosiPolicyPack } from "pulumi-cosi/policy";

cosiPolicyPack("storage", {
  config: {
    "cosi-no-delete-in-production": { productionStacks: ["te*"] },
    "cosi-allowed-drivers": { drivers: ["cosi.example.com"] },
  },
});
`;

describe("the policy pack, for a program in another language", function () {
  this.timeout(600_000);
  let stack: Stack;

  before(async () => {
    stack = await Stack.create({ source: program });
    linkPlugin(stack);
  });
  after(() => stack.remove());

  it("refuses what it refuses of dynamic resources", async () => {
    const file = writePolicyPack(path.join(stack.environment.folder, "pack"), pack);
    const result = await stack.run(["preview", "--policy-pack", file]);
    assert.notEqual(result.code, 0);
    assert.deepEqual(
      violationsIn(result),
      [
        "mandatory cosi-allowed-drivers cosi:index:Bucket: photos",
        "mandatory cosi-allowed-drivers cosi:index:BucketAccess: photos-rw",
        "mandatory cosi-allowed-drivers cosi:index:Driver: store",
        "mandatory cosi-copied-credentials-in-named-namespaces kubernetes:core/v1:Secret: copy",
        "mandatory cosi-no-delete-in-production cosi:index:Bucket: photos",
      ],
      result.text,
    );
  });
});
