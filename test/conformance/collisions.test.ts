import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { ReportLine } from "../../conformance/report";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal, type Fault } from "./support/memory-driver";
import type { Interceptor } from "./support/serve";
import { TestedDriver } from "./support/tested-driver";

const longest = 63;

async function lineOf(id: string, faults: readonly Fault[], intercept?: Interceptor): Promise<ReportLine> {
  const tested = await TestedDriver.start(faults, intercept);
  try {
    const report = await tested.run();
    const found = report.lines.find((line) => line.id === id);
    assert.ok(found);
    return found;
  } finally {
    await tested.stop();
  }
}

describe("two names of the greatest length that differ at their end", function () {
  this.timeout(120_000);

  for (const code of [status.INTERNAL, status.FAILED_PRECONDITION, status.INVALID_ARGUMENT]) {
    it(`are one bucket to a driver that answers ${status[code]} to a grant on what is gone [GRPC-129]`, async () => {
      const found = await lineOf("GRPC-003", ["cuts names behind ids"], (path, body) => {
        if (path !== paths.grant) return undefined;
        const { bucketId } = DriverGrantBucketAccessRequest.decode(body);
        return bucketId.length === longest ? new Refusal(code, `${bucketId}: no such bucket`) : undefined;
      });
      assert.equal(found.status, "fail");
      assert.match(found.problems[0]?.answered ?? "", /no such bucket$/);
      assert.match(found.problems[0]?.wanted ?? "", /^OK \(0\): the delete was for bucket /);
    });
  }

  it("are judged at the second create, and at the delete of the first [GRPC-129]", async () => {
    const second = await lineOf("GRPC-003", [], (path, body) => {
      if (path !== paths.create) return undefined;
      const { name } = DriverCreateBucketRequest.decode(body);
      return name.endsWith("xb") ? new Refusal(status.ALREADY_EXISTS, `${name} is there`) : undefined;
    });
    assert.equal(second.status, "fail");
    assert.match(second.problems[0]?.answered ?? "", /^ALREADY_EXISTS/);
    const deleted = await lineOf("GRPC-003", [], (path, body) => {
      if (path !== paths.delete) return undefined;
      const { bucketId } = DriverDeleteBucketRequest.decode(body);
      return bucketId.length === longest ? new Refusal(status.INTERNAL, `${bucketId} failed`) : undefined;
    });
    assert.equal(deleted.status, "fail");
    const revoked = await lineOf("GRPC-024", [], (path, body) => {
      if (path !== paths.revoke) return undefined;
      const { accountId } = DriverRevokeBucketAccessRequest.decode(body);
      return accountId.length === longest ? new Refusal(status.INTERNAL, `${accountId} failed`) : undefined;
    });
    assert.equal(revoked.status, "fail");
  });

  it("say what was not seen where there is no delete, or the driver takes shorter names only [GRPC-129]", async () => {
    const noDelete = await lineOf("GRPC-003", [], (path) =>
      path === paths.delete ? new Refusal(status.UNIMPLEMENTED, "no deletes") : undefined,
    );
    assert.equal(noDelete.status, "pass");
    assert.match(noDelete.reason ?? "", /DriverDeleteBucket was answered: UNIMPLEMENTED/);
    const short = await lineOf("GRPC-003", [], (path, body) => {
      if (path !== paths.create) return undefined;
      const { name } = DriverCreateBucketRequest.decode(body);
      return name.length === longest ? new Refusal(status.INVALID_ARGUMENT, "name is too long") : undefined;
    });
    assert.equal(short.status, "pass");
    assert.match(short.reason ?? "", /needs two names of 63 characters, which the driver refuses/);
    const untried = await lineOf("GRPC-003", []);
    assert.match(
      untried.reason ?? "",
      /that a delete leaves the bucket of another name as it is: only the store can tell, see with/,
    );
  });
});
