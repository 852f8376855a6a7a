import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../../provider/driver-resource/provider";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

describe("the names of a program's drivers", () => {
  const driver = new Lifecycle(provider);
  const failuresOf = async (logicalName: string, changes: Properties): Promise<string[]> => {
    const inputs = { logicalName, contract: "cosi-2020-02", driverName: "rgw.example.com", ...changes };
    return (await driver.check({}, inputs)).failures;
  };

  beforeEach(() => {
    beginRun();
  });

  it("lead to one place each, by the contract that has no call for them [K02-007]", async () => {
    assert.deepEqual(await failuresOf("one", { endpoint: "localhost:9000" }), []);
    assert.deepEqual(
      await failuresOf("one", { endpoint: "localhost:9001" }),
      [],
      "the resource itself may move",
    );
    const [failure, ...others] = await failuresOf("two", { endpoint: "localhost:9000" });
    assert.deepEqual(others, []);
    assert.match(
      failure ?? "",
      /^driverName is "rgw\.example\.com", the same as that of the Driver one, which is at .*localhost:9001/,
    );
  });

  it("may lead to the same place twice, and to several by other names", async () => {
    assert.deepEqual(await failuresOf("one", { endpoint: "localhost:9000" }), []);
    assert.deepEqual(await failuresOf("two", { endpoint: "localhost:9000" }), []);
    assert.deepEqual(await failuresOf("three", { endpoint: "localhost:9001", driverName: "other" }), []);
  });

  it("say nothing where a preview does not know them", async () => {
    const endpoint = pulumi.runtime.unknownValue;
    assert.deepEqual(await failuresOf("one", { endpoint }), []);
    assert.deepEqual(await failuresOf("two", { endpoint: "localhost:9000" }), []);
  });
});
