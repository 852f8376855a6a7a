import assert from "node:assert/strict";
import { kindOf } from "../../provider/plugin/kinds";
import { check } from "../../provider/plugin/resource-calls";
import type { Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { unknown } from "./marks";

const driver = { contract: "cosi-2020-07", driverName: "ns/cosi.example.com", seed: "00ff" };
const newer = { ...driver, contract: "cosi.v1alpha1", driverName: "cosi.example.com" };
const bucket = (of: unknown): Properties => ({ name: "photos-1", bucketId: "photos-id", driver: of });
const database = { ...newer, contract: "database.v1alpha1" };
const deployment = { ...newer, contract: "deployment.v1alpha1" };

describe("a Driver whose contract is changed, in a program of another language", () => {
  beforeEach(beginRun);

  const failuresOf = async (type: string, olds: Properties, news: Properties): Promise<string[]> => {
    const urn = `urn:pulumi:dev::shop::cosi:index:${type}::one`;
    const kind = kindOf(`cosi:index:${type}`);
    // The state has what the check before has returned.
    const { inputs } = await check(kind, urn, {}, olds);
    beginRun();
    const { failures } = await check(kind, urn, inputs, news);
    return failures.map(({ property, reason }) => `${property}${reason}`);
  };

  it("is refused under a bucket and an access in the state [GRPC-015]", async () => {
    const said = await failuresOf("Bucket", { driver }, { driver: newer });
    assert.match(
      said.join(),
      /^driver now has the contract cosi.v1alpha1, but the bucket one-\w+ was made by/,
    );
    const ofAccess = await failuresOf("BucketAccess", { bucket: bucket(driver) }, { bucket: bucket(newer) });
    assert.match(
      ofAccess.join(),
      /^driver now has .* the access one-\w+ was made by cosi-2020-07, .* again there/,
    );
  });

  it("fails no check where the reference is not known, nor where the ids are the same bytes", async () => {
    assert.deepEqual(await failuresOf("Bucket", { driver }, { driver: unknown }), []);
    assert.deepEqual(await failuresOf("BucketAccess", { bucket: bucket(driver) }, { bucket: unknown }), []);
    assert.deepEqual(await failuresOf("Deployment", { driver: database }, { driver: deployment }), []);
    assert.deepEqual(await failuresOf("Deployment", { driver: database }, { driver: unknown }), []);
  });
});
