import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "../../../index";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { run } from "../../components/objectstorage/mocks";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

describe("a name that the program marked as secret", () => {
  const driver = driverReference("unix:///run/absent.sock");
  const asked = {
    name: [new Lifecycle(bucketProvider), { driver, logicalName: "photos", name: "hidden-1" }],
    existingBucketId: [
      new Lifecycle(bucketProvider),
      { driver, logicalName: "photos", existingBucketId: "hidden-1" },
    ],
    "name of an access": [
      new Lifecycle(accessProvider),
      { driver, logicalName: "photos", name: "hidden-1", bucketName: "b1", bucketId: "b1" },
    ],
  } as const;

  beforeEach(beginRun);

  for (const [what, [resource, inputs]] of Object.entries(asked)) {
    it(`is told to stand in plain text, in the run that makes the resource, and is not shown: ${what}`, async () => {
      let checked: Properties = {};
      const lines = await printed(async () => {
        ({ inputs: checked } = await resource.check({}, { ...inputs, nameIsSecret: true }));
      });
      const kind = what.endsWith("access") ? "access" : "bucket";
      const [property = ""] = what.split(" ");
      assert.match(
        lines.join("\n"),
        new RegExp(
          `^warning: ${kind} photos: ${property} is marked as secret, but still appears in plain text .*$`,
        ),
      );
      assert.ok(!lines.join().includes("hidden-1"));
      assert.ok(!("nameIsSecret" in checked), "the state has no part of the question");

      beginRun();
      const again = await printed(async () => {
        await resource.check(checked, { ...inputs, nameIsSecret: true });
        await resource.check({}, inputs);
      });
      assert.deepEqual(again, []);
    });
  }

  it("is told to the provider by the classes", async () => {
    const registered = await run(() => {
      const store = new cosi.Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const hidden = new cosi.Bucket("hidden", { driver: store, name: pulumi.secret("photos") });
      const taken = new cosi.Bucket("taken", { driver: store, existingBucketId: pulumi.secret("photos") });
      const open = new cosi.Bucket("open", { driver: store, name: "photos" });
      new cosi.BucketAccess("hidden-rw", { bucket: hidden, name: pulumi.secret("rw") });
      new cosi.BucketAccess("open-rw", { bucket: taken, name: "rw" });
      new cosi.BucketAccess("plain-rw", { bucket: open });
    });
    const marked = registered.filter(({ inputs }) => inputs["nameIsSecret"] === true).map(({ name }) => name);
    assert.deepEqual(marked.sort(), ["hidden", "hidden-rw", "taken"]);
  });
});
