import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as objectstorage from "../../../components/objectstorage";
import { Driver } from "../../../provider/driver-resource/driver";
import { run } from "./mocks";

describe("the error of an argument", function () {
  this.timeout(60_000);

  it("is inspected without its component, since Pulumi inspects every error of a program and a component is large", async () => {
    const failing = run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      new objectstorage.BucketClass("gold", { driver, deletionPolicy: pulumi.output("delete") });
    });
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof objectstorage.InvalidArgumentError);
      assert.equal(inspect(error, { colors: true }), error.message);
      return true;
    });
  });
});
