import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { sleep } from "../../../provider/driver/call/retry";
import type { KubernetesObject } from "../../../provider/kubernetes/object";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Cluster } from "../../support/end-to-end/cluster";
import { quickProgram } from "../../support/end-to-end/program";
import { recorded } from "../../support/end-to-end/recorded";
import { WatchedDriver, type ProvisionerCall } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const namespace = "shop";
const claims = 25;

/** CLAIMS in its environment says how many claims there are. */
const claimProgram = (endpoint: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
const gold = new cosi.objectstorage.BucketClass("gold", {
  driver, deletionPolicy: "Delete", parameters: { color: "gold" },
});
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
for (let number = 1; number <= Number(process.env["CLAIMS"]); number += 1) {
  const bucketClaim = new cosi.objectstorage.BucketClaim(\`c\${number}\`, {
    namespace: "${namespace}", bucketClass: gold, protocols: ["S3"],
  });
  new cosi.objectstorage.BucketAccess(\`c\${number}-rw\`, {
    namespace: "${namespace}", bucketClaim, bucketAccessClass: keys, credentialsSecretName: \`c\${number}-creds\`,
  });
}
`;

const bucketProgram = (endpoint: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
for (const [name, deletionPolicy] of [["going", "Delete"], ["stuck", "Delete"], ["staying", undefined]] as const) {
  const bucket = new cosi.Bucket(name, { driver, name, deletionPolicy });
  for (let number = 1; number <= 5; number += 1) {
    new cosi.BucketAccess(\`\${name}-\${number}\`, { bucket, name: \`\${name}-\${number}\` });
  }
}
`;

describe("many buckets, on a real API server without a controller", function () {
  this.timeout(400_000);

  describe("25 claims with an access each", () => {
    let cluster: Cluster;
    let driver: WatchedDriver;
    let stack: Stack;
    /** What the cluster holds of a claim while a call about it is under way, by RPC. */
    const seen: Record<ProvisionerCall["rpc"], Sight[]> = { create: [], grant: [], revoke: [], delete: [] };

    before(async () => {
      cluster = await Cluster.start({ controllerManager: false });
      await cluster.createNamespace(namespace);
      driver = new WatchedDriver();
      driver.meanwhile = async (call) => {
        seen[call.rpc].push(await look(cluster, call));
        return undefined;
      };
      const source = claimProgram(driver.fake.endpoint);
      stack = await Stack.create(
        { source },
        { ...cluster.variables, ...quickProgram, CLAIMS: String(claims) },
      );
    });
    after(async () => {
      await stack.remove();
      driver.fake.stop();
      await cluster.stop();
    });

    it("previews while the driver's socket is absent, and sends nothing when it is there [OS1-076]", async () => {
      const absent = await stack.succeed(["preview"], { CLAIMS: "1" });
      await driver.start();
      const present = await stack.succeed(["preview"], { CLAIMS: "1" });
      for (const text of [absent, present]) assert.match(text, /\+ \d+ to create/);
      assert.deepEqual(driver.counts(), {});
    });

    it("makes each bucket and each access with one call, after one DriverGetInfo", async () => {
      await stack.up();
      assert.equal(driver.fake.paths()[0], "DriverGetInfo");
      assert.deepEqual(driver.counts(), {
        DriverGetInfo: 1,
        DriverCreateBucket: claims,
        DriverGrantBucketAccess: claims,
      });
      assert.equal(new Set(driver.fake.bodies("DriverCreateBucket")).size, claims);
      assert.equal(new Set(driver.fake.bodies("DriverGrantBucketAccess")).size, claims);
    });

    it("sends nothing in two further runs, so a bucket is created once in its life [GRPC-011]", async () => {
      driver.forget();
      for (let run = 0; run < 2; run += 1) assert.match(await stack.up(), /\d+ unchanged/);
      assert.deepEqual(driver.counts(), {});
    });

    it("revokes every access before it deletes its bucket [CASE-C19]", async () => {
      driver.forget();
      await stack.destroy();
      assert.deepEqual(driver.counts(), {
        DriverGetInfo: 1,
        DriverRevokeBucketAccess: claims,
        DriverDeleteBucket: claims,
      });
      const buckets = new Set(driver.events.map((event) => event.split(" ")[2]));
      assert.equal(buckets.size, claims);
      for (const bucket of buckets) {
        const ofBucket = driver.events.filter((event) => event.split(" ")[2] === bucket);
        assert.deepEqual(
          ofBucket.map((event) => event.split(" ").slice(0, 2).join(" ")),
          ["received revoke", "answered revoke", "received delete", "answered delete"],
        );
      }
    });

    it("leaves no object behind, although no garbage collector runs [CASE-U25]", async () => {
      assert.deepEqual(await cluster.objects(namespace), []);
      assert.deepEqual((await stack.state()).resources, []);
    });

    it("has put finalizers on before the calls that they protect, and taken them off in time [OS1-035] [OS1-036]", () => {
      const claim = [finalizers.claim];
      const access = [finalizers.access];
      const inUse = [finalizers.bucketInUse, finalizers.bucket].sort();
      assert.deepEqual(
        distinct(seen.create, ({ held }) => held),
        [{ claim, bucket: [finalizers.bucket], access: null }],
      );
      assert.deepEqual(
        distinct(seen.grant, ({ held }) => held),
        [{ claim, bucket: inUse, access }],
      );
      assert.deepEqual(
        distinct(seen.revoke, ({ held }) => held),
        [{ claim, bucket: inUse, access }],
      );
      assert.deepEqual(
        distinct(seen.delete, ({ held }) => held),
        [{ claim, bucket: [finalizers.bucket], access: null }],
      );
    });

    it("keeps the objects that a driver may read until its calls are answered [OS1-053] [GRPC-127] [CASE-C35]", () => {
      const there = { classes: true, parameters: { color: "gold" } };
      for (const rpc of ["grant", "revoke"] as const) {
        assert.deepEqual(
          distinct(seen[rpc], ({ read }) => read),
          [{ ...there, accessOfCall: true }],
        );
      }
      assert.deepEqual(
        distinct(seen.delete, ({ read }) => read),
        [{ ...there, accessOfCall: false }],
      );
    });
  });

  describe("buckets with five accesses each, without a cluster", () => {
    let driver: WatchedDriver;
    let stack: Stack;

    before(async () => {
      driver = await new WatchedDriver().start();
      stack = await Stack.create({ source: bucketProgram(driver.fake.endpoint) }, quickProgram);
      await stack.up();
    });
    after(async () => {
      await stack.remove();
      driver.fake.stop();
    });

    it("previews and refreshes without a call, also while the driver is stopped [GRPC-017]", async () => {
      const state = await stack.state();
      driver.forget();
      await stack.succeed(["preview", "--refresh", "--expect-no-changes"]);
      assert.deepEqual(driver.counts(), {});
      driver.fake.kill();
      await stack.succeed(["preview", "--expect-no-changes"]);
      await stack.succeed(["refresh", "--yes", "--skip-preview"]);
      await driver.start();
      assert.deepEqual(driver.counts(), {});
      assert.deepEqual(recorded(await stack.state()), recorded(state));
    });

    it("deletes a bucket only under Delete and after all of its accesses are revoked [GRPC-014]", async () => {
      driver.forget();
      driver.meanwhile = async ({ rpc, account }) => {
        await sleep(200);
        if (rpc !== "revoke" || account !== "stuck-3") return undefined;
        return { code: status.PERMISSION_DENIED, message: "not yours" };
      };
      const text = await stack.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
      assert.match(text, /DriverRevokeBucketAccess: PERMISSION_DENIED: not yours .*stuck-3/);

      const revokes = (bucket: string): string[] =>
        driver.events.filter((event) => event.startsWith(`answered revoke ${bucket} `));
      const going = driver.events.filter((event) => event.includes(" going"));
      assert.equal(revokes("going").length, 5);
      assert.deepEqual(going.slice(-2), ["received delete going", "answered delete going"]);
      assert.equal(going.filter((event) => event.includes(" delete ")).length, 2);

      assert.equal(revokes("staying").length, 5);
      assert.equal(revokes("stuck").length, 4);
      assert.deepEqual(
        driver.events.filter((event) => / delete (staying|stuck)$/.test(event)),
        [],
      );

      const left = (await stack.state()).resources.map(({ urn }) => urn.split("::").at(-1));
      assert.ok(left.includes("stuck") && left.includes("stuck-3"), left.join(", "));
      assert.ok(!left.some((name) => /^(going|staying|stuck-[1245])/.test(name ?? "")), left.join(", "));
    });

    it("goes on with what is left when the revoke succeeds, and repeats nothing", async () => {
      driver.forget();
      driver.meanwhile = () => Promise.resolve(undefined);
      await stack.destroy();
      assert.deepEqual(driver.events, [
        "received revoke stuck stuck-3",
        "answered revoke stuck stuck-3",
        "received delete stuck",
        "answered delete stuck",
      ]);
      assert.deepEqual((await stack.state()).resources, []);
    });
  });
});

/** What the cluster holds while a call is under way. */
interface Sight {
  /** Finalizers of the objects that belong to the bucket of the call; `null` for an object that is not there. */
  readonly held: Readonly<Record<"claim" | "bucket" | "access", string[] | null>>;
  /** What a driver may look up. */
  readonly read: {
    readonly classes: boolean;
    /** Of the Bucket object that has the bucket's name. */
    readonly parameters: unknown;
    /** The BucketAccess with the UID that the account is named by is there. */
    readonly accessOfCall: boolean;
  };
}

async function look({ client }: Cluster, call: ProvisionerCall): Promise<Sight> {
  const bucket = await client.get(bucketKind, { name: call.bucket });
  const spec = (bucket?.["spec"] ?? {}) as { bucketClaim?: { name?: string }; parameters?: unknown };
  const name = spec.bucketClaim?.name ?? "";
  const claim = await client.get(bucketClaimKind, { namespace, name });
  const access = await client.get(bucketAccessKind, { namespace, name: `${name}-rw` });
  const classes = [
    await client.get(bucketClassKind, { name: "gold" }),
    await client.get(bucketAccessClassKind, { name: "keys" }),
  ];
  return {
    held: { claim: finalizersOf(claim), bucket: finalizersOf(bucket), access: finalizersOf(access) },
    read: {
      classes: !classes.includes(undefined),
      parameters: spec.parameters,
      accessOfCall: access !== undefined && call.account === `ba-${String(access.metadata.uid)}`,
    },
  };
}

function finalizersOf(object: KubernetesObject | undefined): string[] | null {
  return object === undefined ? null : [...(object.metadata.finalizers ?? [])].sort();
}

/** The different values among what was seen. */
function distinct(sights: readonly Sight[], part: (sight: Sight) => unknown): unknown[] {
  const texts = new Set(sights.map((sight) => JSON.stringify(part(sight))));
  return [...texts].map((text): unknown => JSON.parse(text));
}
