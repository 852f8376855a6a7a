/**
 * The process that ends drivers if the one which started them is killed without notice: its standard input closes,
 * however that one ends. It reads the number of each process group that was started, behind a `-` where the group has
 * ended since, one a line; its argument is the folder that goes with them.
 */
import * as readline from "node:readline";
import { endGroup, removeFolder } from "./group";

const [, , folder = ""] = process.argv;
const running = new Set<number>();

async function endAll(): Promise<void> {
  await Promise.all([...running].map((pid) => endGroup({ pid, folder })));
  removeFolder(folder);
}

// Who ends the other one by a signal to all that it has started must not end this process with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const pid = Number(line);
    if (pid > 0) running.add(pid);
    else running.delete(-pid);
  })
  .on("close", () => void endAll());
