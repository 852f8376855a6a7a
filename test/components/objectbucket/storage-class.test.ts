import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { ClaimUserRole } from "../../../components/objectbucket/claim-user-role";
import { StorageClass, type StorageClassArgs } from "../../../components/objectbucket/storage-class";
import { isRecord } from "../../../provider/dynamic/values";
import {
  classProgram,
  custom,
  driverName,
  dynamic,
  makeDriver,
  run,
  untyped,
  waitsFor,
  warnings,
  type ClassOptions,
} from "./mocks";

/** The fields of the class's object, without what every object has. */
async function fieldsOf(args: Partial<StorageClassArgs>): Promise<Record<string, unknown>> {
  const { made } = await classProgram(args);
  const common = ["metadata", "apiVersion", "kind"];
  return Object.fromEntries(
    Object.entries(custom(made, "StorageClass").inputs).filter(([field]) => !common.includes(field)),
  );
}

const own = `cosi.objectbucket.io/${driverName}`;

describe("a StorageClass of object buckets", function () {
  this.timeout(60_000);

  it("is one of storage.k8s.io/v1, with its provisioner and the policy Retain in full [OBC-032] [OBC-036]", async () => {
    const { made } = await classProgram({ labels: { team: "shop" }, annotations: { note: "x" } });
    const { apiVersion, kind, metadata, ...fields } = custom(made, "StorageClass").inputs;
    assert.deepEqual([apiVersion, kind], ["storage.k8s.io/v1", "StorageClass"]);
    assert.deepEqual(fields, { provisioner: own, reclaimPolicy: "Retain" });
    const { name, labels, annotations } = metadata as Record<string, Record<string, string>>;
    assert.deepEqual([name, labels], ["gold", { team: "shop" }]);
    assert.equal(annotations?.["note"], "x");
    assert.equal(annotations["pulumi-cosi/owner"], "organization/shop/test");
    assert.equal(annotations["pulumi-cosi/stack-id"], "stack-id");
    assert.deepEqual(dynamic(made, "NameGuard").inputs["kind"], {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      plural: "storageclasses",
    });
    assert.ok(waitsFor(made, "StorageClass", "gold").includes("NameGuard::gold"));
    assert.deepEqual(warnings(made), []);
  });

  it("has policy and parameters as they are given, those that are not known by name too [OBC-032] [OBC-033]", async () => {
    const parameters = { objectStore: "a", tier: "hot", endpoint: "h:80", region: "eu-1", bucketName: "" };
    assert.deepEqual(await fieldsOf({ reclaimPolicy: "Delete", parameters }), {
      provisioner: own,
      reclaimPolicy: "Delete",
      parameters,
    });
    assert.deepEqual(await fieldsOf({ reclaimPolicy: "Retain", parameters: { bucketName: "archive" } }), {
      provisioner: own,
      reclaimPolicy: "Retain",
      parameters: { bucketName: "archive" },
    });
  });

  it("has a provisioner of Rook's operator where no driver serves it [OBC-035]", async () => {
    const cases: [Partial<StorageClassArgs>, string][] = [
      [{}, "rook-ceph.ceph.rook.io/bucket"],
      [{ operatorNamespace: "rook-ceph-system" }, "rook-ceph-system.ceph.rook.io/bucket"],
      [{ operatorNamespace: pulumi.output("later") }, "later.ceph.rook.io/bucket"],
      [{ provisioner: "ceph.rook.io/bucket" }, "ceph.rook.io/bucket"],
      [{ provisioner: "prefix.ceph.rook.io/bucket" }, "prefix.ceph.rook.io/bucket"],
      [{ provisioner: "noobaa.noobaa.io/obc" }, "noobaa.noobaa.io/obc"],
      [{ provisioner: "ceph.rook.io/object" }, "ceph.rook.io/object"],
      [{ provisioner: "ceph.rook.io/object-provisioner" }, "ceph.rook.io/object-provisioner"],
    ];
    for (const [args, provisioner] of cases) {
      const { made, storageClass } = await classProgram(args, { driver: "none" });
      assert.equal(custom(made, "StorageClass").inputs["provisioner"], provisioner);
      assert.equal(storageClass.driver, undefined);
      const expected = provisioner.includes("/object") ? 1 : 0;
      assert.equal(warnings(made).length, expected, provisioner);
    }
  });

  it("warns of a provisioner of the design, which no released operator serves [OBC-035]", async () => {
    const { made } = await classProgram({ provisioner: "ceph.rook.io/object" });
    assert.deepEqual(warnings(made), [
      'provisioner "ceph.rook.io/object" is that of the design, and no released operator serves it: Rook\'s is ' +
        '"<namespace of the operator>.ceph.rook.io/bucket"',
    ]);
    assert.deepEqual(dynamic(made, "NameGuard").inputs["warnings"], warnings(made));
  });

  it("has an operator's provisioner beside a driver where the program allows it [OBC-036]", async () => {
    const given = { provisioner: "rook-ceph.ceph.rook.io/bucket", allowOperatorProvisioner: true };
    assert.equal((await fieldsOf(given))["provisioner"], given.provisioner);
  });

  it("is replaced, the old object first, by a change of provisioner, parameters or policy alone [OBC-039]", async () => {
    const { options } = await classProgram({ parameters: { tier: "hot" } });
    const trigger: unknown = options.get("StorageClass")?.replacementTrigger;
    assert.ok(isRecord(trigger));
    assert.deepEqual(Object.keys(trigger).sort(), ["parameters", "provisioner", "reclaimPolicy"]);
    assert.equal(options.get("StorageClass")?.deleteBeforeReplace, true);
  });

  it("hands on to claims what they copy, none of it an output of another resource [OBC-039]", async () => {
    const seen: unknown[] = [];
    const made = await run(() => {
      const parameters = { key: pulumi.secret("s3cr3t"), bucketName: "archive" };
      const shared = new StorageClass("shared", { driver: makeDriver(), name: "archive", parameters });
      pulumi.output(shared.copy()).apply((copy) => seen.push(copy));
      new k8s.core.v1.ConfigMap("named", { data: { name: shared.className } });
      new k8s.core.v1.ConfigMap("copied", { data: { copy: pulumi.jsonStringify(shared.copy()) } });
    });
    const copied = { key: "s3cr3t", bucketName: "archive" };
    assert.deepEqual(seen, [
      { name: "archive", reclaimPolicy: "Retain", parameters: copied, secretParameters: true },
    ]);
    assert.deepEqual(waitsFor(made, "ConfigMap", "named"), []);
    assert.deepEqual(waitsFor(made, "ConfigMap", "copied"), []);
  });

  it("has no secret parameters where none is secret", async () => {
    const { storageClass } = await classProgram({ parameters: { tier: "hot" } });
    const copy = await new Promise((resolve) => pulumi.output(storageClass.copy()).apply(resolve));
    assert.deepEqual(copy, {
      name: "gold",
      reclaimPolicy: "Retain",
      parameters: { tier: "hot" },
      secretParameters: undefined,
    });
  });

  it("allows two keys of additionalConfig, or those that it is given, and writes them nowhere [OBC-079]", async () => {
    const plain = await classProgram();
    assert.deepEqual(plain.storageClass.allowedAdditionalConfig, ["maxObjects", "maxSize"]);
    const { made, storageClass } = await classProgram({ allowedAdditionalConfig: ["bucketPolicy"] });
    assert.deepEqual(storageClass.allowedAdditionalConfig, ["bucketPolicy"]);
    assert.ok(!JSON.stringify(custom(made, "StorageClass").inputs).includes("bucketPolicy"));
    const none = await classProgram({ allowedAdditionalConfig: [] });
    assert.deepEqual(none.storageClass.allowedAdditionalConfig, []);
  });

  const policies = 'give one of "Retain", "Delete"';
  type Refusal = [what: string, args: Partial<StorageClassArgs>, message: RegExp, options?: ClassOptions];
  const refused: Refusal[] = [
    [
      "the policy Recycle [OBC-030]",
      { reclaimPolicy: "Recycle" },
      new RegExp(`StorageClass gold: reclaimPolicy is "Recycle": ${policies}`),
    ],
    [
      "a policy that turns out to be of no kind [OBC-030]",
      { reclaimPolicy: pulumi.output("delete") },
      new RegExp(`StorageClass gold: reclaimPolicy is "delete": ${policies}`),
    ],
    [
      "retainPolicy [OBC-032]",
      untyped({ retainPolicy: "Delete" }),
      /StorageClass gold: retainPolicy is no argument: leave it out, or call it reclaimPolicy$/,
    ],
    [
      "Delete for a bucket that was there before",
      { reclaimPolicy: "Delete", parameters: { bucketName: "archive" } },
      /StorageClass gold: reclaimPolicy is "Delete", but parameters\.bucketName names an existing bucket/,
    ],
    [
      "two object stores [OBC-034]",
      { parameters: { objectStore: "a", objectStoreName: "b" } },
      /StorageClass gold: parameters give two values for the same thing, as objectStore and as objectStoreName/,
    ],
    [
      "quotas of an owner [OBC-119]",
      { parameters: { bucketOwner: "alice", maxSize: pulumi.output("2G") } },
      /StorageClass gold: parameters has bucketOwner beside maxSize/,
    ],
    [
      "a parameter that is no text",
      { parameters: untyped({ size: 3 }) },
      /StorageClass gold: parameters has a value that is not a string at the key "size"/,
    ],
    [
      "a provisioner that the API server does not take [OBC-035]",
      { provisioner: "S3 of Example" },
      /StorageClass gold: provisioner is "S3 of Example": give a domain, a slash/,
    ],
    [
      "the provisioner of Rook's operator beside a driver [OBC-036]",
      { provisioner: "rook-ceph.ceph.rook.io/bucket" },
      /StorageClass gold: provisioner is "rook-ceph.ceph.rook.io\/bucket", whose claims the operator of Rook serves/,
    ],
    [
      "that of NooBaa's operator, told later [OBC-036]",
      { provisioner: pulumi.output("noobaa.io/obc") },
      /StorageClass gold: provisioner is "noobaa.io\/obc", whose claims the operator of NooBaa serves/,
    ],
    [
      "an empty provisioner",
      { provisioner: "" },
      /StorageClass gold: provisioner is empty: give a name such as "cosi\.objectbucket\.io\/store"/,
    ],
    [
      "a driver whose name makes no provisioner",
      {},
      /StorageClass gold: provisioner is "cosi\.objectbucket\.io\/S3 of Example": give a domain/,
      { driver: { contract: "cosi-2020-02", driverName: "S3 of Example" } },
    ],
    [
      "an operator's namespace beside a driver",
      { operatorNamespace: "rook-ceph" },
      /StorageClass gold: operatorNamespace and driver are both given/,
    ],
    [
      "an operator's namespace beside a provisioner",
      { operatorNamespace: "rook-ceph", provisioner: "noobaa.noobaa.io/obc" },
      /StorageClass gold: operatorNamespace and provisioner are both given/,
      { driver: "none" },
    ],
    [
      "an operator's namespace that is none",
      { operatorNamespace: "Rook" },
      /StorageClass gold: operatorNamespace is "Rook": the name of a namespace/,
      { driver: "none" },
    ],
    [
      "keys that are no list [OBC-079]",
      { allowedAdditionalConfig: untyped("bucketPolicy") },
      /StorageClass gold: allowedAdditionalConfig is "bucketPolicy": give a list of keys/,
    ],
    [
      "a key that is no text [OBC-079]",
      { allowedAdditionalConfig: untyped([3]) },
      /StorageClass gold: allowedAdditionalConfig is \[3\]: give a list of keys/,
    ],
    [
      "viewers that are no list",
      { viewers: untyped({ kind: "Group", name: "shop" }) },
      /StorageClass gold: viewers is {"kind":"Group","name":"shop"}: give a list/,
    ],
    [
      "a viewer of no kind",
      { viewers: [{ kind: "Team", name: "shop" }] },
      /StorageClass gold: viewers\[0\]\.kind is "Team": give one of "User", "Group", "ServiceAccount"/,
    ],
    [
      "a viewer without name",
      { viewers: [{ kind: "User", name: pulumi.output("") }] },
      /StorageClass gold: viewers\[0\]\.name is empty: give the name of a User/,
    ],
    [
      "a service account without namespace",
      { viewers: [{ kind: "ServiceAccount", name: "web" }] },
      /StorageClass gold: viewers\[0\]\.namespace is missing/,
    ],
    [
      "a group with a namespace",
      { viewers: [{ kind: "Group", name: "shop", namespace: "shop" }] },
      /StorageClass gold: viewers\[0\]\.namespace is "shop": a Group has no namespace, leave it out/,
    ],
  ];
  for (const [what, args, message, driver] of refused) {
    it(`is refused in a preview with ${what}`, async () => {
      await assert.rejects(classProgram(args, { preview: true, ...driver }), message);
    });
  }

  it("has roles for those who may see it, and none without them [OBC-038]", async () => {
    const { made } = await classProgram({
      name: "fast",
      labels: { team: "shop" },
      viewers: [
        { kind: "Group", name: "shop" },
        { kind: "ServiceAccount", name: pulumi.output("web"), namespace: "shop" },
      ],
    });
    const name = "fast-storageclass-viewers";
    const role = custom(made, "ClusterRole").inputs;
    const group = { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"] };
    assert.deepEqual(role["rules"], [
      { ...group, resourceNames: ["fast"], verbs: ["get"] },
      { ...group, verbs: ["list"] },
    ]);
    const binding = custom(made, "ClusterRoleBinding").inputs;
    const apiGroup = "rbac.authorization.k8s.io";
    assert.deepEqual(binding["roleRef"], { apiGroup, kind: "ClusterRole", name });
    assert.deepEqual(binding["subjects"], [
      { kind: "Group", name: "shop", apiGroup },
      { kind: "ServiceAccount", name: "web", namespace: "shop" },
    ]);
    for (const { apiVersion, metadata } of [role, binding]) {
      const { name: found, labels, annotations } = metadata as Record<string, Record<string, string>>;
      assert.deepEqual([apiVersion, found, labels], [`${apiGroup}/v1`, name, { team: "shop" }]);
      assert.equal(annotations?.["pulumi-cosi/owner"], "organization/shop/test");
    }
    // A foreign role of the name stops the run: each object has a guard of its own.
    for (const object of ["ClusterRole", "ClusterRoleBinding"]) {
      const logicalName = object === "ClusterRole" ? "gold-viewers" : "gold-viewers-binding";
      assert.ok(waitsFor(made, object, logicalName).includes(`NameGuard::${logicalName}`), object);
      const { kind } = dynamic(made, "NameGuard", logicalName).inputs as { kind: { kind: string } };
      assert.equal(kind.kind, object);
    }
    for (const viewers of [undefined, []]) {
      const { registered } = (await classProgram(viewers === undefined ? {} : { viewers })).made;
      assert.ok(!registered.some(({ type }) => type.includes("rbac")));
    }
  });
});

describe("the role of users who claim buckets", function () {
  this.timeout(60_000);
  const subjects = [{ kind: "Group", name: "shop" }];

  it("is of their namespace and of claims alone [OBC-038]", async () => {
    const made = await run(() => {
      const role = new ClaimUserRole("users", { namespace: "shop", subjects });
      new k8s.core.v1.ConfigMap("named", { data: { role: role.roleName, namespace: role.namespace } });
    });
    const { rules, metadata } = custom(made, "Role").inputs;
    assert.deepEqual(rules, [
      {
        apiGroups: ["objectbucket.io"],
        resources: ["objectbucketclaims"],
        verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
      },
    ]);
    const { namespace, name } = metadata as { namespace: string; name: string };
    assert.deepEqual([namespace, name], ["shop", "users"]);
    const binding = custom(made, "RoleBinding").inputs as { metadata: object; roleRef: { name: string } };
    assert.equal(Reflect.get(binding.metadata, "namespace"), "shop");
    assert.equal(binding.roleRef.name, "users");
    assert.deepEqual(custom(made, "ConfigMap").inputs["data"], { role: "users", namespace: "shop" });
  });

  const refused: [what: string, args: object, message: RegExp][] = [
    ["no namespace", { subjects }, /ClaimUserRole users: namespace is missing/],
    ["no subjects", { namespace: "shop" }, /ClaimUserRole users: subjects is missing/],
    [
      "an empty list",
      { namespace: "shop", subjects: [] },
      /users: subjects is \[\]: give a list of at least one/,
    ],
    [
      "a namespace that is none",
      { namespace: "Shop", subjects },
      /users: namespace is "Shop": the name of a/,
    ],
  ];
  for (const [what, args, message] of refused) {
    it(`is refused in a preview with ${what}`, async () => {
      const program = () => {
        new ClaimUserRole("users", untyped(args));
      };
      await assert.rejects(run(program, { preview: true }), message);
    });
  }
});
