import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { isRecord } from "../../../provider/dynamic/values";
import type { KubernetesKind, KubernetesObject, ObjectReference } from "../../../provider/kubernetes/object";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import {
  modelWorlds,
  referenceOf,
  type Made,
  type MarkedObject,
  type World,
} from "../../support/faults/model-worlds";
import { assertEnded, type SmallStack } from "../../support/faults/small-stack";
import { Lifecycle, printed } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { cluster, stackId } from "../kubernetes/cluster";
import { owner } from "../kubernetes/objects";

const others = {
  "a stack that was made from the exported state": { [ownerAnnotation]: "organization/shop/copy" },
  "a stack of that name with another state": { [stackIdAnnotation]: "0b2f4f3c-6f2c-4d0e-9a57-0d2f6f0f7a11" },
};
const ours = { [ownerAnnotation]: owner, [stackIdAnnotation]: stackId };
const refused =
  /^\S+ \S+ belongs to (the stack organization\/shop\/copy|a stack organization\/shop\/test that has another state: .*); nothing was sent for it, and it stays as it is\. Next: if that stack has it now, with its data, drop the entry of this stack with pulumi state delete, or the whole of an old stack with pulumi stack rm --force, never with pulumi destroy\./;

/** Where an object of the state is. */
interface Marked {
  readonly kind: KubernetesKind;
  readonly reference: ObjectReference;
}

for (const api of modelWorlds) {
  const { model, start, objects, unasked } = api;
  describe(`objects of the recorded UID that another stack has marked since (${model})`, function () {
    this.timeout(180_000);
    let world: World;

    before(async () => {
      world = await start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    const markedOf = (made: Made, object: MarkedObject): Marked => ({
      kind: object.kind,
      reference: referenceOf(api, made, object),
    });
    const mark = async (marked: Marked, annotations: Record<string, string>): Promise<KubernetesObject> =>
      (await cluster()).client.patch(marked.kind, marked.reference, { metadata: { annotations } });

    for (const [whose, marks] of Object.entries(others)) {
      for (const object of objects) {
        const { kind, stopsAt, sent } = object;
        it(`${kind.kind} of ${whose}: a destroy stops before the call, nothing is lost, and it ends where that gives it back`, async () => {
          const made = await world.make();
          assertEnded(await made.stack.up());
          const { buckets, accounts } = world.driver;
          const before = [buckets.size, accounts.size - (sent.includes("revoke") ? 1 : 0)];
          world.driver.forget();
          const marked = markedOf(made, object);
          const theirs = await mark(marked, marks);
          const { stoppedAt, message } = await made.stack.destroy();
          assert.deepEqual([stoppedAt, world.driver.rpcs()], [stopsAt, sent], message);
          assert.match(message, refused);
          assert.ok(message.startsWith(`${kind.kind} `), message);
          assert.deepEqual([buckets.size, accounts.size], before);
          const left = await (await cluster()).client.get(kind, marked.reference);
          assert.equal(left?.metadata.deletionTimestamp, undefined);
          // An access that is ours, and ends before, takes off only what it has put on.
          const [protection, ...ofAccess] = theirs.metadata.finalizers ?? [];
          const kept = [protection, ...(sent.length === 0 ? ofAccess : [])];
          assert.deepEqual(left?.metadata.finalizers, kept);
          await mark(marked, ours);
          assertEnded(await made.stack.destroy());
          await world.assertNothingLeft(made);
        });
      }

      it(`of ${whose}: each resource refuses its own delete, whichever a destroy begins with`, async () => {
        const made = await world.make();
        assertEnded(await made.stack.up());
        world.driver.forget();
        const all = objects.map((object) => markedOf(made, object));
        for (const object of all) await mark(object, marks);
        const asked: string[] = [];
        for (const { name, provider } of made.stack.resources()) {
          if (name === "driver" || unasked.includes(name) || !isRecord(provider) || !("read" in provider))
            continue;
          asked.push(name);
          await closeConnections();
          beginRun();
          await printed(() =>
            assert.rejects(deleted(made.stack, name, provider), ({ message }: Error) => {
              assert.match(message, refused, name);
              return true;
            }),
          );
        }
        assert.ok(asked.length >= 4, asked.join());
        assert.deepEqual(world.driver.rpcs(), []);
        for (const object of all) await mark(object, ours);
        assertEnded(await made.stack.destroy());
        await world.assertNothingLeft(made);
      });
    }
  });
}

async function deleted(stack: SmallStack, name: string, provider: unknown): Promise<void> {
  await new Lifecycle(provider).delete(stack.outputs(name), stack.id(name));
}
