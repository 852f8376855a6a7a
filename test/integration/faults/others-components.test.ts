import assert from "node:assert/strict";
import { resourceAnnotation } from "../../../provider/kubernetes/ownership";
import { modelWorlds, referenceOf, type World } from "../../support/faults/model-worlds";
import { restoreFromBackup } from "../../support/faults/restored";
import { assertEnded } from "../../support/faults/small-stack";
import { cluster } from "../kubernetes/cluster";

const renamed = "example:Component::renamed";

for (const api of modelWorlds) {
  const { model, start, objects } = api;
  const claim = objects.at(-1) ?? assert.fail("no claim");
  const { kind } = claim;

  describe(`a ${kind.kind} that another component of the stack has made after ours was removed (${model})`, function () {
    this.timeout(180_000);
    let world: World;

    before(async () => {
      world = await start();
    });

    after(() => world.stop());

    it("stays as it is when our entry goes, and only a model that goes by the name refuses", async () => {
      const made = await world.make();
      assertEnded(await made.stack.up());
      const { client } = await cluster();
      const reference = referenceOf(api, made, claim);
      const resource = (await client.get(kind, reference))?.metadata.annotations?.[resourceAnnotation];
      await restoreFromBackup(client, kind, reference);
      const mark = (name: string | null) =>
        client.patch(kind, reference, { metadata: { annotations: { [resourceAnnotation]: name } } });
      const { metadata } = await mark(renamed);

      const result = await made.stack.destroy();
      const left = await client.get(kind, reference);
      assert.deepEqual(
        [left?.metadata.uid, left?.metadata.finalizers, left?.metadata.deletionTimestamp],
        [metadata.uid, metadata.finalizers, undefined],
      );
      if (model.startsWith("objectbucket")) {
        assertEnded(result);
        await client.patch(kind, reference, { metadata: { finalizers: null } });
        await client.delete(kind, reference);
      } else {
        assert.ok(result.message.includes(`it was made by the resource "${renamed}"`), result.message);
        await mark(resource ?? null);
        assertEnded(await made.stack.destroy());
      }
      await world.assertNothingLeft(made);
    });
  });
}
