import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { Lifecycle } from "../../support/lifecycle";
import { Recorder, recorderReleases, type DecodedCall } from "../../support/recorder";
import { beginRun } from "../../support/run";
import { quickSettings } from "../../support/settings";

const parameters = { " k ": " x ", json: '{"a":1}', empty: "", ü: "漢" };
const accessParameters = { accessMode: "ro" };

/** One life through our providers: driver, bucket, access, and back. */
async function live(endpoint: string): Promise<{ bucketName: string; accessName: string }> {
  const [drivers, buckets, accesses] = [driverProvider, bucketProvider, accessProvider].map(
    (provider) => new Lifecycle(provider),
  ) as [Lifecycle, Lifecycle, Lifecycle];
  const settings = quickSettings(endpoint);
  const driver = (await drivers.create({ ...settings, logicalName: "store" })).outputs;
  const reference = { ...settings, driverName: driver["driverName"], seed: driver["seed"] };
  const bucket = (
    await buckets.create({ driver: reference, logicalName: "photos", parameters, deletionPolicy: "Delete" })
  ).outputs;
  const access = (
    await accesses.create({
      driver: reference,
      logicalName: "photos-rw",
      bucketName: bucket["name"],
      bucketId: bucket["bucketId"],
      bucketInfo: bucket["bucketInfo"],
      parameters: accessParameters,
    })
  ).outputs;
  assert.equal(access["accessKeyId"], `key-of-${String(access["name"])}`);
  assert.equal(access["region"], "eu-1");
  beginRun();
  await accesses.delete(access);
  await buckets.delete(bucket);
  return { bucketName: String(bucket["name"]), accessName: String(access["name"]) };
}

/** Contexts of the newer release, as the older one sees them: bytes of no field that it has. */
function contextsSeen(calls: readonly DecodedCall[]): [unknown, unknown, boolean, boolean] {
  const [revoke, remove] = [calls.at(-2), calls.at(-1)];
  return [
    revoke?.request["revokeAccessContext"],
    remove?.request["deleteContext"],
    (revoke?.unknownBytes ?? 0) > 0,
    (remove?.unknownBytes ?? 0) > 0,
  ];
}

describe("a driver that shares no code with ours", () => {
  let recorder: Recorder;

  afterEach(async () => {
    await closeConnections();
    await recorder.stop();
  });

  for (const release of recorderReleases) {
    it(`decodes every field of ours with the messages of ${release} [GRPC-002] [GRPC-123] [OS1-051]`, async () => {
      recorder = await new Recorder().start(release);
      beginRun();
      const { bucketName, accessName } = await live(recorder.endpoint);
      const calls = recorder.calls();
      const provisioner = "/cosi.v1alpha1.Provisioner";
      const older = release === "cosi-recorder-v0.1";
      assert.deepEqual(
        calls.map(({ path }) => path),
        [
          "/cosi.v1alpha1.Identity/DriverGetInfo",
          `${provisioner}/DriverCreateBucket`,
          `${provisioner}/DriverGrantBucketAccess`,
          `${provisioner}/DriverRevokeBucketAccess`,
          `${provisioner}/DriverDeleteBucket`,
        ],
      );
      assert.deepEqual(
        calls.slice(0, 3).map(({ request, unknownBytes }) => ({ request, unknownBytes })),
        [
          { request: {}, unknownBytes: 0 },
          { request: { name: bucketName, parameters }, unknownBytes: 0 },
          {
            request: {
              bucketId: bucketName,
              name: accessName,
              authenticationType: "Key",
              parameters: accessParameters,
            },
            unknownBytes: 0,
          },
        ],
      );
      assert.deepEqual(
        contextsSeen(calls),
        older ? [undefined, undefined, true, true] : [accessParameters, parameters, false, false],
      );
      assert.deepEqual(
        calls.slice(3).map(({ request }) => [request["bucketId"], request["accountId"]]),
        [
          [bucketName, accessName],
          [bucketName, undefined],
        ],
      );
      assert.ok(calls.every(({ authority }) => authority[0] === "localhost"));
    });
  }
});
