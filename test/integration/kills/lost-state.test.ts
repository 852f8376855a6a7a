import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { Cluster } from "../../support/end-to-end/cluster";
import { destroyArgs, upArgs } from "../../support/kills/commands";
import { differences } from "../../support/kills/difference";
import type { Dump } from "../../support/kills/dump";
import { Lane } from "../../support/kills/lane";
import { subjects } from "../../support/kills/subjects";

for (const subject of subjects) {
  describe(`a stack that lost its state, and is told the id that its objects carry (${subject.name})`, function () {
    this.timeout(600_000);
    let cluster: Cluster;
    let lane: Lane;
    let whole: Dump;

    before(async () => {
      cluster = await Cluster.start({ controllerManager: false });
      const kubernetes = { kubeconfig: cluster.plane.kubeconfig };
      await definitions.create({ kubernetes, model: subject.model, owner: "organization/base/test" });
      lane = await Lane.start(subject, cluster);
      await lane.stack.succeed(upArgs);
      whole = await lane.dump();
      await lane.loseState();
    });

    after(async () => {
      await lane.stop();
      await cluster.stop();
    });

    it("has all again by the next up, and needs the id no more", async () => {
      const refusal = await lane.stack.fail(upArgs);
      const [stackId] = /(?<=install\(\{ )stackId: "[-0-9a-f]{36}"(?= \}\))/.exec(refusal) ?? [];
      assert.ok(stackId !== undefined, refusal);
      const source = fs.readFileSync(path.join(lane.stack.folder, "index.ts"), "utf8");
      lane.stack.write(
        source.includes(".install({")
          ? source.replace(".install({", `.install({ ${stackId}, `)
          : `import { ${subject.module} as own } from "pulumi-cosi";\nown.install({ ${stackId} });\n${source}`,
      );
      await lane.stack.succeed(upArgs);
      await lane.stack.succeed(["preview", "--expect-no-changes"]);
      lane.stack.write(source);
      await lane.stack.succeed(upArgs);
      await lane.stack.succeed(["preview", "--expect-no-changes"]);
      assert.deepEqual(differences(await lane.dump(), whole), []);
    });

    it("leaves nothing when it is destroyed then, as where no state was lost", async () => {
      await lane.stack.succeed(destroyArgs);
      const { objects, store } = await lane.dump();
      assert.deepEqual([objects, store], [[], { buckets: [], usersWithoutAccess: [], accounts: [] }]);
    });
  });
}
