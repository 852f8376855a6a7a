import assert from "node:assert/strict";
import fc from "fast-check";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { closeConnections } from "../../provider/driver/connections";
import { provider as driverProvider } from "../../provider/driver-resource/provider";
import { FailedResourceError } from "../../provider/dynamic/failed";
import { answers, driverName, obligingDriver, paths, s3Secrets } from "../support/cosi-v1alpha1";
import type { Answer, FakeDriver } from "../support/fake-driver";
import { Lifecycle, printed, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference, quickSettings } from "../support/settings";

type Rpc = keyof typeof paths;

/** What no text may show. */
const marker = "m4rk3d/s3cr3t+value";

const hex = (text: string): Buffer => Buffer.from(text, "hex");
/** Field 14 with a text, which no message has. */
const extraField = hex("720178");
const garbage: Readonly<Record<string, Buffer>> = {
  "bytes that are no message": hex("ffffff"),
  "a field that ends too late": hex("0aff0161"),
  "a group that never ends": hex("0b"),
  "the field number 0": hex("0001"),
};

describe("a reply that is not as it should be", () => {
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  const driver = new Lifecycle(driverProvider);
  const rejections: unknown[] = [];
  const noteRejection = (reason: unknown): void => {
    rejections.push(reason);
  };
  let fake: FakeDriver;
  let made: Properties;
  let granted: Properties;

  const settings = () => ({ ...quickSettings(fake.endpoint), firstRetryDelayMilliseconds: 1 });
  const reference = () => driverReference(fake.endpoint, { firstRetryDelayMilliseconds: 1 });
  const bucketInputs = (): Properties => ({
    driver: reference(),
    logicalName: "b",
    deletionPolicy: "Delete",
  });
  const accessInputs = (): Properties => ({
    driver: reference(),
    logicalName: "a",
    bucketName: "b1",
    bucketId: "b1",
  });
  const steps: Readonly<Record<Rpc, () => Promise<Properties>>> = {
    getInfo: async () => (await driver.create({ ...settings(), logicalName: "d" })).outputs,
    create: async () => (await bucket.create(bucketInputs())).outputs,
    grant: async () => (await access.create(accessInputs())).outputs,
    delete: async () => (await bucket.delete(made), {}),
    revoke: async () => (await access.delete(granted), {}),
  };

  /** What becomes of the step whose call is answered so. */
  const outcome = async (rpc: Rpc, answer: Answer) => {
    beginRun();
    if (rpc === "getInfo") await closeConnections();
    const fine = fineAnswers()[rpc];
    fake.on(paths[rpc], () => answer);
    let error: unknown;
    let outputs: Properties | undefined;
    const lines = await printed(async () => {
      try {
        outputs = await steps[rpc]();
      } catch (thrown) {
        error = thrown;
      }
    });
    fake.on(paths[rpc], () => fine);
    if (rpc === "getInfo") await closeConnections();
    return { error, outputs, lines };
  };
  /** The error, which is one of ours. */
  const failure = async (rpc: Rpc, answer: Answer): Promise<Error> => {
    const { error } = await outcome(rpc, answer);
    assert.ok(isOurs(error), `${rpc}: ${String(error)}`);
    return error;
  };

  before(async () => {
    process.on("unhandledRejection", noteRejection);
    beginRun();
    fake = await obligingDriver().start();
    for (const rpc of ["create", "grant"] as const) fake.on(paths[rpc], () => fineAnswers()[rpc]);
    made = (await bucket.create(bucketInputs())).outputs;
    granted = (await access.create(accessInputs())).outputs;
  });
  after(async () => {
    await closeConnections();
    fake.stop();
    process.off("unhandledRejection", noteRejection);
  });
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rejections.splice(0), []);
  });

  it("but empty, is a clear error where an id or a name is due, and fine elsewhere [OS1-062] [OS1-090]", async () => {
    const nothing = Buffer.alloc(0);
    assert.match(
      (await failure("getInfo", nothing)).message,
      /calls itself "", which is not a valid driver name/,
    );
    const created = await failure("create", nothing);
    assert.match(created.message, /answered OK without bucket_id .*a bucket may exist/);
    const access = await failure("grant", nothing);
    assert.match(access.message, /answered OK without account_id .*a credential may be alive/);
    for (const error of [created, access]) assert.ok(error instanceof FailedResourceError);
    for (const rpc of ["delete", "revoke"] as const) {
      assert.equal((await outcome(rpc, nothing)).error, undefined, rpc);
    }
  });

  it("but has more fields than we know, is read as if it had not [OS1-090]", async () => {
    for (const [rpc, fine] of Object.entries(fineAnswers())) {
      const answer = Buffer.concat([bytes(fine), extraField]);
      const { error, outputs = {} } = await outcome(rpc as Rpc, answer);
      assert.equal(error, undefined, rpc);
      if (rpc === "create") assert.equal(outputs["bucketId"], "b1");
      if (rpc === "grant") assert.equal(outputs["accessSecretKey"], marker);
    }
  });

  it("but has a number that an enum of ours does not know, is read without it [OS1-090]", async () => {
    // bucket_id "b1", s3 of region "r" with the signature version 77.
    const { outputs } = await outcome("create", hex("0a02623112070a050a0172104d"));
    assert.deepEqual(outputs?.["bucketInfo"], { protocol: "S3", region: "r", signatureVersion: null });
  });

  for (const [what, answer] of Object.entries(garbage)) {
    it(`but ${what}, is a clear error on every RPC [OS1-090]`, async () => {
      for (const rpc of Object.keys(paths) as Rpc[]) {
        const { message } = await failure(rpc, answer);
        assert.match(
          message,
          /INTERNAL: .*the driver answered OK, but its reply of \d+ bytes cannot be decoded/,
        );
        assert.match(message, /Next: /);
      }
    });
  }

  it("but an id or a name that is no UTF-8, is a clear error and no other id [OS1-090]", async () => {
    for (const rpc of ["getInfo", "create", "grant"] as const) {
      assert.match((await failure(rpc, hex("0a02c328"))).message, /reply of 4 bytes cannot be decoded/);
    }
  });

  it("but anything at all, ends in a success or an error of ours, which shows no secret [OS1-090]", async function () {
    this.timeout(120_000);
    const wellFormed = Object.values(fineAnswers()).map(bytes);
    const cut = fc
      .tuple(fc.constantFrom(...wellFormed), fc.nat(100))
      .map(([whole, length]) => whole.subarray(0, Math.max(whole.length - length, 0)));
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      cut,
      fc.constantFrom(...wellFormed),
      fc.constantFrom(...Object.values(garbage)),
    );
    const reply = fc.array(part, { maxLength: 3 }).map((parts) => Buffer.concat(parts));
    const rpc = fc.constantFrom(...(Object.keys(paths) as Rpc[]));
    await fc.assert(
      fc.asyncProperty(rpc, reply, async (of, answer) => {
        const { error, lines } = await outcome(of, answer);
        assert.ok(error === undefined || isOurs(error), `${of}: ${String(error)}`);
        const shown = [String(error), ...lines].join("\n");
        assert.ok(!shown.includes(marker), shown);
        if (error instanceof FailedResourceError) wire(error.properties);
      }),
      { numRuns: 200 },
    );
  });
});

/** What a driver says when all is well, the marked secret in it. */
function fineAnswers(): Readonly<Record<Rpc, Answer>> {
  return {
    getInfo: answers.info(driverName),
    create: answers.created("b1"),
    grant: answers.granted("a1", { ...s3Secrets(), accessSecretKey: marker }),
    delete: answers.deleted(),
    revoke: answers.revoked(),
  };
}

function bytes(answer: Answer): Uint8Array {
  return answer instanceof Uint8Array ? answer : assert.fail("a status");
}

/** True for an error that was made for a user to read, and not by a fault of the program. */
function isOurs(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ["Error", "DriverError", "WrongDriverError", "FailedResourceError"].includes(error.name) &&
    error.message.length > 20
  );
}
