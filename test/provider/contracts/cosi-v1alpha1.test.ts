import assert from "node:assert/strict";
import type { CallTarget } from "../../../provider/contracts/contract";
import { contractOf } from "../../../provider/contracts/registry";
import { Connection } from "../../../provider/driver/connection";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, driverName, paths } from "../../support/cosi-v1alpha1";
import type { Answer, FakeDriver } from "../../support/fake-driver";
import { Http2Recorder } from "../../support/http2-recorder";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName };
const hex = (text: string): Buffer => Buffer.from(text, "hex");

forEachContract("the form of cosi.v1alpha1", (contract) => {
  const { bucket, access, obligingDriver, settings, driverReference, onWire, ids, credential } = contract;

  afterEach(async () => {
    await closeConnections();
    beginRun();
  });

  /** Inputs of an access called `a` to a bucket called `b1`. */
  const accessInputs = (endpoint: string, changes: Properties = {}): Properties => ({
    driver: driverReference(endpoint),
    logicalName: "a",
    name: "a",
    bucketName: "b1",
    bucketId: "b1",
    ...changes,
  });

  it(`sends the bytes of the specification to its five paths and to no other ${ids("[GRPC-002]", "[DEP-002]")}`, async () => {
    const recorder = await new Http2Recorder({
      [onWire(paths.getInfo)]: bytes(answers.info()),
      [onWire(paths.create)]: hex("0a026231"),
      [onWire(paths.grant)]: bytes(answers.granted("u")),
    }).start();
    try {
      /** What a life of driver, bucket and access sends, refresh included, the call of the identity left out. */
      const sent = async (parameters: unknown, authenticationType: unknown): Promise<string[]> => {
        recorder.requests.length = 0;
        const store = new Lifecycle(driverProvider);
        const place: Properties = { ...settings(recorder.endpoint) };
        const made = await store.create({ ...place, logicalName: "store" });
        const inputs = { driver: driverReference(recorder.endpoint), logicalName: "b1", name: "b1" };
        const bucketMade = await bucket.create({ ...inputs, parameters, deletionPolicy: "Delete" });
        const news = accessInputs(recorder.endpoint, { parameters, authenticationType });
        const accessMade = await access.create(news);
        await store.read(made.outputs);
        await bucket.read(bucketMade.outputs);
        await access.read(accessMade.outputs);
        beginRun();
        await access.delete(accessMade.outputs);
        await bucket.delete(bucketMade.outputs);
        await store.delete(made.outputs);
        return recorder.requests
          .filter(({ path }) => path !== onWire(paths.getInfo))
          .map(({ path, body }) => `${path} ${body.toString("hex")}`);
      };

      assert.deepEqual(await sent({ k: "v" }, "Key"), [
        `${onWire(paths.create)} 0a02623112060a016b120176`,
        `${onWire(paths.grant)} 0a026231120161180122060a016b120176`,
        `${onWire(paths.revoke)} 0a0262311201751a060a016b120176`,
        `${onWire(paths.delete)} 0a02623112060a016b120176`,
      ]);
      for (const nothing of [undefined, null, {}]) {
        assert.deepEqual(await sent(nothing, "IAM"), [
          `${onWire(paths.create)} 0a026231`,
          `${onWire(paths.grant)} 0a0262311201611802`,
          `${onWire(paths.revoke)} 0a026231120175`,
          `${onWire(paths.delete)} 0a026231`,
        ]);
      }
      assert.ok(
        recorder.requests.every(({ path, body }) => path !== onWire(paths.getInfo) || body.length === 0),
      );
    } finally {
      recorder.stop();
    }
  });

  it("reads the driver's name from the bytes of the specification", () => {
    const { identify } = contractOf(contract.name);
    assert.deepEqual(identify?.decode(hex("0a09642e6578616d706c65")), { name: "d.example" });
    assert.equal(identify.encode().length, 0);
  });

  describe("replies", () => {
    let driver: FakeDriver;
    let connection: Connection;

    beforeEach(async () => {
      driver = await obligingDriver().start();
      connection = new Connection(settings(driver.endpoint));
    });

    afterEach(async () => {
      await connection.close();
      driver.stop();
    });

    const s3 = (region: string, signatureVersion: string | null) => ({
      protocol: "S3",
      region,
      signatureVersion,
    });

    const created = [
      ["s3 with region and signature", "0a02623112070a050a01721002", s3("r", "S3V4")],
      ["s3 with the older signature", "0a02623112070a050a01721001", s3("r", "S3V2")],
      ["a present but empty s3", "0a02623112020a00", s3("", null)],
      ["an unknown signature", "0a02623112070a050a01721009", s3("r", null)],
      ["azureBlob", "0a026231120512030a0161", { protocol: "Azure", storageAccount: "a" }],
      ["a present but empty azureBlob", "0a02623112021200", { protocol: "Azure", storageAccount: "" }],
      [
        "gcs",
        "0a026231120b1a090a01611201701a0173",
        { protocol: "GCS", privateKeyName: "a", projectId: "p", serviceAccount: "s" },
      ],
      [
        "a present but empty gcs",
        "0a02623112021a00",
        { protocol: "GCS", privateKeyName: "", projectId: "", serviceAccount: "" },
      ],
      ["no bucket_info", "0a026231", null],
      ["a protocol of a later release", "0a02623112034a0161", null],
      ["unknown fields at both levels", "0a02623112080a060a017272017872017878016d01020304", s3("r", null)],
    ] as const;

    it("of a create are read as what they say, whatever else is in them", async () => {
      for (const [what, bytes, expected] of created) {
        driver.on(paths.create, () => hex(bytes));
        const { reply } = await connection.client.createBucket({ name: "b1", parameters: {} }, target);
        assert.deepEqual(reply, { bucketId: "b1", bucketInfo: expected }, what);
      }
    });

    const keyEntry = (value: string): string => `0a100a0b6163636573734b657949441201${value}`;
    const granted = [
      [
        "one secret",
        "0a017512180a02733312120a100a0b6163636573734b6579494412014b",
        { s3: { accessKeyID: "K" } },
      ],
      [
        "a key of the secrets given twice",
        `0a0175122a0a0273331224${keyEntry("4b")}${keyEntry("4c")}`,
        { s3: { accessKeyID: "L" } },
      ],
      [
        "an entry given twice",
        `0a017512180a0273331212${keyEntry("4b")}12180a0273331212${keyEntry("4c")}`,
        { s3: { accessKeyID: "L" } },
      ],
      ["an entry without secrets, and unknown fields", "0a017512060a02733312007201787801", { s3: {} }],
      ["no credentials", "0a0175", {}],
    ] as const;

    it("of a grant are read as what they say, the last of equal keys", async () => {
      for (const [what, bytes, expected] of granted) {
        driver.on(paths.grant, () => hex(bytes));
        const { reply } = await connection.client.grantAccess(
          { bucketId: "b1", name: "a", authenticationType: "Key", parameters: {} },
          target,
        );
        const credentials = [...reply.credentials].map(([entry, secrets]) => [
          entry,
          Object.fromEntries(secrets),
        ]);
        assert.equal(reply.accountId, "u", what);
        assert.deepEqual(Object.fromEntries(credentials), expected, what);
      }
    });

    it(`with what this release does not know, or without what may be absent, pass a whole life ${ids("[GRPC-004]", "[DEP-004]")}`, async () => {
      const grants = [answers.granted("u", { accessKeyID: "OLD1" }), answers.granted("u"), hex("720178")].map(
        bytes,
      );
      driver
        .on(paths.grant, () => Buffer.concat(grants))
        .on(paths.revoke, () => Buffer.alloc(0))
        .on(paths.delete, () => Buffer.alloc(0));
      for (const [what, bytes, expected] of created) {
        driver.on(paths.create, () => hex(bytes));
        const driverInputs = { driver: driverReference(driver.endpoint), name: "b1", logicalName: "b1" };
        const made = await bucket.create({ ...driverInputs, deletionPolicy: "Delete" });
        assert.equal(made.outputs["bucketId"], "b1", what);
        assert.deepEqual(made.outputs["bucketInfo"], expected, what);
        const grant = await access.create(accessInputs(driver.endpoint, { bucketInfo: expected }));
        assert.equal(credential(grant.outputs, "accessKeyID"), "AKEXAMPLE");
        beginRun();
        await access.delete(grant.outputs);
        await bucket.delete(made.outputs);
      }
      assert.equal(driver.bodies("DriverRevokeBucketAccess").length, created.length);
      assert.equal(driver.bodies("DriverDeleteBucket").length, created.length);
    });
  });
});

function bytes(answer: Answer): Uint8Array {
  return answer instanceof Uint8Array ? answer : assert.fail("a status");
}
