import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { secretMask } from "../../../../provider/driver/secrets/secret-mask";
import { traceCall, type TracedAttempt } from "../../../../provider/driver/call/trace";
import { answers, secretKey } from "../../../support/cosi-v1alpha1";
import { printed } from "../../../support/lifecycle";

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
  const request = hex("0a02623112060a016b120176");
  const reply = hex("0a026231");

  /** The lines of one attempt, of a create that went well but for what is given. */
  const tracedWith = (value: string | undefined, changes: Partial<TracedAttempt> = {}) => {
    const before = process.env["PULUMI_COSI_TRACE"];
    if (value === undefined) delete process.env["PULUMI_COSI_TRACE"];
    else process.env["PULUMI_COSI_TRACE"] = value;
    return printed(() => {
      traceCall({
        contract: "cosi.v1alpha1",
        method: create,
        endpoint: "unix:///cosi.sock",
        attempt: 1,
        request,
        reply,
        code: status.OK,
        reason: undefined,
        milliseconds: 12,
        ...changes,
      });
      return Promise.resolve();
    }).finally(() => {
      if (before === undefined) delete process.env["PULUMI_COSI_TRACE"];
      else process.env["PULUMI_COSI_TRACE"] = before;
    });
  };
  const traced = (changes: Partial<TracedAttempt> = {}) => tracedWith("1", changes);
  const failed: Partial<TracedAttempt> = { reply: undefined, code: status.UNAVAILABLE, reason: "no luck" };

  it("is one line for an attempt, with driver and both messages", async () => {
    assert.deepEqual(await traced(), [
      "rpc /cosi.v1alpha1.Provisioner/DriverCreateBucket OK 12 ms attempt 1 at unix:///cosi.sock " +
        '{"name":"b1","parameters":{"k":"v"}} → {"bucketId":"b1"}',
    ]);
  });

  it("shows a failed attempt by its number, its code, named or not, and the driver's words", async () => {
    assert.match(
      (await traced({ ...failed, attempt: 3 })).join(),
      /DriverCreateBucket UNAVAILABLE 12 ms attempt 3 at unix:\/\/\/cosi\.sock \{"name":"b1",.*\} → "no luck"$/,
    );
    assert.match((await traced({ ...failed, code: 77 })).join(), / code 77 12 ms /);
  });

  it("stays one line whatever the driver says", async () => {
    const lines = await traced({ ...failed, reason: "a1\nb2" });
    assert.match(lines.join(), /→ "a1\\nb2"$/);
  });

  it("shows no credential", async () => {
    const granted = answers.granted("u");
    assert.ok(granted instanceof Uint8Array);
    const lines = await traced({ method: grant, request: hex("0a026231"), reply: granted });
    assert.match(lines.join(), /→ \{"accountId":"u","credentials":"\[secret\]"\}$/);
    assert.ok(!lines.join().includes(secretKey));
  });

  it("masks a secret that it knows, in a parameter as in the driver's words", async () => {
    secretMask.remember("hush hush");
    const secret = hex(`0a026231120e0a01701209${Buffer.from("hush hush").toString("hex")}`);
    const [line = ""] = await traced({ ...failed, request: secret, reason: "hush hush is no password" });
    assert.match(line, /"parameters":\{"p":"\[secret\]"\}\} → "\[secret\] is no password"$/);
  });

  it("counts the bytes of what cannot be read", async () => {
    const lines = await traced({ method: grant, reply: hex("ffffff"), code: status.INTERNAL, reason: "?" });
    assert.match(
      lines.join(),
      /\(3 bytes that are no cosi\.v1alpha1\.DriverGrantBucketAccessResponse\) → "\?"$/,
    );
  });

  it("is off unless it is asked for", async () => {
    for (const value of [undefined, "", "0"]) assert.deepEqual(await tracedWith(value), []);
  });
});
