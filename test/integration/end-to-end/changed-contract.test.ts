import assert from "node:assert/strict";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { provisioner } from "../../support/cosi-2020-07";
import { StoringController } from "../../support/cosi-2020-07/storing-controller";
import { obligingDriver } from "../../support/cosi-v1alpha1";
import { quickProgram } from "../../support/end-to-end/program";
import { Stack } from "../../support/stack";

const own = "rgw.example.com";
const newer = `contract: "cosi.v1alpha1", driverName: "${own}"`;

describe("a Driver whose contract is changed, at a driver that serves both", function () {
  this.timeout(300_000);
  let stack: Stack;

  afterEach(async () => {
    await stack.remove();
  });

  const program = (endpoint: string, settings: string, rest: string): string => `
import * as cosi from "pulumi-cosi/core";
const endpoint = ${JSON.stringify(endpoint)};
const driver = new cosi.Driver("store", { endpoint, ${settings} });
${rest}
`;

  it("is refused in the preview and in up, and the destroy of before ends every key [GRPC-015]", async () => {
    const driver = new StoringController();
    obligingDriver(own, driver.fake);
    await driver.start();
    const older = `contract: "cosi-2020-07", driverName: "${provisioner}"`;
    const both = `
const photos = new cosi.Bucket("photos", { driver, name: "photos" });
new cosi.BucketAccess("photos-rw", { bucket: photos });`;
    try {
      stack = await Stack.create({ source: program(driver.fake.endpoint, older, both) }, quickProgram);
      await stack.up();
      const calls = driver.fake.calls.length;
      stack.write(program(driver.fake.endpoint, newer, both));
      const refused = await stack.fail(["preview"]);
      assert.match(
        refused,
        /the bucket photos was made by cosi-2020-07, .* taken over there by existingBucketId/,
      );
      assert.equal(driver.fake.calls.length, calls);
      assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), /was made by cosi-2020-07/);

      // Also where the state has the Driver with its new contract by now, and nothing else.
      stack.write(program(driver.fake.endpoint, newer, ""));
      await stack.up();
      assert.deepEqual([driver.rpcs().at(-1), driver.accounts.size], ["revoke", 0]);
      assert.ok(!driver.fake.paths().includes("DriverRevokeBucketAccess"));
      assert.deepEqual(await madeIn(stack), []);
    } finally {
      driver.fake.stop();
    }
  });

  it("gives way to a second Driver, which takes the bucket over, and grants anew what the first one has revoked [GRPC-015]", async () => {
    const driver = new StoringHandler();
    obligingDriver(own, driver.fake);
    await driver.start();
    const older = `contract: "cosi-2020-02", driverName: "${own}"`;
    try {
      const first = `export const keys = new cosi.Bucket("photos", { driver, name: "photos" }).credentials;`;
      stack = await Stack.create({ source: program(driver.fake.endpoint, older, first) }, quickProgram);
      await stack.up();
      stack.write(program(driver.fake.endpoint, newer, first));
      assert.match(await stack.fail(["preview"]), /the bucket photos was made by cosi-2020-02/);

      const second = `
const next = new cosi.Driver("next", { endpoint, ${newer} });
const photos = new cosi.Bucket("photos", { driver: next, existingBucketId: "photos" });
export const key = new cosi.BucketAccess("photos-rw", { bucket: photos }).accountId;`;
      stack.write(program(driver.fake.endpoint, older, second));
      await stack.up();
      assert.deepEqual([driver.rpcs(), driver.accounts.size], [["create", "revoke"], 0]);
      assert.ok(driver.fake.paths().includes("DriverGrantBucketAccess"));
      await stack.destroy();
      assert.equal(driver.fake.paths().at(-1), "DriverRevokeBucketAccess");
      assert.equal(driver.buckets.has("photos"), true);
    } finally {
      driver.fake.stop();
    }
  });
});

/** What the state has of buckets and accesses. */
async function madeIn(stack: Stack): Promise<string[]> {
  const { resources } = await stack.state();
  return resources.map(({ type }) => type).filter((type) => /:(Bucket|BucketAccess)$/.test(type));
}
