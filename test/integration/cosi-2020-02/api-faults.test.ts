import assert from "node:assert/strict";
import { calledCases, FebruaryWorld, type CalledCase } from "../../support/cosi-2020-02/february-world";
import { assertEnded } from "../../support/faults/small-stack";
import { assertForbidden, noteWrites, refuseOnce, textOf } from "../../support/faults/write-faults";

/** A write of the workflow: what it is of, the request, and the resource at which a run ends that it is refused. */
type Write = readonly [what: string, request: RegExp, stopsAt: string];

/** What a command writes before its call and after it; the Bucket object aside, which is not ours to write. */
interface Writes {
  readonly before: readonly Write[];
  readonly after: readonly Write[];
}

const commandWrites: Readonly<Record<"up" | "destroy", Writes>> = {
  up: {
    before: [
      ["the finalizer of the Bucket", /^PATCH \S+\/buckets\/\S+ .*"finalizers":\["/, "content"],
      ["the Bucket's Pending", /^PATCH \S+\/buckets\/\S+\/status .*"Pending"/, "content"],
      ["the Bucket's label", /^PATCH \S+\/buckets\/\S+ .*"labels"/, "content"],
      ["the BucketContent", /^POST \S+\/bucketcontents .*"finalizers":\["/, "content"],
      ["the mark of the create", /^PATCH \S+\/bucketcontents\/\S+ .*create-sent":"/, "bucket"],
    ],
    after: [
      ["what the driver told of the bucket", /^PATCH \S+\/bucketcontents\/\S+ .*"protocolS3"/, "bucket"],
      ["the source of the Secret", /^POST \S+\/secrets .*"kind":"BucketContent"/, "source"],
      ["the name of the source", /^PATCH \S+\/bucketcontents\/\S+ .*"secretRef"/, "source"],
      ["the BucketContent's Ready", /^PATCH \S+\/bucketcontents\/\S+\/status .*"Ready"/, "source"],
      ["the Secret", /^POST \S+\/secrets .*"kind":"Bucket"/, "binding"],
      [
        "the BucketContent's name in the Bucket",
        /^PATCH \S+\/buckets\/\S+\/status .*"bucketContentName"/,
        "binding",
      ],
      ["the Bucket's name in the BucketContent", /^PATCH \S+\/bucketcontents\/\S+ .*"bucketRef"/, "binding"],
      ["the BucketContent's Bound", /^PATCH \S+\/bucketcontents\/\S+\/status .*"Bound"/, "binding"],
      ["the Bucket's Bound", /^PATCH \S+\/buckets\/\S+\/status .*"Bound"/, "binding"],
    ],
  },
  destroy: {
    before: [
      ["the Bucket's Deleting", /^PATCH \S+\/buckets\/\S+\/status .*"Deleting"/, "binding"],
      ["the BucketContent's Deleting", /^PATCH \S+\/bucketcontents\/\S+\/status .*"Deleting"/, "binding"],
      ["the Secret", /^DELETE \S+\/secrets\/photos-creds /, "binding"],
      ["the source of the Secret", /^DELETE \S+\/secrets\/gold-/, "source"],
      ["the mark of the end", /^PATCH \S+\/bucketcontents\/\S+ .*end-sent":"true"/, "bucket"],
    ],
    after: [
      ["the BucketContent's Released", /^PATCH \S+\/bucketcontents\/\S+\/status .*"Released"/, "bucket"],
      ["the finalizer of the BucketContent", /^PATCH \S+\/bucketcontents\/\S+ .*"finalizers":\[\]/, "bucket"],
      ["the BucketContent", /^DELETE \S+\/bucketcontents\//, "content"],
      ["the finalizer of the Bucket", /^PATCH \S+\/buckets\/\S+ .*"finalizers":\[\]/, "content"],
    ],
  },
};

for (const bucketCase of ["greenfield", "brownfield"] as const) {
  describe(`an API server that fails once (COSI proposal of 2020-02-27, ${bucketCase})`, function () {
    this.timeout(120_000);
    let world: FebruaryWorld;

    before(async () => {
      world = await FebruaryWorld.start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    const refuse = (request: RegExp): (() => void) => refuseOnce(world.api, request);

    it("has one rule below for every write that there is", async () => {
      const written: string[] = [];
      noteWrites(world.api, written);
      const { stack } = await world.stack(bucketCase);
      for (const command of ["up", "destroy"] as const) {
        written.length = 0;
        assertEnded(await stack[command]());
        const writes = all(command, bucketCase);
        const rules = written.map((text) =>
          writes.filter(({ request }) => request.test(text)).map(({ what }) => what),
        );
        assert.deepEqual(
          rules,
          writes.map(({ what }) => [what]),
          command,
        );
      }
    });

    for (const command of ["up", "destroy"] as const) {
      it(`that refuses, on ${command}: the run stops with the server's words before the next call, and the same again goes on [K02-010]`, async () => {
        const made = await world.stack(bucketCase);
        if (command === "destroy") assertEnded(await made.stack.up());
        for (const { what, request, stopsAt, sent } of all(command, bucketCase)) {
          world.driver.forget();
          const passed = refuse(request);
          assertForbidden(await made.stack[command](), stopsAt, what);
          passed();
          // What a run before has done may be asked for once more; nothing is beyond it.
          const rpcs = world.driver.rpcs();
          assert.ok(
            rpcs.every((rpc) => rpc === sent),
            `${what}: ${rpcs.join()}`,
          );
        }
        assertEnded(await made.stack[command]());
        if (command === "up") {
          await world.assertBound(made);
          assertEnded(await made.stack.destroy());
        }
        await world.assertNothingLeft(made);
      });
    }

    it("that refuses, on a destroy before its call: a refresh and an up bind all again, without a call", async () => {
      const made = await world.stack(bucketCase);
      assertEnded(await made.stack.up());
      world.driver.forget();
      for (const { what, request, stopsAt, sent } of all("destroy", bucketCase)) {
        if (sent !== undefined) break;
        const passed = refuse(request);
        assertForbidden(await made.stack.destroy(), stopsAt, what);
        passed();
        assertEnded(await made.stack.refresh(), what);
        assertEnded(await made.stack.up(), what);
        await world.assertBound(made);
      }
      assert.deepEqual(world.driver.rpcs(), []);
      assertEnded(await made.stack.destroy());
      await world.assertNothingLeft(made);
    });

    for (const stage of ["before", "after"] as const) {
      it(`that cuts the connection ${stage} every write's effect: nobody is stopped, and nothing is done twice`, async () => {
        const made = await world.stack(bucketCase);
        for (const command of ["up", "destroy"] as const) {
          const waiting = new Set(all(command, bucketCase).map(({ request }) => request));
          world.api.at = (point) => {
            const request = [...waiting].find((each) => point.stage === stage && each.test(textOf(point)));
            if (request === undefined) return undefined;
            waiting.delete(request);
            return Promise.reject(new Error("the connection is cut"));
          };
          assertEnded(await made.stack[command]());
          assert.equal(waiting.size, 0);
          if (command === "up") await world.assertBound(made);
        }
        const { begin, end } = calledCases[bucketCase];
        assert.deepEqual(world.driver.rpcs(), [begin, end]);
        await world.assertNothingLeft(made);
      });
    }

    for (const { what, request, stopsAt } of all("up", bucketCase)) {
      it(`that refuses ${what}: a destroy after it leaves nothing [K02-117]`, async () => {
        const made = await world.stack(bucketCase);
        const passed = refuse(request);
        assertForbidden(await made.stack.up(), stopsAt, what);
        passed();
        assertEnded(await made.stack.destroy());
        await world.assertNothingLeft(made);
      });
    }
  });
}

/** A write, with the call of the command that came before it. */
interface WriteAfterCall {
  readonly what: string;
  readonly request: RegExp;
  readonly stopsAt: string;
  readonly sent: string | undefined;
}

function all(command: "up" | "destroy", bucketCase: CalledCase): WriteAfterCall[] {
  const { begin, end } = calledCases[bucketCase];
  const { before, after } = commandWrites[command];
  const withCall = (writes: readonly Write[], sent?: string): WriteAfterCall[] =>
    writes.map(([what, request, stopsAt]) => ({ what, request, stopsAt, sent }));
  return [...withCall(before), ...withCall(after, command === "up" ? begin : end)];
}
