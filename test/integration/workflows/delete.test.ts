import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../../provider/kubernetes/object";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { errors } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { removeByHand, touch } from "../../support/workflows/by-hand";
import { Workflow } from "../../support/workflows/workflow";

/** Three claims under `Delete`; a call that fails once fails for good. Classes are named by the namespace, as all tests share a cluster. */
const program = (endpoint: string, namespace: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, retryBudgetSeconds: 0.1, firstRetryDelayMilliseconds: 1000,
});
const gold = new cosi.objectstorage.BucketClass("${namespace}-gold", {
  driver, deletionPolicy: "Delete", parameters: { color: "gold" },
});
const keys = new cosi.objectstorage.BucketAccessClass("${namespace}-keys", {
  driver, authenticationType: "Key", parameters: { role: "writer" },
});
for (const name of ["photos", "films", "shared"]) {
  const bucketClaim = new cosi.objectstorage.BucketClaim(name, {
    namespace: "${namespace}", bucketClass: gold, protocols: ["S3"],
  });
  if (name === "shared") continue;
  new cosi.objectstorage.BucketAccess(name + "-rw", {
    namespace: "${namespace}", bucketClaim, bucketAccessClass: keys, credentialsSecretName: name + "-creds",
  });
}
`;

const destroy = ["destroy", "--yes", "--skip-preview", "--continue-on-error"];
/** A revoke that fails for good: the driver says that it had no effect. */
const denied = { code: status.PERMISSION_DENIED, message: "not yours" };
const down = { code: status.UNAVAILABLE, message: "the store is down" };

describe("delete, step by step, on a real API server without a controller", function () {
  this.timeout(300_000);
  let workflow: Workflow;
  let stack: Stack;
  /** Bucket by claim, as it was after `up`. */
  let buckets: Record<string, KubernetesObject>;
  let secrets: Record<string, unknown>;
  let accountOfPhotos: string;
  let accountOfFilms: string;
  let foreign: KubernetesObject;

  const get = (kind: KubernetesKind, name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kind, referenceTo(kind, name));
  const referenceTo = (kind: KubernetesKind, name: string): ObjectReference =>
    kind === bucketKind || kind === bucketClassKind || kind === bucketAccessClassKind
      ? { name }
      : { namespace: workflow.namespace, name };
  const accountOf = async (access: string): Promise<string> =>
    `ba-${String((await get(bucketAccessKind, access))?.metadata.uid)}`;
  const bucketOf = (claim: string): string => buckets[claim]?.metadata.name ?? "";

  before(async () => {
    workflow = await Workflow.start();
    const { driver, timeline, namespace } = workflow;
    for (const when of ["received", "done"] as const) {
      driver.on(when, async ({ rpc, request }) => {
        if ("bucketId" in request) await timeline.mark(`${when} ${rpc} ${request.bucketId}`);
        return undefined;
      });
    }
    stack = await workflow.stack(program(driver.fake.endpoint, namespace));
    await stack.up();

    const claims = ["photos", "films", "shared"];
    const all = await workflow.cluster.client.list(bucketKind);
    buckets = Object.fromEntries(claims.map((claim) => [claim, bucketFor(all, namespace, claim)]));
    secrets = {};
    for (const name of ["photos-creds", "films-creds"])
      secrets[name] = (await get(secretKind, name))?.["data"];
    accountOfPhotos = await accountOf("photos-rw");
    accountOfFilms = await accountOf("films-rw");
    foreign = await workflow.cluster.client.create(bucketAccessKind, {
      metadata: { namespace, name: "theirs" },
      spec: { bucketClaimName: "shared", bucketAccessClassName: "x", credentialsSecretName: "theirs-creds" },
    });
  });
  after(() => workflow.stop());

  describe("a destroy whose revokes fail", () => {
    let text: string;

    before(async () => {
      workflow.driver.forget();
      workflow.driver.refuse("revoke", denied, denied);
      text = await stack.fail(destroy);
    });

    it("says what failed, for which object, and in the driver's words [OS1-080]", async () => {
      for (const name of ["photos", "films"]) {
        const access = `${workflow.namespace}/${name}-rw`;
        const [message, ...others] = errors(text).filter((error) => error.includes(access));
        assert.deepEqual(others, []);
        assert.match(message ?? "", /DriverRevokeBucketAccess: PERMISSION_DENIED: not yours/);
        assert.match(message ?? "", new RegExp(`of BucketAccess ${access} to bucket ${bucketOf(name)}`));
        assert.deepEqual((await get(bucketAccessKind, `${name}-rw`))?.["status"], {
          accessGranted: false,
          accountID: await accountOf(`${name}-rw`),
        });
      }
    });

    it("has deleted the Secrets, and begun no other deletion [OS1-066] [OS1-073] [CASE-P34]", async () => {
      for (const name of ["photos", "films"]) {
        assert.equal(await get(secretKind, `${name}-creds`), undefined);
        assert.deepEqual(await held(get(bucketAccessKind, `${name}-rw`)), [finalizers.access]);
        assert.deepEqual(await held(get(bucketClaimKind, name)), [finalizers.claim]);
        assert.deepEqual(await held(get(bucketKind, bucketOf(name))), [
          finalizers.bucket,
          finalizers.bucketInUse,
        ]);
      }
      assert.deepEqual(workflow.driver.rpcs(), ["revoke", "revoke"]);
    });

    it("leaves a bucket that an access outside of the program uses, and names the access [OS1-072] [CASE-P34]", async () => {
      const { namespace, driver } = workflow;
      const claim = `BucketClaim ${namespace}/shared is used by BucketAccess ${namespace}/theirs`;
      assert.equal(errors(text).filter((error) => error.includes(claim)).length, 1, text);
      assert.ok(driver.buckets.has(bucketOf("shared")));
      assert.deepEqual(await get(bucketAccessKind, "theirs"), foreign);
      assert.deepEqual(await held(get(bucketKind, bucketOf("shared"))), [finalizers.bucket]);
      assert.deepEqual(await held(get(bucketClaimKind, "shared")), [finalizers.claim]);
    });

    describe("and the up after it", () => {
      before(async () => {
        workflow.driver.forget();
        await stack.up();
      });

      it("writes each Secret again with the same values, and says granted, without a call [OS1-066] [GRPC-015]", async () => {
        for (const name of ["photos", "films"]) {
          const secret = await get(secretKind, `${name}-creds`);
          assert.deepEqual(secret?.["data"], secrets[`${name}-creds`]);
          assert.deepEqual((await get(bucketAccessKind, `${name}-rw`))?.["status"], {
            accessGranted: true,
            accountID: await accountOf(`${name}-rw`),
          });
        }
        assert.deepEqual(workflow.driver.fake.paths(), []);
      });
    });
  });

  describe("a destroy after much was removed by hand, in which one delete fails", () => {
    let text: string;

    before(async () => {
      const { driver, timeline, namespace, cluster } = workflow;
      const gone: [KubernetesKind, string][] = [
        [secretKind, "films-creds"],
        [bucketClaimKind, "films"],
        [bucketKind, bucketOf("films")],
        [bucketClassKind, `${namespace}-gold`],
        [bucketAccessClassKind, `${namespace}-keys`],
        [bucketAccessKind, "theirs"],
      ];
      for (const [kind, name] of gone) await removeByHand(cluster.client, kind, referenceTo(kind, name));
      driver.forget();
      let failures = 1;
      driver.on("received", ({ rpc, request }) => {
        const photos = "bucketId" in request && request.bucketId === bucketOf("photos");
        const fails = rpc === "delete" && photos && failures > 0;
        if (fails) failures -= 1;
        return Promise.resolve(fails ? down : undefined);
      });
      await timeline.restart();
      for (const [kind, name] of [
        [secretKind, "photos-creds"],
        [bucketAccessKind, "photos-rw"],
        [bucketKind, bucketOf("photos")],
        [bucketClaimKind, "photos"],
      ] as const)
        await touch(cluster.client, kind, referenceTo(kind, name));
      await timeline.mark("destroy");
      text = await stack.fail(destroy);
    });

    it("revokes once, with the pair of the grant, an access whose Secret was removed [OS1-069] [GRPC-015] [CASE-C16] [CASE-P05] [CASE-P24]", () => {
      const revokes = workflow.driver.requests().revoke;
      assert.deepEqual(
        revokes.filter(({ bucketId }) => bucketId === bucketOf("films")),
        [
          {
            bucketId: bucketOf("films"),
            accountId: accountOfFilms,
            revokeAccessContext: new Map([["role", "writer"]]),
          },
        ],
      );
      assert.equal(revokes.length, 2);
    });

    it("deletes the bucket whose claim, Bucket and class were removed, with what the state has [OS1-070] [CASE-C20] [CASE-C37] [CASE-P02]", () => {
      const deletes = workflow.driver.requests().delete;
      const deleteContext = new Map([["color", "gold"]]);
      assert.deepEqual(
        deletes.filter(({ bucketId }) => bucketId === bucketOf("films")),
        [{ bucketId: bucketOf("films"), deleteContext }],
      );
      assert.deepEqual([...workflow.driver.buckets.keys()], [bucketOf("photos")]);
    });

    it("leaves Bucket and claim of the delete that failed, with their finalizers [OS1-073] [OS1-080]", async () => {
      const claim = `${workflow.namespace}/photos`;
      const messages = errors(text);
      assert.equal(messages.length, 1, text);
      const [message = ""] = messages;
      assert.match(message, /DriverDeleteBucket: UNAVAILABLE: the store is down/);
      assert.match(message, new RegExp(`bucket ${bucketOf("photos")} of BucketClaim ${claim}`));
      assert.deepEqual(await held(get(bucketKind, bucketOf("photos"))), [finalizers.bucket]);
      assert.deepEqual(await held(get(bucketClaimKind, "photos")), [finalizers.claim]);
      assert.equal(await get(bucketAccessKind, "photos-rw"), undefined);
    });

    describe("and the destroy after it", () => {
      before(async () => {
        workflow.driver.forget();
        await stack.destroy();
      });

      it("resumes at the delete, and repeats nothing [OS1-073] [CASE-C16]", async () => {
        assert.deepEqual(
          workflow.driver.calls().map(({ rpc, request }) => [rpc, "bucketId" in request && request.bucketId]),
          [["delete", bucketOf("photos")]],
        );
        assert.deepEqual((await stack.state()).resources, []);
        for (const kind of [bucketClaimKind, bucketAccessKind, secretKind]) {
          const { namespace, cluster } = workflow;
          assert.deepEqual(await cluster.client.list(kind, { namespace }), []);
        }
        for (const bucket of Object.values(buckets)) {
          assert.equal(await get(bucketKind, bucket.metadata.name), undefined);
        }
      });

      it("has taken every step of the deletion in its order [OS1-066]", async () => {
        const [access, bucket, claim] = ["BucketAccess photos-rw", `Bucket ${bucketOf("photos")}`, "photos"];
        const texts = await workflow.timeline.texts();
        const about = [access, bucket, `BucketClaim ${claim}`, "Secret photos-creds"];
        const steps = texts
          .slice(texts.indexOf("destroy") + 1)
          // A mark for the run after a kill comes and goes.
          .filter((step) => !/ [+-]annotation /.test(step))
          .filter(
            (step) =>
              about.some((object) => step.startsWith(`${object} `)) || step.endsWith(bucketOf("photos")),
          );
        assert.deepEqual(steps, [
          `${access} status {"accessGranted":false,"accountID":"${accountOfPhotos}"}`,
          "Secret photos-creds -finalizer secret-protection",
          "Secret photos-creds deleted",
          `received revoke ${bucketOf("photos")}`,
          `done revoke ${bucketOf("photos")}`,
          `${access} status {"accessGranted":false}`,
          `${access} -finalizer bucketaccess-protection`,
          `${bucket} -finalizer bucketaccess-bucket-protection`,
          `${access} deleted`,
          `received delete ${bucketOf("photos")}`,
          `received delete ${bucketOf("photos")}`,
          `done delete ${bucketOf("photos")}`,
          `${bucket} -finalizer bucket-protection`,
          `${bucket} deleted`,
          `BucketClaim ${claim} -finalizer bucketclaim-protection`,
          `BucketClaim ${claim} deleted`,
        ]);
      });
    });
  });
});

function bucketFor(all: readonly KubernetesObject[], namespace: string, claim: string): KubernetesObject {
  const found = all.find(({ spec }) => {
    const { bucketClaim = {} } = spec as { bucketClaim?: { namespace?: string; name?: string } };
    return bucketClaim.namespace === namespace && bucketClaim.name === claim;
  });
  if (found === undefined) throw new Error(`there is no Bucket for ${claim}`);
  return found;
}

/** The finalizers of an object whose deletion has not begun. */
async function held(getting: Promise<KubernetesObject | undefined>): Promise<string[]> {
  const object = await getting;
  assert.ok(object !== undefined, "the object is gone");
  assert.equal(object.metadata.deletionTimestamp, undefined);
  return [...(object.metadata.finalizers ?? [])].sort();
}
