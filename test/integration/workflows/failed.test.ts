import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { diagnostics } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import type { DriverCall } from "../../support/workflows/storing-driver";
import { Workflow } from "../../support/workflows/workflow";

const policies = ["Delete", "Retain"] as const;

/** For each policy a create and a grant whose outcome is unknown, and a create and a grant that are refused for sure. */
const program = (endpoint: string, namespace: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, retryBudgetSeconds: 0.1, firstRetryDelayMilliseconds: 1000,
});
const bucketAccessClass = new cosi.objectstorage.BucketAccessClass("keys", {
  driver, name: "${namespace}-keys", authenticationType: "Key", parameters: { role: "writer" },
});
for (const deletionPolicy of ["Delete", "Retain"]) {
  const under = deletionPolicy.toLowerCase();
  const bucketClass = new cosi.objectstorage.BucketClass(under, {
    driver, name: "${namespace}-" + under, deletionPolicy, parameters: { color: under },
  });
  const claims = ["lost", "refused", "made"].map((name) =>
    new cosi.objectstorage.BucketClaim(name + "-" + under, { namespace: "${namespace}", bucketClass, protocols: ["S3"] }));
  for (const name of ["lost", "refused"]) {
    new cosi.objectstorage.BucketAccess(name + "-access-" + under, {
      namespace: "${namespace}", bucketClaim: claims[2], bucketAccessClass, credentialsSecretName: name + "-creds-" + under,
    });
  }
}
`;

describe("what could not be made, on a real API server without a controller", function () {
  this.timeout(300_000);
  let workflow: Workflow;
  let stack: Stack;
  let text: string;
  /** Name of the claim or access that a call was about, by what the call names it. */
  const owners = new Map<string, string>();

  const get = async (kind: typeof bucketKind, name: string): Promise<KubernetesObject | undefined> => {
    const { cluster, namespace } = workflow;
    return cluster.client.get(kind, kind === bucketKind ? { name } : { namespace, name });
  };

  /** RPCs about a claim and its accesses, in their order, as `grant lost-access-delete`. */
  const callsUnder = (policy: (typeof policies)[number]): string[] =>
    workflow.driver
      .calls()
      .map((call) => `${call.rpc} ${owners.get(nameIn(call)) ?? nameIn(call)}`)
      .filter((call) => call.endsWith(policy.toLowerCase()));

  before(async () => {
    workflow = await Workflow.start();
    const { driver, cluster, namespace } = workflow;
    driver.on("received", async (call) => {
      if (call.rpc === "create") {
        owners.set(call.request.name, claimOf(await get(bucketKind, call.request.name)));
      } else if (call.rpc === "grant") {
        const accesses = await cluster.client.list(bucketAccessKind, { namespace });
        const access = accesses.find(({ metadata: { uid = "" } }) => call.request.name === `ba-${uid}`);
        owners.set(call.request.name, access?.metadata.name ?? "none");
      }
      const refused = owners.get(nameIn(call))?.startsWith("refused") === true;
      return refused ? { code: status.PERMISSION_DENIED, message: "not for you" } : undefined;
    });
    const stopLosing = driver.on("done", (call) => {
      const lost = owners.get(nameIn(call))?.startsWith("lost") === true;
      return Promise.resolve(lost ? { code: status.UNAVAILABLE, message: "the answer is lost" } : undefined);
    });
    stack = await workflow.stack(program(driver.fake.endpoint, namespace));
    text = await stack.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    stopLosing();
  });
  after(() => workflow.stop());

  it("is named in the error of its step, with RPC, code and the driver's words [OS1-080]", () => {
    const said = diagnostics(text).split("\n");
    for (const policy of policies) {
      const under = policy.toLowerCase();
      for (const [name, rpc, kind] of [
        ["lost", "DriverCreateBucket", "BucketClaim"],
        ["refused", "DriverCreateBucket", "BucketClaim"],
        ["lost-access", "DriverGrantBucketAccess", "BucketAccess"],
        ["refused-access", "DriverGrantBucketAccess", "BucketAccess"],
      ] as const) {
        const object = `of ${kind} ${workflow.namespace}/${name}-${under}`;
        const about = said.filter((line) => line.includes(`${object} `) || line.includes(`${object},`));
        const words = name.startsWith("lost")
          ? "UNAVAILABLE: the answer is lost"
          : "PERMISSION_DENIED: not for you";
        assert.equal(about.length, 1, `${object}: ${text}`);
        assert.ok(about[0]?.includes(`${rpc}: ${words} `), about[0]);
      }
    }
  });

  it("is neither ready nor granted by the status of its objects [OS1-080]", async () => {
    for (const policy of policies) {
      const under = policy.toLowerCase();
      for (const name of ["lost", "refused"]) {
        const claim = await get(bucketClaimKind, `${name}-${under}`);
        const bucketName = `bucket-${String(claim?.metadata.uid)}`;
        assert.deepEqual(claim?.["status"], { bucketName, bucketReady: false });
        assert.deepEqual((await get(bucketKind, bucketName))?.["status"], { bucketReady: false });
        const access = await get(bucketAccessKind, `${name}-access-${under}`);
        assert.deepEqual(access?.["status"], { accessGranted: false });
        assert.equal(await get(secretKind, `${name}-creds-${under}`), undefined);
      }
    }
  });

  describe("when it is destroyed", () => {
    let destroyed: string;

    before(async () => {
      workflow.driver.forget();
      destroyed = await stack.destroy();
    });

    it("has its create repeated and is deleted under Delete; a lost grant is repeated and revoked [OS1-074]", () => {
      const calls = callsUnder("Delete");
      assert.deepEqual(
        calls.filter((call) => call.endsWith(" lost-delete")),
        ["create lost-delete", "delete lost-delete"],
      );
      assert.deepEqual(
        calls.filter((call) => !call.endsWith(" lost-delete")),
        ["grant lost-access-delete", "revoke lost-access-delete", "delete made-delete"],
      );
    });

    it("has nothing sent for a lost create under Retain, and its name is told; a grant goes all the same [OS1-074]", () => {
      assert.deepEqual(callsUnder("Retain"), ["grant lost-access-retain", "revoke lost-access-retain"]);
      const [name] = [...owners].find(([, claim]) => claim === "lost-retain") ?? [];
      assert.ok(name !== undefined);
      const warnings = destroyed.split("\n").filter((line) => line.includes(`warning: bucket ${name}: `));
      assert.match(warnings[0] ?? "", /the outcome of its create is not known and its policy is Retain/);
    });

    it("sends the same fields again", () => {
      const { create, grant } = workflow.driver.requests();
      assert.deepEqual(
        create.map(({ parameters }) => parameters),
        [new Map([["color", "delete"]])],
      );
      for (const { parameters } of grant) assert.deepEqual(parameters, new Map([["role", "writer"]]));
    });

    it("leaves no account and only what Retain keeps, and no object [OS1-074] [CASE-C19]", async () => {
      const { driver, cluster, namespace } = workflow;
      assert.deepEqual([...driver.buckets.keys()].map((id) => owners.get(id)).sort(), [
        "lost-retain",
        "made-retain",
      ]);
      assert.deepEqual([...driver.accounts.keys()], []);
      for (const kind of [bucketClaimKind, bucketAccessKind, secretKind]) {
        assert.deepEqual(await cluster.client.list(kind, { namespace }), []);
      }
      for (const name of owners.keys()) assert.equal(await get(bucketKind, name), undefined);
      assert.deepEqual((await stack.state()).resources, []);
    });
  });
});

/** What a call is about: the name of the account, or that of the bucket. */
function nameIn({ rpc, request }: DriverCall): string {
  if (rpc === "create" || rpc === "grant") return request.name;
  return rpc === "revoke" ? request.accountId : request.bucketId;
}

function claimOf(bucket: KubernetesObject | undefined): string {
  const spec = isRecord(bucket?.["spec"]) ? bucket["spec"] : {};
  const claim = isRecord(spec["bucketClaim"]) ? spec["bucketClaim"] : {};
  return String(claim["name"]);
}
