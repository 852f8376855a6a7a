import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { DriverCreateBucketRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { diagnostics, hasStackTrace } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver, type Meanwhile, type ProvisionerCall } from "../../support/end-to-end/watched-driver";
import type { Answer } from "../../support/fake-driver";
import { Stack } from "../../support/stack";

const oldToken = "old-t0ken-of-the-store";
const newToken = "new-t0ken-of-the-store";

/** FIXED in its environment says that the user has corrected the program. */
const program = (endpoint: string): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
const fixed = process.env["FIXED"] === "1";
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(endpoint)},
  callTimeoutSeconds: 1, retryBudgetSeconds: 2, firstRetryDelayMilliseconds: 50,
});
const make = (name: string, args: { name?: string; parameters?: Record<string, pulumi.Input<string>> } = {}) =>
  new cosi.Bucket(name, { driver, name, deletionPolicy: "Delete", ...args });
const good = make("good");
make("invalid", { parameters: { quota: fixed ? "10" : "ten" } });
make("range", { parameters: { quota: fixed ? "10" : "1000000" } });
make("login", { parameters: { token: pulumi.secret(fixed ? "${newToken}" : "${oldToken}") } });
make("taken", { name: fixed ? "taken-2" : "taken" });
const denied = make("denied");
for (const name of ["precondition", "lossy", "missing", "unoffered", "vague", "away", "silent"]) make(name);
for (const name of ["reader", "known", "garbled"]) new cosi.BucketAccess(name, { bucket: good, name });
new cosi.BucketAccess("waiting", { bucket: denied, name: "waiting" });
`;

const refused: Readonly<Record<string, Answer>> = {
  "create invalid": { code: status.INVALID_ARGUMENT, message: "quota: ten is no number" },
  "create range": { code: status.OUT_OF_RANGE, message: "quota: at most 1000" },
  "create login": { code: status.UNAUTHENTICATED, message: `the token ${oldToken} has expired` },
  "create taken": { code: status.ALREADY_EXISTS, message: "bucket taken has another owner" },
  "create denied": { code: status.PERMISSION_DENIED, message: "may not create buckets" },
  "create precondition": { code: status.FAILED_PRECONDITION, message: "the store is read-only" },
  "create lossy": { code: status.DATA_LOSS, message: "a disk is gone" },
  "create missing": { code: status.NOT_FOUND, message: "no pool ssd" },
  "create unoffered": { code: status.UNIMPLEMENTED, message: "not in this mode" },
  "create vague": { code: status.UNKNOWN, message: "something went wrong" },
  "create away": { code: status.UNAVAILABLE, message: "the store is down" },
  "grant good known": { code: status.ALREADY_EXISTS, message: "account known is there" },
  "grant good garbled": Buffer.from("ffffff", "hex"),
};

const text = ({ rpc, bucket, account }: ProvisionerCall): string =>
  [rpc, bucket, ...(account === undefined ? [] : [account])].join(" ");

const refusing: Meanwhile = (call) => {
  if (text(call) === "create silent") return new Promise(() => undefined);
  return Promise.resolve(refused[text(call)]);
};

describe("a driver that refuses, through the real CLI", function () {
  this.timeout(200_000);
  let driver: WatchedDriver;
  let stack: Stack;
  /** What the second run starts from. */
  let bodiesOfFirstRun: string[];

  const calls = (call: string): number =>
    driver.events.filter((event) => event === `received ${call}`).length;
  const entries = async (): Promise<string[]> =>
    (await stack.state()).resources
      .filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/cosi:"))
      .map(({ urn }) => urn.split("::").at(-1) ?? "")
      .sort();

  before(async () => {
    driver = await new WatchedDriver().start();
    stack = await Stack.create({ source: program(driver.fake.endpoint) }, quickProgram);
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  describe("at the first up", () => {
    let printed: string;

    before(async () => {
      driver.meanwhile = refusing;
      printed = await stack.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
      bodiesOfFirstRun = driver.fake.bodies("DriverCreateBucket");
    });

    for (const [what, call, code, words, next] of [
      [
        "INVALID_ARGUMENT [GRPC-064]",
        "create invalid",
        "INVALID_ARGUMENT",
        "quota: ten is no number",
        "correct the argument",
      ],
      [
        "OUT_OF_RANGE [GRPC-071]",
        "create range",
        "OUT_OF_RANGE",
        "quota: at most 1000",
        "choose another value",
      ],
      [
        "UNAUTHENTICATED [GRPC-069]",
        "create login",
        "UNAUTHENTICATED",
        "the token [secret] has expired",
        "correct or renew the secrets",
      ],
      [
        "PERMISSION_DENIED [GRPC-068]",
        "create denied",
        "PERMISSION_DENIED",
        "may not create buckets",
        "ask the store's administrator to grant this permission",
      ],
      [
        "FAILED_PRECONDITION [GRPC-076]",
        "create precondition",
        "FAILED_PRECONDITION",
        "the store is read-only",
        "bring the store",
      ],
      [
        "DATA_LOSS [GRPC-076]",
        "create lossy",
        "DATA_LOSS",
        "a disk is gone",
        "look at the store before anything else",
      ],
      [
        "NOT_FOUND on create [GRPC-076]",
        "create missing",
        "NOT_FOUND",
        "no pool ssd",
        "create what the driver finds missing",
      ],
      [
        "UNIMPLEMENTED [GRPC-073]",
        "create unoffered",
        "UNIMPLEMENTED",
        "not in this mode",
        "this driver does not offer the call",
      ],
      [
        "ALREADY_EXISTS on create [GRPC-066]",
        "create taken",
        "ALREADY_EXISTS",
        "bucket taken has another owner",
        "change the arguments back, choose another name, or take the bucket over by its id",
      ],
      [
        "ALREADY_EXISTS on grant [GRPC-066] [OS1-061]",
        "grant good known",
        "ALREADY_EXISTS",
        "account known is there",
        "change the arguments back, choose another name, or take the account over by its id",
      ],
    ] as const) {
      it(`makes one attempt after ${what}, and says what to do`, () => {
        assert.equal(calls(call), 1);
        const rpc = call.startsWith("grant") ? "DriverGrantBucketAccess" : "DriverCreateBucket";
        const [error = ""] = errorsWith(printed, `${rpc}: ${code}: ${words} [`);
        const [, todo = ""] = error.split(`driver fake.example.com at ${driver.fake.endpoint}]. Next: `);
        assert.ok(todo.includes(next), error);
        assert.equal(errorsWith(printed, words).length, 1, "it is said once");
      });
    }

    it("says of an account that exists that its keys cannot be read again [OS1-061]", () => {
      assert.match(errorsWith(printed, "account known is there").join(), /its keys cannot be read again/);
    });

    it("gives up a fault that does not pass, with attempts and time [GRPC-051] [GRPC-079] [OS1-063]", () => {
      assert.equal(calls("create vague"), 3);
      const [vague = ""] = errorsWith(printed, "something went wrong");
      assert.match(
        vague,
        /UNKNOWN: something went wrong \(3 attempts in \d+\.\d s\).*Next: look at the driver's log/,
      );
      const [away = ""] = errorsWith(printed, "the store is down");
      assert.ok(away.includes(`(${calls("create away")} attempts in `), away);
      assert.ok(calls("create away") > 2);
    });

    it("gives up a call that is never answered, and cancels it at the driver [GRPC-050]", () => {
      assert.equal(errorsWith(printed, "DriverCreateBucket: DEADLINE_EXCEEDED: ").length, 1);
      const silent = driver.fake.calls.filter(({ body }) => body.includes("silent"));
      assert.ok(silent.length > 0);
      assert.ok(silent.every(({ cancelled }) => cancelled));
    });

    it("does not repeat a grant whose reply it cannot read, and warns of its credential [GRPC-079]", () => {
      assert.equal(calls("grant good garbled"), 1);
      assert.match(
        printed,
        /warning: access garbled: .*a credential of it may be alive at the driver fake\.example\.com/,
      );
    });

    it("makes what does not depend on it, and nothing that does", () => {
      assert.equal(calls("grant good reader"), 1);
      assert.equal(calls("grant denied waiting"), 0);
    });

    it("keeps what is made, what may be made, and nothing else [GRPC-066] [CASE-U16]", async () => {
      assert.deepEqual(await entries(), ["away", "garbled", "good", "reader", "silent", "store", "vague"]);
    });

    it("shows neither a secret nor a stack trace [GRPC-069]", () => {
      for (const token of [oldToken, newToken]) assert.ok(!printed.includes(token));
      assert.ok(!hasStackTrace(printed), printed);
    });
  });

  describe("at the next up, with the cause mended", () => {
    let printed: string;

    before(async () => {
      driver.forget();
      driver.meanwhile = () => Promise.resolve(undefined);
      printed = await stack.up({ FIXED: "1" });
    });

    it("makes each bucket with one call, the corrected values in it [GRPC-064] [GRPC-068] [GRPC-069] [GRPC-071]", () => {
      const sent = Object.fromEntries(
        driver.fake.bodies("DriverCreateBucket").map((body) => {
          const request = DriverCreateBucketRequest.decode(Buffer.from(body, "hex"));
          return [request.name, Object.fromEntries(request.parameters)];
        }),
      );
      const names = [
        "precondition",
        "lossy",
        "missing",
        "unoffered",
        "vague",
        "away",
        "silent",
        "denied",
        "taken-2",
      ];
      assert.deepEqual(sent, {
        ...Object.fromEntries(names.map((name) => [name, {}])),
        invalid: { quota: "10" },
        range: { quota: "10" },
        login: { token: newToken },
      });
      assert.equal(driver.fake.bodies("DriverCreateBucket").length, names.length + 3);
    });

    it("repeats what had no known outcome with the same bytes [CASE-U16]", () => {
      const repeated = driver.fake
        .bodies("DriverCreateBucket")
        .filter((body) => bodiesOfFirstRun.includes(body));
      const names = repeated.map((body) => DriverCreateBucketRequest.decode(Buffer.from(body, "hex")).name);
      for (const name of ["vague", "away", "silent"]) assert.ok(names.includes(name), name);
    });

    it("grants each access once, and none that was granted before [OS1-064]", () => {
      for (const call of ["grant good known", "grant good garbled", "grant denied waiting"]) {
        assert.equal(calls(call), 1, call);
      }
      assert.equal(calls("grant good reader"), 0);
    });

    it("shows no secret", () => {
      for (const token of [oldToken, newToken]) assert.ok(!printed.includes(token));
    });
  });

  describe("at destroy", () => {
    it("keeps a bucket that the driver refuses to delete, and its driver, and says which and why [GRPC-076]", async () => {
      driver.forget();
      driver.meanwhile = ({ rpc, bucket }) => {
        if (rpc !== "delete" || (bucket !== "good" && bucket !== "lossy")) return Promise.resolve(undefined);
        const message = bucket === "good" ? "it holds 3 objects" : "a disk is gone";
        const code = bucket === "good" ? status.FAILED_PRECONDITION : status.DATA_LOSS;
        return Promise.resolve({ code, message });
      };
      const printed = await stack.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
      assert.match(
        errorsWith(printed, "it holds 3 objects").join(),
        /DriverDeleteBucket: FAILED_PRECONDITION: it holds 3 objects \[bucket good, driver .*Next: .*remove the objects in it/,
      );
      assert.match(
        errorsWith(printed, "a disk is gone").join(),
        /DATA_LOSS: a disk is gone \[bucket lossy, /,
      );
      assert.deepEqual([calls("delete good"), calls("delete lossy")], [1, 1]);
      assert.deepEqual(await entries(), ["good", "lossy", "store"]);
    });

    it("goes on when the bucket has been emptied, and leaves nothing [GRPC-076] [CASE-U16]", async () => {
      driver.forget();
      driver.meanwhile = () => Promise.resolve(undefined);
      await stack.destroy();
      assert.deepEqual(driver.events.filter((event) => event.startsWith("answered ")).sort(), [
        "answered delete good",
        "answered delete lossy",
      ]);
      assert.deepEqual((await stack.state()).resources, []);
    });
  });
});

/** The errors of a command that have these words in them; one of a resource that stays as failed is an entry of a list. */
function errorsWith(printed: string, words: string): string[] {
  return diagnostics(printed)
    .split("\n")
    .filter((line) => /^ {4}(error: |\t\* )/.test(line) && line.includes(words));
}
