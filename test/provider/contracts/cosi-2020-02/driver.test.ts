import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import type { CallTarget } from "../../../../provider/contracts/contract";
import { provider as bucketProvider } from "../../../../provider/bucket/provider";
import { contractOf } from "../../../../provider/contracts/registry";
import { DriverError } from "../../../../provider/driver/call/driver-error";
import { Connection } from "../../../../provider/driver/connection";
import { closeConnections } from "../../../../provider/driver/connections";
import { provider as driverProvider } from "../../../../provider/driver-resource/provider";
import { redact } from "../../../../provider/driver/secrets/redaction";
import {
  account,
  handlerReference,
  handlerSettings,
  obligingHandlers,
  paths,
  provisioner,
  replies,
} from "../../../support/cosi-2020-02";
import { controllerSettings, obligingController, paths as julyPaths } from "../../../support/cosi-2020-07";
import type { FakeDriver } from "../../../support/fake-driver";
import { failedResource, Lifecycle, printed, wire } from "../../../support/lifecycle";
import { message } from "../../../support/protobuf";
import { beginRun } from "../../../support/run";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName: provisioner };
const identityMethod = "/example.v1.Info/DriverInfo";
const secrets = [account.accessKeyId, account.secretKey, account.stsToken, account.userName];

type Rpc = keyof typeof paths;

/** The four calls at a driver of either contract, as short as they can be. */
function callsOf(
  connection: Connection,
  where: Partial<CallTarget> = {},
): Record<Rpc, () => Promise<unknown>> {
  const { client } = connection;
  const at = { ...target, ...where };
  return {
    create: () => client.createBucket({ name: "b1", parameters: {} }, at),
    delete: () => client.deleteBucket({ bucketId: "b1", context: {} }, at),
    grant: () =>
      client.grantAccess({ bucketId: "b1", name: "a1", authenticationType: "Key", parameters: {} }, at),
    revoke: () => client.revokeAccess({ bucketId: "b1", accountId: "a1", context: {} }, at),
  };
}

async function errorOf(call: Promise<unknown>): Promise<DriverError> {
  const error: unknown = await call.then(
    () => assert.fail("the call succeeded"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DriverError) return error;
  throw error;
}

describe("a driver of cosi-2020-02", () => {
  const rpcs = ["create", "delete", "grant", "revoke"] as const;
  let driver: FakeDriver;
  let connection: Connection;

  beforeEach(async () => {
    driver = await obligingHandlers().start();
    connection = new Connection(handlerSettings(driver.endpoint));
  });

  afterEach(async () => {
    await connection.close();
    driver.stop();
  });

  const connect = async (identity?: string): Promise<void> => {
    await connection.close();
    const method = identity === undefined ? {} : { identityMethod: identity };
    connection = new Connection({ ...handlerSettings(driver.endpoint), ...method });
  };

  it("gets its own calls beside one of cosi-2020-07, under equal names of package and messages [K02-108]", async () => {
    const july = await obligingController().start();
    const other = new Connection(controllerSettings(july.endpoint));
    try {
      for (const rpc of rpcs) {
        await Promise.all([callsOf(connection)[rpc](), callsOf(other)[rpc]()]);
      }
      assert.deepEqual(
        driver.calls.map(({ path }) => path),
        rpcs.map((rpc) => paths[rpc]),
      );
      assert.deepEqual(
        july.calls.map(({ path }) => path),
        rpcs.map((rpc) => julyPaths[rpc]),
      );
      const bytes = message([1, "b1"], [2, 3], [4, 3]);
      const messageName = "cosi.v1.CreateBucketRequest";
      assert.deepEqual(redact("cosi-2020-02", messageName, bytes).json, {
        RequestBucketName: "b1",
        RequestProtocol: "S3",
        AccessMode: "RW",
      });
      assert.throws(() => redact("cosi-2020-07", messageName, bytes));
    } finally {
      await other.close();
      july.stop();
    }
  });

  for (const rpc of rpcs) {
    it(`is expected and one of cosi-2020-07 is there: the error of ${rpc} names the contract, after one call [K02-108]`, async () => {
      const july = await obligingController().start();
      const swapped = new Connection(handlerSettings(july.endpoint));
      const retries: string[] = [];
      try {
        const call = callsOf(swapped, { retrying: (what) => retries.push(what) })[rpc];
        const error = await errorOf(call());
        assert.equal(error.code, status.UNIMPLEMENTED);
        assert.equal(error.details.attempts, 1);
        assert.match(
          error.message,
          /UNIMPLEMENTED.*contract cosi-2020-02 \(services cosi\.v1\.DynamicBucketHandler and cosi\.v1\.StaticBucketHandler/,
        );
        assert.deepEqual([july.calls, retries], [[], []]);
      } finally {
        await swapped.close();
        july.stop();
      }
    });

    it(`is there and one of cosi-2020-07 is expected: the error of ${rpc} names that one, after one call [K02-108]`, async () => {
      const swapped = new Connection(controllerSettings(driver.endpoint));
      try {
        const error = await errorOf(callsOf(swapped)[rpc]());
        assert.equal(error.code, status.UNIMPLEMENTED);
        assert.equal(error.details.attempts, 1);
        assert.match(error.message, /contract cosi-2020-07 \(service cosi\.v1\.CosiController/);
        assert.deepEqual(driver.calls, []);
      } finally {
        await swapped.close();
      }
    });

    it(`is asked again by the code of its answer to ${rpc}, in the same words [K02-109]`, async () => {
      const retried = [
        status.CANCELLED,
        status.UNAVAILABLE,
        status.DEADLINE_EXCEEDED,
        status.ABORTED,
        status.RESOURCE_EXHAUSTED,
      ];
      const replyOf = { create: replies.created("b1"), grant: replies.granted() };
      const done = rpc === "create" || rpc === "grant" ? replyOf[rpc] : replies.empty();
      driver.on(paths[rpc], (_body, earlier) => {
        const code = retried[earlier];
        return code === undefined ? done : { code };
      });
      await callsOf(connection)[rpc]();
      assert.equal(driver.calls.length, retried.length + 1);
      assert.equal(new Set(driver.calls.map(({ body }) => body.toString("hex"))).size, 1);
    });

    it(`gets three attempts of ${rpc} after a fault of its own and one after what is final [K02-109]`, async () => {
      for (const [code, attempts] of [
        [status.INTERNAL, 3],
        [status.UNKNOWN, 3],
        [status.NOT_FOUND, 1],
        [status.ALREADY_EXISTS, 1],
        [status.INVALID_ARGUMENT, 1],
      ] as const) {
        driver.calls.length = 0;
        driver.on(paths[rpc], () => ({ code, message: "CREATE_INVALID_PROTOCOL REVOKE_INVALID_PRINCIPAL" }));
        const error = await errorOf(callsOf(connection)[rpc]());
        assert.equal(error.code, code);
        assert.equal(error.details.errorName, undefined);
        assert.equal(driver.calls.length, attempts, status[code]);
      }
    });
  }

  describe("answers OK with a reply that cannot be read", () => {
    const unreadable = Buffer.from("ffffff", "hex");

    for (const [rpc, attempts, why] of [
      ["create", 1, "as it issues a credential"],
      ["grant", 1, "as it issues a credential"],
      ["delete", 3, "as it issues none"],
      ["revoke", 3, "as it issues none"],
    ] as const) {
      it(`to ${rpc}, which is sent ${attempts === 1 ? "once" : "three times"}, ${why} [K02-109] [GRPC-079]`, async () => {
        driver.on(paths[rpc], () => unreadable);
        const { message: text, outcomeUnknown } = await errorOf(callsOf(connection)[rpc]());
        assert.match(text, /INTERNAL: the driver answered OK, but its reply .*Next: have the driver fixed/);
        assert.equal(outcomeUnknown, true);
        assert.equal(driver.calls.length, attempts);
      });
    }

    it("to a create, whose bucket is kept as failed, with a warning of a key that may be alive [K02-109] [GRPC-079]", async () => {
      beginRun();
      driver.on(paths.create, () => unreadable);
      const bucket = new Lifecycle(bucketProvider);
      const inputs = { driver: handlerReference(driver.endpoint), logicalName: "photos", name: "photos" };
      try {
        const lines = await printed(async () => {
          const { properties } = await failedResource(bucket.create({ ...inputs, deletionPolicy: "Delete" }));
          assert.equal(wire(properties)["bucketId"], null);
        });
        assert.deepEqual(driver.paths(), ["CreateBucket"]);
        assert.deepEqual(lines, [
          "warning: bucket photos: its create has no known outcome: a credential of it may be alive at the driver " +
            provisioner,
        ]);
      } finally {
        await closeConnections();
      }
    });
  });

  it("is told for whom and for what a call makes something, beside the message", async () => {
    const at = { owner: "0a", request: "0b" };
    const { create, grant } = callsOf(connection, at);
    await create();
    await grant();
    const told = driver.calls.map(({ metadata }) => [
      metadata["pulumi-cosi-owner"],
      metadata["pulumi-cosi-request"],
    ]);
    assert.deepEqual(told, [
      ["0a", "0b"],
      ["0a", "0b"],
    ]);
  });

  describe("may be called", () => {
    const { naming } = contractOf("cosi-2020-02");

    for (const name of ["rgw.example.com", "My driver @1", "a/b", "x".repeat(300)]) {
      it(`${name.slice(0, 20)} [K02-007]`, () => {
        assert.equal(naming.problem(name), undefined);
        assert.equal(naming.ownName(name), name);
      });
    }

    it("anything but nothing [K02-007]", () => {
      assert.match(naming.problem("") ?? "", /^is "": give the name/);
    });
  });

  describe("with a method that tells its name", () => {
    const info = (name: string, ...numbers: readonly number[]): Buffer =>
      message([1, name], ...numbers.map((number) => [2, number] as const));

    it("is asked once per connection, and not at all without it [K02-017] [K02-018]", async () => {
      for (const rpc of rpcs) await callsOf(connection)[rpc]();
      assert.deepEqual(
        driver.calls.map(({ path }) => path),
        rpcs.map((rpc) => paths[rpc]),
      );
      driver.stop();
      driver = await obligingHandlers()
        .on(identityMethod, () => info(provisioner))
        .start();
      await connect(identityMethod);
      for (const rpc of rpcs) await callsOf(connection)[rpc]();
      assert.deepEqual(
        driver.calls.map(({ path }) => path),
        [identityMethod, ...rpcs.map((rpc) => paths[rpc])],
      );
      assert.equal(driver.calls[0]?.body.length, 0);
    });

    for (const [what, reply] of [
      ["in other letters", info("RGW.example.com")],
      ["and its protocols", info(provisioner, 1, 3)],
      ["and that it serves nothing in particular", info(provisioner, 0)],
      ["with its protocols packed", message([1, provisioner], [2, Buffer.from([2, 3])])],
    ] as const) {
      it(`gets every call when it tells its name ${what} [K02-018]`, async () => {
        driver.stop();
        driver = await obligingHandlers()
          .on(identityMethod, () => reply)
          .start();
        await connect(identityMethod);
        for (const rpc of rpcs) await callsOf(connection)[rpc]();
        assert.equal(driver.calls.length, 5);
      });
    }

    it("gets every call under a name of no pattern, which is its own [K02-007] [K02-018]", async () => {
      driver.stop();
      driver = await obligingHandlers()
        .on(identityMethod, () => info("My driver @1"))
        .start();
      await connect(identityMethod);
      for (const rpc of rpcs) await callsOf(connection, { driverName: "My driver @1" })[rpc]();
      assert.equal(driver.calls.length, 5);
    });

    it("is recorded under a name of no pattern, and under no other than its own [K02-007] [K02-018]", async () => {
      driver.stop();
      driver = await obligingHandlers()
        .on(identityMethod, () => info("My driver @1"))
        .start();
      const store = new Lifecycle(driverProvider);
      const inputs = { ...handlerSettings(driver.endpoint), identityMethod, logicalName: "store" };
      const { outputs } = await store.create({ ...inputs, driverName: "My driver @1" });
      assert.equal(outputs["driverName"], "My driver @1");
      await assert.rejects(store.create({ ...inputs, driverName: "other" }), /calls itself "My driver @1"/);
      await closeConnections();
    });

    for (const [what, reply, text] of [
      [
        "another name",
        info("other.example.com", 3),
        /belongs to driver "rgw\.example\.com", but the driver at .* calls itself "other\.example\.com"/,
      ],
      [
        "other protocols",
        info(provisioner, 2, 1),
        /has protocol S3, but the driver at .* serves Azure, GCS\./,
      ],
      ["protocols of a later release", info(provisioner, 9), /serves none that is known here\./],
    ] as const) {
      it(`gets no call when it tells ${what} [K02-018]`, async () => {
        driver.stop();
        driver = await obligingHandlers()
          .on(identityMethod, () => reply)
          .start();
        await connect(identityMethod);
        for (const rpc of rpcs) await assert.rejects(callsOf(connection)[rpc](), text);
        assert.deepEqual(driver.paths(), ["DriverInfo"]);
      });
    }
  });

  it("has what it issues masked in errors and traces, and what it is asked for shown", async () => {
    driver.on(paths.revoke, () => ({
      code: status.DATA_LOSS,
      message: `b1: no ${secrets.join(", no ")}`,
    }));
    process.env["PULUMI_COSI_TRACE"] = "1";
    try {
      let text = "";
      const lines = await printed(async () => {
        const { create, grant, revoke } = callsOf(connection);
        await create();
        await grant();
        await revoke().catch((error: unknown) => (text = String(error)));
      });
      const all = [...lines, text].join("\n");
      assert.equal(lines.length, 3);
      assert.match(
        lines[0] ?? "",
        /"RequestBucketName":"b1".*→ \{"S3":\{"BucketName":"b1",.*"Authentication":"\[secret\]"/,
      );
      assert.match(lines[1] ?? "", /"S3":\{"BucketName":"b1"\}.*→ "?\[secret\]"?/);
      assert.match(text, /DATA_LOSS: b1: no \[secret\], no \[secret\], no \[secret\], no \[secret\]/);
      for (const secret of secrets) assert.ok(!all.includes(secret), all);
    } finally {
      delete process.env["PULUMI_COSI_TRACE"];
    }
  });

  it("has the bucket's name shown, though it calls its user after it", async () => {
    const bucketName = "february-photos";
    driver
      .on(paths.grant, () => message([3, message([1, "AKPHOTOS"], [4, bucketName])]))
      .on(paths.revoke, () => ({ code: status.DATA_LOSS, message: `${bucketName}: no AKPHOTOS` }));
    const { client } = connection;
    const common = { bucketId: bucketName };
    await client.grantAccess({ ...common, name: "a1", authenticationType: "Key", parameters: {} }, target);
    const { details } = await errorOf(
      client.revokeAccess({ ...common, accountId: "a1", context: {} }, target),
    );
    assert.equal(details.reason, `${bucketName}: no [secret]`);
  });

  it("has every secret message of a reply taken out, whatever its protocol", () => {
    for (const [name, bytes] of [
      ["CreateBucketResponse", message([1, message([1, "c"], [2, message([2, "february-a"])])])],
      ["CreateBucketResponse", message([2, message([1, "c"], [3, message([3, "february-a"])])])],
      ["CreateBucketResponse", message([3, message([1, "c"], [4, message([2, "february-a"])])])],
      ["GrantBucketAccessResponse", message([1, message([2, "february-a"])])],
      ["GrantBucketAccessResponse", message([2, message([3, "february-a"])])],
      ["GrantBucketAccessResponse", message([3, message([2, "february-a"])])],
    ] as const) {
      const redacted = redact("cosi-2020-02", `cosi.v1.${name}`, bytes);
      assert.deepEqual(redacted.secrets, ["february-a"]);
      assert.ok(!JSON.stringify(redacted.json).includes("february-a"));
    }
  });
});
