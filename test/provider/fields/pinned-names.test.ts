import assert from "node:assert/strict";
import { provider as accesses } from "../../../provider/bucket-access/provider";
import { provider as buckets } from "../../../provider/bucket/provider";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const bucket = new Lifecycle(buckets);
const access = new Lifecycle(accesses);

/** A run that was killed is finished under its names by whatever version comes next: none of these may ever change. */
describe("the names that a release computes", () => {
  const driver = {
    endpoint: "unix:///run/cosi/cosi.sock",
    contract: "cosi.v1alpha1",
    driverName: "d.example",
    seed: "00ff",
  };

  async function nameOf(resource: Lifecycle, inputs: Properties): Promise<unknown> {
    beginRun();
    const { inputs: checked, failures } = await resource.check({}, inputs);
    assert.deepEqual(failures, []);
    return checked["name"];
  }

  it("for a bucket, from all that it is made with", async () => {
    const names: Record<string, unknown> = {};
    for (const [what, changes] of Object.entries({
      plain: {},
      "with parameters": { parameters: { tier: "hot" } },
      "below a component": { parent: "urn:pulumi:test::shop::my:App::app" },
      "under Delete": { deletionPolicy: "Delete", protectData: false },
      "of cosi-2020-07": { driver: { ...driver, contract: "cosi-2020-07" }, protocol: "S3" },
      "of cosi-2020-02": { driver: { ...driver, contract: "cosi-2020-02" }, accessMode: "ro" },
    })) {
      names[what] = await nameOf(bucket, { driver, logicalName: "photos", ...changes });
    }
    assert.deepEqual(names, {
      plain: "photos-f9303449b1d6e1fb",
      "with parameters": "photos-51b836ea937eb601",
      "below a component": "photos-c40c005dd78ff500",
      "under Delete": "photos-f9303449b1d6e1fb",
      "of cosi-2020-07": "photos-71b69e05f48ec0f7",
      "of cosi-2020-02": "photos-4c314e68b78de5cb",
    });
  });

  it("for an account, from all that it is granted with", async () => {
    const names: Record<string, unknown> = {};
    const base = { driver, logicalName: "photos-rw", bucketName: "photos", bucketId: "photos" };
    for (const [what, changes] of Object.entries({
      plain: {},
      "with parameters": { parameters: { accessMode: "ro" } },
      "by a service account": { authenticationType: "IAM" },
      "of a first rotation": { rotation: { trigger: "1" } },
    })) {
      names[what] = await nameOf(access, { ...base, ...changes });
    }
    assert.deepEqual(names, {
      plain: "photos-rw-403170fc1b1a9553",
      "with parameters": "photos-rw-a2425a36792fe19d",
      "by a service account": "photos-rw-89bcedb0d3bb7bf0",
      "of a first rotation": "photos-rw-403170fc1b1a9553",
    });
  });
});
