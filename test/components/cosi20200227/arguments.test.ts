import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as cosi20200227 from "../../../components/cosi20200227";
import {
  brownfield,
  makeDriver,
  nothing,
  program,
  run,
  staticClass,
  untyped,
  warnings,
  type Program,
} from "./mocks";

type Refusal = [what: string, changes: Program, message: RegExp];

describe("the arguments of the components of the proposal of 2020-02-27", function () {
  this.timeout(60_000);

  const protocols = 'give one of "azureBlob", "gcs", "s3"';
  const refused: Refusal[] = [
    [
      "a Bucket without protocol [K02-021] [K02-114]",
      { bucket: { requestProtocol: nothing } },
      new RegExp(`Bucket photos: requestProtocol is missing: ${protocols}`),
    ],
    [
      "a Bucket for another protocol [K02-021] [K02-114]",
      { bucket: { requestProtocol: "swift" } },
      new RegExp(`Bucket photos: requestProtocol is "swift": ${protocols}`),
    ],
    [
      "a prefix of 28 characters [K02-022]",
      { bucket: { bucketPrefix: "a".repeat(28) } },
      /Bucket photos: bucketPrefix is "a{28}" of 28 characters: give at most 27/,
    ],
    ...["photos_", "photos/", "phötos", "-photos", "."].map((prefix): Refusal => [
      `the prefix ${prefix} [K02-022]`,
      { bucket: { bucketPrefix: prefix } },
      /Bucket photos: bucketPrefix is ".*": give letters, digits, "\." and "-", with a letter or digit first/,
    ]),
    [
      "a Bucket without class [K02-024] [K02-113]",
      { bucket: { bucketClass: nothing } },
      /Bucket photos: bucketClass and bucketClassName are both missing, and there is no default class/,
    ],
    [
      "a Bucket of two classes",
      { bucket: { bucketClassName: "green" } },
      /Bucket photos: bucketClass and bucketClassName are both given: leave one of them out/,
    ],
    [
      "a class's name that turns out to be empty [K02-024]",
      { bucket: { bucketClass: nothing, bucketClassName: pulumi.output("") } },
      /Bucket photos: bucketClassName is empty/,
    ],
    [
      "the name of a Secret that none can have",
      { bucket: { secretName: "Photos" } },
      /Bucket photos: secretName is "Photos": the name of a Kubernetes object/,
    ],
    ...[0, -1, Number.NaN, "60"].map((seconds): Refusal => [
      `${String(seconds)} (${typeof seconds}) as wait for the Secret's name`,
      { bucket: { secretTimeout: untyped(seconds) } },
      /Bucket photos: secretTimeout is .*: give a number of seconds above 0/,
    ]),
    [
      "a protocol that the class does not support [K02-028]",
      { bucketClass: { supportedProtocols: ["swift", "S3"] }, bucket: { requestProtocol: "gcs" } },
      /Bucket photos: requestProtocol is "gcs", but the BucketClass gold supports "swift", "S3"/,
    ],
    [
      "a class without provisioner and Secret [K02-050] [K02-114]",
      { bucketClass: { driver: nothing } },
      /BucketClass gold: provisioner is missing: give driver, or provisioner, or, for a static bucket, secretRef/,
    ],
    [
      "a brownfield class without provisioner [K02-050]",
      { bucketClass: { driver: nothing, ...brownfield } },
      /BucketClass gold: provisioner is missing/,
    ],
    [
      "an empty provisioner",
      { bucketClass: { driver: nothing, provisioner: "" } },
      /BucketClass gold: provisioner is ""/,
    ],
    [
      "the provisioner of another driver",
      { bucketClass: { provisioner: "other" } },
      /provisioner is "other", but driver is that of "S3 of Example\/v1"/,
    ],
    [
      "a driver of another contract",
      { driver: { contract: "cosi-2020-07" } },
      /driver has contract "cosi-2020-07": give one with contract "cosi-2020-02"/,
    ],
    ...[nothing, untyped([]), untyped([""]), untyped("s3")].map((value): Refusal => [
      `${JSON.stringify(value)} as supportedProtocols [K02-051] [K02-114]`,
      { bucketClass: { supportedProtocols: value } },
      /BucketClass gold: supportedProtocols is .*: give a list of at least one name/,
    ]),
    [
      "an accessMode of no kind [K02-052] [K02-114]",
      { bucketClass: { accessMode: "public" } },
      /BucketClass gold: accessMode is "public": give one of "ro", "wo", "rw"/,
    ],
    [
      "a policy of another name [K02-114]",
      { bucketClass: { releasePolicy: "Recycle" } },
      /BucketClass gold: releasePolicy is "Recycle": give one of "Retain", "Delete"/,
    ],
    ...[brownfield, staticClass].map((fields, index): Refusal => [
      `Delete for a class that is ${index === 0 ? "brownfield" : "static"} [K02-054]`,
      { bucketClass: { ...fields, releasePolicy: "Delete" } },
      /BucketClass gold: releasePolicy is "Delete", but bucketIdentifier names an existing bucket/,
    ]),
    [
      "bucketContentRef [K02-055]",
      { bucketClass: untyped({ bucketContentRef: { name: "archive" } }) },
      /BucketClass gold: bucketContentRef is no argument: leave it out, or call it bucketIdentifier$/,
    ],
    ...[pulumi.output(brownfield.bucketIdentifier), Promise.resolve({})].map((value): Refusal => [
      "an identifier that is an output as a whole",
      { bucketClass: { bucketIdentifier: untyped(value) } },
      /BucketClass gold: bucketIdentifier is an output as a whole: give an object whose values may be outputs/,
    ]),
    [
      "an identifier that is a text [K02-055]",
      { bucketClass: { bucketIdentifier: untyped("archive") } },
      /BucketClass gold: bucketIdentifier is "archive": give strings by their keys/,
    ],
    [
      "an identifier with a value that is no text [K02-055]",
      { bucketClass: { bucketIdentifier: untyped({ bucketName: 3 }) } },
      /BucketClass gold: bucketIdentifier has a value that is not a string at the key "bucketName"/,
    ],
    [
      "a brownfield class without name of its bucket [K02-056]",
      { bucketClass: { bucketIdentifier: { region: "eu-1" } } },
      /BucketClass gold: bucketIdentifier has no bucketName: give the backend's name/,
    ],
    [
      "a brownfield class whose bucket's name turns out to be empty [K02-056]",
      { bucketClass: { bucketIdentifier: { bucketName: pulumi.output("") } } },
      /BucketClass gold: bucketIdentifier has no bucketName/,
    ],
    [
      "a brownfield class with the name of another protocol [K02-056]",
      { bucketClass: { supportedProtocols: ["AzureBlob"], ...brownfield } },
      /BucketClass gold: bucketIdentifier has no containerName/,
    ],
    [
      "a protocol that the identifier has no name for [K02-056]",
      {
        bucketClass: { supportedProtocols: ["azureBlob", "s3"], ...brownfield },
        bucket: { requestProtocol: "azureBlob" },
      },
      /Bucket photos: bucketIdentifier of the BucketClass gold has no containerName/,
    ],
    [
      "a version of signatures that is none [K02-056]",
      { bucketClass: { bucketIdentifier: { bucketName: "a", signatureVersion: "v4" } } },
      /BucketClass gold: bucketIdentifier\.signatureVersion is "v4": give one of "V2", "V4"/,
    ],
    [
      "a parameter twice [K02-056]",
      {
        bucketClass: {
          bucketIdentifier: { bucketName: "a", pool: "b" },
          parameters: pulumi.output({ pool: "c" }),
        },
      },
      /BucketClass gold: bucketIdentifier and parameters both have "pool"/,
    ],
    [
      "a parameter twice for one of the protocols [K02-056]",
      {
        bucketClass: {
          supportedProtocols: ["s3", "gcs"],
          bucketIdentifier: { bucketName: "a", projectId: "b" },
          parameters: { projectId: "c" },
        },
      },
      /Bucket photos: bucketIdentifier and parameters of the BucketClass gold both have "projectId"/,
    ],
    [
      "a Secret without identifier [K02-057] [K02-063]",
      { bucketClass: { secretRef: staticClass.secretRef } },
      /BucketClass gold: secretRef is given without bucketIdentifier/,
    ],
    [
      "a Secret with an empty identifier [K02-055] [K02-063]",
      { bucketClass: { secretRef: staticClass.secretRef, bucketIdentifier: {} } },
      /BucketClass gold: secretRef is given without bucketIdentifier/,
    ],
    [
      "half of a Secret's name [K02-057]",
      { bucketClass: { ...staticClass, secretRef: untyped({ name: "keys" }) } },
      /BucketClass gold: secretRef\.namespace is missing/,
    ],
    [
      "the other half [K02-057]",
      { bucketClass: { ...staticClass, secretRef: untyped(pulumi.output({ namespace: "vault" })) } },
      /BucketClass gold: secretRef\.name is missing/,
    ],
    [
      "a Secret by its name alone [K02-057]",
      { bucketClass: { ...staticClass, secretRef: untyped("keys") } },
      /BucketClass gold: secretRef is "keys": give { name, namespace }/,
    ],
    [
      "a Secret that is a promise",
      { bucketClass: { ...staticClass, secretRef: untyped(Promise.resolve(staticClass.secretRef)) } },
      /BucketClass gold: secretRef is a promise: give { name, namespace }/,
    ],
    [
      "a parameter that is no text [K02-058]",
      { bucketClass: { parameters: untyped({ replicas: 3 }) } },
      /BucketClass gold: parameters has a value that is not a string at the key "replicas"/,
    ],
    [
      "a class that has only the name of its driver",
      { bucketClass: { driver: nothing, provisioner: "other" } },
      /Bucket photos: driver is missing, and the class has only a provisioner name: its buckets are greenfield/,
    ],
    [
      "a driver of another provisioner than the class's",
      { bucketClass: { driver: nothing, provisioner: "other" }, isDriverGiven: true },
      /Bucket photos: driver is that of "S3 of Example\/v1", but the BucketClass gold is for provisioner "other"/,
    ],
    [
      "a namespace for source Secrets that none can have",
      { bucketClass: { sourceSecretNamespace: "cosi.system" } },
      /BucketClass gold: sourceSecretNamespace is "cosi\.system": the name of a namespace/,
    ],
  ];
  for (const [what, changes, message] of refused) {
    it(`refuse ${what}, in a preview and at up`, async () => {
      for (const preview of [true, false]) await assert.rejects(program(changes, { preview }), message);
    });
  }

  describe("of a class that is named, at up", () => {
    const named = (bucketClassName: string, driver?: "given", requestProtocol = "s3") =>
      run(() => {
        const given = driver === undefined ? {} : { driver: makeDriver() };
        new cosi20200227.Bucket("photos", { namespace: "shop", requestProtocol, bucketClassName, ...given });
      });

    it("take a driver for one that is managed, and none for a static one", async () => {
      await named("green", "given");
      await named("brown", "given");
      await named("static");
    });

    it("refuse what does not fit", async () => {
      await assert.rejects(named("green"), /driver is missing, and the BucketClass green is greenfield/);
      await assert.rejects(named("brown"), /driver is missing, and the BucketClass brown is brownfield/);
      await assert.rejects(named("static", "given"), /driver is given, but the BucketClass static is static/);
      await assert.rejects(named("green", "given", "gcs"), /the BucketClass green supports "s3"/);
    });
  });

  it("refuse a group that is no domain, and to install twice", async () => {
    const install = (group: string) =>
      run(() => {
        cosi20200227.install({ group });
      });
    for (const group of ["cosi", "COSI.io", ""]) {
      await assert.rejects(
        install(group),
        /cosi20200227\.install: group is .*: give a domain such as "february/,
      );
    }
    const twice = run(() => {
      cosi20200227.install();
      cosi20200227.install({ group: "february.cosi.io" });
    });
    await assert.rejects(twice, /cosi20200227\.install was called after/);
  });

  describe("that have no effect, or a large one", () => {
    const told: [string, Program, RegExp[]][] = [
      ["say nothing where there is nothing to say", {}, []],
      [
        "warn of a policy that destroys content [K02-053]",
        { bucketClass: { releasePolicy: "Delete" } },
        [/releasePolicy is "Delete": a bucket that is made from this class is destroyed with its content/],
      ],
      [
        "warn of a provisioner that is not called, as the class is static [K02-062]",
        { bucketClass: staticClass },
        [
          /its BucketClass gold has bucketIdentifier and secretRef, .* the provisioner "S3 of Example\/v1" is not called/,
        ],
      ],
      [
        "say nothing of a static class without provisioner",
        { bucketClass: { ...staticClass, driver: nothing } },
        [],
      ],
    ];
    for (const [what, changes, expected] of told) {
      it(what, async () => {
        for (const preview of [true, false]) {
          const found = warnings(await program(changes, { preview }));
          assert.equal(found.length, expected.length, found.join("\n"));
          for (const [index, text] of expected.entries()) assert.match(found[index] ?? "", text);
        }
      });
    }
  });
});
