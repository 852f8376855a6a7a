/** A driver that says OK to everything at once, counts its calls, and fails some of them on request. */
import * as grpc from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverGrantBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { answers, paths } from "../../test/support/cosi-v1alpha1";
import { FakeDriver, type Answer } from "../../test/support/fake-driver";
import type { DriverCalls, DriverRequest } from "./driver-process";

const driver = new FakeDriver();
/** Part of the calls that fail the first time. */
let failing = 0;
/** Calls that were sent for the first time, those of failures in the future left out. */
let firsts = 0;
const met = new Set<string>();

/** Spread evenly: the tenth, the twentieth, and so on. */
function failsFirst(key: string): boolean {
  if (met.has(key)) return false;
  met.add(key);
  firsts += 1;
  return Math.floor(firsts * failing) > Math.floor((firsts - 1) * failing);
}

function orUnavailable(key: string, answer: Answer): Answer {
  return failsFirst(key) ? { code: grpc.status.UNAVAILABLE, message: "try again" } : answer;
}

driver
  .on(paths.getInfo, () => answers.info())
  .on(paths.create, (body) => {
    const { name } = DriverCreateBucketRequest.decode(body);
    return orUnavailable(`create ${name}`, answers.created(name));
  })
  .on(paths.grant, (body) => {
    const { name } = DriverGrantBucketAccessRequest.decode(body);
    return orUnavailable(`grant ${name}`, answers.granted(name));
  })
  .on(paths.revoke, () => answers.revoked())
  .on(paths.delete, () => answers.deleted());

function calls(): DriverCalls {
  const counts: Record<string, number> = {};
  for (const rpc of driver.paths()) counts[rpc] = (counts[rpc] ?? 0) + 1;
  return { counts, firstAt: driver.calls[0]?.at ?? null };
}

process.on("message", (request: DriverRequest) => {
  if (request.ask === "forget") {
    driver.calls.length = 0;
    met.clear();
    firsts = 0;
    failing = request.failing;
  }
  process.send?.(calls());
});

process.once("SIGTERM", () => {
  driver.stop();
  process.exit(0);
});
// Whoever started it is gone.
process.once("disconnect", () => {
  driver.stop();
  process.exit(0);
});

void driver.start().then(() => process.send?.({ endpoint: driver.endpoint }));
