import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { provider as accessProvider } from "../../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../../provider/bucket/provider";
import { Connection } from "../../../../provider/driver/connection";
import { closeConnections } from "../../../../provider/driver/connections";
import { provider as driverProvider } from "../../../../provider/driver-resource/provider";
import {
  bucketNameIn,
  controllerReference,
  controllerSettings,
  keys,
  obligingController,
  paths,
  provisioner,
  replies,
} from "../../../support/cosi-2020-07";
import { answers, paths as v1alpha1 } from "../../../support/cosi-v1alpha1";
import { connectionSettingsOf } from "../../../../provider/driver/settings";
import type { FakeDriver } from "../../../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../../support/lifecycle";
import { message } from "../../../support/protobuf";
import { beginRun } from "../../../support/run";
import { TcpFront } from "../../../support/tcp-front";

const rpcs = ["CreateBucket", "GrantBucketAccess", "RevokeBucketAccess", "DeleteBucket"];
const identityMethod = "/example.v1.Info/DriverInfo";

/** `DriverInfoResponse`. */
const info = (name: string, protocol?: number): Buffer =>
  message([1, name], ...(protocol === undefined ? [] : ([[2, protocol]] as const)));

describe("a Driver of cosi-2020-07", () => {
  const store = new Lifecycle(driverProvider);
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;

  beforeEach(async () => {
    beginRun();
    driver = await obligingController()
      .on(identityMethod, () => info("rgw.example.com", 3))
      .on(v1alpha1.getInfo, () => answers.info("rgw.example.com"))
      .start();
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const driverInputs = (changes: Properties = {}): Properties => ({
    ...controllerSettings(driver.endpoint),
    logicalName: "store",
    driverName: provisioner,
    ...changes,
  });
  const bucketInputs = (reference: unknown, changes: Properties = {}): Properties => ({
    driver: reference,
    logicalName: "photos",
    name: "photos",
    deletionPolicy: "Delete",
    ...changes,
  });
  const accessInputs = (reference: unknown, { outputs }: { outputs: Properties }): Properties => ({
    driver: reference,
    logicalName: "web",
    name: "web",
    bucketName: outputs["name"],
    bucketId: outputs["bucketId"],
    bucketInfo: outputs["bucketInfo"],
  });

  /** Create, grant, revoke, delete of one bucket and access. */
  async function life(reference: unknown, changes: Properties = {}): Promise<void> {
    const made = await bucket.create(bucketInputs(reference, changes));
    const granted = await access.create(accessInputs(reference, made));
    assert.equal(granted.outputs["accessKeyId"], keys.accessKeyID);
    assert.equal(granted.outputs["accountId"], "web");
    beginRun();
    await access.delete(granted.outputs);
    await bucket.delete(made.outputs);
  }

  describe("check", () => {
    for (const [what, changes, text] of [
      ["no name", { driverName: undefined }, /^driverName is missing: cosi-2020-07 has no call/],
      [
        "a name that is no provisioner",
        { driverName: "rgw" },
        /^driverName is "rgw": a provisioner has the form/,
      ],
      ["three parts", { driverName: "a/b/c" }, /^driverName is "a\/b\/c"/],
      ["no namespace", { driverName: "/x" }, /^driverName is "\/x"/],
      ["no endpoint", { endpoint: undefined }, /^endpoint is missing: .*COSI_ENDPOINT may differ/],
      [
        "plain text beyond this machine",
        { endpoint: "store.example.com:9000" },
        /^endpoint .*"store.example.com:9000" is on the network, where nothing is sent without TLS/,
      ],
      ["plain text to any address", { endpoint: "0.0.0.0:9000" }, /without TLS/],
      ["plain text to what looks like this machine", { endpoint: "127.0.0.1.example.com:9" }, /without TLS/],
      [
        "another scheme",
        { endpoint: "tcp://127.0.0.1:9000" },
        /^endpoint .*as <host>:<port> of this machine/,
      ],
      ["a port beyond 65535", { endpoint: "localhost:65536" }, /has a port that is not within/],
      [
        "a method that is no path",
        { identityMethod: "GetInfo" },
        /^identityMethod is "GetInfo": give the full path/,
      ],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { failures } = await store.check({}, driverInputs(changes));
        assert.equal(failures.length, 1, failures.join());
        assert.match(failures[0] ?? "", text);
      });
    }

    for (const endpoint of ["localhost:9000", "127.1.2.3:1", "[::1]:9000", "dns:///LOCALHOST:9000"]) {
      it(`takes plain text to this machine: ${endpoint}`, async () => {
        assert.deepEqual((await store.check({}, driverInputs({ endpoint }))).failures, []);
      });
    }

    it("takes a host beyond this machine with TLS, and a started driver", async () => {
      const network = { endpoint: "store.example.com:9000", tls: {} };
      assert.deepEqual((await store.check({}, driverInputs(network))).failures, []);
      const started = { endpoint: undefined, command: ["driver"] };
      assert.deepEqual((await store.check({}, driverInputs(started))).failures, []);
    });

    it("fails on no unknown value", async () => {
      const all = { ...driverInputs(), identityMethod: true };
      const unknown = Object.fromEntries(Object.keys(all).map((key) => [key, pulumi.runtime.unknownValue]));
      assert.deepEqual((await store.check({}, unknown)).failures, []);
      const contract = pulumi.runtime.unknownValue;
      const inputs = driverInputs({ contract, endpoint: "localhost:9000" });
      assert.deepEqual((await store.check({}, inputs)).failures, []);
    });

    it("is as strict as ever with cosi.v1alpha1, which has a call for the name", async () => {
      for (const [changes, text] of [
        [{ endpoint: "localhost:9000" }, /^endpoint /],
        [{ endpoint: "dns:///localhost:9000" }, /without TLS/],
        [{ identityMethod: v1alpha1.getInfo }, /^identityMethod is given with contract cosi\.v1alpha1/],
        [{}, /^driverName is "rgw-provisioning\/rgw\.example\.com": a driver name has/],
      ] as const) {
        const name = "endpoint" in changes || "identityMethod" in changes ? { driverName: "d.example" } : {};
        const inputs = driverInputs({ contract: "cosi.v1alpha1", ...name, ...changes });
        const { failures } = await store.check({}, inputs);
        assert.equal(failures.length, 1, failures.join());
        assert.match(failures[0] ?? "", text);
      }
    });
  });

  it("connects at its create and sends nothing, and records the name of the program", async () => {
    const { outputs } = await store.create(driverInputs());
    assert.equal(outputs["driverName"], provisioner);
    assert.deepEqual(driver.calls, []);
    driver.stop();
    await closeConnections();
    await assert.rejects(
      store.create(driverInputs({ connectTimeoutSeconds: 0.2 })),
      /^DriverError: connecting: UNAVAILABLE: no socket appeared at /,
    );
  });

  it("has only its own buckets' calls sent to it, by either form of an endpoint, on destroy too", async () => {
    const other = await obligingController().start();
    const front = await new TcpFront(other.socket).start();
    try {
      const network = controllerReference(`localhost:${front.port}`, { driverName: "b/other.example.com" });
      await life(controllerReference(driver.endpoint), { logicalName: "one", name: "one" });
      await life(network, { logicalName: "two", name: "two" });
      for (const [fake, name] of [
        [driver, "one"],
        [other, "two"],
      ] as const) {
        assert.deepEqual(fake.paths(), rpcs);
        assert.ok(fake.calls.every(({ body }) => body.includes(name)));
      }
    } finally {
      await closeConnections();
      front.stop();
      other.stop();
    }
  });

  it("never has a call in plain text to another machine, whatever the state says", async () => {
    const reference = controllerReference("192.0.2.1:9000", { connectTimeoutSeconds: 1 });
    await assert.rejects(
      bucket.create(bucketInputs(reference)),
      /"192\.0\.2\.1:9000" is on the network.*without TLS/,
    );
  });

  describe("with a method that tells its name", () => {
    const reference = (changes: object = {}) =>
      controllerReference(driver.endpoint, { identityMethod, ...changes });

    it("asks once per connection, and not at all without it [K07-124]", async () => {
      await life(controllerReference(driver.endpoint));
      assert.deepEqual(driver.paths(), rpcs);
      driver.calls.length = 0;
      await life(reference());
      assert.deepEqual(driver.paths(), ["DriverInfo", ...rpcs]);
      assert.equal(driver.calls[0]?.body.length, 0);
    });

    it("may be that of cosi.v1alpha1, which tells no protocol [K07-124]", async () => {
      driver.on(v1alpha1.getInfo, () => answers.info("RGW.example.com"));
      await life(reference({ identityMethod: v1alpha1.getInfo }));
      assert.deepEqual(driver.paths(), ["DriverGetInfo", ...rpcs]);
    });

    for (const [what, reply, text] of [
      [
        "another name",
        info("other.example.com"),
        /belongs to driver "rgw-provisioning\/rgw\.example\.com", but the driver at .* calls itself "other\.example\.com".*set its input driverName to "rgw-provisioning\/other\.example\.com"/,
      ],
      ["another protocol", info("rgw.example.com", 1), /has protocol S3, but the driver at .* serves Azure/],
    ] as const) {
      it(`refuses every call to ${what}, on destroy too [K07-124]`, async () => {
        const made = await bucket.create(bucketInputs(reference()));
        const granted = await access.create(accessInputs(reference(), made));
        await closeConnections();
        beginRun();
        driver.on(identityMethod, () => reply);
        driver.calls.length = 0;
        for (const call of [
          () => access.delete(granted.outputs),
          () => bucket.delete(made.outputs),
          () => bucket.create(bucketInputs(reference(), { name: "more" })),
          () => access.create({ ...accessInputs(reference(), made), name: "more" }),
        ]) {
          await assert.rejects(call(), text);
        }
        assert.deepEqual(driver.paths(), ["DriverInfo"]);
      });
    }

    it("records the provisioner, and refuses a name that is not its last part", async () => {
      const made = await store.create(driverInputs({ identityMethod }));
      assert.equal(made.outputs["driverName"], provisioner);
      const other = driverInputs({ identityMethod, driverName: "rgw-provisioning/swift.example.com" });
      await assert.rejects(
        store.create(other),
        /"swift\.example\.com" is expected.*"rgw-provisioning\/rgw\.example\.com"/,
      );
    });

    it("that the driver does not have is an error that names it", async () => {
      driver.on(identityMethod, () => ({ code: status.UNIMPLEMENTED }));
      await assert.rejects(
        life(reference()),
        /has no \/example\.v1\.Info\/DriverInfo.*correct identityMethod/,
      );
    });
  });

  it("has three attempts of a delete that ends in a fault of its own, whatever it had under way before [K07-137]", async () => {
    const reference = controllerReference(driver.endpoint);
    const underWay = { code: status.ABORTED, message: "DELETE_DELETE_INPROGRESS" };
    const fault = { code: status.INTERNAL, message: "DELETE_INTERNAL_ERROR" };
    const five = Array<typeof fault>(5).fill(underWay);
    for (const [faults, isDone] of [
      [[...five, fault], true],
      [[fault, ...five, fault], true],
      [[fault, underWay, fault, underWay, fault], false],
    ] as const) {
      driver.on(paths.delete, (_body, earlier) => faults[earlier] ?? Buffer.alloc(0));
      const { outputs } = await bucket.create(bucketInputs(reference));
      beginRun();
      driver.calls.length = 0;
      const deleted = bucket.delete(outputs);
      if (isDone) await deleted;
      else await assert.rejects(deleted, /^DriverError: DeleteBucket: INTERNAL: .*\(5 attempts in /);
      assert.equal(driver.calls.length, faults.length + (isDone ? 1 : 0));
    }
  });

  it("gives up nothing that it may have made where another contract's driver stands at the endpoint [K07-104] [K07-133]", async () => {
    const reference = controllerReference(driver.endpoint);
    const lost = { code: status.INTERNAL, message: "the answer is lost" };
    const foreign = { code: status.UNIMPLEMENTED, message: "unknown service cosi.v1.CosiController" };
    const made = await bucket.create(bucketInputs(reference));
    driver.on(paths.create, () => lost).on(paths.grant, () => lost);
    const failedBucket = await failedResource(bucket.create(bucketInputs(reference, { name: "lost" })));
    const failedAccess = await failedResource(access.create(accessInputs(reference, made)));
    beginRun();
    driver.on(paths.create, () => foreign).on(paths.grant, () => foreign);
    await assert.rejects(
      bucket.delete(wire(failedBucket.properties)),
      /may exist.*UNIMPLEMENTED.*contract cosi-2020-07/s,
    );
    await assert.rejects(
      access.delete(wire(failedAccess.properties)),
      /may have a live credential.*UNIMPLEMENTED.*contract cosi-2020-07/s,
    );
    assert.ok(!driver.paths().includes("RevokeBucketAccess"));
  });

  it("has the protocol of a bucket, and what its driver told of it, in every call for the bucket", async () => {
    for (const [protocol, number, context] of [
      ["Azure", 1, message([3, message()])],
      ["GCS", 2, message([2, message([1, "eu"], [2, "p-1"])])],
      ["S3", 3, message([1, message([1, "eu-7"])])],
    ] as const) {
      driver.on(paths.create, () => message([1, message([2, context])]));
      driver.calls.length = 0;
      const inputs = bucketInputs(controllerReference(driver.endpoint), { protocol, logicalName: protocol });
      const { outputs } = await bucket.create(inputs);
      beginRun();
      await bucket.delete(outputs);
      assert.deepEqual(driver.paths(), ["CreateBucket", "DeleteBucket"]);
      const begin = message([1, "photos"], [2, number]);
      assert.ok(
        driver.calls.every(({ body }) => body.subarray(0, begin.length).equals(begin)),
        protocol,
      );
      assert.deepEqual(driver.calls[1]?.body, message([1, "photos"], [2, number], [3, context]));
    }
  });

  it("knows the protocol of a bucket of which its driver has told nothing", async () => {
    const reference = controllerReference(driver.endpoint);
    const known = { protocol: "GCS", privateKeyName: "", projectId: "p-1", serviceAccount: "" };
    const gcs = { protocol: "GCS", parameters: { projectId: "p-1" }, deletionPolicy: "Retain" };
    const existing = { ...gcs, name: undefined, existingBucketId: "legacy" };
    const taken = await bucket.create(bucketInputs(reference, existing));
    assert.deepEqual(taken.outputs["bucketInfo"], known);
    assert.deepEqual(driver.calls, []);
    driver.on(paths.create, () => ({ code: status.ALREADY_EXISTS }));
    const adopted = await bucket.create(bucketInputs(reference, { ...gcs, name: "mine", nameAsId: true }));
    assert.deepEqual(adopted.outputs["bucketInfo"], known);
  });

  it("refuses a protocol that is none, and one for a contract that has no field for it", async () => {
    const wrong = bucketInputs(controllerReference(driver.endpoint), { protocol: "swift" });
    assert.match(
      (await bucket.check({}, wrong)).failures.join(),
      /^protocol is "swift", and the protocols are: S3, Azure, GCS$/,
    );
    const reference = controllerReference(driver.endpoint, { contract: "cosi.v1alpha1" });
    const needless = bucketInputs(reference, { protocol: "S3" });
    assert.match(
      (await bucket.check({}, needless)).failures.join(),
      /^protocol is given.*cosi\.v1alpha1 has no field/,
    );
  });

  it("replaces a bucket whose protocol changes, and has no limits on the bytes of parameters", async () => {
    const reference = controllerReference(driver.endpoint);
    const made = await bucket.create(bucketInputs(reference, { protectData: false }));
    const { inputs } = await bucket.check(made.outputs, bucketInputs(reference, { protocol: "GCS" }));
    assert.deepEqual((await bucket.diff(made.outputs, inputs)).replaces, ["protocol"]);
    const large = bucketInputs(reference, { parameters: { policy: "p".repeat(6000) } });
    assert.deepEqual((await bucket.check({}, large)).failures, []);
  });

  it("warns of a reply to a create that says other than was asked for [K07-129]", async () => {
    driver.on(paths.create, () => message([1, message([1, "photos-2"], [3, "x/y"], [4, 1])]));
    let outputs: Properties = {};
    const lines = await printed(async () => {
      ({ outputs } = await bucket.create(bucketInputs(controllerReference(driver.endpoint))));
    });
    assert.equal(outputs["bucketId"], "photos-2");
    assert.equal(lines.length, 2, lines.join());
    assert.ok(lines.every((line) => line.startsWith("warning: bucket photos: the driver answered with ")));
    beginRun();
    await access.create(accessInputs(controllerReference(driver.endpoint), { outputs }));
    await bucket.delete(outputs);
    assert.deepEqual(
      driver.calls.slice(1).map(({ body }) => bucketNameIn(body)),
      ["photos-2", "photos-2"],
    );
  });

  it("shows no secret of a request or reply in errors, warnings and traces, and every name", async () => {
    driver
      .on(paths.grant, () =>
        replies.granted({ ...keys, user: "web", bucket: "photos", domain: "example.com" }),
      )
      .on(paths.revoke, () => ({
        code: status.DATA_LOSS,
        message: `web: ${keys.accessSecretKey} photos admin-s3cr3t example.com`,
      }));
    process.env["PULUMI_COSI_TRACE"] = "1";
    try {
      const reference = controllerReference(driver.endpoint);
      const connection = new Connection(connectionSettingsOf(reference));
      const target = { bucket: "photos", subject: "access web", driverName: provisioner };
      const secrets = { SecretKey: "admin-s3cr3t" };
      const common = { bucketId: "photos", secrets };
      const grant = {
        ...common,
        name: "web",
        authenticationType: "Key",
        parameters: { tier: "gold" },
      } as const;
      let text = "";
      const lines = await printed(async () => {
        const { issued = [] } = (await connection.client.grantAccess(grant, target)).reply;
        const [credential] = issued;
        assert.ok(credential !== undefined);
        const revoke = { ...common, accountId: "web", context: {}, issued: credential };
        await connection.client
          .revokeAccess(revoke, target)
          .catch((error: unknown) => (text = String(error)));
        await connection.close();
      });
      const all = [...lines, text].join("\n");
      assert.equal(lines.length, 2);
      assert.match(text, /DATA_LOSS: web: \[secret\] photos \[secret\] example\.com/);
      assert.match(
        lines[0] ?? "",
        /"secrets":"\[secret\]".*→ \{"creds":\[\{"genericCredentials":"\[secret\]"\}\]\}/,
      );
      assert.match(lines[1] ?? "", /"serviceAccount":\{"genericCredentials":"\[secret\]"\}/);
      assert.match(lines[1] ?? "", /"cosi\.io\/bucket-access":"web"/);
      for (const secret of [keys.accessKeyID, keys.accessSecretKey, "admin-s3cr3t"]) {
        assert.ok(!all.includes(secret), all);
      }
    } finally {
      delete process.env["PULUMI_COSI_TRACE"];
    }
  });
});
