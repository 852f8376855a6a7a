import { quickProgram } from "../../end-to-end/program";
import { OwnTemporaryFolder } from "../../end-to-end/leftovers";
import type { RecordingDriver } from "../../workflows/recorded-workflow";
import type { Rpc } from "../../workflows/storing-fake";
import { Stack } from "../../stack";
import { upArgs } from "../commands";
import { KillableCommand } from "../killable-command";

/** A program whose driver is a fake: its commands are killed at calls of which the fake knows. */
export class KillableProgram {
  private constructor(
    readonly stack: Stack,
    private readonly driver: Pick<RecordingDriver, "on">,
    private readonly temporary: OwnTemporaryFolder,
  ) {}

  static async create(
    source: string,
    driver: Pick<RecordingDriver, "on">,
    kubeconfigPath: string,
  ): Promise<KillableProgram> {
    const temporary = await OwnTemporaryFolder.create();
    const variables = { ...temporary.variables, ...quickProgram, KUBECONFIG: kubeconfigPath };
    return new KillableProgram(await Stack.create({ source }, variables), driver, temporary);
  }

  /** Runs a command, and ends everything of it once a call has had its effect, before its reply. */
  async killAfter(rpc: Rpc, args = upArgs): Promise<void> {
    const command = new KillableCommand(this.stack, args, this.temporary);
    const killed = new Set<Rpc>();
    const off = this.driver.on("done", (call) => {
      if (call.rpc === rpc) {
        killed.add(rpc);
        command.killAll();
      }
      return Promise.resolve(undefined);
    });
    const { text } = await command.ended;
    off();
    if (killed.size === 0) throw new Error(`the call ${rpc} did not come:\n${text}`);
    await command.hostEnded();
    // Plugins of Pulumi's own outlive a killed CLI, and the lock of its state too.
    command.killAll();
    await this.stack.run(["cancel", "--yes"]);
  }

  async remove(): Promise<void> {
    await this.stack.remove();
    await this.temporary.remove();
  }
}
