import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { configMapKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import {
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { answers } from "../../support/cosi-v1alpha1";
import type { Answer } from "../../support/fake-driver";
import { assertEnded, type SmallStack } from "../../support/faults/small-stack";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import { claimProgram, type ClaimOptions } from "../../support/objectbucket/claim-program";
import type { ProgramResource } from "../../support/faults/small-stack";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { provider as claimProvider } from "../../../provider/models/objectbucket/claim";

describe("what stops a claim, and what it leaves (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  beforeEach(() => {
    bench.workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  /** A claim that must stop before any call. @returns what the user reads. */
  async function refused(stack: SmallStack): Promise<string> {
    const { stoppedAt, message } = await stack.up();
    assert.notEqual(stoppedAt, undefined, "the claim was not refused");
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
    return message;
  }

  const put = (kind: typeof secretKind, object: KubernetesObject): Promise<KubernetesObject> =>
    bench.workflow.cluster.client.create(kind, object);

  describe("before any call", () => {
    it("stops at a Secret or ConfigMap of others, also at one whose owner has another UID [OBC-044]", async () => {
      const { namespace } = bench;
      const owners = [
        {
          apiVersion: "objectbucket.io/v1alpha1",
          kind: "ObjectBucketClaim",
          name: "taken",
          uid: "0b1f3f0e-0000-4000-8000-000000000000",
        },
      ];
      for (const kind of [secretKind, configMapKind]) {
        const made = await put(kind, { metadata: { namespace, name: "taken", ownerReferences: owners } });
        const message = await refused(bench.stack("taken"));
        assert.match(message, new RegExp(`${kind.kind} ${namespace}/taken exists and does not belong to`));
        const after = await bench.workflow.cluster.client.get(kind, { namespace, name: "taken" });
        assert.equal(after?.metadata.resourceVersion, made.metadata.resourceVersion);
        await bench.workflow.cluster.client.delete(kind, { namespace, name: "taken" });
      }
      assert.equal(await bench.claim("taken"), undefined);
    });

    it("stops at an ObjectBucket of another claim, or of none [OBC-055] [OBC-074]", async () => {
      const name = objectBucketNameOf({ namespace: bench.namespace, name: "met" });
      await put(objectBucketKind, { metadata: { name }, spec: { storageClassName: "x" } });
      const message = await refused(bench.stack("met"));
      assert.match(message, new RegExp(`ObjectBucket ${name} exists and has no claimRef`));
      const claimRef = { namespace: "elsewhere", name: "met", uid: "0b1f3f0e-0000-4000-8000-000000000000" };
      await bench.workflow.cluster.client.patch(objectBucketKind, { name }, { spec: { claimRef } });
      assert.match(await refused(bench.stack("met")), /is of ObjectBucketClaim elsewhere\/met \(UID/);
      const hashed = objectBucketNameOf({ namespace: bench.namespace, name: "met" }, "hashed");
      const stack = bench.stack("met", { inputs: { objectBucketName: hashed } });
      assertEnded(await stack.up());
      assertEnded(await stack.destroy());
      await bench.workflow.cluster.client.delete(objectBucketKind, { name });
    });

    it("gives claims whose names meet two ObjectBuckets by the hashed name [OBC-055]", () => {
      const [one, two] = [
        { namespace: "a-b", name: "c" },
        { namespace: "a", name: "b-c" },
      ];
      assert.equal(objectBucketNameOf(one), objectBucketNameOf(two));
      assert.notEqual(objectBucketNameOf(one, "hashed"), objectBucketNameOf(two, "hashed"));
    });

    it("stops at a bucket that another claim has [OBC-116]", async () => {
      const inputs = { bucketName: "shared-name", generateBucketName: null };
      const first = bench.stack("first", { inputs });
      assertEnded(await first.up());
      bench.workflow.driver.forget();
      const second = bench.stack("second", { inputs });
      assert.match(await refused(second), /the bucket shared-name is that of ObjectBucket .*first/);
      assertEnded(await second.destroy());
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
      assert.equal((await bench.claim("first"))?.phase, "Bound");
      assertEnded(await first.destroy());
    });

    it("leaves a claim of others as it is, and needs the namespace [OBC-103]", async () => {
      const { namespace } = bench;
      const spec = { storageClassName: "other" };
      const made = await put(objectBucketClaimKind, { metadata: { namespace, name: "byhand" }, spec });
      assert.match(
        await refused(bench.stack("byhand")),
        /ObjectBucketClaim .*\/byhand exists and was not made by/,
      );
      const after = await bench.claimObject("byhand");
      assert.equal(after?.metadata.resourceVersion, made.metadata.resourceVersion);
      const nowhere = new ClaimBench(bench.workflow, "not-there");
      assert.match(
        await refused(nowhere.stack("photos")),
        /the namespace not-there .* does not exist: make it first/,
      );
      for (const [name, namespaceOf] of [
        ["Wrong_Name", namespace],
        ["x".repeat(254), namespace],
        ["photos", "n".repeat(64)],
      ] as const) {
        const message = await refused(
          new ClaimBench(bench.workflow, namespaceOf).stack(name, { inputs: { generateBucketName: "p" } }),
        );
        assert.match(message, /^name(space)? is "/);
      }
    });

    it("stops at a class that is not there, another provisioner's, or an operator's [OBC-036] [OBC-037] [OBC-040]", async () => {
      const lookedUp = (name: string, inputs = {}): ClaimOptions => ({
        inputs: { storageClass: null, storageClassName: name, ...inputs },
      });
      assert.match(
        await refused(bench.stack("lost", lookedUp("absent-class"))),
        /StorageClass absent-class, which .* does not exist/,
      );
      const name = `cluster-${bench.namespace}`;
      await put(storageClassKind, {
        metadata: { name },
        provisioner: "other.example.com/bucket",
        parameters: { tier: "of-the-cluster" },
      });
      const message = await refused(bench.stack("other", lookedUp(name)));
      assert.match(
        message,
        /provisioner "other.example.com\/bucket".*serves "cosi.objectbucket.io\/fake.example.com"/,
      );
      const operator = { provisioner: "rook-ceph.ceph.rook.io/bucket" };
      assert.match(await refused(bench.stack("rook", lookedUp(name, operator))), /provisioner is .*Rook/);
      const stack = bench.stack("other", lookedUp(name, { provisioner: "other.example.com/bucket" }));
      const claim = await stack.up();
      assertEnded(claim);
      const { create } = bench.workflow.driver.requests();
      assert.deepEqual(create[0]?.parameters, new Map([["tier", "of-the-cluster"]]));
      // A class made elsewhere means what it says: the server's silent default is Delete.
      assert.equal((await bench.objectBucket("other"))?.reclaimPolicy, "Delete");
      assertEnded(await stack.destroy());
      await bench.workflow.cluster.client.delete(storageClassKind, { name });
    });

    for (const [title, inputs, expected] of [
      [
        "neither name [OBC-021]",
        { generateBucketName: null },
        /generateBucketName and bucketName are both missing/,
      ],
      [
        "both names [OBC-022]",
        { bucketName: "exact" },
        /bucketName is "exact", and generateBucketName is "wrong"/,
      ],
      ["no text in additionalConfig [OBC-024]", { additionalConfig: { maxObjects: 10 } }, /"maxObjects"/],
      [
        "a key that overrides the class [OBC-006]",
        { additionalConfig: { tier: "iron" } },
        /additionalConfig .*"tier"/,
      ],
      [
        "a key that the class does not allow [OBC-079]",
        { additionalConfig: { bucketPolicy: "{}" } },
        /"bucketPolicy".*allowedAdditionalConfig/,
      ],
      ["no class [OBC-019]", { storageClass: null, storageClassName: "" }, /storageClassName is ""/],
      [
        "brownfield without a bucket [OBC-069]",
        { brownfield: true },
        /brownfield is true, and the StorageClass .* has no parameter bucketName/,
      ],
    ] as const) {
      it(`refuses ${title}`, async () => {
        assert.match(await refused(bench.stack("wrong", { inputs })), expected);
        assert.equal(await bench.claim("wrong"), undefined);
      });
    }

    it("takes the exact name of two on request [OBC-022]", async () => {
      const stack = bench.stack("both", { inputs: { bucketName: "the-exact-one", preferBucketName: true } });
      assertEnded(await stack.up());
      assert.equal(bench.workflow.driver.requests().create[0]?.name, "the-exact-one");
      assertEnded(await stack.destroy());
    });

    it("refuses two claims of one program that would share an object or a bucket [OBC-102]", async () => {
      const { namespace } = bench;
      for (const [inputs, expected] of [
        [{ name: "same" }, new RegExp(`ObjectBucketClaim ${namespace}/same is written by`)],
        [{ secretName: "same" }, new RegExp(`Secret ${namespace}/same is written by`)],
        [{ configMapName: "same" }, new RegExp(`ConfigMap ${namespace}/same is written by`)],
        [{ objectBucketName: "obc-same" }, /ObjectBucket obc-same is written by/],
        [
          { bucketName: "same", generateBucketName: null },
          /bucket of StorageClass gold-.* same is written by/,
        ],
      ] as const) {
        beginRun();
        const claims = new Lifecycle(claimProvider);
        const [one, two] = ["one", "two"].map((name) => claimProgram(bench.place, name, { inputs })[0]);
        assert.deepEqual((await claims.check({}, inputsOf(one))).failures, []);
        const [problem = "", ...others] = (await claims.check({}, inputsOf(two))).failures;
        assert.deepEqual(others, []);
        assert.match(problem, expected);
        assert.match(problem, /"one".*"two"/);
      }
    });
  });

  describe("another driver behind the endpoint", () => {
    it("sends nothing, at up and at destroy [OBC-011]", async () => {
      const stack = bench.stack("guarded");
      assertEnded(await stack.up());
      await bench.workflow.driver.becomes("imposter.example.com");
      bench.workflow.driver.forget();
      const up = await bench.stack("guarded2").up();
      const destroy = await stack.destroy();
      for (const { message } of [up, destroy])
        assert.match(
          message,
          /fake\.example\.com.*imposter\.example\.com|imposter\.example\.com.*fake\.example\.com/,
        );
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
      await bench.workflow.driver.becomes("fake.example.com");
      assertEnded(await stack.destroy());
    });
  });

  describe("refused by the driver", () => {
    const lastError = async (name: string): Promise<string> =>
      (await bench.claimObject(name))?.metadata.annotations?.["pulumi-cosi/last-error"] ?? "";
    const refusals: [string, "create" | "grant", Answer, string][] = [
      [
        "INVALID_ARGUMENT at Create",
        "create",
        { code: status.INVALID_ARGUMENT, message: "no such tier" },
        "DriverCreateBucket",
      ],
      [
        "UNIMPLEMENTED at Create",
        "create",
        { code: status.UNIMPLEMENTED, message: "not here" },
        "DriverCreateBucket",
      ],
      [
        "INVALID_ARGUMENT at Grant",
        "grant",
        { code: status.INVALID_ARGUMENT, message: "no such tier" },
        "DriverGrantBucketAccess",
      ],
      [
        "ALREADY_EXISTS at Grant",
        "grant",
        { code: status.ALREADY_EXISTS, message: "of others" },
        "DriverGrantBucketAccess",
      ],
    ];

    for (const [index, [title, rpc, answer, method]] of refusals.entries()) {
      it(`sets Failed with the reason for ${title}, and is bound by the next up [OBC-098] [OBC-099]`, async () => {
        const name = `final-${index}`;
        const stack = bench.stack(name);
        bench.workflow.driver.refuse(rpc, answer);
        const { message } = await stack.up();
        const said = (answer as { message: string }).message;
        for (const text of [message, await lastError(name)]) {
          assert.ok(text.includes(method) && text.includes(said), text);
          assert.ok(text.includes(`${bench.namespace}/${name}`), text);
        }
        assert.equal((await bench.claim(name))?.phase, "Failed");
        assert.deepEqual(await bench.left(name), ["claim"]);
        assertEnded(await stack.up());
        assert.equal((await bench.claim(name))?.phase, "Bound");
        assert.equal(await lastError(name), "");
        assertEnded(await stack.destroy());
      });
    }

    it("stays Pending where the driver only cannot now [OBC-096]", async () => {
      const quick = { callTimeoutSeconds: 1, retryBudgetSeconds: 1 };
      const stack = bench.stack("busy", { driver: quick });
      const off = bench.workflow.driver.on("received", ({ rpc }) =>
        Promise.resolve(rpc === "create" ? { code: status.UNAVAILABLE, message: "later" } : undefined),
      );
      const { message } = await stack.up();
      assert.match(message, /UNAVAILABLE/);
      assert.equal((await bench.claim("busy"))?.phase, "Pending");
      off();
      assertEnded(await stack.up());
      const names = new Set(bench.workflow.driver.requests().create.map(({ name }) => name));
      assert.equal(names.size, 1);
      assertEnded(await stack.destroy());
    });

    it("ends at ALREADY_EXISTS for a name of the user's, with nothing made [OBC-063]", async () => {
      const stack = bench.stack("taken2", { inputs: { bucketName: "of-others", generateBucketName: null } });
      bench.workflow.driver.refuse("create", { code: status.ALREADY_EXISTS, message: "there is one" });
      const { message } = await stack.up();
      assert.match(message, /of-others/);
      assert.deepEqual(bench.workflow.driver.rpcs(), ["create"]);
      assert.equal((await bench.claim("taken2"))?.phase, "Failed");
      assert.deepEqual(await bench.left("taken2"), ["claim"]);
      assertEnded(await stack.destroy());
      assert.deepEqual(bench.workflow.driver.rpcs(), ["create"]);
    });

    it("takes an existing bucket only on request, and never deletes it [OBC-064]", async () => {
      const stack = bench.stack("taker", {
        inputs: { bucketName: "was-there", generateBucketName: null },
        bucket: { nameAsId: true, deletionPolicy: "Retain" },
      });
      bench.workflow.driver.refuse("create", { code: status.ALREADY_EXISTS, message: "there is one" });
      assertEnded(await stack.up());
      assert.deepEqual(bench.workflow.driver.rpcs(), ["create", "grant"]);
      assert.equal(bench.workflow.driver.requests().grant[0]?.bucketId, "was-there");
      assertEnded(await stack.destroy());
      assert.deepEqual(bench.workflow.driver.rpcs(), ["create", "grant", "revoke"]);
    });

    it("names a brownfield bucket that is not there [OBC-072]", async () => {
      const storageClass = { reclaimPolicy: "Retain" as const, parameters: { bucketName: "long-gone" } };
      const stack = bench.stack("seeker", { storageClass });
      bench.workflow.driver.refuse("grant", { code: status.NOT_FOUND, message: "no bucket" });
      const { message } = await stack.up();
      assert.match(message, /long-gone/);
      assert.deepEqual(await bench.left("seeker"), ["claim"]);
      assertEnded(await stack.destroy());
    });
  });

  describe("OK with an answer that cannot be used", () => {
    const odd: [string, "create" | "grant", Answer, RegExp, number][] = [
      ["no bucket_id", "create", answers.created(""), /bucket_id/, 0],
      ["no account_id", "grant", answers.granted(""), /account_id/, 0],
      ["no keys", "grant", answers.granted("acc-1", {}), /accessKeyID/i, 1],
      [
        "an empty secret key",
        "grant",
        answers.granted("acc-2", { accessKeyID: "AK", accessSecretKey: "" }),
        /accessSecretKey/i,
        1,
      ],
      [
        "credentials of Azure [OBC-008]",
        "grant",
        answers.granted("acc-3", { accessToken: "https://x/?sig=1" }, "azure"),
        /azure/i,
        1,
      ],
    ];
    for (const [index, [title, rpc, answer, expected, revokes]] of odd.entries()) {
      it(`is no bound claim: ${title} [OBC-065]`, async () => {
        const name = `odd-${index}`;
        const stack = bench.stack(name);
        bench.workflow.driver.refuse(rpc, answer);
        const { message } = await stack.up();
        assert.match(message, expected);
        assert.equal((await bench.claim(name))?.phase, "Failed");
        assert.equal(await bench.secret(name), undefined);
        assert.equal(bench.workflow.driver.requests().revoke.length, revokes);
        assertEnded(await stack.up());
        assertEnded(await stack.destroy());
        assert.deepEqual(await bench.left(name), []);
      });
    }
  });

  describe("refused by the API server", () => {
    it("provisions nothing for a claim that it denies [OBC-106]", async () => {
      const { client } = bench.workflow.cluster;
      const quota = { apiVersion: "v1", kind: "ResourceQuota", plural: "resourcequotas" };
      const elsewhere = await bench.elsewhere();
      const { namespace } = elsewhere;
      const hard = { "count/objectbucketclaims.objectbucket.io": "0" };
      await client.create(quota, { metadata: { namespace, name: "none" }, spec: { hard } });
      await client.patchStatus(
        quota,
        { namespace, name: "none" },
        { hard, used: { "count/objectbucketclaims.objectbucket.io": "0" } },
      );
      const { message, stoppedAt } = await elsewhere.stack("photos").up();
      assert.equal(stoppedAt, "claim");
      assert.match(message, /quota|forbidden/i);
      assert.deepEqual(bench.workflow.driver.rpcs(), []);
    });
  });
});

function inputsOf(resource: ProgramResource | undefined): Properties {
  return (
    resource?.inputs(
      () => ({}),
      () => "",
    ) ?? assert.fail("the program has no claim")
  );
}
