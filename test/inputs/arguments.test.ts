import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "../../index";
import * as core from "../../core";
import { describeArguments } from "../../tools/arguments/describe";
import { describedModules } from "../../tools/arguments/modules";
import { run } from "../components/objectstorage/mocks";

const repository = path.join(__dirname, "..", "..");
const { objectstorage, objectbucket, deployment, cosi20200708, cosi20200227 } = cosi;
const models = { objectstorage, objectbucket, deployment, cosi20200708, cosi20200227 };

/** Makes a resource with arguments that nobody has checked the types of. */
type Make = (name: string, args: unknown) => unknown;

function classesOf(prefix: string, module: object): (readonly [what: string, make: Make])[] {
  return Object.entries(module).flatMap(([name, exported]) => {
    if (typeof exported !== "function" || !("__pulumiType" in exported)) return [];
    const Class = exported as new (name: string, args: unknown) => unknown;
    return [[`${prefix}${name}`, (instance, args) => new Class(instance, args)] as const];
  });
}

const classes = [
  ...classesOf("", core),
  ...Object.entries(models).flatMap(([model, module]) => classesOf(`${model}.`, module)),
];

/** What a program is told that makes one resource. */
async function saidOf(make: () => unknown): Promise<string> {
  try {
    await run(make, { preview: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "nothing";
}

/** As a program in JavaScript gives arguments. */
function untyped(args: unknown): never {
  return args as never;
}

describe("the descriptions of arguments", function () {
  this.timeout(120_000);

  it("are what the TypeScript classes say: after a change, ts-node tools/arguments/main.ts writes them anew", () => {
    const described = describeArguments();
    assert.deepEqual(
      [...described.keys()],
      describedModules.map(({ file }) => file),
    );
    for (const [file, written] of described) {
      const text = fs.readFileSync(path.join(repository, file), "utf8");
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(written)), file);
    }
  });
});

describe("the arguments of a program without types", () => {
  it("are those of all classes", () => {
    assert.ok(classes.length >= 25, classes.map(([what]) => what).join(", "));
  });

  for (const [what, make] of classes) {
    const className = what.replace(/.*\./, "");

    it(`are refused under a name that ${what} does not have`, async () => {
      const said = await saidOf(() => make("one", { nonsense: true }));
      assert.match(
        said,
        new RegExp(`^${className} one: (.*; )?nonsense is no argument: leave it out, or use one of `),
      );
    });

    it(`are refused where ${what} gets none`, async () => {
      const said = await saidOf(() => make("one", null));
      assert.match(said, new RegExp(`^${className} one: args is null, and must be an object with \\w`));
    });
  }

  for (const [model, { install }] of Object.entries(models)) {
    it(`are refused by ${model}.install under a name that it does not have`, async () => {
      const said = await saidOf(() => {
        install(untyped({ removeCRDs: true }));
      });
      assert.equal(said, `${model}.install: removeCRDs is no argument: leave it out, or call it removeCrds`);
    });
  }

  const wrong: readonly (readonly [title: string, make: () => unknown, said: string])[] = [
    [
      "a misspelt policy",
      () => new cosi.Bucket("photos", untyped({ driver: driver(), deletionpolicy: "Delete" })),
      "Bucket photos: deletionpolicy is no argument: leave it out, or call it deletionPolicy",
    ],
    [
      "a driver by its name",
      () => new cosi.Bucket("photos", untyped({ driver: "cosi-driver-s3" })),
      "Bucket photos: driver is a text, and must be a cosi.Driver: give the resource itself",
    ],
    [
      "no driver",
      () => new cosi.Bucket("photos", untyped({})),
      "Bucket photos: driver is missing: give a cosi.Driver",
    ],
    [
      "a driver as an output",
      () => new cosi.Bucket("photos", untyped({ driver: pulumi.output(1) })),
      "Bucket photos: driver is an output, and must be a cosi.Driver: give the resource itself",
    ],
    [
      "a claim for a bucket",
      () => new cosi.BucketAccess("rw", untyped({ bucket: claim() })),
      "BucketAccess rw: bucket is a resource (cosi.objectstorage.BucketClaim), and must be a cosi.Bucket: give the resource itself",
    ],
    [
      "a text for a list",
      () => new cosi.Driver("store", untyped({ command: "cosi-driver-s3" })),
      "Driver store: command is a text, and must be a list",
    ],
    [
      "a text for true or false",
      () => new cosi.Bucket("photos", untyped({ driver: driver(), protectData: "no" })),
      "Bucket photos: protectData is a text, and must be true or false",
    ],
    [
      "a rotation that is none",
      () => new cosi.BucketAccess("rw", untyped({ bucket: bucket(), rotation: true })),
      "BucketAccess rw: rotation is a boolean, and must be a map with trigger, everyDays",
    ],
    [
      "a misspelt part of an argument",
      () => new cosi.BucketAccess("rw", untyped({ bucket: bucket(), rotation: { everyDay: 5 } })),
      "BucketAccess rw: rotation.everyDay is no property of rotation: leave it out, or call it everyDays",
    ],
    [
      "several at once",
      () => new cosi.Bucket("photos", untyped({ driver: driver(), paramters: {}, name: 5 })),
      "Bucket photos: paramters is no argument: leave it out, or call it parameters; name is a number, and must be a text: put it in quotes",
    ],
    [
      "a class by its name",
      () =>
        new objectstorage.BucketClaim(
          "c",
          untyped({ namespace: "a", bucketClass: "gold", protocols: ["S3"] }),
        ),
      "BucketClaim c: bucketClass is a text, and must be a cosi.objectstorage.BucketClass: give the resource itself",
    ],
    [
      "a class of buckets for one of accesses",
      () =>
        new objectstorage.BucketAccess(
          "rw",
          untyped({
            namespace: "a",
            bucketClaim: claim(),
            bucketAccessClass: bucketClass("of-access"),
            credentialsSecretName: "creds",
          }),
        ),
      "BucketAccess rw: bucketAccessClass is a resource (cosi.objectstorage.BucketClass), and must be a cosi.objectstorage.BucketAccessClass: give the resource itself",
    ],
    [
      "an object for its name",
      () =>
        new objectbucket.ClaimUserRole(
          "users",
          untyped({ namespace: new k8s.core.v1.Namespace("a"), subjects: [] }),
        ),
      "ClaimUserRole users: namespace is a resource (kubernetes:core/v1:Namespace), and must be a text",
    ],
  ];

  for (const [title, make, expected] of wrong) {
    it(`are refused with ${title}`, async () => {
      assert.equal(await saidOf(make), expected);
    });
  }

  it("may be nothing, and hold what is not known yet", async () => {
    const said = await saidOf(() => {
      const name = pulumi.output("photos-1");
      new cosi.Bucket("photos", untyped({ driver: driver(), name, parameters: null, paramters: undefined }));
      new cosi.Driver("env", untyped({ command: ["x"], environment: { A: undefined, B: name } }));
    });
    assert.equal(said, "nothing");
  });

  it("take a class that a program has derived", async () => {
    class OurClass extends objectstorage.BucketClass {}
    class OurDriver extends cosi.Driver {}
    const said = await saidOf(() => {
      const ours = new OurDriver("ours", { command: ["cosi-driver-s3"] });
      const gold = new OurClass("gold", { driver: ours, deletionPolicy: "Delete" });
      new objectstorage.BucketClaim("c", { namespace: "a", bucketClass: gold, protocols: ["S3"] });
    });
    assert.equal(said, "nothing");
  });

  function driver(): cosi.Driver {
    return new cosi.Driver("store", { endpoint: "unix:///run/cosi.sock" });
  }

  function bucket(): cosi.Bucket {
    return new cosi.Bucket("made", { driver: driver() });
  }

  function bucketClass(name: string): cosi.objectstorage.BucketClass {
    return new objectstorage.BucketClass(name, { driver: driver(), deletionPolicy: "Delete" });
  }

  function claim(): cosi.objectstorage.BucketClaim {
    return new objectstorage.BucketClaim("made", {
      namespace: "a",
      bucketClass: bucketClass("of-claim"),
      protocols: ["S3"],
    });
  }
});
