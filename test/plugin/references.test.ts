import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { holdsSecret, isSecretOutput } from "../../provider/dynamic/values";
import type { ResourceKind } from "../../provider/plugin/kind";
import { kindOf } from "../../provider/plugin/kinds";
import { check, diff, previewOfCreate, remove } from "../../provider/plugin/resource-calls";
import { driversOfRun } from "../../provider/run/drivers";
import { printed, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { secret, unknown } from "./marks";

const hush = "hush-hush-word";
const known = { driverName: "cosi.example.com", seed: "00ff" };
const kinds = Object.fromEntries(
  ["Driver", "Bucket", "BucketAccess", "Deployment"].map((type) => [type, kindOf(`cosi:index:${type}`)]),
) as Record<"Driver" | "Bucket" | "BucketAccess" | "Deployment", ResourceKind>;

interface Checked {
  readonly inputs: Properties;
  readonly said: string[];
}

async function checked(
  type: keyof typeof kinds,
  program: Properties,
  olds: Properties = {},
): Promise<Checked> {
  const urn = `urn:pulumi:dev::shop::cosi:index:${type}::one`;
  const { inputs, failures } = await check(kinds[type], urn, olds, program);
  return { inputs, said: failures.map(({ reason }) => reason) };
}

/** Inputs of a resource that is in order. */
async function inputsOf(
  type: keyof typeof kinds,
  program: Properties,
  olds: Properties = {},
): Promise<Properties> {
  const { inputs, said } = await checked(type, program, olds);
  assert.deepEqual(said, []);
  return inputs;
}

/** What a resource hands on once it is made. */
async function referenceOf(
  type: keyof typeof kinds,
  program: Properties,
  outputs: Properties,
): Promise<unknown> {
  const inputs = await inputsOf(type, program);
  const kind: ResourceKind = { ...kinds[type], computed: [], inward: (own) => ({ ...own, ...outputs }) };
  return previewOfCreate(kind, kinds[type].inward(inputs))["reference"];
}

const driverReference = (program: Properties): Promise<unknown> => referenceOf("Driver", program, known);

/** A value as YAML's host hands it on that was told in an output without a type: what is secret within is lost. */
function throughYaml(value: unknown, nested = false): unknown {
  if (isSecretOutput(value)) return nested ? {} : value;
  if (Array.isArray(value)) return value.map((entry) => throughYaml(entry, true));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, throughYaml(entry, true)]));
}

const command = ["cosi-driver-s3"];
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const tls = { certFile: "/etc/cosi/tls.crt", key };

/** Drivers with something secret, and the paths of that in what a bucket keeps of them. */
const secretDrivers: readonly (readonly [what: string, program: Properties, kept: Properties])[] = [
  ["its environment", { command, environment: { KEY: hush } }, { environment: secret({ KEY: hush }) }],
  ["an argument", { command: ["driver", secret(hush)] }, { command: ["driver", secret(hush)] }],
  ["its endpoint", { endpoint: secret("unix:///run/a.sock") }, { endpoint: secret("unix:///run/a.sock") }],
  ["its private key", { endpoint: "dns:///cosi:1", tls }, { tls: { ...tls, key: secret(key) } }],
  ["all of its tls", { endpoint: "dns:///cosi:1", tls: secret(tls) }, { tls: secret(tls) }],
];

describe("a reference", () => {
  beforeEach(beginRun);

  it("with nothing secret in it is handed on as it is", async () => {
    for (const program of [
      { endpoint: "unix:///run/a.sock" },
      { command },
      { endpoint: "dns:///cosi:1", tls: {} },
    ]) {
      const reference = await driverReference(program);
      assert.ok(!holdsSecret(reference));
      assert.ok(!Object.hasOwn(reference as Properties, "secretParts"));
      assert.equal((await inputsOf("Bucket", { driver: reference }))["driver"] === undefined, false);
    }
  });

  for (const [what, program, kept] of secretDrivers) {
    it(`of a Driver that has ${what} secret comes through YAML, and a bucket keeps that alone as secret`, async () => {
      const reference = await driverReference(program);
      assert.ok(isSecretOutput(reference) && !holdsSecret(reference.value), "secret as a whole");
      const { driver } = await inputsOf("Bucket", { driver: throughYaml(reference) });
      assert.ok(!isSecretOutput(driver));
      const { seed, driverName, secretParts, ...rest } = driver as Properties;
      assert.deepEqual({ seed, driverName, secretParts }, { ...known, secretParts: undefined });
      for (const [name, value] of Object.entries(kept)) assert.deepEqual(rest[name], value);
    });

    it(`of a bucket there comes through YAML to an access: ${what}`, async () => {
      const driver = await driverReference(program);
      const made = { bucketId: "photos-id", bucketInfo: null };
      let bucket: unknown;
      // Its name is spoken of.
      await printed(async () => {
        bucket = await referenceOf("Bucket", { driver, name: secret("photos") }, made);
      });
      const inputs = await inputsOf("BucketAccess", { bucket: throughYaml(bucket) });
      const { name, bucketId, driver: itsDriver } = inputs["bucket"] as Properties;
      assert.deepEqual([name, bucketId], [secret("photos"), "photos-id"]);
      for (const [key, value] of Object.entries(kept))
        assert.deepEqual((itsDriver as Properties)[key], value);
      const again = await inputsOf("BucketAccess", { bucket: throughYaml(bucket) }, inputs);
      assert.deepEqual(again, inputs);
    });
  }

  it("of a Driver may stand in one that the program puts together", async () => {
    const driver = await driverReference({ command, environment: { KEY: hush } });
    const { bucket } = await inputsOf("BucketAccess", { bucket: { name: "photos", bucketId: "id", driver } });
    assert.deepEqual(((bucket as Properties)["driver"] as Properties)["environment"], secret({ KEY: hush }));
    assert.ok(!JSON.stringify(bucket).includes("secretParts"));
  });

  it("that the program marks, with nothing secret in it, stays secret as a whole", async () => {
    const driver = secret({ contract: "cosi.v1alpha1", endpoint: "unix:///run/a.sock", ...known });
    assert.deepEqual((await inputsOf("Bucket", { driver }))["driver"], driver);
  });

  it("that says nonsense of its secret parts stays secret as a whole", async () => {
    const driver = { contract: "cosi.v1alpha1", endpoint: "unix:///run/a.sock", ...known };
    const given = secret({ ...driver, secretParts: ["endpoint"] });
    assert.deepEqual((await inputsOf("Bucket", { driver: given }))["driver"], secret(driver));
    const elsewhere = secret({ ...driver, secretParts: [["endpoint", "x"], ["nowhere"]] });
    assert.deepEqual((await inputsOf("Bucket", { driver: elsewhere }))["driver"], driver);
  });

  it("that is not known yet, as a whole or in part, passes in a preview", async () => {
    const driver = (await driverReference({ command, environment: { KEY: unknown } })) as Properties;
    const inPart = secret({ ...(driver["value"] as Properties), driverName: unknown, seed: unknown });
    for (const given of [unknown, secret(unknown), inPart]) {
      const { inputs, said } = await checked("Bucket", { driver: given });
      assert.deepEqual(said, []);
      assert.notEqual(inputs["driver"], undefined);
    }
  });

  it("is written anew by an update where YAML would lose a part of it, and otherwise not", async () => {
    const inputs = await inputsOf("Driver", { command, environment: { KEY: hush } });
    const own = { ...inputs, ...known, demandedDriverName: null, schemaVersion: 1 };
    const before = { inputs, outputs: { ...own, reference: { ...inputs, ...known } } };
    const found = await diff(kinds.Driver, "one", before, inputs);
    assert.deepEqual([found.changes, found.replaces, found.detailed.size], [true, [], 0]);
    const reference = await driverReference({ command, environment: { KEY: hush } });
    const after = { inputs, outputs: { ...own, reference } };
    assert.equal((await diff(kinds.Driver, "one", after, inputs)).changes, false);
    // As the option `additionalSecretOutputs` has it.
    const marked = { inputs, outputs: { ...own, reference: secret({ endpoint: "x" }) } };
    assert.equal((await diff(kinds.Driver, "one", marked, inputs)).changes, false);
  });
});

describe("a reference that has lost what was secret in it", () => {
  beforeEach(beginRun);
  const driver = { contract: "cosi.v1alpha1", ...known };
  const bucket = { name: "photos-1", bucketId: "photos-id", driver };

  for (const [type, inputs, lost, ofWhom] of [
    ["Bucket", { driver: { ...driver, environment: {} } }, "driver.environment", "Driver"],
    ["Bucket", { driver: { ...driver, environment: secret({}) } }, "driver.environment", "Driver"],
    ["Bucket", { driver: { ...driver, endpoint: {} } }, "driver.endpoint", "Driver"],
    ["Bucket", { driver: { ...driver, command: {} } }, "driver.command", "Driver"],
    ["Bucket", { driver: { ...driver, command: ["driver", {}] } }, "driver.command\\[1\\]", "Driver"],
    ["Bucket", { driver: { ...driver, tls: { cert: "CERT", key: {} } } }, "driver.tls.key", "Driver"],
    ["Bucket", { driver: {} }, "driver", "Driver"],
    ["BucketAccess", { bucket: {} }, "bucket", "Bucket"],
    ["BucketAccess", { bucket: { ...bucket, name: {} } }, "bucket.name", "Bucket"],
    ["BucketAccess", { bucket: { ...bucket, bucketInfo: {} } }, "bucket.bucketInfo", "Bucket"],
    ["BucketAccess", { bucket: { ...bucket, driver: {} } }, "bucket.driver", "Bucket"],
    [
      "BucketAccess",
      { bucket: { ...bucket, driver: { ...driver, environment: {} } } },
      "bucket.driver.environment",
      "Bucket",
    ],
  ] as const) {
    const given = isSecretOutput(Object.values(Object.values(inputs)[0] ?? {}).at(-1)) ? ", marked" : "";
    it(`is refused: ${lost.replaceAll("\\", "")} of a ${type}${given}`, async () => {
      const { said } = await checked(type, inputs);
      assert.equal(said.length, 1, said.join("\n"));
      const reason = `^\\w+ has lost its secret parts on the way \\(${lost} is empty\\), .* run pulumi up for the cosi:${ofWhom},`;
      assert.match(said.join(), new RegExp(reason));
    });
  }

  it("is told from one of a driver that has an empty map: its Driver hands on no empty environment", async () => {
    const reference = await driverReference({ command, environment: {} });
    assert.ok(!holdsSecret(reference) && (reference as Properties)["environment"] === undefined);
    await inputsOf("Bucket", { driver: reference });
    const bucketInfo = { protocol: "S3", providerContext: {} };
    await inputsOf("BucketAccess", { bucket: { ...bucket, bucketInfo } });
  });
});

describe("a state that has lost the environment of a driver", () => {
  beforeEach(beginRun);
  const driver = { contract: "cosi.v1alpha1", command, ...known } as const;
  const lost = { ...driver, environment: secret({}) };
  const deleted: string[] = [];
  const recording = (type: keyof typeof kinds): ResourceKind => ({
    ...kinds[type],
    provider: {
      ...kinds[type].provider,
      delete: (id) => {
        deleted.push(id);
        return Promise.resolve();
      },
    },
  });
  beforeEach(() => {
    deleted.length = 0;
  });

  it("is not deleted by a driver that is started without it", async () => {
    const bucket = { deletionPolicy: "Delete", driver: lost };
    await assert.rejects(
      remove(recording("Bucket"), "photos-1", bucket),
      /cosi:Bucket photos-1 has lost the environment of its Driver .* nothing was sent. Next: run pulumi up/,
    );
    await assert.rejects(
      remove(recording("BucketAccess"), "rw-1", { driver: lost }),
      /cosi:BucketAccess rw-1/,
    );
    assert.deepEqual(deleted, []);
  });

  it("is deleted where no call is made, and where the run knows the environment", async () => {
    await remove(recording("Bucket"), "kept", { deletionPolicy: "Retain", driver: lost });
    const whole = { ...driver, environment: { KEY: hush } };
    await remove(recording("BucketAccess"), "whole", {
      driver: { ...driver, environment: secret(whole.environment) },
    });
    await remove(recording("BucketAccess"), "none", { driver });
    driversOfRun.note({ ...whole, command: [...command] });
    await remove(recording("BucketAccess"), "told", { driver: lost });
    assert.deepEqual(deleted, ["kept", "whole", "none", "told"]);
  });

  it("gets it by an update, with a warning", async () => {
    const reference = await driverReference({ command, environment: { KEY: hush } });
    const inputs = await inputsOf("Bucket", { driver: reference });
    const before = { ...inputs, driver: { ...(inputs["driver"] as Properties), environment: {} } };
    const outputs = {
      ...before,
      driver: { ...(inputs["driver"] as Properties), environment: secret({}) },
      bucketId: "photos-id",
      schemaVersion: 1,
    };
    beginRun();
    let mended: Properties = {};
    const lines = await printed(async () => {
      mended = await inputsOf("Bucket", { driver: reference, name: inputs["name"] }, before);
    });
    assert.match(
      lines.join("\n"),
      /^warning: Bucket one: .* lost the environment .* may lead to another store/,
    );
    assert.ok(!lines.join().includes(hush));
    const found = await diff(kinds.Bucket, "photos-1", { inputs: before, outputs }, mended);
    assert.deepEqual([found.changes, found.replaces], [true, []]);
    beginRun();
    const quiet = await printed(async () => {
      await inputsOf("Bucket", { driver: reference }, inputs);
    });
    assert.deepEqual(quiet, []);
  });
});

describe("a name that the program marks as secret, of a resource of the plugin", () => {
  beforeEach(beginRun);
  const driver = { contract: "cosi.v1alpha1", ...known };
  const database = { ...driver, contract: "deployment.v1alpha1" };
  const bucket = { name: "photos-1", bucketId: "photos-id", driver };

  for (const [type, inputs, said] of [
    ["Bucket", { driver, name: secret("hush") }, /^warning: bucket one: name is marked as secret/],
    ["Bucket", { driver, existingBucketId: secret("hush") }, /one: existingBucketId is marked as secret/],
    ["Deployment", { driver: database, name: secret("hush") }, /^warning: deployment one: name is marked/],
    [
      "Deployment",
      { driver: database, existingDeploymentId: secret("hush") },
      /one: existingDeploymentId is marked as secret/,
    ],
    ["BucketAccess", { bucket, name: secret("hush") }, /^warning: access one: name is marked as secret/],
  ] as const) {
    it(`is told to stand in plain text all the same: ${Object.keys(inputs).at(-1) ?? ""} of a ${type}`, async () => {
      let first: Properties = {};
      const lines = await printed(async () => {
        first = await inputsOf(type, inputs);
      });
      assert.equal(lines.length, 1, lines.join("\n"));
      assert.match(lines.join(), said);
      assert.ok(!("nameIsSecret" in first));
      beginRun();
      const again = await printed(() => inputsOf(type, inputs, first));
      assert.deepEqual(again, []);
    });
  }

  it("is not spoken of where it is none", async () => {
    const lines = await printed(async () => {
      await inputsOf("Bucket", { driver, name: "photos" });
      await inputsOf("BucketAccess", { bucket });
    });
    assert.deepEqual(lines, []);
  });
});
