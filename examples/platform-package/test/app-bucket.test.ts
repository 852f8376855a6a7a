import assert from "node:assert/strict";
import { Driver } from "pulumi-cosi/core";
import { AppBucket, StoragePlatform, type AppBucketArgs, type Environment } from "../src";
import { run, valueOf, type Ran, type Registered } from "./program";

/** The program of a team, with changes. */
function program(environment: Environment, args: Partial<AppBucketArgs> = {}): Promise<Ran<AppBucket>> {
  return run(() => {
    const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
    const platform = new StoragePlatform("storage", { environment, driver });
    return new AppBucket("photos", { platform, team: "web", namespace: "shop", ...args });
  });
}

/** The one resource of a type; of the objects that @pulumi/kubernetes writes, by their kind. */
function only({ registered }: Ran<unknown>, type: string): Registered {
  const [found, ...others] = registered.filter(
    (resource) => resource.type === type || resource.inputs["kind"] === type,
  );
  if (found === undefined || others.length > 0) throw new Error(`${others.length} more of ${type}`);
  return found;
}

const all = ({ registered }: Ran<unknown>, type: string): Registered[] =>
  registered.filter((resource) => resource.type === type || resource.inputs["kind"] === type);

/** Where credentials are written to. */
const secretsOf = (ran: Ran<unknown>): string[] =>
  all(ran, "pulumi-nodejs:dynamic/cosi/kubernetes:Secret")
    .map(({ inputs }) => `${String(inputs["namespace"])}/${String(inputs["name"])}`)
    .sort();

describe("AppBucket", () => {
  it("keeps the data in production, and deletes it with the bucket in development", async () => {
    for (const [environment, policy] of [
      ["production", "Retain"],
      ["development", "Delete"],
    ] as const) {
      const ran = await program(environment);
      const { inputs } = only(ran, "pulumi-nodejs:dynamic/cosi:Bucket");
      assert.equal(inputs["deletionPolicy"], policy);
    }
  });

  it("protects the claim, and all that it has, in production only", async () => {
    const protectedIn = async (environment: Environment): Promise<boolean | undefined> =>
      (await program(environment)).options.get("cosi:objectstorage:BucketClaim::photos")?.protect;
    assert.equal(await protectedIn("production"), true);
    assert.equal(await protectedIn("development"), undefined);
  });

  it("has the quota of its size", async () => {
    const quotaOf = async (args: Partial<AppBucketArgs>): Promise<unknown> =>
      only(await program("development", args), "pulumi-nodejs:dynamic/cosi:Bucket").inputs["parameters"];
    assert.deepEqual(await quotaOf({}), { maxSize: "10G" });
    assert.deepEqual(await quotaOf({ size: "large" }), { maxSize: "1T", versioning: "true" });
  });

  it("names the claim after team and bucket", async () => {
    const { inputs } = only(await program("development"), "BucketClaim");
    const { name, namespace, labels } = inputs["metadata"] as Record<string, unknown>;
    assert.deepEqual(
      { name, namespace, labels },
      { name: "web-photos", namespace: "shop", labels: { "acme.example/team": "web" } },
    );
  });

  it("writes one Secret of a fixed name, into the namespace of the app", async () => {
    const ran = await program("production");
    assert.deepEqual(secretsOf(ran), ["shop/photos-bucket"]);
    assert.equal(await valueOf(ran.result.secretName), "photos-bucket");
    assert.equal(ran.result.readerSecretName, undefined);
  });

  it("has a second Secret for readers, of an account that lists and reads only", async () => {
    const ran = await program("development", { readers: true });
    assert.deepEqual(secretsOf(ran), ["shop/photos-bucket", "shop/photos-bucket-reader"]);
    const modes = all(ran, "pulumi-nodejs:dynamic/cosi:BucketAccess").map(({ name, inputs }) => [
      name,
      inputs["parameters"],
    ]);
    assert.deepEqual(Object.fromEntries(modes), {
      "photos-read-write": { accessMode: "rw" },
      "photos-read-only": { accessMode: "ro" },
    });
  });
});
