import { accountsOfRun, bucketsOfRun } from "../../provider/run/run-ownership";

/** A run of `pulumi` begins with a new host process, which knows nothing of the last; tests share one process. */
export function beginRun(): void {
  bucketsOfRun.clear();
  accountsOfRun.clear();
}
