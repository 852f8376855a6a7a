import assert from "node:assert/strict";
import type { KubernetesObject } from "../../../../provider/kubernetes/object";
import {
  brownfieldBucketOf,
  objectStoreOf,
  objectStoreProblem,
  operatorProvisionerProblem,
  provisionerProblem,
  provisionerWarning,
  readStorageClass,
} from "../../../../provider/models/objectbucket/class-parameters";

const provisioner = "cosi.objectbucket.io/store";
const classWith = (fields: object): KubernetesObject => ({
  metadata: { name: "gold" },
  provisioner,
  ...fields,
});

describe("a StorageClass of the cluster", () => {
  it("is read with its policy and parameters, either of which may be absent [OBC-030] [OBC-032]", () => {
    const parameters = { tier: "hot", bucketName: "" };
    assert.deepEqual(readStorageClass(classWith({ reclaimPolicy: "Retain", parameters })), {
      name: "gold",
      provisioner,
      reclaimPolicy: "Retain",
      parameters,
    });
    assert.deepEqual(readStorageClass(classWith({ reclaimPolicy: "Delete" })), {
      name: "gold",
      provisioner,
      reclaimPolicy: "Delete",
      parameters: {},
    });
    // A class that is made elsewhere means what the API server means by it.
    assert.equal(readStorageClass(classWith({})).reclaimPolicy, "Delete");
  });

  for (const reclaimPolicy of ["Recycle", "retain", "", null]) {
    it(`is refused with the policy ${JSON.stringify(reclaimPolicy)} [OBC-030]`, () => {
      assert.throws(() => readStorageClass(classWith({ reclaimPolicy })), {
        name: "RefusedError",
        message:
          `StorageClass gold has reclaimPolicy ${JSON.stringify(reclaimPolicy)}, and a bucket is kept or deleted: ` +
          "name a class with Retain or Delete",
      });
    });
  }
});

describe("the parameters of a class", () => {
  it("name an object store by either of two names [OBC-034]", () => {
    assert.deepEqual(objectStoreOf({ objectStore: "a", objectStoreNamespace: "n" }), {
      name: "a",
      namespace: "n",
    });
    assert.deepEqual(objectStoreOf({ objectStoreName: "a" }), { name: "a" });
    assert.deepEqual(objectStoreOf({ objectStoreName: "", objectStore: "a", objectStoreNamespace: "" }), {
      name: "a",
    });
    assert.deepEqual(objectStoreOf({}), {});
  });

  it("name one object store by both of its names, or are refused without their values [OBC-034]", () => {
    assert.equal(objectStoreProblem({ objectStore: "a", objectStoreName: "a" }), undefined);
    assert.equal(objectStoreProblem({ objectStore: "a", objectStoreName: "" }), undefined);
    assert.equal(objectStoreProblem({ objectStore: "a" }), undefined);
    assert.equal(
      objectStoreProblem({ objectStore: "s3cr3t", objectStoreName: "b" }),
      "parameters give two values for the same thing, as objectStore and as objectStoreName: leave objectStore out",
    );
  });

  it("name a bucket that was there before by bucketName, with another id where there is one [OBC-033]", () => {
    assert.equal(brownfieldBucketOf({}), undefined);
    assert.equal(brownfieldBucketOf({ bucketName: "" }), undefined);
    assert.equal(brownfieldBucketOf({ bucketID: "id:7" }), undefined);
    const archive = { bucketName: "archive", bucketId: "archive" };
    assert.deepEqual(brownfieldBucketOf({ bucketName: "archive" }), archive);
    assert.deepEqual(brownfieldBucketOf({ bucketName: "archive", bucketID: "" }), archive);
    assert.deepEqual(brownfieldBucketOf({ bucketName: "archive", bucketID: "store/eu:archive=7" }), {
      bucketName: "archive",
      bucketId: "store/eu:archive=7",
    });
  });
});

describe("the provisioner of a class", () => {
  const ofRook = ["ceph.rook.io/bucket", "rook-ceph.ceph.rook.io/bucket", "prefixceph.rook.io/bucket"];
  const ofNooBaa = ["noobaa.io/obc", "openshift-storage.noobaa.io/obc"];
  const ofDesign = ["ceph.rook.io/object", "ceph.rook.io/object-provisioner"];
  const ofNobody = [
    provisioner,
    "ceph.rook.io/bucket2",
    "rook-ceph.rbd.csi.ceph.com",
    "mynoobaa.io/obc",
    "store",
  ];

  it("is that of an operator under each name that one serves [OBC-036]", () => {
    for (const name of ofRook) {
      assert.match(
        operatorProvisionerProblem(name) ?? "",
        /^is ".*bucket", whose claims the operator of Rook serves, .* give allowOperatorProvisioner: true$/,
        name,
      );
    }
    for (const name of ofNooBaa) assert.match(operatorProvisionerProblem(name) ?? "", /NooBaa serves/, name);
    for (const name of [...ofNobody, ...ofDesign]) {
      assert.equal(operatorProvisionerProblem(name), undefined, name);
    }
  });

  it("has a warning where it is one of the design, which no released operator serves [OBC-035]", () => {
    for (const name of ofDesign) {
      assert.match(
        provisionerWarning(name) ?? "",
        /^provisioner ".*" is that of the design, and no released/,
      );
    }
    for (const name of [...ofRook, ...ofNooBaa, ...ofNobody]) {
      assert.equal(provisionerWarning(name), undefined, name);
    }
  });

  it("has the form that the API server takes [OBC-035]", () => {
    const names = [
      ...ofRook,
      ...ofNooBaa,
      ...ofDesign,
      ...ofNobody,
      "Example.com/Store_1",
      `a/${"b".repeat(63)}`,
    ];
    for (const name of names) assert.equal(provisionerProblem(name), undefined, name);
    for (const name of [
      "",
      "/",
      "a/",
      "/a",
      "a/b/c",
      "S3 of Example/v1",
      `a/${"b".repeat(64)}`,
      "-a/b",
      "a/b-",
    ]) {
      assert.match(provisionerProblem(name) ?? "", /^is ".*": give a domain, a slash, and 1 to 63/, name);
    }
  });
});
