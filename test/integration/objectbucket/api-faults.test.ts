import assert from "node:assert/strict";
import { assertEnded } from "../../support/faults/small-stack";
import {
  claimCases,
  claimCommands,
  ClaimWorld,
  unknownBackend,
} from "../../support/objectbucket/claim-world";
import { stepsOf, whatOf, writesOf } from "../../support/objectbucket/claim-writes";
import {
  assertForbidden,
  assertLate,
  befallOnce,
  lateText,
  noteWrites,
  refuseOnce,
  textOf,
} from "../../support/faults/write-faults";

/**
 * What follows a run that was not told that a write is done. What the state does not know, and the claim's marks do, is for
 * an up to take up; a destroy before it says so.
 */
function nextOfUnanswered(what: string): "a destroy after it" | "an up, and then a destroy," {
  const unknown = ["the claim", "the mark of the create", "the mark of the grant"];
  return unknown.includes(what) ? "an up, and then a destroy," : "a destroy after it";
}

for (const claimCase of ["greenfield", "brownfield", "bucket with account"] as const) {
  describe(`an API server that fails once (objectbucket.io/v1alpha1, ${claimCase})`, function () {
    this.timeout(180_000);
    let world: ClaimWorld;

    before(async () => {
      world = await ClaimWorld.start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    const refuse = (request: RegExp): (() => void) => refuseOnce(world.api, request);

    const hang = (request: RegExp): (() => void) =>
      befallOnce(world.api, request, "after", () => world.never());

    it("has one rule below for every write that there is, and they come in this order [OBC-061] [OBC-083]", async () => {
      const written: string[] = [];
      noteWrites(world.api, written);
      world.called = (rpc) => written.push(`call ${rpc}`);
      const made = await world.stack(claimCase);
      for (const command of claimCommands) {
        written.length = 0;
        world.forget();
        if (command === "update") world.edit(made);
        assertEnded(await world.run(made, command));
        const steps = stepsOf(command, claimCase);
        const rules = written.map((text) =>
          steps.filter((step) => (typeof step === "string" ? step === text : step[1].test(text))).map(whatOf),
        );
        assert.deepEqual(
          rules,
          steps.map((step) => [whatOf(step)]),
          command,
        );
        if (command !== "destroy") await world.assertBound(made);
      }
      await world.assertNothingLeft(made);
    });

    for (const command of claimCommands) {
      it(`that refuses, on ${command}: the run stops with the server's words before the next call, and the same again goes on${command === "up" ? " [OBC-106]" : ""}`, async () => {
        const made = await world.claimFor(claimCase, command);
        for (const { what, request, stopsAt, sent } of writesOf(command, claimCase)) {
          world.forget();
          const passed = refuse(request);
          assertForbidden(await world.run(made, command), stopsAt, what);
          passed();
          assertNoneBeyond(sent, what);
        }
        assertEnded(await world.run(made, command));
        await world.assertDone(made, command);
      });

      it(`that does what it is asked and does not answer, on ${command}: the run stops, and the same again goes on`, async () => {
        const made = await world.claimFor(claimCase, command);
        for (const { what, request, stopsAt, sent } of writesOf(command, claimCase)) {
          world.forget();
          const passed = hang(request);
          assertLate(await world.run(made, command), stopsAt, what);
          passed();
          assertNoneBeyond(sent, what);
        }
        assertEnded(await world.run(made, command));
        await world.assertDone(made, command);
      });

      it(`that does not answer what is read, on ${command}: the run stops, and the same again goes on`, async () => {
        const made = await world.claimFor(claimCase, command);
        for (let late = 0, ended = false; !ended; late += 1) {
          let reads = 0;
          world.api.atRead = () => {
            reads += 1;
            return reads === late + 1 ? world.never() : undefined;
          };
          const result = await world.run(made, command);
          world.api.atRead = () => undefined;
          ended = reads <= late;
          if (ended) assertEnded(result);
          else assert.match(result.message, lateText, `read ${late}`);
        }
        await world.assertDone(made, command);
      });
    }

    it("that refuses, on a destroy before its call: a refresh and an up bind all again, without a call", async () => {
      const made = await world.claimFor(claimCase, "destroy");
      world.forget();
      for (const { what, request, stopsAt, sent } of writesOf("destroy", claimCase)) {
        if (sent.length > 0) break;
        const passed = refuse(request);
        assertForbidden(await made.stack.destroy(), stopsAt, what);
        passed();
        assertEnded(await made.stack.refresh(), what);
        assertEnded(await made.stack.up(), what);
        await world.assertBound(made);
      }
      assert.deepEqual(world.rpcs(), []);
      assertEnded(await made.stack.destroy());
      await world.assertNothingLeft(made);
    });

    for (const stage of ["before", "after"] as const) {
      it(`that cuts the connection ${stage} every write's effect: nobody is stopped, and nothing is done twice`, async () => {
        const made = await world.stack(claimCase);
        for (const command of claimCommands) {
          const waiting = new Set(writesOf(command, claimCase).map(({ request }) => request));
          world.api.at = (point) => {
            const request = [...waiting].find((each) => point.stage === stage && each.test(textOf(point)));
            if (request === undefined) return undefined;
            waiting.delete(request);
            return Promise.reject(new Error("the connection is cut"));
          };
          world.forget();
          if (command === "update") world.edit(made);
          assertEnded(await world.run(made, command));
          assert.equal(waiting.size, 0);
          assert.deepEqual(world.rpcs(), claimCases[claimCase][command]);
          if (command !== "destroy") await world.assertBound(made);
        }
        await world.assertNothingLeft(made);
      });
    }

    for (const { what, request, stopsAt } of writesOf("up", claimCase)) {
      it(`that refuses ${what}: a destroy after it leaves nothing`, async () => {
        const made = await world.stack(claimCase);
        const passed = refuse(request);
        assertForbidden(await made.stack.up(), stopsAt, what);
        passed();
        assertEnded(await made.stack.destroy());
        await world.assertNothingLeft(made);
      });

      const next = nextOfUnanswered(what);
      it(`that does not answer to ${what}: ${next} leaves nothing`, async () => {
        const made = await world.stack(claimCase);
        const passed = hang(request);
        assertLate(await made.stack.up(), stopsAt, what);
        passed();
        if (next !== "a destroy after it") {
          const { message } = await made.stack.destroy();
          if (what !== "the claim") assert.match(message, unknownBackend);
          assertEnded(await made.stack.up());
          await world.assertBound(made);
        }
        assertEnded(await made.stack.destroy());
        await world.assertNothingLeft(made);
      });
    }

    /** What a run before has done may be asked for once more; nothing is beyond it. */
    function assertNoneBeyond(sent: readonly string[], what: string): void {
      const calls = world.rpcs().map((rpc) => `call ${rpc}`);
      assert.ok(
        calls.every((call) => sent.includes(call)),
        `${what}: ${calls.join()}`,
      );
    }
  });
}
