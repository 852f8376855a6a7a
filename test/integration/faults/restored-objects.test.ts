import assert from "node:assert/strict";
import { deniedText, deny } from "../../support/faults/denying-policy";
import { modelWorlds, referenceOf, type World } from "../../support/faults/model-worlds";
import { restoreFromBackup } from "../../support/faults/restored";
import { assertEnded } from "../../support/faults/small-stack";
import { cluster } from "../kubernetes/cluster";

for (const api of modelWorlds) {
  const { model, start, objects } = api;
  describe(`objects that were restored from a backup, with our marks and finalizers and other UIDs (${model})`, function () {
    this.timeout(180_000);
    let world: World;

    before(async () => {
      world = await start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    for (const object of objects) {
      it(`${object.kind.kind}: a destroy ends, and is not held by a finalizer of ours`, async () => {
        const made = await world.make();
        assertEnded(await made.stack.up());
        const { client } = await cluster();
        const reference = referenceOf(api, made, object);
        await restoreFromBackup(client, object.kind, reference);
        assertEnded(await made.stack.destroy());
        await world.assertNothingLeft(made);
        assert.equal(await client.get(object.kind, reference), undefined);
      });

      it(`${object.kind.kind}: where a policy denies its deletion, a destroy stops before the call`, async () => {
        const made = await world.make();
        assertEnded(await made.stack.up());
        const { client } = await cluster();
        const reference = referenceOf(api, made, object);
        await restoreFromBackup(client, object.kind, reference);
        world.driver.forget();
        const lift = await deny(client, "DELETE", object.kind, reference);
        try {
          const { message } = await made.stack.destroy();
          assert.match(message, /^no call was sent for it, .*: delete \S+ \S+: 403 Forbidden: /);
          assert.ok(message.includes(deniedText), message);
          assert.deepEqual(world.driver.rpcs(), object.sent);
        } finally {
          await lift();
        }
        assertEnded(await made.stack.destroy());
        await world.assertNothingLeft(made);
      });
    }

    it("all of them: a destroy ends, with nothing left", async () => {
      const made = await world.make();
      assertEnded(await made.stack.up());
      const { client } = await cluster();
      for (const object of objects)
        await restoreFromBackup(client, object.kind, referenceOf(api, made, object));
      assertEnded(await made.stack.destroy());
      await world.assertNothingLeft(made);
    });
  });
}
