import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as objectstorage from "../../../components/objectstorage";
import { Bucket as DriverBucket } from "../../../provider/bucket/bucket";
import { Driver } from "../../../provider/driver-resource/driver";
import { only, run, type Registered } from "./mocks";

const claimUid = "c1a10000-0000-4000-8000-000000000001";
const bucketUid = "b0000000-0000-4000-8000-000000000002";
const accessUid = "acce5500-0000-4000-8000-000000000003";

interface Program {
  bucketClass?: Partial<objectstorage.BucketClassArgs>;
  accessClass?: Partial<objectstorage.BucketAccessClassArgs>;
  claim?: Partial<objectstorage.BucketClaimArgs>;
  access?: Partial<objectstorage.BucketAccessArgs>;
  opts?: pulumi.ComponentResourceOptions;
}

/** The program of the README, with changes. */
function program(
  { bucketClass, accessClass, claim, access, opts }: Program = {},
  options?: { preview: boolean },
) {
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
  }, options);
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

  it("hand on what the Bucket object says, from claim and class", async () => {
    const registered = await program();
    const { claim, bucketClass, bucketFields } = dynamic(registered, "ClaimBinding").inputs;
    assert.deepEqual(claim, { namespace: "shop", name: "photos", uid: claimUid });
    assert.deepEqual(bucketClass, {
      name: "gold",
      driverName: "cosi.example.com",
      deletionPolicy: "Delete",
      parameters: { tier: "hot" },
    });
    assert.deepEqual(bucketFields, { deletionPolicy: "Delete", protocols: ["S3"] });
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
        "pulumi-cosi/stack-id": "stack-id",
        "pulumi-cosi/resource": "cosi:objectstorage:BucketClaim::photos",
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
    assert.deepEqual(kubernetes, { kubeconfig, stackId: "stack-id" });
  });

  describe("with a kubernetes provider", () => {
    class App extends pulumi.ComponentResource {
      constructor(opts: pulumi.ComponentResourceOptions) {
        super("my:App", "app", {}, opts);
      }
    }
    /** A class of a program with a provider for another cluster than the stack's. */
    const classWith = (
      options: (provider: k8s.Provider) => pulumi.ComponentResourceOptions,
      cluster: objectstorage.ClusterArgs = {},
    ) =>
      run(() => {
        const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
        const provider = new k8s.Provider("b", { kubeconfig: "path/of/b" });
        new objectstorage.BucketClass("gold", { driver, ...cluster }, options(provider));
      });
    const inherited = (provider: k8s.Provider) => ({ parent: new App({ providers: [provider] }) });

    it("are refused unless kubeconfig or context says which cluster it is, of their own or of a parent", async () => {
      const refused =
        /BucketClass gold: kubeconfig and context are missing beside a kubernetes provider .* give kubeconfig or context/;
      for (const options of [
        (provider: k8s.Provider) => ({ provider }),
        (provider: k8s.Provider) => ({ providers: [provider] }),
        (provider: k8s.Provider) => ({ providers: { kubernetes: provider } }),
        inherited,
      ]) {
        await assert.rejects(classWith(options), refused);
      }
    });

    it("write custom resources by their own, else by the kubeconfig's", async () => {
      const kubeconfig = "path/of/b";
      const providerOf = async (options: Parameters<typeof classWith>[0]) =>
        custom(await classWith(options, { kubeconfig }), "BucketClass").provider;
      assert.match(await providerOf((provider) => ({ provider })), /::b::/);
      assert.match(await providerOf(() => ({ providers: [] })), /::objectstorage::/);
      assert.match(await providerOf(inherited), /::objectstorage::/);
    });
  });

  it("tell apart what components of one name under different parents write", async () => {
    const registered = await run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const parent = new pulumi.ComponentResource("my:App", "app");
      new objectstorage.BucketClass("gold", { driver }, { parent });
    });
    const urn = "my:App$cosi:objectstorage:BucketClass::gold";
    assert.equal(dynamic(registered, "NameGuard").inputs["resource"], urn);
    const { metadata } = custom(registered, "BucketClass").inputs as {
      metadata: { annotations: Record<string, string> };
    };
    assert.equal(metadata.annotations["pulumi-cosi/resource"], urn);
  });

  it("keep the text of a kubeconfig as a secret", async () => {
    const registered = await program({ access: { kubeconfig: "apiVersion: v1\nkind: Config\n" } });
    assert.deepEqual(dynamic(registered, "Secret").inputs["kubernetes"], {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: { kubeconfig: "apiVersion: v1\nkind: Config\n", stackId: "stack-id" },
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

describe("a BucketMirror", function () {
  this.timeout(60_000);

  const mirror = (use: (mirror: objectstorage.BucketMirror) => void, parameters?: Record<string, string>) =>
    run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const args = { driver, name: "photos-prod", ...(parameters === undefined ? {} : { parameters }) };
      use(new objectstorage.BucketMirror("photos", args));
    });

  it("writes a Bucket object named as the bucket's id, which no sidecar makes or deletes a bucket for", async () => {
    const registered = await mirror(() => undefined, { secret: "admin" });
    const object = custom(registered, "Bucket");
    assert.equal((object.inputs["metadata"] as { name: string }).name, "photos-prod");
    assert.deepEqual(specOf(object), {
      driverName: "cosi.example.com",
      bucketClassName: "",
      bucketClaim: {},
      protocols: ["S3"],
      deletionPolicy: "Retain",
      existingBucketID: "photos-prod",
      parameters: { secret: "admin" },
    });
  });

  it("gives a bucket that is made its name, and one that exists its id", async () => {
    const made = await mirror(({ greenfield }) => new DriverBucket("photos", greenfield), {
      secret: "admin",
    });
    const { name, parameters, objects } = dynamic(made, "Bucket").inputs;
    assert.deepEqual([name, parameters], ["photos-prod", { secret: "admin" }]);
    assert.deepEqual((objects as { bucket: unknown }).bucket, { name: "photos-prod", uid: bucketUid });
    const taken = await mirror(({ brownfield }) => new DriverBucket("photos", brownfield));
    const inputs = dynamic(taken, "Bucket").inputs;
    assert.deepEqual(
      [inputs["name"], inputs["existingBucketId"], inputs["parameters"]],
      [undefined, "photos-prod", {}],
    );
    assert.equal("parameters" in (specOf(custom(taken, "Bucket")) as object), false);
  });
});

describe("the arguments of the components", function () {
  this.timeout(60_000);

  /** What a program without types may give. */
  const untyped = (value: unknown) => value as never;
  const nothing = untyped(undefined);
  const laterNothing = untyped(pulumi.output(undefined));
  const refused: [string, Program, RegExp][] = [
    [
      "a policy in another spelling [OS1-008]",
      { bucketClass: { deletionPolicy: "delete" } },
      /BucketClass gold: deletionPolicy is "delete": give "Retain", "Delete"/,
    ],
    [
      "a driver's name that is too long [OS1-009]",
      { bucketClass: { driverName: "a".repeat(64) } },
      /driverName is "a{64}": give 1 to 63/,
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
      "a claim of neither class nor Bucket [OS1-016]",
      { claim: { bucketClass: nothing } },
      /BucketClaim photos: bucketClass and existingBucket are both missing/,
    ],
    [
      "no protocol [OS1-017]",
      { claim: { protocols: [] } },
      /protocols is \[\]: give a list with at least one of "S3", "Azure", "GCP"/,
    ],
    ["an unknown protocol [OS1-017]", { claim: { protocols: ["NFS"] } }, /protocols has "NFS"/],
    ["a protocol that is no list", { claim: { protocols: untyped("S3") } }, /protocols is "S3": give a list/],
    [
      "a claim without protocols",
      { claim: { protocols: nothing } },
      /BucketClaim photos: protocols is missing/,
    ],
    [
      "a claim without namespace",
      { claim: { namespace: nothing } },
      /BucketClaim photos: namespace is missing/,
    ],
    [
      "a claim whose namespace turns out to be nothing",
      { claim: { namespace: laterNothing } },
      /BucketClaim photos: namespace is missing/,
    ],
    ["a class without driver", { bucketClass: { driver: nothing } }, /BucketClass gold: driver is missing/],
    [
      "an access class without driver",
      { accessClass: { driver: nothing } },
      /BucketAccessClass keys: driver is missing/,
    ],
    [
      "an access class without authentication",
      { accessClass: { authenticationType: nothing } },
      /BucketAccessClass keys: authenticationType is missing/,
    ],
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
      "IAM without a ServiceAccount [OS1-028]",
      { accessClass: { authenticationType: "IAM" } },
      /serviceAccountName is missing: the class has authenticationType IAM/,
    ],
    [
      "keys of a protocol that the Secret has no place for",
      { claim: { protocols: ["S3", "GCP"] }, access: { protocol: "GCP" } },
      /protocol is "GCP", and the class has authenticationType Key: BucketInfo has a place for keys of S3 and Azure/,
    ],
    [
      "an unknown set of further keys",
      { access: { extraKeys: untyped(["aws"]) } },
      /BucketAccess photos-rw: extraKeys is "aws": give "aws-environment"/,
    ],
    [
      "further keys that the credentials lack",
      { claim: { protocols: ["Azure"] }, access: { protocol: "Azure", extraKeys: ["aws-environment"] } },
      /BucketAccess photos-rw: the AWS environment needs S3 credentials/,
    ],
    [
      "an unknown name of the bucket in the Secret",
      { access: { bucketInfoName: untyped("Id") } },
      /BucketAccess photos-rw: bucketInfoName is "Id": give "object", "id"/,
    ],
    ...(["namespace", "bucketClaim", "bucketAccessClass", "credentialsSecretName"] as const).map(
      (argument): [string, Program, RegExp] => [
        `an access without ${argument} [OS1-025]`,
        { access: { [argument]: nothing } },
        new RegExp(`BucketAccess photos-rw: ${argument} is missing`),
      ],
    ),
    [
      "an access whose Secret's name turns out to be nothing",
      { access: { credentialsSecretName: laterNothing } },
      /BucketAccess photos-rw: credentialsSecretName is missing/,
    ],
  ];
  for (const [what, changes, message] of refused) {
    it(`refuse ${what}, in a preview and at up`, async () => {
      for (const preview of [true, false]) await assert.rejects(program(changes, { preview }), message);
    });
  }

  it("refuse a class and an existing Bucket together [OS1-016]", async () => {
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

  it("refuse to delete a bucket that was there before [OS1-068] [CASE-C23]", async () => {
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
      /Bucket archive: deletionPolicy is "Delete" beside existingBucketId: only "Retain" is allowed with it/,
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
      "KEY",
      { accessClass: { authenticationType: "KEY" } },
      (registered) => dynamic(registered, "BucketAccess").inputs["authenticationType"],
      "Key",
      'authenticationType "KEY" is written as "Key"',
    ],
    [
      "s3 and GCS",
      { claim: { protocols: ["s3", "GCS"] } },
      (registered) => (specOf(custom(registered, "BucketClaim")) as { protocols: string[] }).protocols,
      ["S3", "GCP"],
      'protocols "GCS" is written as "GCP"',
    ],
    [
      "IAM, whose ServiceAccount the driver cannot see",
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
