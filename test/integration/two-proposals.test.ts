import assert from "node:assert/strict";
import { provisioner } from "../support/cosi-2020-02";
import { StoringHandler } from "../support/cosi-2020-02/storing-handler";
import { provisioner as julyProvisioner } from "../support/cosi-2020-07";
import { StoringController } from "../support/cosi-2020-07/storing-controller";
import { quickProgram } from "../support/end-to-end/program";
import { Stack } from "../support/stack";

const up = ["up", "--yes", "--skip-preview"];

describe("a program with a driver of each of the two proposals of 2020", function () {
  this.timeout(600_000);
  let february: StoringHandler;
  let july: StoringController;
  let stack: Stack;

  const program = (ofFebruary: string, ofJuly: string): string => `
import * as cosi from "pulumi-cosi";
const february = new cosi.Driver("february", {
  endpoint: ${JSON.stringify(ofFebruary)}, contract: "cosi-2020-02", driverName: ${JSON.stringify(provisioner)},
});
const july = new cosi.Driver("july", {
  endpoint: ${JSON.stringify(ofJuly)}, contract: "cosi-2020-07", driverName: ${JSON.stringify(julyProvisioner)},
});
const photos = new cosi.Bucket("photos", { driver: february, name: "photos", accessMode: "ro" });
const legacy = new cosi.Bucket("legacy", { driver: february, existingBucketId: "legacy", bucketIdentifier: { region: "eu-9" } });
const videos = new cosi.Bucket("videos", { driver: july, name: "videos" });
const web = new cosi.BucketAccess("web", { bucket: videos });
export const keys = [photos.credentials, legacy.credentials, web.accessKeyId];
`;

  before(async () => {
    [february, july] = await Promise.all([new StoringHandler().start(), new StoringController().start()]);
    stack = await Stack.create({ source: program(february.fake.endpoint, july.fake.endpoint) }, quickProgram);
  });

  after(async () => {
    await stack.remove();
    february.fake.stop();
    july.fake.stop();
  });

  it("says which contract is expected where they are swapped, and asks no second time [K02-108] [K07-133]", async () => {
    stack.write(program(july.fake.endpoint, february.fake.endpoint));
    // Without it, an up that one driver failed would now and then not come to the other.
    const { code, text } = await stack.run([...up, "--continue-on-error"]);
    assert.notEqual(code, 0);
    assert.match(text, /UNIMPLEMENTED.*contract cosi-2020-02 \(services cosi\.v1\.DynamicBucketHandler/);
    assert.match(text, /UNIMPLEMENTED.*contract cosi-2020-07 \(service cosi\.v1\.CosiController/);
    assert.ok(july.fake.calls.length <= 2 && february.fake.calls.length <= 2);
    await stack.succeed(["destroy", "--yes", "--skip-preview"]);
  });

  it("makes buckets and accounts with both, and ends them [K02-108] [K07-133]", async () => {
    stack.write(program(february.fake.endpoint, july.fake.endpoint));
    february.forget();
    july.forget();
    await stack.succeed(up);
    assert.deepEqual(february.rpcs().sort(), ["create", "grant"]);
    assert.deepEqual(july.rpcs(), ["create", "grant"]);
    await stack.succeed(["preview", "--expect-no-changes"]);
    const { keys } = (await stack.outputs()) as {
      keys: [Record<string, string>, Record<string, string>, string];
    };
    const account = [...february.accounts.values()].find(({ bucket }) => bucket === "photos");
    assert.deepEqual([keys[0]["protocol"], keys[0]["accessKeyId"]], ["s3", account?.accessKeyId]);
    assert.deepEqual([keys[1]["bucketName"], keys[1]["region"]], ["legacy", "eu-9"]);
    await stack.succeed(["destroy", "--yes", "--skip-preview"]);
    assert.deepEqual(february.rpcs().sort(), ["create", "grant", "revoke", "revoke"]);
    assert.deepEqual([february.accounts.size, july.accounts.size], [0, 0]);
    assert.deepEqual([...february.buckets.keys()], ["photos"]);
  });
});
