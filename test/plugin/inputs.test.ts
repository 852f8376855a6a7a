import assert from "node:assert/strict";
import { isSecretOutput } from "../../provider/dynamic/values";
import { kindOf } from "../../provider/plugin/kinds";
import { nearName } from "../../provider/inputs/near-name";
import { check } from "../../provider/plugin/resource-calls";
import { inputsOfResource } from "../../provider/plugin/described-types";
import type { Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { secret, unknown } from "./marks";

const hush = "hush-hush-word";
const driver = { contract: "cosi.v1alpha1", driverName: "cosi.example.com", seed: "00ff" };
const database = { ...driver, contract: "deployment.v1alpha1" };
const bucket = { name: "photos-1", bucketId: "photos-id", driver };
const deployment = { name: "orders-1", deploymentId: "orders-id", driver: database };

/** Inputs without which nothing of a type can be made. */
const needed: Readonly<Record<string, Properties>> = {
  Driver: {},
  Bucket: { driver },
  BucketAccess: { bucket },
  Deployment: { driver: database },
  DeploymentAccess: { deployment },
};

async function failuresOf(type: string, inputs: Properties, olds: Properties = {}): Promise<string[]> {
  const urn = `urn:pulumi:dev::shop::cosi:index:${type}::one`;
  const kind = kindOf(`cosi:index:${type}`);
  const { failures } = await check(kind, urn, olds, { ...needed[type], ...inputs });
  return failures.map(({ property, reason }) => `${property}${reason}`);
}

/** Inputs of programs that nobody checks the types of, and what is said of each. */
const wrong: readonly (readonly [type: string, inputs: Properties, said: RegExp])[] = [
  [
    "Driver",
    { command: ["cosi-driver-s3"], env: { S3_SECRET_ACCESS_KEY: hush } },
    /^env is no input of a cosi:Driver: leave it out, or call it environment$/,
  ],
  [
    "Driver",
    { command: ["cosi-driver-s3"], environment: `S3_SECRET=${hush}` },
    /^environment is a text, and must be a map$/,
  ],
  [
    "Driver",
    { command: ["cosi-driver-s3"], environment: { "S3 PORT": 9000 } },
    /^environment\["S3 PORT"\] is a number, and must be a text: put it in quotes$/,
  ],
  [
    "Driver",
    { command: ["cosi-driver-s3"], environment: { KEY: null } },
    /^environment.KEY is null, and must be a text$/,
  ],
  ["Driver", { command: "cosi-driver-s3" }, /^command is a text, and must be a list$/],
  ["Driver", { command: ["cosi-driver-s3", secret(5)] }, /^command\[1\] is a number, and must be a text/],
  ["Driver", { endpoint: 5 }, /^endpoint is a number, and must be a text/],
  ["Driver", { endpoint: [hush] }, /^endpoint is a list, and must be a text$/],
  ["Driver", { contract: 1 }, /^contract is a number, and must be a text/],
  ["Driver", { callTimeoutSeconds: "60" }, /^callTimeoutSeconds is a text, and must be a number$/],
  ["Driver", { largeFields: "yes" }, /^largeFields is a text, and must be true or false$/],
  ["Driver", { tls: { ca: 3 } }, /^tls.ca is a number, and must be a text/],
  [
    "Driver",
    { tls: { ca_file: hush } },
    /^tls.ca_file is no property of tls: leave it out, or call it caFile$/,
  ],
  ["Driver", { tls: true }, /^tls is a boolean, and must be a map with ca, caFile, /],
  [
    "Driver",
    { logicalName: "other" },
    /^logicalName is no input of a cosi:Driver: leave it out, or use one of /,
  ],
  [
    "Bucket",
    { existing_bucket_id: "company-archive", deletionPolicy: "Delete" },
    /^existing_bucket_id is no input of a cosi:Bucket: leave it out, or call it existingBucketId$/,
  ],
  ["Bucket", { existingBucketId: 5 }, /^existingBucketId is a number, and must be a text/],
  [
    "Bucket",
    { parameters: secret({ tier: 1 }) },
    /^parameters.tier is a number, and must be a text: put it in quotes$/,
  ],
  ["Bucket", { parameters: [hush] }, /^parameters is a list, and must be a map$/],
  ["Bucket", { objects: { kind: hush } }, /^objects is no input of a cosi:Bucket: /],
  [
    "Bucket",
    { driver: { ...driver, seed: null } },
    /^driver is no reference, as driver.seed is missing: .* a cosi:Driver, as it is$/,
  ],
  [
    "Bucket",
    { driver: { ...driver, endpoint: 5 } },
    /^driver is no reference, as driver.endpoint is a number, /,
  ],
  ["Bucket", { driver: hush }, /^driver is no reference: give the output reference of a cosi:Driver$/],
  [
    "BucketAccess",
    { existing_account: { accessSecretKey: hush } },
    /^existing_account is no input of a cosi:BucketAccess: leave it out, or call it existingAccount$/,
  ],
  [
    "BucketAccess",
    { existingAccount: { accessKeyId: "AK", accessSecretKey: hush } },
    /^existingAccount.accountId is missing: give a text$/,
  ],
  [
    "BucketAccess",
    { existingAccount: secret({ accountId: 5, accessToken: hush }) },
    /^existingAccount.accountId is a number, /,
  ],
  [
    "BucketAccess",
    { rotation: { every_days: 30 } },
    /^rotation.every_days is no property of rotation: .* everyDays$/,
  ],
  ["BucketAccess", { rotation: { everyDays: "30" } }, /^rotation.everyDays is a text, and must be a number$/],
  [
    "BucketAccess",
    { policyActions: { allow: "read" } },
    /^policyActions.allow is a text, and must be a list$/,
  ],
  [
    "BucketAccess",
    { bucket: { ...bucket, name: null } },
    /^bucket is no reference, as bucket.name is missing/,
  ],
  [
    "BucketAccess",
    { bucket: { ...bucket, driver: { ...driver, seed: null } } },
    /bucket.driver.seed is missing/,
  ],
  [
    "BucketAccess",
    { driver: { ...driver, contract: 1 } },
    /^driver is no reference, as driver.contract is a number/,
  ],
  [
    "Deployment",
    { deploymentName: "orders" },
    /^deploymentName is no input of a cosi:Deployment: leave it out, or call it name$/,
  ],
  [
    "Deployment",
    { deploymentContext: { size: hush } },
    /^deploymentContext is no input .* or call it parameters$/,
  ],
  [
    "DeploymentAccess",
    { existingAccount: { accountId: "a" } },
    /^existingAccount.credentials is missing: give a map$/,
  ],
  [
    "DeploymentAccess",
    { existingAccount: { accountId: "a", credentials: { postgres: { url: [hush] } } } },
    /^existingAccount.credentials.postgres.url is a list, and must be a text$/,
  ],
];

/** Inputs for a title: the mark of a secret by that word. */
function inWords(inputs: Properties): string {
  return JSON.stringify(inputs, (_, value: unknown) =>
    isSecretOutput(value) ? { secret: value.value } : value,
  );
}

describe("the inputs of a program without types", () => {
  beforeEach(() => {
    beginRun();
  });

  for (const [type, inputs, said] of wrong) {
    it(`are judged by the schema: ${type} with ${inWords(inputs)}`, async () => {
      const failures = await failuresOf(type, inputs);
      assert.equal(failures.length, 1, failures.join("\n"));
      assert.match(failures.join(), said);
      assert.doesNotMatch(failures.join(), new RegExp(hush));
    });
  }

  for (const type of Object.keys(needed)) {
    it(`pass for a ${type} with what it needs, and where nothing is known yet`, async () => {
      assert.deepEqual(await failuresOf(type, {}), []);
      const names = Object.keys(inputsOfResource(type).properties).filter(
        (name) => !(name in (needed[type] ?? {})),
      );
      const exclusive = [
        "command",
        "environment",
        "tls",
        "existingBucketId",
        "existingDeploymentId",
        "bucketIdentifier",
      ];
      for (const name of names.filter((known) => !exclusive.includes(known))) {
        const failures = await failuresOf(type, { [name]: unknown });
        // What the contract has no field for is told whatever it is.
        assert.doesNotMatch(failures.join(), /must be|is missing|no input/, name);
      }
    });
  }

  it("pass where a part is not known yet, or null", async () => {
    const environment = { KEY: unknown, OTHER: secret(unknown) };
    assert.deepEqual(
      await failuresOf("Driver", { command: ["x", unknown], environment, endpoint: null }),
      [],
    );
    assert.deepEqual(await failuresOf("Driver", { reference: null, seed: null }), []);
    assert.deepEqual(
      await failuresOf("Bucket", { driver: { ...driver, endpoint: unknown, seed: unknown } }),
      [],
    );
    assert.deepEqual(await failuresOf("BucketAccess", { bucket: { ...bucket, driver: unknown } }), []);
    const rotation = { everyDays: 30, trigger: null };
    assert.deepEqual(await failuresOf("BucketAccess", { rotation }), []);
    const existingAccount = { accountId: "a", accessKeyId: "AK", accessSecretKey: hush, accessToken: null };
    assert.deepEqual(await failuresOf("BucketAccess", { existingAccount }), []);
    assert.deepEqual(await failuresOf("BucketAccess", { existingAccount: secret(existingAccount) }), []);
  });

  it("pass with what a newer version of the package tells in a reference", async () => {
    assert.deepEqual(await failuresOf("Bucket", { driver: { ...driver, later: 1 } }), []);
  });

  it("pass with what ignoreChanges has taken over from the state, and with nothing else under such a name", async () => {
    const olds = {
      ...needed["Bucket"],
      logicalName: "photos",
      onDelete: "keeps it",
      __provider: "text",
      env: "a",
    };
    assert.deepEqual(await failuresOf("Bucket", { logicalName: "photos", __provider: "text" }, olds), []);
    const failures = await failuresOf("Bucket", { onDelete: "deletes it", env: "a" }, olds);
    assert.deepEqual(
      failures.map((failure) => failure.split(" ")[0]),
      ["onDelete", "env"],
    );
  });

  it("are all judged at once", async () => {
    assert.equal(
      (await failuresOf("Driver", { env: {}, endpoint: 5, tls: { ca: 1, cafile: "x" } })).length,
      4,
    );
  });
});

describe("the name that is meant", () => {
  const names = ["endpoint", "environment", "caFile", "ca", "driverName"];
  for (const [wrongName, meant] of [
    ["ca_file", "caFile"],
    ["CA", "ca"],
    ["env", "environment"],
    ["endpoin", "endpoint"],
    ["endpoimt", "endpoint"],
    ["environments", "environment"],
    ["en", undefined],
    ["zone", undefined],
  ] as const) {
    it(`by ${wrongName} is ${meant ?? "none"}`, () => {
      assert.equal(nearName(wrongName, names), meant);
    });
  }
});
