import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as bucketProvider } from "../../../../provider/bucket/provider";
import type { CallTarget } from "../../../../provider/contracts/contract";
import { DriverError } from "../../../../provider/driver/call/driver-error";
import { Connection } from "../../../../provider/driver/connection";
import { closeConnections } from "../../../../provider/driver/connections";
import {
  bucketNameIn,
  controllerReference,
  controllerSettings,
  obligingController,
  paths,
  provisioner,
  replies,
} from "../../../support/cosi-2020-07";
import type { FakeDriver } from "../../../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";

type Rpc = keyof typeof paths;

/** Name, the code that stands for it alone, and what the caller does: attempts before it gives up, or why it is done. */
type Row = readonly [name: string, codes: readonly number[], attempts: number, meaning: number];

const { INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, ABORTED, INTERNAL, UNAUTHENTICATED } =
  status;

/** Errors that end the call, with the attempts in all. */
const failures: Readonly<Record<Rpc, readonly Row[]>> = {
  create: [
    ["CREATE_INVALID_ARGUMENT", [INVALID_ARGUMENT], 1, INVALID_ARGUMENT],
    ["CREATE_INVALID_PROTOCOL", [], 1, INVALID_ARGUMENT],
    ["CREATE_ALREADY_EXISTS", [ALREADY_EXISTS], 1, ALREADY_EXISTS],
    ["CREATE_INVALID_CREDENTIALS", [UNAUTHENTICATED, PERMISSION_DENIED], 1, UNAUTHENTICATED],
    ["CREATE_INTERNAL_ERROR", [INTERNAL], 3, INTERNAL],
  ],
  delete: [
    ["DELETE_INVALID_CREDENTIALS", [UNAUTHENTICATED, PERMISSION_DENIED], 1, UNAUTHENTICATED],
    ["DELETE_INTERNAL_ERROR", [INTERNAL], 3, INTERNAL],
    ["DELETE_INVALID_ARGUMENT", [INVALID_ARGUMENT], 1, INVALID_ARGUMENT],
  ],
  grant: [
    ["GRANT_BUCKET_DOESNOT_EXIST", [NOT_FOUND], 1, NOT_FOUND],
    ["GRANT_INVALID_CREDENTIALS", [UNAUTHENTICATED, PERMISSION_DENIED], 1, UNAUTHENTICATED],
    ["GRANT_INTERNAL_ERROR", [INTERNAL], 3, INTERNAL],
    ["GRANT_INVALID_ARGUMENT", [INVALID_ARGUMENT], 1, INVALID_ARGUMENT],
    ["GRANT_INVALID_PRINCIPAL", [], 1, INVALID_ARGUMENT],
  ],
  revoke: [
    ["REVOKE_INVALID_CREDENTIALS", [UNAUTHENTICATED, PERMISSION_DENIED], 1, UNAUTHENTICATED],
    ["REVOKE_INTERNAL_ERROR", [INTERNAL], 3, INTERNAL],
    ["REVOKE_INVALID_ARGUMENT", [INVALID_ARGUMENT], 1, INVALID_ARGUMENT],
    ["REVOKE_INVALID_PRINCIPAL", [], 1, INVALID_ARGUMENT],
  ],
};

const idOf: Readonly<Record<Rpc, string>> = {
  create: "[K07-135]",
  delete: "[K07-137]",
  grant: "",
  revoke: "",
};

describe("the errors of cosi-2020-07", () => {
  const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName: provisioner };
  const bucket = new Lifecycle(bucketProvider);
  let driver: FakeDriver;
  let connection: Connection;

  beforeEach(async () => {
    beginRun();
    driver = await obligingController().start();
    connection = new Connection({ ...controllerSettings(driver.endpoint), firstRetryDelayMilliseconds: 1 });
  });

  afterEach(async () => {
    await connection.close();
    await closeConnections();
    driver.stop();
  });

  const calls: Readonly<Record<Rpc, (where?: Partial<CallTarget>) => Promise<unknown>>> = {
    create: () => connection.client.createBucket({ name: "b1", parameters: {} }, target),
    delete: (where) =>
      connection.client.deleteBucket({ bucketId: "b1", context: {} }, { ...target, ...where }),
    grant: () =>
      connection.client.grantAccess(
        { bucketId: "b1", name: "a1", authenticationType: "Key", parameters: {} },
        target,
      ),
    revoke: () => connection.client.revokeAccess({ bucketId: "b1", accountId: "a1", context: {} }, target),
  };

  const attempts = (): number => driver.calls.length;

  async function errorOf(call: Promise<unknown>): Promise<DriverError> {
    try {
      await call;
    } catch (error) {
      if (error instanceof DriverError) return error;
      throw error;
    }
    return assert.fail("the call succeeded");
  }

  for (const rpc of ["create", "delete", "grant", "revoke"] as const) {
    describe(`of ${rpc}`, () => {
      for (const [name, codes, times, meaning] of failures[rpc]) {
        for (const code of codes) {
          it(
            `${name} is said by ${status[code] ?? ""} and answered with ${times} attempts [K07-134] ${idOf[rpc]}`.trim(),
            async () => {
              driver.on(paths[rpc], () => ({ code, message: "no luck" }));
              const error = await errorOf(calls[rpc]());
              assert.equal(attempts(), times);
              assert.equal(error.code, code);
              assert.match(
                error.message,
                new RegExp(`: ${status[code] ?? ""} \\(${name}\\): no luck.*Next: `),
              );
              assert.ok(error.message.includes(`driver ${provisioner} at ${driver.endpoint}`));
            },
          );
        }

        it(`${name} is said by its name, whatever the code [K07-134] ${idOf[rpc]}`.trim(), async () => {
          for (const code of [
            status.UNKNOWN,
            status.UNAVAILABLE,
            status.OUT_OF_RANGE,
            status.UNIMPLEMENTED,
          ]) {
            driver.calls.length = 0;
            driver.on(paths[rpc], () => ({ code, message: `rpc: ${name}: no luck` }));
            const error = await errorOf(calls[rpc]());
            assert.equal(attempts(), times, status[code]);
            assert.equal(error.code, meaning, status[code]);
            assert.match(
              error.message,
              new RegExp(`: ${status[meaning] ?? ""}: rpc: ${name}: no luck.*Next: `),
            );
          }
        });
      }

      it("goes by the code where the words have no name of its own, part of a word, or two [K07-134]", async () => {
        const own = failures[rpc].map(([name]) => name);
        const other = rpc === "create" ? "GRANT_INVALID_PRINCIPAL" : "CREATE_ALREADY_EXISTS";
        for (const message of [
          other,
          `X_${own[0] ?? ""}`,
          `${own[0] ?? ""}S`,
          own.slice(0, 2).join(" or "),
        ]) {
          driver.on(paths[rpc], () => ({ code: status.DATA_LOSS, message }));
          const error = await errorOf(calls[rpc]());
          assert.equal(error.code, status.DATA_LOSS, message);
          assert.ok(error.message.includes(`DATA_LOSS: ${message}`), error.message);
        }
      });

      it("retries what has no name within the budget, and sends the same each time [K07-140]", async () => {
        const codes = [1, 4, 8, 14, ...(rpc === "delete" ? [] : [ABORTED])];
        driver.on(paths[rpc], (_, earlier) => {
          const code = codes[earlier];
          if (code !== undefined) return { code };
          return rpc === "create"
            ? replies.created("b1")
            : rpc === "grant"
              ? replies.granted()
              : replies.empty();
        });
        await calls[rpc]();
        assert.equal(attempts(), codes.length + 1);
        assert.equal(new Set(driver.calls.map(({ body }) => body.toString("hex"))).size, 1);
      });

      it("gives three attempts to UNKNOWN and one to a code that is final [K07-140]", async () => {
        for (const [code, times] of [
          [status.UNKNOWN, 3],
          [17, 3],
          [status.FAILED_PRECONDITION, 1],
          [status.OUT_OF_RANGE, 1],
        ] as const) {
          driver.calls.length = 0;
          driver.on(paths[rpc], () => ({ code, message: "no luck" }));
          await errorOf(calls[rpc]());
          assert.equal(attempts(), times, `code ${code}`);
        }
      });

      it("ends when the driver never answers [K07-140]", async () => {
        await connection.close();
        const settings = {
          ...controllerSettings(driver.endpoint),
          callTimeoutSeconds: 0.3,
          retryBudgetSeconds: 0.2,
        };
        connection = new Connection(settings);
        driver.on(paths[rpc], () => new Promise(() => undefined));
        const error = await errorOf(calls[rpc]());
        assert.equal(error.code, status.DEADLINE_EXCEEDED);
        assert.equal(error.outcomeUnknown, true);
      });

      it("names contract and service to a driver that does not have the call, and asks once", async () => {
        driver.on(paths[rpc], () => ({ code: status.UNIMPLEMENTED, message: "unknown service" }));
        const error = await errorOf(calls[rpc]());
        assert.equal(attempts(), 1);
        assert.match(error.message, /contract cosi-2020-07 \(service cosi\.v1\.CosiController/);
      });
    });
  }

  describe("that leave nothing to do", () => {
    for (const [rpc, answer, text] of [
      ["delete", { code: NOT_FOUND }, /does not exist; it counts as deleted/],
      ["delete", { code: status.UNKNOWN, message: "DELETE_BUCKET_DOESNOT_EXIST" }, /it counts as deleted/],
      [
        "revoke",
        { code: NOT_FOUND, message: "REVOKE_BUCKET_DOESNOT_EXIST: b1" },
        /so it grants nothing any more/,
      ],
      [
        "revoke",
        { code: status.UNKNOWN, message: "REVOKE_BUCKET_DOESNOT_EXIST" },
        /so it grants nothing any more/,
      ],
    ] as const) {
      it(`count as done, with a warning that names bucket and endpoint: ${rpc} ${JSON.stringify(answer)}`, async () => {
        driver.on(paths[rpc], () => answer);
        const lines = await printed(calls[rpc]);
        const [line = "", ...others] = lines;
        assert.deepEqual(others, []);
        assert.match(line, text);
        assert.ok(line.startsWith("warning: bucket b1: "), line);
        assert.ok(line.endsWith(`[driver ${provisioner} at ${driver.endpoint}]`), line);
        assert.equal(attempts(), 1);
      });
    }

    it("do not include a bare NOT_FOUND to a revoke, which drivers send for other missing things", async () => {
      driver.on(paths.revoke, () => ({ code: NOT_FOUND, message: "no secret" }));
      assert.equal((await errorOf(calls.revoke())).code, NOT_FOUND);
      assert.equal(attempts(), 1);
    });
  });

  describe("of a delete that is under way", () => {
    for (const answer of [{ code: ABORTED }, { code: status.UNKNOWN, message: "DELETE_DELETE_INPROGRESS" }]) {
      it(`are waited on beyond the budget: ${JSON.stringify(answer)} [K07-137]`, async () => {
        await connection.close();
        const settings = { ...controllerSettings(driver.endpoint), retryBudgetSeconds: 0.001 };
        connection = new Connection(settings);
        driver.on(paths.delete, (_, earlier) => (earlier < 3 ? answer : replies.empty()));
        await calls.delete();
        assert.equal(attempts(), 4);
      });
    }

    it("end with an error that names it when the patience does", async () => {
      driver.on(paths.delete, () => ({ code: ABORTED }));
      const error = await errorOf(calls.delete({ patienceSeconds: 0.2 }));
      assert.match(error.message, /^DeleteBucket: ABORTED \(DELETE_DELETE_INPROGRESS\): /);
      assert.ok(attempts() > 1);
    });
  });

  describe("as a Bucket sees them", () => {
    const inputs = (changes: Properties = {}): Properties => ({
      driver: controllerReference(driver.endpoint),
      logicalName: "photos",
      deletionPolicy: "Delete",
      ...changes,
    });

    it("make nothing of a first CREATE_ALREADY_EXISTS, and a bucket of our own of one after an answer that was lost", async () => {
      const taken = { code: status.UNKNOWN, message: "CREATE_ALREADY_EXISTS" };
      driver.on(paths.create, () => taken);
      await assert.rejects(bucket.create(inputs()), (error: unknown) => !("properties" in Object(error)));
      driver.on(paths.create, (_, earlier) => (earlier === 1 ? { code: status.UNAVAILABLE } : taken));
      let outputs: Properties = {};
      const lines = await printed(async () => {
        ({ outputs } = await bucket.create(inputs()));
      });
      assert.equal(outputs["bucketId"], outputs["name"]);
      assert.match(lines.join(), /stems from an attempt whose answer was lost/);
    });

    it("keep a create without a known outcome in the state, and delete by the name once it is repeated", async () => {
      driver.on(paths.create, () => ({ code: status.UNKNOWN, message: "CREATE_INTERNAL_ERROR" }));
      const failed = await failedResource(bucket.create(inputs()));
      driver.on(paths.create, () => replies.created("real-name"));
      driver.calls.length = 0;
      beginRun();
      await bucket.delete(wire(failed.properties));
      assert.deepEqual(driver.paths(), ["CreateBucket", "DeleteBucket"]);
      assert.match(driver.calls[1]?.body.toString() ?? "", /real-name/);
    });

    it("delete by the name a bucket whose create was lost, where the repeat says that it exists [K07-104]", async () => {
      driver.on(paths.create, () => ({ code: status.UNKNOWN, message: "CREATE_INTERNAL_ERROR" }));
      const failed = await failedResource(bucket.create(inputs()));
      driver.on(paths.create, () => ({ code: status.UNKNOWN, message: "CREATE_ALREADY_EXISTS" }));
      driver.calls.length = 0;
      beginRun();
      await bucket.delete(wire(failed.properties));
      assert.deepEqual(driver.paths(), ["CreateBucket", "DeleteBucket"]);
      assert.equal(bucketNameIn(driver.calls[1]?.body ?? Buffer.alloc(0)), failed.properties["name"]);
    });

    it("wait for a delete that is under way as long as the bucket says, and keep it then", async () => {
      const news = inputs({ deleteTimeoutSeconds: 0.3 });
      const { outputs } = await bucket.create(news);
      beginRun();
      driver.calls.length = 0;
      driver.on(paths.delete, () => ({ code: ABORTED, message: "at work" }));
      await assert.rejects(
        bucket.delete(outputs),
        /ABORTED \(DELETE_DELETE_INPROGRESS\): at work .*bucket photos-/,
      );
      const asked = attempts();
      assert.ok(asked > 1);
      driver.on(paths.delete, (_, earlier) => (earlier < asked + 3 ? { code: ABORTED } : replies.empty()));
      const { deleteTimeoutSeconds, ...patient } = outputs;
      assert.equal(deleteTimeoutSeconds, 0.3);
      await bucket.delete({
        ...patient,
        driver: { ...controllerReference(driver.endpoint), retryBudgetSeconds: 0.001 },
      });
      assert.equal(attempts(), asked + 4);
      assert.match(
        (await bucket.check({}, inputs({ deleteTimeoutSeconds: 0 }))).failures.join(),
        /^deleteTimeoutSeconds is 0/,
      );
    });

    it("take a bucket that is gone for deleted [K07-137]", async () => {
      const { outputs } = await bucket.create(inputs());
      beginRun();
      driver.on(paths.delete, () => ({ code: NOT_FOUND, message: "gone" }));
      const lines = await printed(() => bucket.delete(outputs));
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /^warning: bucket photos-.*counts as deleted.*unix:\/\//);
    });
  });
});
