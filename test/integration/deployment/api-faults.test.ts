import assert from "node:assert/strict";
import {
  requestCases,
  requestCommands,
  RequestWorld,
  type RequestCase,
  type RequestCommand,
} from "../../support/deployment/request-world";
import type { Refusal } from "../../support/faults/api-proxy";
import { assertEnded, type RunResult } from "../../support/faults/small-stack";
import type { Rpc } from "../../support/workflows/storing-driver";
import {
  assertForbidden,
  assertLate,
  befallOnce,
  noteWrites,
  refuseOnce,
  textOf,
} from "../../support/faults/write-faults";

/** A write of the workflow: what it is of, the request, and the resource at which a run ends that it is refused. */
type Write = readonly [what: string, request: RegExp, stopsAt: string];

/** A call of the driver, between writes. */
type Call = `call ${Rpc}`;

const beginOfAccess: readonly (Write | Call)[] = [
  ["the access's finalizer", /^PATCH \S+\/deploymentaccesses\/rw .*"finalizers":\["/, "access"],
  ["that the Deployment is in use", /^PATCH \S+\/deployments\/\S+ .*\/protection","[^"]*\/in-use"/, "access"],
  "call grant",
  [
    "the account in the access's status",
    /^PATCH \S+\/deploymentaccesses\/rw\/status .*"accountID":"/,
    "access",
  ],
  ["the Secret", /^POST \S+\/secrets /, "Secret"],
  ["that access is granted", /^PATCH \S+\/deploymentaccesses\/rw\/status .*"accessGranted":true/, "Secret"],
];

const endOfAccess: readonly (Write | Call)[] = [
  [
    "that access is no longer granted",
    /^PATCH \S+\/deploymentaccesses\/rw\/status .*"status":\{"accessGranted":false/,
    "Secret",
  ],
  ["the Secret's finalizer", /^PATCH \S+\/secrets\/\S+ .*"finalizers":\[\]/, "Secret"],
  ["the Secret", /^DELETE \S+\/secrets\//, "Secret"],
  ["the mark of the revoke", /^PATCH \S+\/deploymentaccesses\/rw .*revoke-sent":"true"/, "access"],
  "call revoke",
  ["that there is no account", /^PATCH \S+\/deploymentaccesses\/rw\/status .*"accountID":null/, "access"],
  ["the access's finalizer", /^PATCH \S+\/deploymentaccesses\/rw .*"finalizers":\[\]/, "access"],
  [
    "that the Deployment is in use no more",
    /^PATCH \S+\/deployments\/\S+ .*"finalizers":\["[^"]*\/protection"\].*/,
    "access",
  ],
  ["the mark of the revoke that is done", /^PATCH \S+\/deploymentaccesses\/rw .*revoke-sent":null/, "access"],
];

const requestHeld: Write = [
  "the request's finalizer",
  /^PATCH \S+\/deploymentrequests\/orders .*"finalizers":\["/,
  "binding",
];
const requestReleased: Write = [
  "the request's finalizer",
  /^PATCH \S+\/deploymentrequests\/orders .*"finalizers":\[\]/,
  "binding",
];
const deploymentHeld: Write = [
  "the Deployment's finalizer",
  /^PATCH \S+\/deployments\/\S+ .*"finalizers":\["[^"]*\/protection"\]/,
  "deployment",
];
const deploymentReady: Write = [
  "the Deployment's status",
  /^PATCH \S+\/deployments\/\S+\/status .*"ready":true/,
  "deployment",
];
const deploymentReleased: Write = [
  "the Deployment's finalizer",
  /^PATCH \S+\/deployments\/\S+ .*"finalizers":\[\]/,
  "deployment",
];
const deploymentDeleted: Write = ["the Deployment", /^DELETE \S+\/deployments\/\S+ /, "binding"];
const requestReady = (stopsAt: string): Write => [
  "that the request is ready",
  /^PATCH \S+\/deploymentrequests\/orders\/status .*"ready":true/,
  stopsAt,
];

/** What a command writes and calls, in its order; custom resources aside, which are not ours to write. */
const commandSteps: Readonly<Record<RequestCase, Record<RequestCommand, readonly (Write | Call)[]>>> = {
  greenfield: {
    up: [
      requestHeld,
      ["the Deployment", /^POST \S+\/deployments /, "binding"],
      [
        "the Deployment's name in the request",
        /^PATCH \S+\/deploymentrequests\/orders\/status .*"ready":false/,
        "deployment",
      ],
      ["the mark of the create", /^PATCH \S+\/deployments\/\S+ .*create-sent":"/, "deployment"],
      "call create",
      deploymentReady,
      requestReady("deployment"),
      ...beginOfAccess,
    ],
    destroy: [...endOfAccess, "call delete", deploymentReleased, deploymentDeleted, requestReleased],
  },
  static: {
    up: [
      deploymentHeld,
      deploymentReady,
      requestHeld,
      ["the mark of the request", /^PATCH \S+\/deployments\/\S+ .*bound-claim":"/, "binding"],
      requestReady("binding"),
      ...beginOfAccess,
    ],
    destroy: [
      ...endOfAccess,
      ["the mark of the request", /^PATCH \S+\/deployments\/\S+ .*bound-claim":null/, "binding"],
      requestReleased,
      deploymentReleased,
    ],
  },
};

/** How a server says that it will do later what it is asked. */
const later: readonly Refusal[] = [
  { code: 429, reason: "TooManyRequests", message: "please try again later" },
  { code: 500, reason: "InternalError", message: "etcdserver: leader changed" },
];

const conflict: Refusal = {
  code: 409,
  reason: "Conflict",
  message: "Operation cannot be fulfilled: the object has been modified; please apply your changes",
};

for (const requestCase of ["greenfield", "static"] as const) {
  describe(`an API server that fails once (Deployment Interface, ${requestCase})`, function () {
    this.timeout(180_000);
    let world: RequestWorld;

    before(async () => {
      world = await RequestWorld.start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    const refuse = (request: RegExp): (() => void) => refuseOnce(world.api, request);
    const hang = (request: RegExp): (() => void) =>
      befallOnce(world.api, request, "after", () => world.never());

    it("has one rule below for every write that there is, and they come in this order [DEP-093]", async () => {
      const written: string[] = [];
      noteWrites(world.api, written);
      const off = world.driver.on("received", ({ rpc }) => {
        written.push(`call ${rpc}`);
        return Promise.resolve(undefined);
      });
      const made = await world.stack(requestCase);
      for (const command of requestCommands) {
        written.length = 0;
        assertEnded(await made.stack[command]());
        const steps = commandSteps[requestCase][command];
        const rules = written.map((text) =>
          steps.filter((step) => (typeof step === "string" ? step === text : step[1].test(text))).map(whatOf),
        );
        assert.deepEqual(
          rules,
          steps.map((step) => [whatOf(step)]),
          command,
        );
        if (command === "up") await world.assertGranted(made);
      }
      off();
      await world.assertNothingLeft(made);
    });

    for (const command of requestCommands) {
      it(`that refuses, on ${command}: the run stops with the server's words before the next call, and the same again goes on`, async () => {
        const made = await world.stackFor(requestCase, command);
        for (const { what, request, stopsAt, sent } of writesOf(requestCase, command)) {
          world.driver.forget();
          const passed = refuse(request);
          assertForbidden(await made.stack[command](), stopsAt, what);
          passed();
          assertNoneBeyond(sent, what);
        }
        assertEnded(await made.stack[command]());
        await world.assertDone(made, command);
      });

      it(`that does what it is asked and does not answer, on ${command}: the run stops, and the same again goes on`, async () => {
        const made = await world.stackFor(requestCase, command);
        for (const { what, request, stopsAt, sent } of writesOf(requestCase, command)) {
          world.driver.forget();
          const passed = hang(request);
          assertLate(await made.stack[command](), stopsAt, what);
          passed();
          assertNoneBeyond(sent, what);
        }
        assertEnded(await made.stack[command]());
        await world.assertDone(made, command);
      });

      it(`that says once that the object was changed meanwhile, on ${command}: what was read is read again, and else the same again goes on`, async () => {
        const made = await world.stackFor(requestCase, command);
        const waiting = new Set(writesOf(requestCase, command));
        for (let result: RunResult | undefined; result?.stoppedAt !== undefined || waiting.size > 0;) {
          let stopping: WriteAfterCalls | undefined;
          world.driver.forget();
          world.api.at = (point) => {
            const met = [...waiting].find(({ request }) => request.test(textOf(point)));
            if (met === undefined || point.stage === "after") return undefined;
            waiting.delete(met);
            if (!point.body.includes("resourceVersion")) stopping = met;
            return conflict;
          };
          result = await made.stack[command]();
          if (stopping === undefined) assertEnded(result);
          else assertConflict(result, stopping);
        }
        await world.assertDone(made, command);
      });
    }

    it("that refuses, on a destroy before its calls: a refresh and an up bind all again, without a call", async () => {
      const made = await world.stackFor(requestCase, "destroy");
      world.driver.forget();
      for (const { what, request, stopsAt, sent } of writesOf(requestCase, "destroy")) {
        if (sent.length > 0) break;
        const passed = refuse(request);
        assertForbidden(await made.stack.destroy(), stopsAt, what);
        passed();
        assertEnded(await made.stack.refresh(), what);
        assertEnded(await made.stack.up(), what);
        await world.assertGranted(made);
      }
      assert.deepEqual(world.driver.rpcs(), []);
      assertEnded(await made.stack.destroy());
      await world.assertNothingLeft(made);
    });

    for (const [what, stage, befall] of [
      ...later.map((refusal) => [`answers ${refusal.code} to`, "before", () => refusal] as const),
      ["cuts the connection before the effect of", "before", cut] as const,
      ["cuts the connection after the effect of", "after", cut] as const,
    ]) {
      it(`that ${what} every write once: nobody is stopped, and no call is made twice`, async () => {
        const made = await world.stack(requestCase);
        for (const command of requestCommands) {
          const waiting = new Set(writesOf(requestCase, command).map(({ request }) => request));
          world.api.at = (point) => {
            const request = [...waiting].find((each) => point.stage === stage && each.test(textOf(point)));
            if (request === undefined) return undefined;
            waiting.delete(request);
            return befall();
          };
          world.driver.forget();
          assertEnded(await made.stack[command]());
          assert.equal(waiting.size, 0);
          assert.deepEqual(world.driver.rpcs(), requestCases[requestCase][command]);
          await world.assertDone(made, command);
        }
      });
    }

    for (const { what, request, stopsAt } of writesOf(requestCase, "up")) {
      for (const [how, fail, assertStopped] of [
        ["refuses", refuse, assertForbidden],
        ["does not answer to", hang, assertLate],
      ] as const) {
        it(`that ${how} ${what}: a destroy after it leaves nothing`, async () => {
          const made = await world.stack(requestCase);
          const passed = fail(request);
          assertStopped(await made.stack.up(), stopsAt, what);
          passed();
          assertEnded(await made.stack.destroy());
          await world.assertNothingLeft(made);
        });
      }
    }

    /** What a run before has done may be asked for once more; nothing is beyond it. */
    function assertNoneBeyond(sent: readonly string[], what: string): void {
      const calls = world.driver.rpcs().map((rpc) => `call ${rpc}`);
      assert.ok(
        calls.every((call) => sent.includes(call)),
        `${what}: ${calls.join()}`,
      );
    }
  });
}

function cut(): Promise<never> {
  return Promise.reject(new Error("the connection is cut"));
}

function whatOf(step: Write | Call): string {
  return typeof step === "string" ? step : step[0];
}

/** A write, with the calls of the command that came before it. */
interface WriteAfterCalls {
  readonly what: string;
  readonly request: RegExp;
  readonly stopsAt: string;
  readonly sent: readonly string[];
}

function writesOf(requestCase: RequestCase, command: RequestCommand): WriteAfterCalls[] {
  const sent: string[] = [];
  return commandSteps[requestCase][command].flatMap((step) => {
    if (typeof step !== "string") {
      const [what, request, stopsAt] = step;
      return [{ what, request, stopsAt, sent: [...sent] }];
    }
    sent.push(step);
    return [];
  });
}

function assertConflict({ stoppedAt, message }: RunResult, { what, stopsAt }: WriteAfterCalls): void {
  assert.equal(stoppedAt, stopsAt, `${what}: ${message}`);
  assert.ok(message.includes(`: 409 Conflict: ${conflict.message}`), message);
  assert.match(message, /Next: \S/);
}
