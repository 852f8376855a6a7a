import assert from "node:assert/strict";
import * as zlib from "node:zlib";
import { status } from "@grpc/grpc-js";
import type { CallTarget, Verb } from "../../../../provider/contracts/contract";
import { contractOf } from "../../../../provider/contracts/registry";
import { nextStep } from "../../../../provider/driver/call/next-step";
import { Connection } from "../../../../provider/driver/connection";
import { DriverError } from "../../../../provider/driver/call/driver-error";
import { provesNothingMade } from "../../../../provider/driver/call/outcome";
import { pauseBeforeRetry, sleep } from "../../../../provider/driver/call/retry";
import { defaultWaits, type ConnectionSettings } from "../../../../provider/driver/settings";
import { forEachContract } from "../../../support/contracts-under-test";
import { answers, driverName, paths } from "../../../support/cosi-v1alpha1";
import type { Answer, FakeDriver } from "../../../support/fake-driver";
import { framed, HttpFront, type HttpAnswer } from "../../../support/http-front";
import { eventually } from "../../../support/stub-driver";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName };
const never = new Promise<never>(() => undefined);

forEachContract("what the caller does after a code", (contract) => {
  const { obligingDriver, settings, onWire, say, ids } = contract;
  let driver: FakeDriver;
  let connection: Connection;
  let front: HttpFront | undefined;

  const use = async (fake: FakeDriver, changes: Partial<ConnectionSettings> = {}): Promise<void> => {
    driver = await fake.start();
    connection = new Connection({ ...settings(driver.endpoint), ...changes });
  };
  /** Has something answer create and grant in the place of a driver. @param at Gets the number of earlier ones. */
  const useFront = async (
    at: (path: string, earlier: number) => HttpAnswer | undefined,
    changes: Partial<ConnectionSettings> = {},
  ): Promise<void> => {
    driver = await obligingDriver().start();
    front = await new HttpFront(driver.socket).start();
    let earlier = 0;
    front.at = (path, stage) => {
      if (stage === "after" || path === onWire(paths.getInfo)) return undefined;
      earlier += 1;
      return at(path, earlier - 1);
    };
    connection = new Connection({ ...settings(front.endpoint), ...changes });
  };
  const create = () => connection.client.createBucket({ name: "b1", parameters: {} }, target);
  const grant = (name = "a1") =>
    connection.client.grantAccess(
      { bucketId: "b1", name, authenticationType: "Key", parameters: {} },
      { ...target, subject: `access ${name}` },
    );
  const calls = (path: string) => driver.calls.filter((call) => call.path === path);

  afterEach(async () => {
    await connection.close();
    front?.stop();
    front = undefined;
    driver.stop();
  });

  describe("waits and attempts", () => {
    it(`have the values of the specification's decisions by default ${ids("[GRPC-051]", "[DEP-047]")}`, () => {
      driver = obligingDriver();
      connection = new Connection(settings(driver.endpoint));
      assert.deepEqual(defaultWaits, {
        connectTimeoutSeconds: 30,
        callTimeoutSeconds: 60,
        retryBudgetSeconds: 120,
        firstRetryDelayMilliseconds: 200,
      });
    });

    it(`end with the budget, and the error says how many attempts were made over what time ${ids("[GRPC-051]", "[DEP-047]")}`, async () => {
      await use(
        obligingDriver().on(paths.create, () => ({ code: status.UNAVAILABLE, message: "out to lunch" })),
        { retryBudgetSeconds: 0.5 },
      );
      const { message, details } = await driverError(create());
      const times = calls(paths.create).map(({ at }) => at);
      const [first = 0] = times;
      assert.ok(times.length > 2, `${times.length} attempts`);
      assert.ok((times.at(-1) ?? 0) - first <= 500, "an attempt started after the budget");
      assert.equal(details.attempts, times.length);
      assert.match(
        message,
        say(/^DriverCreateBucket: UNAVAILABLE: out to lunch \((\d+) attempts in 0\.\d s\) /),
      );
      assert.ok(message.includes(`(${times.length} attempts in `), message);
    });

    it("start no attempt after the budget, however long the turn or the driver is waited for", async () => {
      // The only turn is taken by a call that lasts longer than the budget of the other one.
      await use(
        obligingDriver()
          .on(paths.create, () => ({ code: status.ABORTED, message: "busy" }))
          .on(paths.grant, async () => (await sleep(700), answers.granted("a1"))),
        { retryBudgetSeconds: 0.3, maxConcurrentCalls: 1, firstRetryDelayMilliseconds: 100 },
      );
      const failing = driverError(create());
      await eventually("the first attempt is made", () => calls(paths.create).length === 1);
      const others = ["b2", "b3"].map((bucketId) =>
        connection.client.grantAccess(
          { bucketId, name: "a", authenticationType: "Key", parameters: {} },
          { ...target, bucket: bucketId },
        ),
      );
      const { details } = await failing;
      await Promise.all(others);
      assert.equal(details.code, status.ABORTED);
      assert.equal(details.attempts, calls(paths.create).length);
      const times = calls(paths.create).map(({ at }) => at);
      assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) <= 300, times.join());
    });

    it(`have a deadline for each attempt, which ends the call at the driver too ${ids("[GRPC-050]", "[DEP-047]")}`, async () => {
      await use(
        obligingDriver().on(paths.create, () => never),
        { callTimeoutSeconds: 0.2, retryBudgetSeconds: 0.3 },
      );
      const { message, details } = await driverError(create());
      assert.match(message, say(/^DriverCreateBucket: DEADLINE_EXCEEDED: /));
      assert.equal(details.outcomeUnknown, true);
      await eventually("the driver sees every attempt cancelled", () =>
        calls(paths.create).every(({ cancelled }) => cancelled),
      );
      assert.equal(calls(paths.create).length, details.attempts);
    });

    it(`have a deadline for DriverGetInfo too ${ids("[GRPC-050]", "[DEP-047]")}`, async () => {
      await use(
        obligingDriver().on(paths.getInfo, () => never),
        { callTimeoutSeconds: 0.2, connectTimeoutSeconds: 0.3 },
      );
      await assert.rejects(connection.identity(), /^DriverError: DriverGetInfo: DEADLINE_EXCEEDED: /);
      assert.ok(calls(paths.getInfo).length > 0);
      await eventually("the driver sees it cancelled", () =>
        calls(paths.getInfo).every(({ cancelled }) => cancelled),
      );
    });

    it(`grow up to a cap of 5 s, so that a call goes on soon after a long fault ${ids("[GRPC-052] [GRPC-078]", "[DEP-047] [DEP-065]")}`, () => {
      driver = obligingDriver();
      connection = new Connection(settings(driver.endpoint));
      // The fault ends 20 s after the first attempt: the next one begins at most a longest pause later.
      for (const random of [() => 0, () => 0.5, () => 1, Math.random]) {
        const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => pauseBeforeRetry(n, 200, random));
        pauses.forEach((pause, n) => {
          const rule = [200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000][n] ?? 0;
          assert.ok(Math.abs(pause - rule) <= rule * 0.2 + 0.001, `pause ${n + 1} is ${pause} ms`);
        });
        let time = 0;
        for (let n = 1; time < 20_000; n += 1) time += pauseBeforeRetry(n, 200, random);
        assert.ok(time <= 27_000, `goes on after ${time} ms`);
      }
    });
  });

  describe("a driver that goes away and comes back", () => {
    it(`is reached again, also when it is away for longer than the connect wait ${ids("[GRPC-078]", "[DEP-065]")}`, async () => {
      await use(
        obligingDriver().on(paths.create, async (_, earlier) => {
          if (earlier > 0) return answers.created("b1");
          driver.kill();
          await sleep(900);
          await driver.start();
          return never;
        }),
        { connectTimeoutSeconds: 0.2 },
      );
      assert.equal((await create()).reply.bucketId, "b1");
      assert.equal(calls(paths.create).length, 2);
    });

    it("and stays away is an error of the call, with the attempts that reached it", async () => {
      await use(
        obligingDriver().on(paths.create, () => {
          driver.kill();
          return never;
        }),
        { connectTimeoutSeconds: 0.1, retryBudgetSeconds: 0.5 },
      );
      const { message, details } = await driverError(create());
      assert.match(
        message,
        say(/^DriverCreateBucket: UNAVAILABLE: no socket appeared at .* \(1 attempt in /),
      );
      assert.equal(details.outcomeUnknown, true);
      assert.equal(calls(paths.create).length, 1);
    });

    for (const code of [status.RESOURCE_EXHAUSTED, status.CANCELLED, status.DEADLINE_EXCEEDED]) {
      it(`by ${status[code]} is asked until it has recovered ${ids("[GRPC-078]", "[DEP-065]")}`, async () => {
        await use(
          obligingDriver().on(paths.create, (_, earlier) =>
            earlier < 5 ? { code, message: "not yet" } : answers.created("b1"),
          ),
        );
        await create();
        assert.equal(calls(paths.create).length, 6);
      });
    }
  });

  it(`retries ABORTED with growing pauses, and makes no other call for the bucket meanwhile ${ids("[GRPC-070]", "[DEP-061]")}`, async () => {
    await use(
      obligingDriver().on(paths.grant, (_, earlier) =>
        earlier < 3 ? { code: status.ABORTED, message: "pending" } : answers.granted("a1"),
      ),
      { firstRetryDelayMilliseconds: 100 },
    );
    const first = grant("a1");
    await eventually("the first attempt is made", () => calls(paths.grant).length === 1);
    const others = [
      grant("a2"),
      connection.client.deleteBucket({ bucketId: "b1", context: {} }, target),
      connection.client.createBucket({ name: "b2", parameters: {} }, { ...target, bucket: "b2" }),
    ];
    assert.equal((await first).reply.accountId, "a1");
    await Promise.all(others);

    // A call for another bucket may come at any time.
    const rpcs = driver.calls.filter(({ path }) => path !== paths.getInfo && path !== paths.create);
    assert.deepEqual(
      rpcs.map(({ path }) => path),
      [paths.grant, paths.grant, paths.grant, paths.grant, paths.grant, paths.delete],
    );
    assert.equal(new Set(rpcs.slice(0, 4).map(({ body }) => body.toString("hex"))).size, 1);
    const gaps = rpcs.slice(1, 4).map(({ at }, n) => at - (rpcs[n]?.at ?? 0));
    // Never shorter than the rule allows; a busy machine may make them longer.
    gaps.forEach((gap, n) => {
      assert.ok(gap >= 100 * 2 ** n * 0.75, `gap ${n + 1} is ${gap} ms`);
    });
  });

  it(`never repeats a call that is UNIMPLEMENTED, and names RPC and driver ${ids("[GRPC-073] [CASE-C34]", "[DEP-063]")}`, async () => {
    await use(
      obligingDriver().on(paths.create, () => ({ code: status.UNIMPLEMENTED, message: "no create" })),
    );
    const { message } = await driverError(create());
    assert.ok(message.startsWith(say("DriverCreateBucket: UNIMPLEMENTED: no create [")), message);
    assert.ok(message.includes(`driver ${driverName} at ${driver.endpoint}`), message);
    assert.deepEqual(driver.paths(), ["DriverGetInfo", "DriverCreateBucket"]);
  });

  describe("a fault that nobody knows", () => {
    for (const code of [status.UNKNOWN, status.INTERNAL, 17, 99]) {
      const name = status[code] ?? `code ${code}`;

      it(`is tried three times: ${name} twice, then OK, is a success ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
        await use(
          obligingDriver().on(paths.create, (_, earlier) =>
            earlier < 2 ? { code, message: "oops" } : answers.created("b1"),
          ),
        );
        assert.equal((await create()).reply.bucketId, "b1");
        assert.equal(calls(paths.create).length, 3);
      });

      it(`ends with the last message: ${name} ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
        await use(
          obligingDriver().on(paths.create, (_, earlier) => ({ code, message: `oops ${earlier + 1}` })),
        );
        const { message } = await driverError(create());
        assert.match(
          message,
          new RegExp(say(`^DriverCreateBucket: ${name}: oops 3 \\(3 attempts in \\d+\\.\\d s\\)`)),
        );
      });
    }

    /** Answers with these codes one after the other, then with OK. */
    const inTurn = (path: string, ok: Answer, codes: readonly number[]): FakeDriver =>
      obligingDriver().on(path, (_, earlier) => {
        const code = codes[earlier];
        return code === undefined ? ok : { code, message: `oops ${earlier + 1}` };
      });
    const { UNAVAILABLE, UNKNOWN, INTERNAL, RESOURCE_EXHAUSTED } = status;

    it(`has three attempts of its own, whatever a driver that starts said before ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
      const codes = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNKNOWN];
      await use(inTurn(paths.create, answers.created("b1"), codes));
      assert.equal((await create()).reply.bucketId, "b1");
      assert.equal(calls(paths.create).length, 5);
    });

    it(`has no more than three, whatever lies between them ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
      const codes = [UNKNOWN, UNAVAILABLE, INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, 99];
      await use(inTurn(paths.create, answers.created("b1"), codes));
      const { message } = await driverError(create());
      assert.match(message, say(/^DriverCreateBucket: code 99: oops 6 \(6 attempts in /));
    });

    it(`has three attempts of its own in DriverGetInfo too ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
      const codes = [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNKNOWN];
      await use(inTurn(paths.getInfo, answers.info(), codes));
      assert.equal((await connection.identity())?.name, driverName);
      assert.equal(calls(paths.getInfo).length, 5);
      await connection.close();
      driver.stop();
      await use(
        inTurn(paths.getInfo, answers.info(), [UNKNOWN, UNAVAILABLE, INTERNAL, UNAVAILABLE, UNKNOWN]),
      );
      await assert.rejects(connection.identity(), /^DriverError: DriverGetInfo: UNKNOWN: .*oops 5/);
    });
  });

  describe("an OK whose reply cannot be read", () => {
    const faults = {
      "that is no message": Buffer.from("ffffff", "hex"),
      "that ends in the middle of a field": Buffer.from("0aff0161", "hex"),
      "whose id is no UTF-8": Buffer.from("0a03c328ff", "hex"),
      "of more than 4 MiB": Buffer.alloc(4 * 1024 * 1024 + 1, 0x0a),
    };
    for (const [what, bytes] of Object.entries(faults)) {
      it(`${what} is not asked for again on grant, and the outcome is unknown ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
        await use(obligingDriver().on(paths.grant, () => bytes));
        const { message, details } = await driverError(grant());
        assert.match(
          message,
          say(/^DriverGrantBucketAccess: INTERNAL: the driver answered OK, but its reply .*\(1 attempt in /),
        );
        assert.equal(details.outcomeUnknown, true);
        assert.equal(calls(paths.grant).length, 1);
      });

      it(`${what} makes three attempts of a create`, async () => {
        await use(obligingDriver().on(paths.create, () => bytes));
        const { details } = await driverError(create());
        assert.equal(details.outcomeUnknown, true);
        assert.equal(calls(paths.create).length, 3);
      });
    }

    const ok = { "grpc-status": "0" };
    const message = Buffer.from(answers.created("b1") as Uint8Array);
    const large = Buffer.alloc(4 * 1024 * 1024 + 1, 0x0a);
    const compressed = (encoding: string, bytes: Uint8Array): HttpAnswer => ({
      headers: { "content-type": "application/grpc", "grpc-encoding": encoding },
      body: framed(bytes, true),
    });
    // All that grpc-js says of an OK that it could not read, and what makes it say so.
    for (const [what, answer, text] of [
      ["that is not there at all [OS1-090]", {}, /No message received/],
      ["that ends within its frame", { body: framed(message).subarray(0, -1) }, /No message received/],
      ["of more than 4 MiB", { body: framed(large).subarray(0, 100) }, /Received message larger than max /],
      [
        "compressed, over 4 MiB when unpacked",
        compressed("gzip", zlib.gzipSync(large)),
        /Received message that decompresses to a size larger than /,
      ],
      [
        "deflated, over 4 MiB when unpacked",
        compressed("deflate", zlib.deflateSync(large)),
        /Received message that decompresses to a size larger than /,
      ],
      ["that is no gzip", compressed("gzip", message), /Failed to decompress gzip/],
      ["whose gzip ends early", compressed("gzip", zlib.gzipSync(message).subarray(0, -4)), /Failed to/],
      ["that is not deflated", compressed("deflate", message), /Failed to decompress deflate/],
      ["compressed and said not to be", compressed("identity", message), /in an unknown compression/],
      ["compressed by a method of nobody", compressed("br", message), /in an unknown compression/],
    ] as const satisfies readonly (readonly [string, HttpAnswer, RegExp])[]) {
      it(`${what}, is the driver's fault after its work, for all that grpc-js calls it ${ids("[GRPC-079]", "[DEP-065]")}`, async () => {
        await useFront(() => ({ ...answer, trailers: ok }));
        for (const [call, path, attempts] of [
          [grant, paths.grant, 1],
          [create, paths.create, 3],
        ] as const) {
          const { message: said, details, code } = await driverError(call());
          assert.match(said, /INTERNAL: the driver answered OK, but its reply cannot be read: /);
          assert.match(said, text);
          assert.match(said, /Next: have the driver fixed/);
          assert.deepEqual([code, details.outcomeUnknown], [status.INTERNAL, true]);
          assert.equal(front?.paths.filter((asked) => asked === onWire(path)).length, attempts);
        }
      });
    }
  });

  describe("an error whose text is longer than HTTP/2 takes", () => {
    const refused = (length: number): Answer => ({
      code: status.FAILED_PRECONDITION,
      message: `not empty: ${"objects/2026/~{cat}.jpg, ".repeat(Math.ceil(length / 24))}`,
    });

    for (const length of [100_000, 2_000_000]) {
      it(`is named as such, after one attempt, and the outcome is unknown: ${length} bytes [GRPC-059] [GRPC-062] [GRPC-079]`, async () => {
        await use(obligingDriver().on(paths.delete, () => refused(length)));
        const call = connection.client.deleteBucket({ bucketId: "b1", context: {} }, target);
        const { message, details, code } = await driverError(call);
        assert.match(
          message,
          say(
            /^DriverDeleteBucket: INTERNAL: .* its code is lost: .* error text .* longer than 64 KB, .* \(1 att/,
          ),
        );
        assert.match(
          message,
          /Next: look into the driver's log for the error, have the driver shorten its text/,
        );
        assert.deepEqual([code, details.outcomeUnknown], [status.INTERNAL, true]);
        assert.equal(calls(paths.delete).length, 1);
      });
    }

    it("of DriverGetInfo is named after one attempt too", async () => {
      await use(obligingDriver().on(paths.getInfo, () => refused(100_000)));
      await assert.rejects(
        connection.identity(),
        /^DriverError: DriverGetInfo: INTERNAL: .* longer than 64 KB.*Next: look into the driver's log/,
      );
      assert.equal(calls(paths.getInfo).length, 1);
    });

    it("is no word to the calls that were under way beside it, which are made again [GRPC-079]", async () => {
      await use(
        obligingDriver()
          .on(paths.create, (_, earlier) => (earlier === 0 ? never : answers.created("b2")))
          .on(paths.delete, () => refused(100_000)),
      );
      const other = connection.client.createBucket(
        { name: "b2", parameters: {} },
        { ...target, bucket: "b2", subject: "bucket b2" },
      );
      await eventually("the other call is under way", () => calls(paths.create).length === 1);
      const failed = driverError(connection.client.deleteBucket({ bucketId: "b1", context: {} }, target));
      assert.equal((await other).reply.bucketId, "b2");
      const { message, details, code } = await failed;
      assert.match(message, /its code is lost: .* longer than 64 KB/);
      assert.deepEqual([code, details.outcomeUnknown], [status.INTERNAL, true]);
    });
  });

  describe("an answer without a gRPC status, from what stands between", () => {
    const page = Buffer.from("<html>no</html>");
    const statuses = [200, 302, 400, 401, 403, 404, 429, 500, 502, 503, 504];

    it(`is not the driver's word, whatever its HTTP status: it is asked again ${ids("[GRPC-053] [GRPC-078]", "[DEP-048] [DEP-065]")}`, async () => {
      await useFront((_path, earlier) => {
        const code = [401, 403, 404, 504][earlier];
        return code === undefined ? undefined : httpError(code);
      });
      const { reply, repeatedAfterUnknown } = await create();
      assert.deepEqual([reply.bucketId, repeatedAfterUnknown], ["b1", true]);
      assert.equal(calls(paths.create).length, 1);
    });

    for (const code of statuses) {
      it(`of HTTP ${code} leaves the outcome unknown, and proves nothing ${ids("[GRPC-054]", "[DEP-049]")}`, async () => {
        await useFront(() => httpError(code), {
          retryBudgetSeconds: 0.7,
          firstRetryDelayMilliseconds: 300,
        });
        for (const call of [create, grant]) {
          const error = await driverError(call());
          assert.match(
            error.message,
            new RegExp(
              `UNAVAILABLE: something between here and the driver answered HTTP ${code} in its place \\(`,
            ),
          );
          assert.match(error.message, /Next: check what is between here and the driver/);
          assert.equal(error.code, status.UNAVAILABLE);
          assert.equal(error.outcomeUnknown, true);
          assert.ok(error.details.attempts > 1, `${error.details.attempts} attempts`);
          assert.equal(provesNothingMade(error, { contract: contract.name }), false);
        }
        assert.deepEqual(driver.paths(), ["DriverGetInfo"]);
      });
    }

    it("does not tell which contract is served, when it comes to DriverGetInfo", async () => {
      let left = 3;
      await useFront(() => undefined);
      const pass = front;
      assert.ok(pass !== undefined);
      pass.at = () => (left-- > 0 ? httpError(404) : undefined);
      assert.equal((await connection.identity())?.name, driverName);
      await connection.close();
      left = Infinity;
      connection = new Connection({ ...settings(pass.endpoint), connectTimeoutSeconds: 0.2 });
      await assert.rejects(
        connection.identity(),
        /^DriverError: DriverGetInfo: UNAVAILABLE: .* answered HTTP 404 in its place.*Next: check what is between/,
      );
    });

    const httpError = (code: number): HttpAnswer => ({
      status: code,
      headers: { "content-type": "text/html" },
      // With HTTP 200, grpc-js takes a page for the frame of a large message.
      ...(code === 200 ? {} : { body: page }),
    });
  });
});

forEachContract("nextStep", (contract) => {
  const { say } = contract;
  const { words } = contractOf(contract.name);
  const all: readonly Verb[] = ["identify", "create", "delete", "grant", "revoke"];
  const made: readonly Verb[] = ["create", "grant"];

  for (const [code, verbs, text] of [
    [status.INVALID_ARGUMENT, made, /correct the argument that the driver names, then run the command again/],
    [
      status.ALREADY_EXISTS,
      made,
      say(/change the arguments back, choose another name, or take the (bucket|account) over by its id/),
    ],
    [status.PERMISSION_DENIED, all, /ask the store's administrator to grant this permission .*, then run/],
    [status.UNAUTHENTICATED, all, /correct or renew the secrets .*, then run/],
    [status.OUT_OF_RANGE, made, /choose another value .*, then run/],
    [status.NOT_FOUND, ["grant"], say(/bucket exists .* \(existingBucketId/)],
    [status.FAILED_PRECONDITION, ["delete"], say(/remove the objects in it\), then run/)],
    [status.ABORTED, all, say(/another call for this bucket is pending .*, then run/)],
    [status.RESOURCE_EXHAUSTED, all, /wait for capacity or raise the quota, then run/],
    [status.UNAVAILABLE, all, /check that the driver runs and reaches its store, then run/],
    [status.DEADLINE_EXCEEDED, all, /check that the driver runs .*callTimeoutSeconds/],
    [status.UNIMPLEMENTED, ["delete"], /set deletionPolicy to "Retain"/],
    [status.DATA_LOSS, all, /lost data: look at the store/],
    [99, all, /look at the driver's log, then run/],
  ] as const) {
    it(`of ${status[code] ?? code} says what to do`, () => {
      for (const verb of verbs) assert.match(nextStep(code, words, verb), text, verb);
    });
  }

  it("asks nobody to correct what the state keeps, or a call without arguments", () => {
    for (const code of [status.INVALID_ARGUMENT, status.OUT_OF_RANGE]) {
      for (const verb of ["delete", "revoke", "identify"] as const) {
        assert.doesNotMatch(nextStep(code, words, verb), /correct|choose/);
      }
    }
  });
});

async function driverError(call: Promise<unknown>): Promise<DriverError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof DriverError, String(error));
    return error;
  }
  throw new Error("the call did not fail");
}
