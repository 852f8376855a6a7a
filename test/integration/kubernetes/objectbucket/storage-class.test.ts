import assert from "node:assert/strict";
import type { KubernetesKind, KubernetesObject } from "../../../../provider/kubernetes/object";
import { storageClassKind } from "../../../../provider/models/objectbucket/kinds";
import { obligingDriver } from "../../../support/cosi-v1alpha1";
import { Cluster } from "../../../support/end-to-end/cluster";
import { quickProgram } from "../../../support/end-to-end/program";
import type { FakeDriver } from "../../../support/fake-driver";
import { Stack } from "../../../support/stack";

/** `TIER`, `POLICY` and `PROVISIONER` are what of a class cannot be changed in place. */
const source = `
import * as cosi from "pulumi-cosi";
import * as k8s from "@pulumi/kubernetes";
const { TIER, POLICY, PROVISIONER, STORE_ENDPOINT } = process.env;
const driver = new cosi.Driver("store", { endpoint: STORE_ENDPOINT! });
const gold = new cosi.objectbucket.StorageClass("gold", {
  driver,
  ...(TIER === undefined ? {} : { parameters: { tier: TIER } }),
  ...(POLICY === undefined ? {} : { reclaimPolicy: POLICY }),
  ...(PROVISIONER === undefined ? {} : { provisioner: PROVISIONER }),
  viewers: [
    { kind: "User", name: "alice" },
    { kind: "Group", name: "shop" },
    { kind: "ServiceAccount", name: "web", namespace: "shop" },
  ],
});
new cosi.objectbucket.StorageClass("silver", { driver });
new cosi.objectbucket.ClaimUserRole("users", { namespace: "shop", subjects: [{ kind: "Group", name: "shop" }] });
// In the foreground it would wait for a garbage collector.
const annotations = { "pulumi.com/deletionPropagationPolicy": "background" };
const metadata = { name: "user", namespace: "shop", annotations };
new k8s.core.v1.ConfigMap("user", { metadata, data: { storageClass: gold.className } }, { dependsOn: gold });
`;

const rbac = "rbac.authorization.k8s.io/v1";
const written: readonly [kind: KubernetesKind, name: string, namespace?: string][] = [
  [storageClassKind, "gold"],
  [storageClassKind, "silver"],
  [{ apiVersion: rbac, kind: "ClusterRole", plural: "clusterroles" }, "gold-storageclass-viewers"],
  [
    { apiVersion: rbac, kind: "ClusterRoleBinding", plural: "clusterrolebindings" },
    "gold-storageclass-viewers",
  ],
  [{ apiVersion: rbac, kind: "Role", plural: "roles" }, "users", "shop"],
  [{ apiVersion: rbac, kind: "RoleBinding", plural: "rolebindings" }, "users", "shop"],
];

/** Who asks, as the API server knows them. */
const people = {
  alice: { user: "alice" },
  member: { user: "bob", groups: ["shop"] },
  web: { user: "system:serviceaccount:shop:web" },
  nobody: { user: "mallory", groups: ["other"] },
} as const;

/** What is asked for: `<verb> <resource>.<group>/<name>`, with the namespace behind it. */
interface Wish {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

const classWish = (verb: string, name?: string): Wish => ({
  verb,
  group: "storage.k8s.io",
  resource: "storageclasses",
  ...(name === undefined ? {} : { name }),
});
const claimWish = (verb: string, namespace = "shop", resource = "objectbucketclaims"): Wish => ({
  verb,
  group: "objectbucket.io",
  resource,
  namespace,
});

describe("a StorageClass of object buckets, on a real API server", function () {
  this.timeout(600_000);
  let cluster: Cluster;
  let driver: FakeDriver;
  let stack: Stack;

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    for (const name of ["shop", "other"]) await cluster.createNamespace(name);
    driver = obligingDriver();
    await driver.start();
    stack = await Stack.create(
      { source },
      { ...cluster.variables, ...quickProgram, STORE_ENDPOINT: driver.endpoint },
    );
    await stack.up();
  });

  after(async () => {
    await stack.remove();
    driver.stop();
    await cluster.stop();
  });

  const uids = async (): Promise<Record<string, string>> => {
    const entries = written.map(async ([kind, name, namespace]) => {
      const { metadata } = await cluster.get(kind, name, namespace);
      return [`${kind.kind} ${name}`, metadata.uid ?? ""] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };

  const gold = (): Promise<KubernetesObject> => cluster.get(storageClassKind, "gold");

  const may = async (who: keyof typeof people, wish: Wish): Promise<boolean> => {
    const k8s = await import("@kubernetes/client-node");
    const config = new k8s.KubeConfig();
    config.loadFromFile(cluster.plane.kubeconfig);
    const { user, ...rest } = people[who];
    const body = new k8s.V1SubjectAccessReview();
    body.spec = new k8s.V1SubjectAccessReviewSpec();
    body.spec.user = user;
    body.spec.groups = "groups" in rest ? [...rest.groups] : [];
    body.spec.resourceAttributes = Object.assign(new k8s.V1ResourceAttributes(), { version: "*", ...wish });
    const { status } = await config.makeApiClient(k8s.AuthorizationV1Api).createSubjectAccessReview({ body });
    return status?.allowed ?? false;
  };

  it("keeps its buckets where the program says nothing, whatever the server's default [OBC-032]", async () => {
    const { provisioner, reclaimPolicy, parameters } = await gold();
    assert.deepEqual(
      { provisioner, reclaimPolicy, parameters },
      {
        provisioner: "cosi.objectbucket.io/fake.example.com",
        reclaimPolicy: "Retain",
        parameters: undefined,
      },
    );
  });

  it("lets those see it who are listed, and users claim buckets in their namespace alone [OBC-038]", async () => {
    const claims = ["create", "delete", "get", "list", "patch", "update", "watch"].map((verb) =>
      claimWish(verb),
    );
    const seen = [classWish("get", "gold"), classWish("list")];
    // The server learns of new roles a moment after they are written.
    const deadline = Date.now() + 60_000;
    for (const [who, wishes] of [
      ["alice", seen],
      ["web", seen],
      ["member", [...seen, ...claims]],
    ] as const) {
      for (const wish of wishes) {
        while (!(await may(who, wish))) {
          assert.ok(Date.now() < deadline, `${who} may not ${JSON.stringify(wish)}`);
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    }
    const neither = [
      classWish("get", "silver"),
      classWish("get"),
      classWish("delete", "gold"),
      classWish("update", "gold"),
      claimWish("get", "other"),
      claimWish("list", ""),
      claimWish("update", "shop", "objectbucketclaims/status"),
      claimWish("get", "", "objectbuckets"),
      claimWish("list", "", "objectbuckets"),
      claimWish("create", "", "objectbuckets"),
      { verb: "get", group: "", resource: "secrets", namespace: "shop" },
    ];
    for (const who of ["alice", "member", "web", "nobody"] as const) {
      for (const wish of neither)
        assert.equal(await may(who, wish), false, `${who}: ${JSON.stringify(wish)}`);
    }
    for (const wish of [...seen, ...claims])
      assert.equal(await may("nobody", wish), false, JSON.stringify(wish));
    for (const wish of claims) assert.equal(await may("alice", wish), false, JSON.stringify(wish));
  });

  it("is as it was for the next preview, after a refresh too", async () => {
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.succeed(["preview", "--refresh", "--expect-no-changes"]);
  });

  const changes: [what: string, variables: Record<string, string>][] = [
    ["a parameter", { TIER: "hot" }],
    ["the policy", { POLICY: "Delete" }],
    ["the provisioner", { PROVISIONER: "stores.example.com/gold" }],
  ];
  for (const [what, variables] of changes) {
    it(`is the one object that is replaced for a change of ${what} [OBC-039]`, async () => {
      const calls = driver.calls.length;
      const replaced = (await stack.plannedSteps(variables))
        .filter(({ op }) => op.includes("replace"))
        .map(({ urn }) => urn.split("::").slice(-2).join("::").split("$").pop());
      assert.deepEqual([...new Set(replaced)].sort(), [
        "kubernetes:storage.k8s.io/v1:StorageClass::gold",
        "pulumi-nodejs:dynamic/cosi/kubernetes:DeletionGuard::gold",
      ]);
      const before = await uids();
      await stack.up(variables);
      const after = await uids();
      const changed = Object.keys(after).filter((key) => after[key] !== before[key]);
      assert.deepEqual(changed, ["StorageClass gold"]);
      const { parameters, reclaimPolicy, provisioner } = await gold();
      assert.deepEqual(
        { parameters, reclaimPolicy, provisioner },
        {
          parameters: what === "a parameter" ? { tier: "hot" } : undefined,
          reclaimPolicy: variables["POLICY"] ?? "Retain",
          provisioner: variables["PROVISIONER"] ?? "cosi.objectbucket.io/fake.example.com",
        },
      );
      const sent = driver.calls.slice(calls).map(({ path }) => path);
      assert.deepEqual(
        sent.filter((path) => !path.endsWith("/DriverGetInfo")),
        [],
      );
    });
  }

  it("goes with its roles", async () => {
    await stack.destroy();
    for (const [kind, name, namespace] of written) {
      assert.equal(await cluster.client.get(kind, { name, namespace }), undefined, `${kind.kind} ${name}`);
    }
  });
});
