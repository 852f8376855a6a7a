import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "../../index";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { provider as deploymentProvider } from "../../provider/deployment/provider";
import { isInternal } from "../../provider/dynamic/internal-properties";
import { withoutHidden } from "../../provider/dynamic/state-properties";
import { everyComponent } from "../support/components/every-component";
import { Lifecycle, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { run } from "./objectstorage/mocks";

/** What a program asks the engine for. */
interface Asked {
  /** As the engine gets them. */
  readonly inputs: Properties;
  readonly ignoreChanges: readonly string[];
}

/** @returns What a program registers, by `<type> <name>`. */
async function askedBy(program: () => void, preview = false): Promise<Map<string, Asked>> {
  const options = new Map<string, string[]>();
  const inputs = new Map<string, Properties>();
  await run(
    () => {
      const monitor = pulumi.runtime.getMonitor() ?? assert.fail("there is no monitor");
      const register = monitor.registerResource.bind(monitor);
      monitor.registerResource = (request, callback) => {
        if (typeof callback !== "function") throw new Error("a registration has no metadata");
        options.set(`${request.getType()} ${request.getName()}`, request.getIgnorechangesList());
        return register(request, callback);
      };
      program();
    },
    {
      preview,
      answer: ({ type, name, inputs: given }) => {
        inputs.set(`${type} ${name}`, wire(given));
        return preview ? { id: name, state: given as object } : undefined;
      },
    },
  );
  return new Map(
    [...inputs].map(([key, given]) => [key, { inputs: given, ignoreChanges: options.get(key) ?? [] }]),
  );
}

/** As the engine does it before a check: what stands at the path in the old inputs is put into the new ones. */
function reset(path: string, olds: unknown, news: unknown): void {
  const [key = "", ...below] = path.split(".");
  if (typeof news !== "object" || news === null) return;
  const [old, now] = [olds, news].map((of): unknown => Reflect.get(Object(of), key));
  if (below.length > 0) reset(below.join("."), old, now);
  else if (old === undefined) Reflect.deleteProperty(news, key);
  else Reflect.set(news, key, old);
}

/** Plans the second program on the state of the first. */
async function planOf(
  provider: unknown,
  type: string,
  first: () => void,
  second: () => void,
): Promise<{ olds: Properties; checked: Properties; changes: boolean | undefined }> {
  const resource = new Lifecycle(provider);
  const key = `pulumi-nodejs:dynamic/${type} photos`;
  const of = async (program: () => void): Promise<Asked> =>
    (await askedBy(program)).get(key) ?? assert.fail(`no ${key}`);
  const [before, now] = [await of(first), await of(second)];
  beginRun();
  const { inputs: olds, failures } = await resource.check({}, before.inputs);
  assert.deepEqual(failures, []);
  beginRun();
  const news = structuredClone(now.inputs);
  for (const path of now.ignoreChanges) reset(path, olds, news);
  const { inputs: checked } = await resource.check(olds, news);
  const made = { bucketId: "b", deploymentId: "b", adopted: false };
  const { changes } = await resource.diff({ ...olds, ...made }, checked);
  return { olds: withoutHidden(olds), checked: withoutHidden(checked), changes };
}

describe("what ignoreChanges names", function () {
  this.timeout(120_000);

  const endpoint = "unix:///run/cosi/cosi.sock";
  type Policy = "Delete" | "Retain" | undefined;
  type Options = pulumi.ComponentResourceOptions;

  const claim = (deletionPolicy: Policy, opts?: Options) => () => {
    const driver = new cosi.Driver("store", { endpoint });
    const bucketClass = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
    const own = deletionPolicy === undefined ? {} : { deletionPolicy };
    const args = { namespace: "shop", bucketClass, protocols: ["S3"], ...own };
    new cosi.objectstorage.BucketClaim("photos", args, opts);
  };
  const request = (deletionPolicy: Policy, opts?: Options) => () => {
    const driver = new cosi.Driver("store", { endpoint, contract: "deployment.v1alpha1" });
    const small = { driver, deletionPolicy: "Delete" } as const;
    const deploymentClass = new cosi.deployment.DeploymentClass("small", small);
    const own = deletionPolicy === undefined ? {} : { deletionPolicy };
    new cosi.deployment.DeploymentRequest("photos", { namespace: "shop", deploymentClass, ...own }, opts);
  };

  for (const [what, type, provider, program] of [
    ["a claim", "cosi:Bucket", bucketProvider, claim],
    ["a request", "cosi:Deployment", deploymentProvider, request],
  ] as const) {
    for (const [before, now] of [
      [undefined, "Retain"],
      // The word that says what the class says.
      [undefined, "Delete"],
      ["Retain", "Delete"],
      ["Retain", undefined],
    ] as const) {
      it(`plans no update of ${what}: deletionPolicy ${String(before)}, then ${String(now)}`, async () => {
        const ignoring = program(now, { ignoreChanges: ["deletionPolicy"] });
        const { olds, checked, changes } = await planOf(provider, type, program(before), ignoring);
        assert.equal(changes, false);
        assert.deepEqual(checked, olds);
        // Without the option there is one.
        assert.equal((await planOf(provider, type, program(before), program(now))).changes, true);
      });
    }
  }

  const bucket = (token: pulumi.Input<string>, opts?: Options) => () => {
    new cosi.Bucket(
      "photos",
      { driver: new cosi.Driver("store", { endpoint }), parameters: { token } },
      opts,
    );
  };

  it("stays secret for the provider, which else would tell the old value", async () => {
    const ignoring = bucket("none", { ignoreChanges: ["parameters"] });
    const before = bucket(pulumi.secret("t0ken"));
    const { checked, changes } = await planOf(bucketProvider, "cosi:Bucket", before, ignoring);
    assert.deepEqual([checked["parameters"], checked["secretParameters"]], [{ token: "t0ken" }, true]);
    assert.equal(changes, false);
  });

  it("is not marked as secret by a value that is ignored", async () => {
    const ignoring = bucket(pulumi.secret("t0ken"), { ignoreChanges: ["parameters"] });
    const { olds, checked, changes } = await planOf(bucketProvider, "cosi:Bucket", bucket("none"), ignoring);
    assert.deepEqual(checked, olds);
    assert.equal(changes, false);
  });

  it("is no property that is kept in a text, where no path leads", async () => {
    const asked = await askedBy(() => {
      for (const [index, { ignorable, make }] of everyComponent(cosi).entries()) {
        const opts = ignorable.map((argument) => ({ ignoreChanges: [argument] }));
        for (const [place, each] of opts.entries()) make(`made-${index}-${place}`, each);
      }
    }, true);
    const paths = [...asked]
      .filter(([key]) => key.includes("dynamic/"))
      .flatMap(([, { ignoreChanges }]) => ignoreChanges);
    assert.ok(paths.length > 0);
    assert.deepEqual(
      paths.filter((path) => isInternal(path.split(".")[0] ?? "")),
      [],
    );
  });
});
