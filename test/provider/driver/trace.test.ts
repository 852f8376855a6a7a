import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { traceCall } from "../../../provider/driver/trace";
import { answers, secretKey } from "../../support/cosi-v1alpha1";
import { printed } from "../../support/lifecycle";

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const create = {
  path: "/cosi.v1alpha1.Provisioner/DriverCreateBucket",
  requestType: "cosi.v1alpha1.DriverCreateBucketRequest",
  replyType: "cosi.v1alpha1.DriverCreateBucketResponse",
};
const grant = {
  path: "/cosi.v1alpha1.Provisioner/DriverGrantBucketAccess",
  requestType: "cosi.v1alpha1.DriverGrantBucketAccessRequest",
  replyType: "cosi.v1alpha1.DriverGrantBucketAccessResponse",
};

describe("the trace of calls", () => {
  const traced = (value: string | undefined, ...call: Parameters<typeof traceCall>) => {
    const before = process.env["PULUMI_COSI_TRACE"];
    if (value === undefined) delete process.env["PULUMI_COSI_TRACE"];
    else process.env["PULUMI_COSI_TRACE"] = value;
    return printed(() => {
      traceCall(...call);
      return Promise.resolve();
    }).finally(() => {
      if (before === undefined) delete process.env["PULUMI_COSI_TRACE"];
      else process.env["PULUMI_COSI_TRACE"] = before;
    });
  };
  const request = hex("0a02623112060a016b120176");
  const reply = hex("0a026231");

  it("is one line for a call, with both messages", async () => {
    assert.deepEqual(await traced("1", "cosi.v1alpha1", create, request, reply, status.OK, 12), [
      'rpc /cosi.v1alpha1.Provisioner/DriverCreateBucket OK 12 ms {"name":"b1","parameters":{"k":"v"}} → {"bucketId":"b1"}',
    ]);
  });

  it("shows a failed call by its code, named or not", async () => {
    const failed = await traced("1", "cosi.v1alpha1", create, request, undefined, status.UNAVAILABLE, 3);
    assert.match(failed.join(), /DriverCreateBucket UNAVAILABLE 3 ms \{"name":"b1",.*\}$/);
    assert.match(
      (await traced("1", "cosi.v1alpha1", create, request, undefined, 77, 3)).join(),
      / code 77 3 ms /,
    );
  });

  it("shows no credential", async () => {
    const granted = answers.granted("u");
    assert.ok(granted instanceof Uint8Array);
    const lines = await traced("1", "cosi.v1alpha1", grant, hex("0a026231"), granted, status.OK, 1);
    assert.match(lines.join(), /→ \{"accountId":"u","credentials":"\[secret\]"\}$/);
    assert.ok(!lines.join().includes(secretKey));
  });

  it("counts the bytes of what cannot be read", async () => {
    const lines = await traced(
      "1",
      "cosi.v1alpha1",
      grant,
      hex("0a026231"),
      hex("ffffff"),
      status.INTERNAL,
      1,
    );
    assert.match(lines.join(), /\(3 bytes that are no cosi\.v1alpha1\.DriverGrantBucketAccessResponse\)$/);
  });

  it("is off unless it is asked for", async () => {
    for (const value of [undefined, "", "0"]) {
      assert.deepEqual(await traced(value, "cosi.v1alpha1", create, request, reply, status.OK, 1), []);
    }
  });
});
