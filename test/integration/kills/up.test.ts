import assert from "node:assert/strict";
import { dumpWorld, type Dump } from "../../support/kills/dump";
import { KillableCommand, type Part } from "../../support/kills/killable-command";
import { World } from "../../support/kills/world";
import type { RpcName, RpcStage } from "../../support/faults/rpc-proxy";
import type { Stack } from "../../support/stack";

const upArguments = ["up", "--yes", "--skip-preview"];

/** A moment of a run: of a call, or of a write to the API server by what it writes. */
type Moment = { rpc: RpcName; stage: RpcStage } | { write: RegExp; stage: RpcStage };

/** Whose end it is. */
type Victim = "all" | Part | "driver";

/** Points in the words of a user, with where they are. */
const points: readonly [string, Moment, Victim][] = [
  ["everything before the create", { rpc: "create", stage: "before" }, "all"],
  ["everything after the create had its effect, before its reply", { rpc: "create", stage: "after" }, "all"],
  [
    "everything after the create's reply, before its status is written",
    { write: /PATCH .*\/buckets\/[^/]+\/status$/, stage: "before" },
    "all",
  ],
  [
    "everything between the status of Bucket and claim",
    { write: /PATCH .*\/bucketclaims\/[^/]+\/status$/, stage: "before" },
    "all",
  ],
  ["everything before the grant", { rpc: "grant", stage: "before" }, "all"],
  ["everything after the grant had its effect, before its reply", { rpc: "grant", stage: "after" }, "all"],
  [
    "everything after the account is in the access's status",
    { write: /PATCH .*\/bucketaccesses\/[^/]+\/status$/, stage: "after" },
    "all",
  ],
  ["everything before the Secret is written", { write: /POST .*\/secrets$/, stage: "before" }, "all"],
  ["everything after the Secret is written", { write: /POST .*\/secrets$/, stage: "after" }, "all"],
  ["the host alone after the create had its effect", { rpc: "create", stage: "after" }, "host"],
  ["the CLI alone after the grant had its effect", { rpc: "grant", stage: "after" }, "cli"],
  ["the driver alone after the create had its effect", { rpc: "create", stage: "after" }, "driver"],
];

describe("an up that is killed, and run again", function () {
  this.timeout(600_000);
  let world: World;
  let undisturbed: Dump;

  before(async () => {
    world = await World.start();
    const { stack, namespace } = await world.stack();
    await stack.up();
    undisturbed = renamed(
      await dumpWorld({ cluster: world.cluster, admin: world.admin, stack }, namespace),
      namespace,
    );
    await stack.destroy();
    await stack.remove();
  });

  after(async () => {
    await world.stop();
  });

  for (const [what, moment, victim] of points) {
    it(`ends as an undisturbed one when it was killed: ${what}`, async () => {
      const { stack, namespace } = await world.stack();
      try {
        await killedAt(stack, moment, victim);
        world.calm();
        if (victim === "driver") await world.startDriver();
        // The lock of a file backend stays behind a killed CLI.
        await stack.run(["cancel", "--yes"]);
        await stack.up();
        assert.deepEqual(
          renamed(
            await dumpWorld({ cluster: world.cluster, admin: world.admin, stack }, namespace),
            namespace,
          ),
          undisturbed,
        );
        await stack.destroy();
        const users = await world.admin.users();
        assert.deepEqual(
          users.filter((user) => user.startsWith("cosi-")),
          [],
        );
        assert.deepEqual((await world.cluster.objects(namespace)).sort(), []);
      } finally {
        world.calm();
        await stack.remove();
      }
    });
  }

  /** Runs `up` until the moment comes, and ends the victim then; what is under way at a proxy never goes on. */
  async function killedAt(stack: Stack, moment: Moment, victim: Victim): Promise<void> {
    const command = new KillableCommand(stack, upArguments, world.temporary);
    let met = false;
    const strike = async (): Promise<undefined> => {
      if (met) return undefined;
      met = true;
      if (victim === "all") command.killAll();
      else if (victim === "driver") await world.killDriver();
      else command.kill(victim);
      return undefined;
    };
    if ("rpc" in moment) {
      world.rpc.at = ({ rpc, stage }) =>
        rpc === moment.rpc && stage === moment.stage ? strike() : undefined;
    } else {
      world.api.at = ({ method, path, stage }) =>
        moment.write.test(`${method} ${path}`) && stage === moment.stage ? strike() : undefined;
    }
    await command.ended;
    assert.ok(met, "the moment did not come");
    await untilHostEnds(command);
    // Plugins of Pulumi's own outlive a killed CLI.
    command.killAll();
  }

  /** A host that was left alone ends by itself. */
  async function untilHostEnds(command: KillableCommand): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (command.hasHost()) {
      assert.ok(Date.now() < deadline, "the host outlives its engine");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
});

/** The dump as of a namespace of another name. */
function renamed(dump: Dump, namespace: string): Dump {
  return JSON.parse(JSON.stringify(dump).replaceAll(namespace, "namespace")) as Dump;
}
