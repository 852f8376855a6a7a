import assert from "node:assert/strict";
import { fitting } from "../../../components/cosi20200227/class-fit";

const bucketClass = {
  name: "gold",
  provisioner: "rgw.example.com",
  supportedProtocols: ["s3"],
  accessMode: "rw",
  releasePolicy: "Delete",
  bucketIdentifier: null,
  secretRef: null,
  parameters: {},
} as const;

describe("a class that a Bucket keeps", () => {
  it("is judged by a driver that the Bucket is given, and not by the one that the class has now [K02-046]", () => {
    const wanted = { protocol: "s3", isManaged: true } as const;
    assert.equal(fitting(bucketClass, { ...wanted, driverName: undefined }).bucketCase, "greenfield");
    assert.equal(fitting(bucketClass, { ...wanted, driverName: "rgw.example.com" }).bucketCase, "greenfield");
    assert.throws(
      () => fitting(bucketClass, { ...wanted, driverName: "other.example.com" }),
      /is for provisioner "rgw\.example\.com", for which no driver is registered/,
    );
  });
});
