import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { Stack, type CommandResult } from "../../support/stack";
import { StrictDriver } from "../../support/strict-driver";
import { plainPack, violationsIn, writePolicyPack } from "./policy-pack";

/** What a change does wrong, in words of the program, or does not. */
interface Words {
  readonly policy: "Delete" | "Retain";
  readonly reclaimPolicy: string;
  readonly anonymous: "private" | "rw";
  readonly namespace: string;
  readonly driverName: string;
}

const wrong: Words = {
  policy: "Delete",
  reclaimPolicy: "",
  anonymous: "rw",
  namespace: "kube-system",
  driverName: "evil.example.com",
};
const right: Words = {
  policy: "Retain",
  reclaimPolicy: 'reclaimPolicy: "Retain",',
  anonymous: "private",
  namespace: "shop",
  driverName: "cosi.example.com",
};

/** Buckets with and without a cluster, by two contracts. Nobody answers there, which a preview does not notice. */
const program = ({ policy, reclaimPolicy, anonymous, namespace, driverName }: Words): string => `
import * as k8s from "@pulumi/kubernetes";
import * as cosi from "pulumi-cosi";
const [policy, namespace] = ["${policy}", "${namespace}"] as const;
const driver = new cosi.Driver("store", { endpoint: "unix:///run/nobody.sock", driverName: "${driverName}" });
const gold = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: policy });
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace, bucketClass: gold, protocols: ["S3"] });
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
});
const july = new cosi.Driver("july", {
  endpoint: "unix:///run/nobody.sock", contract: "cosi-2020-07", driverName: "rgw/cosi.example.com",
});
const bare = new cosi.Bucket("bare", { driver: july, anonymousAccess: "${anonymous}" });
const access = new cosi.BucketAccess("bare-rw", { bucket: bare });
new k8s.core.v1.Secret("copy", {
  metadata: { namespace }, stringData: { key: access.accessSecretKey.apply((key) => key ?? "") },
});
new k8s.storage.v1.StorageClass("archive", {
  provisioner: "cosi.objectbucket.io/cosi.example.com", ${reclaimPolicy} parameters: { bucketName: "archive-2019" },
});
`;

const pack = `import { cosiPolicyPack } from "pulumi-cosi/policy";

cosiPolicyPack("storage", {
  config: {
    "cosi-no-delete-in-production": { productionStacks: ["te*"] },
    "cosi-allowed-drivers": { drivers: ["*cosi.example.com"] },
  },
});
`;

describe("the policy pack, as the CLI runs it", function () {
  this.timeout(600_000);
  let stack: Stack;

  before(async () => {
    stack = await Stack.create({ source: program(wrong) });
  });
  after(() => stack.remove());

  const write = (name: string, source: string): string =>
    writePolicyPack(path.join(stack.environment.folder, name), source);
  const preview = (...args: readonly string[]): Promise<CommandResult> =>
    stack.run(["preview", "--policy-pack", ...args]);

  it("fails the preview of a change that breaks the rules, and says of each resource what to do", async () => {
    const result = await preview(write("pack", pack));
    assert.notEqual(result.code, 0);
    assert.deepEqual(violationsIn(result), [
      "mandatory cosi-allowed-drivers kubernetes:objectstorage.k8s.io/v1alpha1:BucketAccessClass: keys",
      "mandatory cosi-allowed-drivers kubernetes:objectstorage.k8s.io/v1alpha1:BucketClass: gold",
      "mandatory cosi-allowed-drivers pulumi-nodejs:dynamic/cosi:Bucket: photos",
      "mandatory cosi-allowed-drivers pulumi-nodejs:dynamic/cosi:BucketAccess: photos-rw",
      "mandatory cosi-allowed-drivers pulumi-nodejs:dynamic/cosi:Driver: store",
      "mandatory cosi-brownfield-needs-retain kubernetes:storage.k8s.io/v1:StorageClass: archive",
      "mandatory cosi-copied-credentials-in-named-namespaces kubernetes:core/v1:Secret: copy",
      "mandatory cosi-credentials-in-named-namespaces pulumi-nodejs:dynamic/cosi/kubernetes:Secret: photos-rw",
      "mandatory cosi-no-anonymous-write pulumi-nodejs:dynamic/cosi:Bucket: bare",
      "mandatory cosi-no-delete-in-production kubernetes:objectstorage.k8s.io/v1alpha1:BucketClass: gold",
      "mandatory cosi-no-delete-in-production kubernetes:storage.k8s.io/v1:StorageClass: archive",
      "mandatory cosi-no-delete-in-production pulumi-nodejs:dynamic/cosi:Bucket: photos",
    ]);
    assert.equal(result.text.match(/Next: /g)?.length, violationsIn(result).length);
    for (const said of [
      'Bucket photos: deletionPolicy is "Delete", and stack test is production (by its name)',
      'Bucket bare: anonymousAccess is "rw", by which anybody may write without credentials',
      'StorageClass archive: reclaimPolicy is missing, which means "Delete" beside parameters.bucketName "archive-2019"',
      'Secret photos-rw: namespace is "kube-system", and credentials may not be in "default", "kube-*"',
      'Secret copy, with what comes from BucketAccess bare-rw: metadata.namespace is "kube-system"',
      'Driver store: driverName is "evil.example.com", and the allowed drivers are "*cosi.example.com"',
    ]) {
      assert.ok(result.text.includes(said), said);
    }
  });

  it("takes a level and settings from a file, which goes before those of the pack", async () => {
    const file = path.join(stack.environment.folder, "settings.json");
    const settings = {
      all: "advisory",
      "cosi-allowed-drivers": { drivers: ["*"] },
      "cosi-no-delete-in-production": { productionStacks: [] },
      "cosi-credentials-in-named-namespaces": { except: ["photos-*"] },
      "cosi-copied-credentials-in-named-namespaces": "disabled",
    };
    fs.writeFileSync(file, JSON.stringify(settings));
    const result = await preview(write("pack", pack), "--policy-pack-config", file);
    assert.equal(result.code, 0, result.text);
    assert.deepEqual(violationsIn(result), [
      "advisory cosi-brownfield-needs-retain kubernetes:storage.k8s.io/v1:StorageClass: archive",
      "advisory cosi-no-anonymous-write pulumi-nodejs:dynamic/cosi:Bucket: bare",
    ]);
  });

  it("marks production by a tag of the stack, without any setting", async () => {
    const plain = write("plain", plainPack);
    const production = async (): Promise<string[]> =>
      violationsIn(await preview(plain)).filter((violation) => violation.includes("production"));
    assert.deepEqual(await production(), []);
    await stack.succeed(["stack", "tag", "set", "environment", "production"]);
    assert.equal((await production()).length, 3);
  });

  it("lets the same change pass once it keeps to the rules", async () => {
    stack.write(program(right));
    const result = await preview(write("pack", pack));
    assert.equal(result.code, 0, result.text);
    assert.deepEqual(violationsIn(result), []);
    assert.match(result.text, /storage@v1\.2\.3/);
  });
});

describe("the policy pack, where a driver tells its name at up", function () {
  this.timeout(600_000);
  let stack: Stack;
  let driver: StrictDriver;

  before(async () => {
    driver = await new StrictDriver("strange.example.com").start();
    stack = await Stack.create({
      source: `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(driver.fake.endpoint)} });
new cosi.Bucket("photos", { driver });
`,
    });
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  const allowing = (name: string): string =>
    writePolicyPack(
      path.join(stack.environment.folder, "pack"),
      `import { cosiPolicyPack } from "pulumi-cosi/policy";
cosiPolicyPack("storage", { config: { "cosi-allowed-drivers": { drivers: ["${name}"] } } });
`,
    );

  it("raises no false alarm in the preview, and stops the up before the first bucket is asked for", async () => {
    const pack = allowing("cosi.example.com");
    const previewed = await stack.run(["preview", "--policy-pack", pack]);
    assert.equal(previewed.code, 0, previewed.text);
    assert.deepEqual(violationsIn(previewed), []);
    const result = await stack.run(["up", "--yes", "--skip-preview", "--policy-pack", pack]);
    assert.notEqual(result.code, 0);
    assert.deepEqual(violationsIn(result), [
      "mandatory cosi-allowed-drivers pulumi-nodejs:dynamic/cosi:Bucket: photos",
    ]);
    assert.deepEqual(driver.rpcs(), []);
  });

  it("lets the up make it with a driver of the list", async () => {
    await stack.succeed(["up", "--yes", "--skip-preview", "--policy-pack", allowing("strange.*")]);
    assert.deepEqual(driver.rpcs(), ["Create"]);
  });
});
