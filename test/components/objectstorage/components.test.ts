import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import * as objectstorage from "../../../components/objectstorage";
import { Driver } from "../../../provider/driver-resource";
import { only, run, type Registered } from "./mocks";

const claimUid = "c1a10000-0000-4000-8000-000000000001";
const accessUid = "acce5500-0000-4000-8000-000000000003";

interface Program {
  bucketClass?: Partial<objectstorage.BucketClassArgs>;
  accessClass?: Partial<objectstorage.BucketAccessClassArgs>;
  claim?: Partial<objectstorage.BucketClaimArgs>;
  access?: Partial<objectstorage.BucketAccessArgs>;
  opts?: pulumi.ComponentResourceOptions;
}

/** The program of the README, with changes. */
function program({ bucketClass, accessClass, claim, access, opts }: Program = {}) {
  return run(() => {
    const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
    const gold = new objectstorage.BucketClass(
      "gold",
      { driver, deletionPolicy: "Delete", parameters: { tier: "hot" }, ...bucketClass },
      opts,
    );
    const keys = new objectstorage.BucketAccessClass(
      "keys",
      { driver, authenticationType: "Key", ...accessClass },
      opts,
    );
    const photos = new objectstorage.BucketClaim(
      "photos",
      { namespace: "shop", bucketClass: gold, protocols: ["S3"], ...claim },
      opts,
    );
    new objectstorage.BucketAccess(
      "photos-rw",
      {
        namespace: "shop",
        bucketClaim: photos,
        bucketAccessClass: keys,
        credentialsSecretName: "photos-creds",
        ...access,
      },
      opts,
    );
  });
}

function specOf(resource: Registered): unknown {
  return resource.inputs["spec"];
}

function withoutMetadata({ inputs }: Registered): object {
  return Object.fromEntries(Object.entries(inputs).filter(([field]) => field !== "metadata"));
}

function custom(registered: readonly Registered[], kind: string): Registered {
  return only(registered, `objectstorage.k8s.io/v1alpha1:${kind}`);
}

function dynamic(registered: readonly Registered[], type: string): Registered {
  return only(
    registered.filter(({ type: token }) => token.startsWith("pulumi-nodejs:dynamic/")),
    type,
  );
}

describe("the components of objectstorage.k8s.io/v1alpha1", function () {
  this.timeout(60_000);

  it("write the classes without a spec, the policy in full [OS1-007] [OS1-012]", async () => {
    const registered = await program({
      bucketClass: { deletionPolicy: undefined } as Program["bucketClass"] & object,
    });
    assert.deepEqual(withoutMetadata(custom(registered, "BucketClass")), {
      apiVersion: "objectstorage.k8s.io/v1alpha1",
      kind: "BucketClass",
      driverName: "cosi.example.com",
      deletionPolicy: "Retain",
      parameters: { tier: "hot" },
    });
    assert.deepEqual(withoutMetadata(custom(registered, "BucketAccessClass")), {
      apiVersion: "objectstorage.k8s.io/v1alpha1",
      kind: "BucketAccessClass",
      driverName: "cosi.example.com",
      authenticationType: "Key",
    });
  });

  it("fill the Bucket object from claim and class [OS1-021]", async () => {
    const registered = await program();
    assert.deepEqual(specOf(custom(registered, "Bucket")), {
      driverName: "cosi.example.com",
      deletionPolicy: "Delete",
      bucketClassName: "gold",
      bucketClaim: { namespace: "shop", name: "photos", uid: claimUid },
      protocols: ["S3"],
      parameters: { tier: "hot" },
    });
    assert.deepEqual(specOf(custom(registered, "BucketClaim")), {
      bucketClassName: "gold",
      protocols: ["S3"],
    });
  });

  it("take all names from the UIDs [OS1-032]", async () => {
    const registered = await program();
    assert.equal(dynamic(registered, "Bucket").inputs["name"], `bucket-${claimUid}`);
    assert.equal(dynamic(registered, "BucketAccess").inputs["name"], `ba-${accessUid}`);
    const data = JSON.stringify(dynamic(registered, "Secret").inputs["data"]);
    assert.ok(data.includes(`bc-${accessUid}`));
  });

  it("mark each custom resource as this stack's, to be deleted without a garbage collector", async () => {
    const registered = await program({ claim: { annotations: { team: "a" }, labels: { app: "shop" } } });
    const { metadata } = custom(registered, "BucketClaim").inputs;
    assert.deepEqual(metadata, {
      namespace: "shop",
      name: "photos",
      labels: { app: "shop" },
      annotations: {
        team: "a",
        "pulumi-cosi/owner": "organization/shop/test",
        "pulumi-cosi/resource": "photos",
        "pulumi.com/deletionPropagationPolicy": "background",
        "pulumi.com/patchForce": "true",
      },
    });
  });

  it("look up each name before the object is written, after the definitions", async () => {
    const registered = await program();
    const position = (suffix: string, name: string) =>
      registered.findIndex(
        ({ type, inputs }) => type.endsWith(suffix) && JSON.stringify(inputs).includes(name),
      );
    const definitions = position(":CustomResourceDefinitions", "");
    for (const kind of ["BucketClass", "BucketAccessClass", "BucketClaim", "BucketAccess"]) {
      const guard = position("kubernetes:NameGuard", `"kind":"${kind}"`);
      const object = position(`objectstorage.k8s.io/v1alpha1:${kind}`, "");
      assert.ok(definitions < guard && guard < object, kind);
    }
  });

  it("share one set of definitions and, with a kubeconfig, one provider", async () => {
    const kubeconfig = "path/of/kubeconfig";
    const registered = await program({
      bucketClass: { kubeconfig },
      accessClass: { kubeconfig },
      claim: { kubeconfig },
      access: { kubeconfig },
    });
    only(registered, "CustomResourceDefinitions");
    assert.equal(registered.filter(({ type }) => type === "pulumi:providers:kubernetes").length, 1);
    const { kubernetes } = dynamic(registered, "Secret").inputs;
    assert.deepEqual(kubernetes, { kubeconfig });
  });

  it("keep the text of a kubeconfig as a secret", async () => {
    const registered = await program({ access: { kubeconfig: "apiVersion: v1\nkind: Config\n" } });
    assert.deepEqual(dynamic(registered, "Secret").inputs["kubernetes"], {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: { kubeconfig: "apiVersion: v1\nkind: Config\n" },
    });
  });

  it("take a bucket over by a static Bucket, with the class's parameters and without a policy to delete [OS1-057]", async () => {
    const registered = await run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const gold = new objectstorage.BucketClass("gold", { driver, parameters: { tier: "hot" } });
      const archive = new objectstorage.Bucket("archive", {
        bucketClass: gold,
        existingBucketId: "archive-2019",
        protocols: ["S3"],
        bucketClaim: { namespace: "shop", name: "photos" },
      });
      new objectstorage.BucketClaim("photos", {
        namespace: "shop",
        existingBucket: archive,
        protocols: ["S3"],
      });
    });
    assert.deepEqual(specOf(custom(registered, "Bucket")), {
      driverName: "cosi.example.com",
      bucketClassName: "gold",
      bucketClaim: { namespace: "shop", name: "photos" },
      protocols: ["S3"],
      deletionPolicy: "Retain",
      existingBucketID: "archive-2019",
      parameters: { tier: "hot" },
    });
    const bucket = dynamic(registered, "Bucket").inputs;
    assert.equal(bucket["existingBucketId"], "archive-2019");
    assert.equal("deletionPolicy" in bucket, false);
    assert.deepEqual(specOf(custom(registered, "BucketClaim")), {
      existingBucketName: "archive",
      protocols: ["S3"],
    });
  });
});

describe("the arguments of the components", function () {
  this.timeout(60_000);

  const untyped = (value: unknown) => value as never;
  const refused: [string, Program, RegExp][] = [
    [
      "a policy in another spelling [OS1-008]",
      { bucketClass: { deletionPolicy: "delete" } },
      /BucketClass gold: deletionPolicy is "delete": give "Retain", "Delete"/,
    ],
    [
      "a driver's name that is too long [OS1-009]",
      { bucketClass: { driverName: "a".repeat(64) } },
      /driverName is "a{64}": it has 1 to 63/,
    ],
    ["a driver's name with a dash in front", { bucketClass: { driverName: "-x" } }, /driverName is "-x"/],
    [
      "the name of another driver",
      { bucketClass: { driverName: "other.example.com" } },
      /driverName is "other\.example\.com", and the driver calls itself "cosi\.example\.com"/,
    ],
    [
      "another authentication",
      { accessClass: { authenticationType: "Basic" } },
      /is "Basic": give "Key", "IAM"/,
    ],
    [
      "a claim of class and bucket, or of neither [OS1-016]",
      { claim: { bucketClass: untyped(undefined) } },
      /BucketClaim photos: bucketClass and existingBucket are both missing/,
    ],
    [
      "no protocol",
      { claim: { protocols: [] } },
      /protocols is \[\]: give at least one of "S3", "Azure", "GCP"/,
    ],
    ["an unknown protocol", { claim: { protocols: ["NFS"] } }, /protocols has "NFS"/],
    [
      "an access in another namespace than its claim [OS1-026]",
      { access: { namespace: "other" } },
      /BucketAccess photos-rw: namespace is "other", and the claim is in "shop"/,
    ],
    [
      "a protocol that the claim does not have [OS1-027]",
      { access: { protocol: "Azure" } },
      /protocol is "Azure", and the claim has "S3"/,
    ],
    [
      "IAM without a ServiceAccount",
      { accessClass: { authenticationType: "IAM" } },
      /serviceAccountName is missing: the class has authenticationType IAM/,
    ],
    [
      "a missing class",
      { access: { bucketAccessClass: untyped(undefined) } },
      /bucketAccessClass is missing/,
    ],
    ["a missing claim", { access: { bucketClaim: untyped(undefined) } }, /bucketClaim is missing/],
    [
      "a missing name of the Secret",
      { access: { credentialsSecretName: untyped(undefined) } },
      /credentialsSecretName is missing/,
    ],
  ];
  for (const [what, changes, message] of refused) {
    it(`refuse ${what}`, async () => {
      await assert.rejects(program(changes), message);
    });
  }

  it("refuse a class and an existing Bucket together", async () => {
    await assert.rejects(
      run(() => {
        const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
        const bucketClass = new objectstorage.BucketClass("gold", { driver });
        const existingBucket = new objectstorage.Bucket("archive", {
          bucketClass,
          existingBucketId: "archive",
          protocols: ["S3"],
        });
        const args = { namespace: "shop", bucketClass, existingBucket, protocols: ["S3"] };
        new objectstorage.BucketClaim("photos", args);
      }),
      /bucketClass and existingBucket are both given: leave one of them out/,
    );
  });

  it("refuse to delete a bucket that was there before [OS1-068]", async () => {
    await assert.rejects(
      run(() => {
        const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
        const bucketClass = new objectstorage.BucketClass("gold", { driver });
        const args = {
          bucketClass,
          existingBucketId: "archive",
          protocols: ["S3"],
          deletionPolicy: "Delete",
        };
        new objectstorage.Bucket("archive", args);
      }),
      /Bucket archive: deletionPolicy is "Delete" beside existingBucketId: only "Retain" goes with it/,
    );
  });

  it("refuse the mode in which a controller does the work [OS1-005]", async () => {
    await assert.rejects(
      run(() => {
        objectstorage.install({ mode: "controller" });
      }),
      /mode is "controller", and only "direct" is available/,
    );
  });

  const corrected: [string, Program, (registered: Registered[]) => unknown, unknown, string][] = [
    [
      "KEY [OS1-013]",
      { accessClass: { authenticationType: "KEY" } },
      (registered) => dynamic(registered, "BucketAccess").inputs["authenticationType"],
      "Key",
      'authenticationType "KEY" is written as "Key"',
    ],
    [
      "s3 and GCS [OS1-017]",
      { claim: { protocols: ["s3", "GCS"] } },
      (registered) => (specOf(custom(registered, "BucketClaim")) as { protocols: string[] }).protocols,
      ["S3", "GCP"],
      'protocols "GCS" is written as "GCP"',
    ],
    [
      "IAM, whose ServiceAccount the driver cannot see [OS1-028]",
      { accessClass: { authenticationType: "IAM" }, access: { serviceAccountName: "web" } },
      (registered) =>
        (specOf(custom(registered, "BucketAccess")) as { serviceAccountName: string }).serviceAccountName,
      "web",
      "the driver cannot see the ServiceAccount web",
    ],
  ];
  for (const [what, changes, read, expected, warning] of corrected) {
    it(`accept ${what}, and say so where the name is looked up`, async () => {
      const registered = await program(changes);
      assert.deepEqual(read(registered), expected);
      const warnings = registered.flatMap(({ inputs }) => (inputs["warnings"] ?? []) as string[]);
      assert.ok(
        warnings.some((text) => text.includes(warning)),
        warnings.join("\n"),
      );
    });
  }

  it("write the driver's name as the class spells it [OS1-009]", async () => {
    const registered = await program({ bucketClass: { driverName: "Cosi.Example.com" } });
    assert.equal(custom(registered, "BucketClass").inputs["driverName"], "Cosi.Example.com");
  });
});
