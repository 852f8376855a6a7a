import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as cosi20200708 from "../../../components/cosi20200708";
import { greenfield, makeDriver, provisioner, run, warnings, type Program } from "./mocks";

/** What a program without types may give. */
const untyped = (value: unknown) => value as never;
const nothing = untyped(undefined);

type Refusal = [what: string, changes: Program, message: RegExp];

describe("the arguments of the components of the proposal of 2020-07-08", function () {
  this.timeout(60_000);

  const protocols = 'give one of "azureBlob", "gcs", "s3"';
  const refused: Refusal[] = [
    [
      "a request without protocol [K07-020] [K07-113]",
      { request: { protocol: nothing } },
      new RegExp(`BucketRequest photos: protocol is missing: ${protocols}`),
    ],
    [
      "a request for another protocol [K07-113]",
      { request: { protocol: "swift" } },
      new RegExp(`BucketRequest photos: protocol is "swift": ${protocols}`),
    ],
    [
      "a class without protocol [K07-113]",
      { bucketClass: { protocol: nothing } },
      new RegExp(`BucketClass gold: protocol is missing: ${protocols}`),
    ],
    [
      "a class with another protocol [K07-113]",
      { bucketClass: { protocol: "nfs" } },
      new RegExp(`BucketClass gold: protocol is "nfs": ${protocols}`),
    ],
    [
      "a class with several protocols [K07-053]",
      { bucketClass: { protocol: untyped(["s3", "gcs"]) } },
      /protocol is \["s3","gcs"\]: give one of .*, one for each class/,
    ],
    [
      "a class with supportedProtocol [K07-053]",
      { bucketClass: untyped({ supportedProtocol: ["s3"] }) },
      /BucketClass gold: supportedProtocol is no argument: leave it out, or call it protocol$/,
    ],
    [
      "a class without provisioner [K07-008] [K07-113]",
      { bucketClass: { driver: nothing } },
      /BucketClass gold: provisioner is missing: give driver, or provisioner/,
    ],
    [
      "an access class without provisioner [K07-008] [K07-076] [K07-113]",
      { accessClass: { driver: nothing } },
      /BucketAccessClass writers: provisioner is missing: give driver, or provisioner/,
    ],
    [
      "an access class without protocol [K07-076] [K07-113]",
      { accessClass: { protocol: nothing } },
      new RegExp(`BucketAccessClass writers: protocol is missing: ${protocols}`),
    ],
    ...["rgw", "a/b/c", "/x", "a/", "A/x"].map((name): Refusal => [
      `the provisioner ${name} [K07-037]`,
      { bucketClass: { driver: nothing, provisioner: name } },
      new RegExp(`BucketClass gold: provisioner is "${name}": .*<provisioner-namespace>/<provisioner-name>`),
    ]),
    [
      "the provisioner of another driver",
      { bucketClass: { provisioner: "stores/other" } },
      /provisioner is "stores\/other", but driver is that of "stores\/s3\.example\.com"/,
    ],
    [
      "a driver of another contract",
      { driver: { contract: "cosi.v1alpha1" } },
      /driver has contract "cosi\.v1alpha1": give one with contract "cosi-2020-07"/,
    ],
    [
      "an access of no kind",
      { bucketClass: { anonymousAccessMode: "public" } },
      /anonymousAccessMode is "public": give one of "private", "ro", "wo", "rw", "publicRead", "publicReadWrite"/,
    ],
    [
      "a policy of another name",
      { bucketClass: { releasePolicy: "Recycle" } },
      /releasePolicy is "Recycle": give one of "Retain", "Delete"/,
    ],
    [
      "a default that is no boolean",
      { bucketClass: { isDefaultBucketClass: untyped("true") } },
      /isDefaultBucketClass is "true": give true or false/,
    ],
    [
      "a namespace without name",
      { bucketClass: { additionalPermittedNamespaces: untyped([{ uid: "u" }]) } },
      /additionalPermittedNamespaces\[0\]\.name is missing/,
    ],
    [
      "a parameter that is no text [K07-057]",
      { bucketClass: { parameters: untyped({ replicas: 3 }) } },
      /parameters has a value that is not a string at the key "replicas"/,
    ],
    [
      "half of a provisioner's Secret",
      { bucketClass: { parameters: { "cosi.io/provisioner-secret-name": "keys" } } },
      /parameters have cosi\.io\/provisioner-secret-name without cosi\.io\/provisioner-secret-namespace/,
    ],
    [
      "a provisioner's Secret given twice",
      {
        accessClass: {
          parameters: { "cosi.io/provisioner-secret-name": "a", "cosi.io/provisioner-secret-namespace": "b" },
          provisionerSecret: { name: "keys", namespace: "stores" },
        },
      },
      /provisionerSecret is given beside the parameter "cosi\.io\/provisioner-secret-name"/,
    ],
    [
      "another template in a provisioner's Secret",
      { bucketClass: { provisionerSecret: { name: "${pod.name}", namespace: "stores" } } },
      /\$\{pod\.name\}/,
    ],
    [
      "a policy action with a comma",
      { accessClass: { policyActions: { allow: ["read,write"] } } },
      /BucketAccessClass writers: the policy action "read,write" has a comma/,
    ],
    [
      "a parameter in the place of the policy actions",
      { accessClass: { parameters: { deny: "x" } } },
      /the parameter "deny" has the key that carries the policy actions/,
    ],
    [
      "policy actions that are no list",
      { accessClass: { policyActions: untyped({ allow: "*" }) } },
      /policyActions\.allow is "\*": give a list of texts/,
    ],
    [
      "a prefix of 28 characters [K07-024]",
      { request: { bucketPrefix: "a".repeat(28) } },
      /BucketRequest photos: bucketPrefix is "a{28}" of 28 characters: give at most 27/,
    ],
    ...["Photos-", "-photos", ".photos", "photos_"].map((prefix): Refusal => [
      `the prefix ${prefix} [K07-024]`,
      { request: { bucketPrefix: prefix } },
      new RegExp(`bucketPrefix is "${prefix}": give lower-case letters, digits, "-" and "\\."`),
    ]),
    [
      "a prefix with a dot for Azure [K07-024]",
      {
        bucketClass: { protocol: "azureBlob" },
        accessClass: { protocol: "azureBlob" },
        request: { protocol: "azureBlob", bucketPrefix: "a.b-" },
      },
      /bucketPrefix is "a\.b-": give lower-case letters, digits and "-"/,
    ],
    [
      "names that make the Bucket's too long [K07-034]",
      { request: { name: "r".repeat(245) } },
      /BucketRequest photos: name is "r+", which makes the name "bucket-r+-shop" of 257 characters/,
    ],
    [
      "names that make the BucketAccess's too long [K07-034]",
      { access: { name: "r".repeat(240) } },
      /BucketAccessRequest web: name is "r+", which makes the name "bucketaccess-r+-shop" of 258 characters/,
    ],
    [
      "a class twice",
      { request: { bucketClassName: "silver" } },
      /bucketClass and bucketClassName are both given: leave one of them out/,
    ],
    [
      "a class of another protocol",
      { request: { protocol: "gcs" }, accessClass: { protocol: "gcs" } },
      /BucketRequest photos: protocol is "gcs", and the BucketClass gold is for "s3"/,
    ],
    [
      "a driver of another provisioner than the class's",
      { bucketClass: { driver: nothing, provisioner: "stores/other" } },
      /driver is that of "stores\/s3\.example\.com", but the BucketClass gold is for provisioner "stores\/other", for which no driver is registered/,
    ],
    [
      "a request and an access in two namespaces [K07-061]",
      { access: { namespace: "other" } },
      /BucketAccessRequest web: namespace is "other", and the BucketRequest is in "shop": give namespace: "shop"/,
    ],
    [
      "neither Secret nor ServiceAccount [K07-062] [K07-113]",
      { access: { accessSecretName: nothing } },
      /BucketAccessRequest web: accessSecretName and serviceAccountName are both missing: give one of them/,
    ],
    [
      "both Secret and ServiceAccount [K07-062]",
      { access: { serviceAccountName: "web" } },
      /BucketAccessRequest web: accessSecretName and serviceAccountName are both given: leave one of them out/,
    ],
    [
      "an access to no bucket [K07-113]",
      { access: { bucketRequest: nothing } },
      /BucketAccessRequest web: bucketRequest and bucketInstance are both missing: give one of them/,
    ],
    [
      "an access to two buckets",
      { access: { bucketInstance: "bucket-photos-shop" } },
      /bucketRequest and bucketInstance are both given: leave bucketInstance out/,
    ],
    [
      "an access without class [K07-066] [K07-113]",
      { access: { bucketAccessClass: nothing } },
      /BucketAccessRequest web: bucketAccessClass and bucketAccessClassName are both missing/,
    ],
    [
      "an access class of another protocol than the bucket's",
      { accessClass: { protocol: "gcs" } },
      /the BucketAccessClass writers has protocol "gcs", and the bucket has "s3": give a class of the bucket's protocol/,
    ],
    [
      "a Secret's name that turns out to be empty",
      { access: { accessSecretName: pulumi.output("") } },
      /BucketAccessRequest web: accessSecretName is empty/,
    ],
    [
      "a Bucket's name that turns out to be empty",
      { request: { bucketInstanceName: pulumi.output("") } },
      /BucketRequest photos: bucketInstanceName is empty/,
    ],
  ];
  for (const [what, changes, message] of refused) {
    it(`refuse ${what}, in a preview and at up`, async () => {
      for (const preview of [true, false]) await assert.rejects(greenfield(changes, { preview }), message);
    });
  }

  describe("of an admin's Bucket", () => {
    const bucket = (args: object, preview: boolean) =>
      run(
        () => {
          new cosi20200708.Bucket("legacy", {
            provisioner,
            protocol: { s3: { bucketName: "legacy" } },
            permittedNamespaces: [],
            ...args,
          });
        },
        { preview },
      );
    const refusedThere: [string, object, RegExp][] = [
      [
        "no provisioner [K07-008] [K07-113]",
        { provisioner: undefined },
        /Bucket legacy: provisioner is missing/,
      ],
      [
        "no permittedNamespaces [K07-036] [K07-113]",
        { permittedNamespaces: undefined },
        /permittedNamespaces is missing/,
      ],
      ["no protocol [K07-036] [K07-113]", { protocol: undefined }, /protocol is missing/],
      [
        "no member [K07-046]",
        { protocol: { protocolSignature: "s3" } },
        /protocol has no member: fill s3 of/,
      ],
      [
        "no bucket name [K07-036] [K07-113]",
        { protocol: { s3: { region: "eu-1" } } },
        /protocol\.s3\.bucketName is missing: give the backend's name/,
      ],
      [
        "no container name [K07-113]",
        { protocol: { azureBlob: {} } },
        /protocol\.azureBlob\.containerName is missing/,
      ],
      [
        "two members [K07-046]",
        { protocol: { s3: { bucketName: "a" }, gcs: { bucketName: "a" } } },
        /protocol has "gcs", "s3": fill one of them only/,
      ],
      [
        "another signature than the member's [K07-046]",
        { protocol: { protocolSignature: "gcs", s3: { bucketName: "a" } } },
        /protocolSignature is "gcs", and "s3" is filled/,
      ],
      [
        "a field of no protocol",
        { protocol: { gcs: { bucketName: "a", region: "eu-1" } } },
        /protocol\.gcs has "region": its fields are "bucketName", "privateKeyName"/,
      ],
      ["a member of no protocol", { protocol: { swift: {} } }, /protocol has "swift": its members are/],
      [
        "another version of signatures",
        { protocol: { s3: { bucketName: "a", signatureVersion: "v4" } } },
        /signatureVersion is "v4": give one of "V2", "V4"/,
      ],
      [
        "a policy to delete [K07-036]",
        { releasePolicy: "Delete" },
        /releasePolicy is "Delete", but a Bucket that an admin makes stands for a bucket that existed before/,
      ],
      ["a wrong mode", { anonymousAccessMode: "all" }, /anonymousAccessMode is "all"/],
    ];
    for (const [what, args, message] of refusedThere) {
      it(`refuse ${what}, in a preview and at up`, async () => {
        for (const preview of [true, false]) await assert.rejects(bucket(args, preview), message);
      });
    }
  });

  describe("for the driver of a class that is named", () => {
    const named = (drivers: number, driver?: "given") =>
      run(() => {
        const made = Array.from({ length: drivers }, (_, index) =>
          makeDriver(index === 0 ? {} : { driverName: `stores/s3-${index}` }, `store-${index}`),
        );
        for (const [index, entry] of made.entries()) {
          new cosi20200708.BucketClass(`class-${index}`, { driver: entry, protocol: "s3" });
        }
        const given = driver === undefined ? {} : { driver: makeDriver({}, "given") };
        new cosi20200708.BucketRequest("photos", {
          namespace: "shop",
          protocol: "s3",
          bucketClassName: "silver",
          ...given,
        });
      });

    it("take the only one of the program, or the one that is given", async () => {
      await named(1);
      await named(0, "given");
      await named(2, "given");
    });

    it("refuse to guess", async () => {
      await assert.rejects(named(0), /BucketRequest photos: driver is missing, and .* have named none/);
      await assert.rejects(named(2), /BucketRequest photos: driver is missing, and .* have named 2/);
    });
  });

  it("refuse two default classes for a request that names none", async () => {
    const program = run(() => {
      const driver = makeDriver();
      const common = { driver, protocol: "s3", isDefaultBucketClass: true };
      new cosi20200708.BucketClass("gold", common);
      new cosi20200708.BucketClass("silver", { ...common, protocol: "S3" });
      new cosi20200708.BucketRequest("photos", { namespace: "shop", protocol: "s3" });
    });
    await assert.rejects(program, /this program has 2 default classes for protocol "s3"/);
  });

  it("refuse a group that is no domain, and to install twice", async () => {
    const install = (group: string) =>
      run(() => {
        cosi20200708.install({ group });
      });
    for (const group of ["cosi", "COSI.io", ""]) {
      await assert.rejects(install(group), /cosi20200708\.install: group is .*: give a domain/);
    }
    const twice = run(() => {
      cosi20200708.install();
      cosi20200708.install({ group: "july.cosi.io" });
    });
    await assert.rejects(twice, /cosi20200708\.install was called after/);
  });

  describe("that have no effect, or a large one", () => {
    const told: [string, Program, RegExp[]][] = [
      ["say nothing where there is nothing to say", {}, []],
      [
        "warn of a policy that destroys content [K07-056]",
        { bucketClass: { releasePolicy: "Delete" } },
        [/releasePolicy is "Delete": a bucket that is made from this class is destroyed with its content/],
      ],
      [
        "warn of class and prefix beside the name of a Bucket [K07-022] [K07-060]",
        { request: { bucketInstanceName: "bucket-a-b", bucketPrefix: "x-" } },
        [
          /the class is ignored beside bucketInstanceName/,
          /bucketPrefix is ignored beside bucketInstanceName/,
        ],
      ],
    ];
    for (const [what, changes, expected] of told) {
      it(what, async () => {
        for (const preview of [true, false]) {
          const found = warnings(await greenfield(changes, { preview }));
          assert.equal(found.length, expected.length, found.join("\n"));
          for (const [index, text] of expected.entries()) assert.match(found[index] ?? "", text);
        }
      });
    }
  });
});
