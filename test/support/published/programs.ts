/** The two module systems of a TypeScript program. */
export const moduleSystems = ["commonjs", "module"] as const;
/** What `type` in a package.json says. */
export type ModuleSystem = (typeof moduleSystems)[number];

/** What a program may load, and a class that it finds there. */
export const entries = {
  "pulumi-cosi": "Bucket",
  "pulumi-cosi/core": "Driver",
  "pulumi-cosi/objectstorage": "BucketClaim",
  "pulumi-cosi/objectbucket": "ObjectBucketClaim",
  "pulumi-cosi/deployment": "DeploymentRequest",
  "pulumi-cosi/cosi20200708": "BucketRequest",
  "pulumi-cosi/cosi20200227": "BucketClass",
} as const;

/** A team's mocks, which stand for Pulumi's engine. */
export const mocks = `import * as pulumi from "@pulumi/pulumi";

void pulumi.runtime.setMocks(
  {
    newResource: ({ name, inputs }) => ({
      id: name,
      state: { ...inputs, driverName: "cosi.example.com", bucketId: \`\${name}-id\`, stackId: "stack", metadata: { uid: "uid" } },
    }),
    call: ({ inputs }) => inputs,
  },
  "program",
  "test",
  false,
  "organization",
);
`;

/** A program that loads every entry, makes what has a bucket with and without a cluster, and prints what came of it. */
export const mockedProgram = `import "./mocks.js";
import * as pulumi from "@pulumi/pulumi";
import * as whole from "pulumi-cosi";
import { Bucket, BucketAccess, Driver, type BucketArgs } from "pulumi-cosi/core";
import { BucketClaim, BucketClass } from "pulumi-cosi/objectstorage";
${Object.entries(entries)
  .map(([entry, name], index) => `import { ${name} as C${index} } from "${entry}";`)
  .join("\n")}

const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
const args: BucketArgs = { driver, deletionPolicy: "Delete" };
const photos = new Bucket("photos", args);
const access: pulumi.Output<string | null> = new BucketAccess("photos-rw", { bucket: photos }).accessKeyId;
const gold = new BucketClass("gold", { driver, deletionPolicy: "Retain" });
const claim = new BucketClaim("claimed", { namespace: "shop", bucketClass: gold, protocols: ["S3"] });
const isOne: boolean = whole.Bucket === Bucket && whole.objectstorage.BucketClaim === BucketClaim;

pulumi.all([photos.bucketId, claim.bucketId, access]).apply(([bucket, claimed]) => {
  const loaded = [${Object.keys(entries)
    .map((_, index) => `C${index}.name`)
    .join(", ")}];
  console.log(JSON.stringify({ bucket, claimed, isOne, loaded }));
});
`;

/** What {@link mockedProgram} prints. */
export const printed = {
  bucket: "photos-id",
  claimed: "claimed-id",
  isOne: true,
  loaded: Object.values(entries),
};

/** A program for Pulumi's CLI that needs a driver at an endpoint, and no cluster. */
export function programAt(endpoint: string): string {
  return `import { Bucket, BucketAccess, Driver } from "pulumi-cosi/core";

const driver = new Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
const photos = new Bucket("photos", { driver, deletionPolicy: "Delete" });
const access = new BucketAccess("photos-rw", { bucket: photos });

export const version = process.version;
export const bucket = photos.bucketId;
export const account = access.accountId;
`;
}

/** The settings of a program's compiler. */
export function compilerSettings({ skipLibCheck }: { readonly skipLibCheck: boolean }): object {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    skipLibCheck,
    types: ["node"],
    outDir: "out",
  };
  return { compilerOptions, include: ["*.ts"] };
}
