import type { ContractName, UnaryMethod } from "../../contracts/contract";
import { contractOf } from "../../contracts/registry";
import type { DriverOutput } from "../process/driver-output";
import type { Failure } from "./failure";
import { nextInOutput, nextStep } from "./next-step";

/** An error is no log: what a driver wrote about other calls would hide what it wrote about this one. */
const shownLines = 5;

/**
 * The failure of a call with what the driver wrote last, where the next step is to look at the driver's log: a driver that
 * was started for the run has no other log (GRPC-062, GRPC-115).
 *
 * @param output That of the driver. @default it was not started, and has a log of its own
 */
export async function withOutput(
  failure: Failure,
  { verb }: Pick<UnaryMethod<never, unknown>, "verb">,
  contract: ContractName,
  output?: DriverOutput,
): Promise<Failure> {
  const { code, reason, undecodable, reading } = failure;
  if (output === undefined || undecodable || reading?.done !== undefined) return failure;
  const step = failure.next ?? reading?.next ?? nextStep(code, contractOf(contract).words, verb);
  if (nextInOutput(step, []) === undefined) return failure;
  const lines = (await output.lastLines()).slice(-shownLines);
  const next = nextInOutput(step, lines) ?? step;
  if (lines.length === 0) return { ...failure, next };
  const said = reason === "" ? "the driver gave no reason" : reason;
  return { ...failure, next, reason: [`${said}; it wrote last:`, ...lines].join("\n") };
}
