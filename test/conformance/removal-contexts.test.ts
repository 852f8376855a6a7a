import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  DriverDeleteBucketRequest,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { ReportLine } from "../../conformance/report";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal } from "./support/memory-driver";
import { TestedDriver } from "./support/tested-driver";

const given = new Map([
  ["token", "token-of-the-user"],
  ["class", "gold"],
]);

/** The line of removals without a context, of a driver that refuses them so. */
async function lineFor(code: status, message: string): Promise<ReportLine> {
  const tested = await TestedDriver.start([], (path, body) => {
    const isRemoval = path === paths.delete || path === paths.revoke;
    if (!isRemoval) return undefined;
    const context =
      path === paths.delete
        ? DriverDeleteBucketRequest.decode(body).deleteContext
        : DriverRevokeBucketAccessRequest.decode(body).revokeAccessContext;
    return context.size === 0 ? new Refusal(code, message) : undefined;
  });
  try {
    const report = await tested.run({ parameters: given, accessParameters: given });
    const found = report.lines.find(({ id }) => id === "GRPC-049");
    assert.ok(found);
    return found;
  } finally {
    await tested.stop();
  }
}

describe("a removal without its context", function () {
  this.timeout(120_000);

  for (const [code, message, key] of [
    [status.UNAUTHENTICATED, "class is required to log in", "class"],
    [status.UNAUTHENTICATED, "parameters.token is missing", "token"],
    [status.INVALID_ARGUMENT, "Token is required", "token"],
  ] as const) {
    it(`may be refused with ${status[code]}: ${message} [GRPC-129]`, async () => {
      const { status: found, reason } = await lineFor(code, message);
      assert.equal(found, "skipped");
      assert.match(reason ?? "", new RegExp(`^the driver wants the key ${key} with each call: DriverRevoke`));
    });
  }

  for (const [code, message] of [
    [status.INVALID_ARGUMENT, "class is required"],
    [status.INVALID_ARGUMENT, "the tokenizer failed"],
    [status.UNAUTHENTICATED, "unclassified request"],
    [status.FAILED_PRECONDITION, "token is required"],
  ] as const) {
    it(`may not be refused with ${status[code]}: ${message} [GRPC-129]`, async () => {
      assert.equal((await lineFor(code, message)).status, "fail");
    });
  }
});
