import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { forEachContract } from "../../support/contracts-under-test";
import { printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import type { StrictDriver } from "../../support/strict-driver";

const variable = "PULUMI_COSI_REVOKE_NOT_FOUND";

forEachContract("a revoke that is answered with NOT_FOUND", (contract) => {
  const { access, strictDriver, driverReference, ids } = contract;
  let driver: StrictDriver;
  let granted: Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    const inputs = { driver: driverReference(driver.fake.endpoint), logicalName: "reader" };
    ({ outputs: granted } = await access.create({ ...inputs, bucketName: "b1", bucketId: "b1" }));
    beginRun();
    driver.answer("revoke", { code: status.NOT_FOUND, message: "no administrator's secret" });
  });

  afterEach(async () => {
    Reflect.deleteProperty(process.env, variable);
    await closeConnections();
    driver.fake.stop();
  });

  for (const value of ["fail", "", "0", "1", "true", "IGNORE", "ignore "]) {
    it(`is an error that keeps the key while the environment says ${JSON.stringify(value)} ${ids("[GRPC-075] [OBC-091]", "[DEP-064]")}`, async () => {
      process.env[variable] = value;
      await assert.rejects(
        access.delete({ ...granted, revokeNotFound: "fail" }),
        /NOT_FOUND: no administrator's secret.*PULUMI_COSI_REVOKE_NOT_FOUND=ignore/s,
      );
    });
  }

  it(`is done, with a warning, while the environment says "ignore" ${ids("[GRPC-075] [OBC-091]", "[DEP-064]")}`, async () => {
    process.env[variable] = "ignore";
    const lines = await printed(() => access.delete({ ...granted, revokeNotFound: "fail" }));
    assert.match(lines.join("\n"), /^warning: access reader-\w+: the driver says NOT_FOUND to the revoke/);
    assert.deepEqual(driver.rpcs(), ["Grant", "Revoke"]);
  });
});
