import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../provider/driver/connections";
import type { DriverReference } from "../../provider/driver-resource/reference";
import { provider as driverProvider } from "../../provider/driver-resource/provider";
import { FailedResourceError } from "../../provider/dynamic/failed";
import { forEachContract } from "../support/contracts-under-test";
import { answers, paths } from "../support/cosi-v1alpha1";
import type { Answer, FakeDriver } from "../support/fake-driver";
import { Lifecycle, printed, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";

type Rpc = "getInfo" | "create" | "grant" | "delete" | "revoke";
type Rule = "retry" | "three" | "final" | "done";

const rpcs: readonly Rpc[] = ["getInfo", "create", "grant", "delete", "revoke"];

/** The table of section 9, written out; a code stands in the order of `rpcs`. 17 and 99 stand for any other number. */
const table: Readonly<Record<number, readonly [Rule, Rule, Rule, Rule, Rule]>> = {
  1: ["retry", "retry", "retry", "retry", "retry"],
  2: ["three", "three", "three", "three", "three"],
  3: ["final", "final", "final", "final", "final"],
  4: ["retry", "retry", "retry", "retry", "retry"],
  5: ["final", "final", "final", "done", "final"],
  6: ["final", "final", "final", "final", "final"],
  7: ["final", "final", "final", "final", "final"],
  8: ["retry", "retry", "retry", "retry", "retry"],
  9: ["final", "final", "final", "final", "final"],
  10: ["retry", "retry", "retry", "retry", "retry"],
  11: ["final", "final", "final", "final", "final"],
  12: ["final", "final", "final", "final", "final"],
  13: ["three", "three", "three", "three", "three"],
  14: ["retry", "retry", "retry", "retry", "retry"],
  15: ["final", "final", "final", "final", "final"],
  16: ["final", "final", "final", "final", "final"],
  17: ["three", "three", "three", "three", "three"],
  99: ["three", "three", "three", "three", "three"],
};

/** Codes after which nobody but the driver knows whether a call had its effect. Source: section 1. */
const outcomeUnknown: readonly number[] = [1, 2, 4, 13, 14, 17, 99];

const meaning: Readonly<Record<Rule, string>> = {
  retry: "retries",
  three: "three attempts",
  final: "an error at once",
  done: "a warning, as it is done",
};

const numberOfAttempts: Readonly<Record<Rule, number>> = { retry: 4, three: 3, final: 1, done: 1 };

/** What became of a step. */
interface Outcome {
  readonly error: unknown;
  /** What the state keeps as failed. */
  readonly entry: Properties | undefined;
  readonly outputs: Properties;
  readonly warnings: readonly string[];
}

forEachContract("each code on each RPC", (contract) => {
  const { bucket, access, obligingDriver, driverReference, say, ids } = contract;
  /** The one warning of a column, where the table has one. */
  const codeWarning: Partial<Record<Rpc, RegExp>> = {
    grant: /^warning: access grant-.*: a credential of it may be alive at the driver fake\.example\.com$/,
    delete: say(/^warning: bucket delete-.*NOT_FOUND/),
  };
  const driver = new Lifecycle(driverProvider);
  const rejections: unknown[] = [];
  const noteRejection = (reason: unknown): void => {
    rejections.push(reason);
  };
  let fake: FakeDriver;
  let name: string;
  let reference: DriverReference;

  before(() => process.on("unhandledRejection", noteRejection));
  after(() => process.off("unhandledRejection", noteRejection));
  beforeEach(async () => {
    beginRun();
    fake = await obligingDriver().start();
    reference = driverReference(fake.endpoint);
  });
  afterEach(async () => {
    await closeConnections();
    fake.stop();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rejections.splice(0), []);
  });

  const bucketInputs = (driver = reference): Properties => ({
    driver,
    logicalName: name,
    deletionPolicy: "Delete",
  });
  const accessInputs = (driver = reference): Properties => ({
    driver,
    logicalName: name,
    bucketName: "photos",
    bucketId: "b1",
  });

  /** Runs one step of a resource whose other steps go well. */
  const steps: Readonly<Record<Rpc, (settings: DriverReference) => Promise<() => Promise<Properties>>>> = {
    getInfo: (settings) => {
      const { driverName, seed, ...connection } = settings;
      assert.notEqual(driverName, seed);
      return Promise.resolve(async () => (await driver.create({ ...connection, logicalName: name })).outputs);
    },
    create: (settings) => Promise.resolve(async () => (await bucket.create(bucketInputs(settings))).outputs),
    grant: (settings) => Promise.resolve(async () => (await access.create(accessInputs(settings))).outputs),
    delete: async (settings) => {
      const { outputs } = await bucket.create(bucketInputs(settings));
      return async () => (await bucket.delete(outputs), outputs);
    },
    revoke: async (settings) => {
      const { outputs } = await access.create(accessInputs(settings));
      return async () => (await access.delete(outputs), outputs);
    },
  };

  async function run(rpc: Rpc, settings: DriverReference, answer: (earlier: number) => Answer | undefined) {
    const step = await steps[rpc](settings);
    beginRun();
    const ok = okAnswers();
    fake.on(paths[rpc], (_, earlier) => answer(earlier) ?? ok[rpc]);
    return outcomeOf(step);
  }

  const attempts = (rpc: Rpc): number => fake.calls.filter(({ path }) => path === paths[rpc]).length;

  /** After a failure the driver is mended, and the resource is removed with what the state has of it. */
  async function assertStillRemovable(rpc: Rpc, { entry }: Outcome): Promise<void> {
    const ok = okAnswers();
    fake.on(paths[rpc], () => ok[rpc]);
    fake.calls.length = 0;
    beginRun();
    if (entry === undefined) return;
    await printed(() => (rpc === "create" ? bucket : access).delete(entry));
    assert.deepEqual(
      fake.paths().filter((path) => path !== "DriverGetInfo"),
      rpc === "create"
        ? ["DriverCreateBucket", "DriverDeleteBucket"]
        : ["DriverGrantBucketAccess", "DriverRevokeBucketAccess"],
    );
  }

  for (const [column, rpc] of rpcs.entries()) {
    describe(rpc, () => {
      for (const [number, rules] of Object.entries(table)) {
        const code = Number(number);
        const rule = rules[column] ?? "final";
        const codeName = status[code] ?? `code ${number}`;
        const unknown = outcomeUnknown.includes(code);
        const makes = rpc === "create" || rpc === "grant";

        it(`${codeName} is answered by ${meaning[rule]} ${ids("[GRPC-063] [OS1-063]", "[DEP-054]")}`, async () => {
          name = `${rpc.toLowerCase()}-${number}`;
          // A driver that recovers at the fourth attempt shows which codes are retried beyond the third.
          const outcome = await run(rpc, reference, (earlier) =>
            earlier < 3 ? { code, message: "no luck" } : undefined,
          );
          assert.equal(attempts(rpc), numberOfAttempts[rule]);
          const expected = rule === "done" || (rpc === "grant" && unknown) ? [codeWarning[rpc]] : [];
          assert.equal(outcome.warnings.length, expected.length, outcome.warnings.join());
          assert.match(outcome.warnings.join(), expected[0] ?? /^$/);
          if (rule === "retry" || rule === "done") {
            assert.equal(outcome.error, undefined);
          } else {
            assert.ok(outcome.error instanceof Error);
            // GRPC-124: a driver without DriverGetInfo is told by what else it serves, not by its words.
            const words = rpc === "getInfo" && code === 12 ? "does not serve" : "no luck";
            assert.match(outcome.error.message, new RegExp(`${codeName}: .*${words}.*Next: `, "s"));
            assert.equal(outcome.entry !== undefined, makes && unknown);
            if (rpc === "grant" && unknown) assert.match(outcome.error.message, /credential .* may be alive/);
            await assertStillRemovable(rpc, outcome);
          }
        });

        if (rule !== "retry") continue;
        it(`${codeName} ends when the time for retries is spent ${ids("[GRPC-063]", "[DEP-054]")}`, async () => {
          name = `${rpc.toLowerCase()}-${number}-spent`;
          const settings = { ...reference, retryBudgetSeconds: 0.001, connectTimeoutSeconds: 0.2 };
          const outcome = await run(rpc, settings, () => ({ code, message: "no luck" }));
          assert.ok(outcome.error instanceof Error);
          assert.match(outcome.error.message, new RegExp(`${codeName}: .*no luck.*Next: `, "s"));
          assert.equal(outcome.entry !== undefined, makes && unknown);
          if (rpc !== "getInfo") assert.match(outcome.error.message, /\(1 attempt in \d+\.\d s\)/);
          await assertStillRemovable(rpc, outcome);
        });
      }
    });
  }

  describe("a removal that failed", () => {
    it("can be run again, and sends the same call", async () => {
      for (const rpc of ["delete", "revoke"] as const) {
        name = `again-${rpc}`;
        const step = await steps[rpc](reference);
        fake.calls.length = 0;
        const ok = okAnswers();
        fake.on(paths[rpc], (_, earlier) => (earlier === 0 ? { code: 9, message: "not empty" } : ok[rpc]));
        for (const expected of [/FAILED_PRECONDITION: not empty/, undefined]) {
          beginRun();
          const { error } = await outcomeOf(step);
          if (expected === undefined) assert.equal(error, undefined);
          else assert.match(String(error), expected);
        }
        const bodies = fake.calls
          .filter(({ path }) => path === paths[rpc])
          .map(({ body }) => body.toString("hex"));
        assert.equal(bodies.length, 2);
        assert.equal(new Set(bodies).size, 1);
      }
    });
  });

  describe("a code that DriverGetInfo answers", () => {
    const final = [3, 5, 6, 7, 9, 11, 12, 15, 16];

    it(`is never read as an answer to the call that was to follow, so nothing is lost ${ids("[GRPC-063]", "[DEP-054]")}`, async () => {
      name = "guarded";
      const made = (await bucket.create(bucketInputs())).outputs;
      const granted = (await access.create({ ...accessInputs(), revokeNotFound: "ignore" })).outputs;
      const unknownBucket = { ...made, bucketId: null, bucketInfo: null };
      const unknownAccess = { ...granted, accountId: null, granted: null };
      for (const code of final) {
        await closeConnections();
        beginRun();
        fake.on(paths.getInfo, () => ({ code, message: "who knows" }));
        fake.calls.length = 0;
        for (const [lifecycle, outputs] of [
          [bucket, made],
          [access, granted],
          [bucket, unknownBucket],
          [access, unknownAccess],
        ] as const) {
          await assert.rejects(lifecycle.delete(outputs), /who knows|does not serve/, `code ${String(code)}`);
        }
        const finishing = bucket.update(unknownBucket, bucketInputs());
        await assert.rejects(finishing, FailedResourceError, `code ${String(code)}`);
        assert.deepEqual(new Set(fake.paths()), new Set(["DriverGetInfo"]));
      }
    });
  });
});

function okAnswers(): Readonly<Record<Rpc, Answer>> {
  return {
    getInfo: answers.info(),
    create: answers.created("b1"),
    grant: answers.granted("a1"),
    delete: answers.deleted(),
    revoke: answers.revoked(),
  };
}

async function outcomeOf(step: () => Promise<Properties>): Promise<Outcome> {
  let error: unknown;
  let outputs: Properties = {};
  const warnings = await printed(async () => {
    try {
      outputs = await step();
    } catch (thrown) {
      error = thrown;
    }
  });
  const entry = error instanceof FailedResourceError ? wire(error.properties) : undefined;
  return { error, entry, outputs, warnings };
}
