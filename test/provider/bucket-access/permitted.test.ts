import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { controllerReference } from "../../support/cosi-2020-07";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const endpoint = "unix:///nobody/listens.sock";

describe("the permissions of an access at a driver of cosi-2020-07", () => {
  const access = new Lifecycle(accessProvider);

  beforeEach(beginRun);

  async function failuresOf(changes: Properties): Promise<string[]> {
    const bucket = { bucketName: "photos", bucketId: "B1" };
    const inputs = { driver: controllerReference(endpoint), logicalName: "web", ...bucket, ...changes };
    return (await access.check({}, inputs)).failures;
  }

  for (const key of ["allow", "deny"]) {
    it(`have no place for a parameter called ${key}, which the preview refuses`, async () => {
      const failures = await failuresOf({ parameters: { tier: "gold", [key]: "x" } });
      assert.equal(failures.length, 1, failures.join());
      assert.match(
        failures[0] ?? "",
        new RegExp(
          `^parameters cannot be sent: the parameter "${key}" has the key that carries the policy actions`,
        ),
      );
    });
  }

  it("fail no preview while parameters or contract are not known, or the contract sends none", async () => {
    const unknown = pulumi.runtime.unknownValue;
    for (const changes of [
      { parameters: unknown },
      { parameters: { tier: unknown } },
      { parameters: { allow: "x" }, driver: { ...controllerReference(endpoint), contract: unknown } },
      { parameters: { allow: "x" }, driver: driverReference(endpoint) },
    ]) {
      assert.deepEqual(await failuresOf(changes), []);
    }
  });

  it("are judged once where the parameters are no map", async () => {
    assert.equal((await failuresOf({ parameters: "allow" })).length, 1);
  });
});
