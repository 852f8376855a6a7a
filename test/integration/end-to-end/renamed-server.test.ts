import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Cluster } from "../../support/end-to-end/cluster";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

interface Kubeconfig {
  readonly "current-context": string;
  readonly clusters: readonly { readonly cluster: { "certificate-authority-data": string } }[];
}

describe("an API server that a kubeconfig names anew", function () {
  this.timeout(240_000);
  let cluster: Cluster;
  let driver: WatchedDriver;
  let stack: Stack;
  /** The kubeconfig's text, and the same with a renewed bundle of certificate authorities. */
  let text: string;
  let renewed: string;
  let context: string;
  /** Paths of them. */
  let file: string;
  let renewedFile: string;
  let folder: string;

  /** @param where The components' arguments for their cluster. */
  const program = (where: string): string => `
import * as cosi from "pulumi-cosi";
const where = ${where};
const driver = new cosi.Driver("store", { endpoint: "${driver.fake.endpoint}" });
const gold = new cosi.objectstorage.BucketClass("gold", { driver, ...where });
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key", ...where });
const photos = new cosi.objectstorage.BucketClaim("photos", {
  namespace: "shop", protocols: ["S3"], bucketClass: gold, ...where,
});
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace: "shop", bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds", ...where,
});
`;
  const ofComponents = (kubeconfig: string): string =>
    program(`{ kubeconfig: ${JSON.stringify(kubeconfig)} }`);
  const configure = (key: string, value: string): Promise<string> =>
    stack.succeed(["config", "set", `kubernetes:${key}`, value]);
  const provisionerCalls = (): string[] =>
    driver.fake.paths().filter((name) => name.endsWith("Bucket") || name.endsWith("Access"));

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    await cluster.createNamespace("shop");
    file = cluster.plane.kubeconfig;
    text = fs.readFileSync(file, "utf8");
    const config = JSON.parse(text) as Kubeconfig;
    context = config["current-context"];
    for (const { cluster: named } of config.clusters) {
      const authority = Buffer.from(named["certificate-authority-data"], "base64").toString();
      named["certificate-authority-data"] = Buffer.from(`${authority}${authority}`).toString("base64");
    }
    renewed = JSON.stringify(config);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "kubeconfig-"));
    renewedFile = path.join(folder, "renewed.json");
    fs.writeFileSync(renewedFile, renewed, { mode: 0o600 });
  });

  beforeEach(async () => {
    driver = await new WatchedDriver().start();
  });

  afterEach(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  after(async () => {
    fs.rmSync(folder, { recursive: true });
    await cluster.stop();
  });

  it("is the same one in the components' own: an update of the provider, and no object is replaced", async () => {
    stack = await Stack.create({ source: ofComponents(text) }, quickProgram);
    await stack.up();
    const calls = provisionerCalls();
    stack.write(ofComponents(renewed));
    const planned = await stack.plannedSteps();
    assert.deepEqual(new Set(planned.map(({ op }) => op)), new Set(["update"]));
    await stack.up();
    assert.deepEqual(provisionerCalls(), calls);
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.destroy();
    assert.deepEqual(await cluster.objects("shop"), []);
  });

  it("that is another cluster is refused before the components' own provider is told of it", async () => {
    const other = await Cluster.start({ controllerManager: false });
    try {
      stack = await Stack.create({ source: ofComponents(text) }, quickProgram);
      await stack.up();
      stack.write(ofComponents(fs.readFileSync(other.plane.kubeconfig, "utf8")));
      assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), /belongs to another cluster than/);
      assert.equal((await stack.state()).text.includes(other.plane.server), false);
      stack.write(ofComponents(text));
      await stack.succeed(["preview", "--expect-no-changes"]);
      await stack.destroy();
      assert.deepEqual(await cluster.objects("shop"), []);
    } finally {
      await other.stop();
    }
  });

  const refused = /kubernetes:kubeconfig says something else about https:\S+, .* than at the last update/;

  it("is refused in the stack's config before anything is replaced, and taken with an identifier", async () => {
    stack = await Stack.create({ source: program("{}") }, quickProgram);
    await configure("kubeconfig", file);
    await stack.up();
    await stack.succeed(["refresh", "--yes", "--expect-no-changes"]);
    const calls = provisionerCalls();

    await configure("kubeconfig", renewedFile);
    assert.match(await stack.fail(["preview"]), refused);
    assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), refused);
    // @pulumi/kubernetes heeds an identifier that was there before.
    await configure("clusterIdentifier", "mine");
    assert.match(await stack.fail(["preview"]), refused);

    await configure("kubeconfig", file);
    await stack.up();
    await configure("kubeconfig", renewedFile);
    await stack.up();
    assert.deepEqual(provisionerCalls(), calls);
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.succeed(["preview", "--refresh", "--expect-no-changes"]);
    await configure("clusterIdentifier", "yours");
    assert.match(await stack.fail(["preview"]), /clusterIdentifier is yours, and was mine/);
    await configure("clusterIdentifier", "mine");
    await stack.destroy();
    assert.deepEqual(await cluster.objects("shop"), []);
  });

  it("is taken out of the environment where the former name is dead, and by the config again after that", async () => {
    stack = await Stack.create({ source: program("{}") }, quickProgram);
    await configure("kubeconfig", file);
    await stack.up();
    const calls = provisionerCalls();
    await stack.succeed(["config", "rm", "kubernetes:kubeconfig"]);
    await stack.up({ KUBECONFIG: renewedFile });
    await configure("clusterIdentifier", "mine");
    await configure("kubeconfig", renewedFile);
    await stack.up();
    assert.deepEqual(provisionerCalls(), calls);
    await stack.destroy();
    assert.deepEqual(await cluster.objects("shop"), []);
  });

  it("is that of the stack's config for a component that has a context alone, whatever the environment has", async () => {
    stack = await Stack.create(
      { source: program(`{ context: ${JSON.stringify(context)} }`) },
      { KUBECONFIG: "/nowhere/kubeconfig", ...quickProgram },
    );
    await configure("kubeconfig", file);
    await stack.up();
    assert.ok((await cluster.objects("shop")).length > 4);
    await stack.destroy();
    assert.deepEqual(await cluster.objects("shop"), []);
  });

  it("leaves nothing of the machine in the state where a component has a context alone", async () => {
    stack = await Stack.create(
      { source: program(`{ context: ${JSON.stringify(context)} }`) },
      { ...cluster.variables, ...quickProgram },
    );
    await stack.up();
    assert.equal((await stack.state()).text.includes(file), false);
    await stack.destroy();
  });
});
