import { status } from "@grpc/grpc-js";
import type { ContractWords, Verb } from "../../contracts/contract";

/** What to do, by what the call was for; `other` stands for the verbs that are not named. */
type Steps = Partial<Record<Verb, string>> & { readonly other: string };

const again = "then run the command again";
const log = "the driver's log";
const lookAtLog = `look at ${log}, ${again}`;
const lookAtDriver = `check that the driver runs and reaches its store, ${again}`;
/** Delete and revoke carry what the state keeps, and the driver's name is asked for without any argument. */
const nothingToCorrect = {
  delete: `the call carries what the state keeps of the create, so look for the reason in ${log}, ${again}`,
  revoke: `the call carries what the state keeps of the grant, so look for the reason in ${log}, ${again}`,
  identify: lookAtLog,
};

/** What to do in the words of a contract. */
const nextSteps = ({ object, content, properties }: ContractWords): ReadonlyMap<number, Steps> =>
  new Map<number, Steps>([
    [
      status.INVALID_ARGUMENT,
      {
        ...nothingToCorrect,
        other: `correct the argument that the driver names, ${again} (some drivers answer like this to a temporary fault: then just run it again)`,
      },
    ],
    [
      status.NOT_FOUND,
      {
        create: `create what the driver finds missing in its store, or correct the parameter that names it, ${again}`,
        grant:
          `check that the ${object} exists in the store under this id (${existingId(properties)}, if it was made elsewhere), ${again}; ` +
          `one of this stack that somebody deleted is made again by \`pulumi up --replace\` with its URN`,
        revoke: "check whether the account is still in the store",
        other: lookAtLog,
      },
    ],
    [
      status.ALREADY_EXISTS,
      {
        create: `the name is taken with other attributes: change the arguments back, choose another name, or take the ${object} over by its id (${existingId(properties)})`,
        grant:
          "the name is taken with other attributes: change the arguments back, choose another name, or take the account over by its id " +
          `and keys (existingAccount of an access), or remove it in the store, ${again}`,
        other: lookAtLog,
      },
    ],
    [
      status.PERMISSION_DENIED,
      {
        other: `ask the store's administrator to grant this permission to the driver's identity, ${again}`,
      },
    ],
    [
      status.UNAUTHENTICATED,
      { other: `correct or renew the secrets with which the driver logs in to its store, ${again}` },
    ],
    [
      status.FAILED_PRECONDITION,
      {
        delete: `bring the ${object} into the state that the driver asks for (as a rule: remove ${content}), ${again}`,
        identify: lookAtLog,
        other: `bring the store and the ${object} into the state that the driver asks for, ${again}`,
      },
    ],
    [
      status.OUT_OF_RANGE,
      { ...nothingToCorrect, other: `choose another value for the argument that the driver names, ${again}` },
    ],
    [
      status.UNIMPLEMENTED,
      {
        delete: `this driver deletes no ${object}s: set deletionPolicy to "Retain" with pulumi up, then destroy, and delete the ${object} in the store`,
        revoke:
          "this driver revokes no accesses: remove the account in the store, then drop the entry with pulumi state delete",
        other: "this driver does not offer the call: check which contract it serves, or use another driver",
      },
    ],
    [
      status.DATA_LOSS,
      {
        other: `the driver reports lost data: look at the store before anything else, ${again}`,
      },
    ],
    [
      status.ABORTED,
      {
        other: `another call for this ${object} is pending at the driver: wait until it has ended, ${again}`,
      },
    ],
    [status.RESOURCE_EXHAUSTED, { other: `wait for capacity or raise the quota, ${again}` }],
    [status.UNAVAILABLE, { other: lookAtDriver }],
    [
      status.DEADLINE_EXCEEDED,
      { other: `${lookAtDriver}; if the call needs longer, raise callTimeoutSeconds of the Driver` },
    ],
    [status.CANCELLED, { other: lookAtDriver }],
  ]);

function existingId({ existingBucketId = "existingBucketId" }: ContractWords["properties"]): string {
  return existingBucketId;
}

/**
 * What the user does about a code with which a call failed for good.
 *
 * @param verb What the call was for; without it the driver could not be reached, or did not say who it is.
 */
export function nextStep(code: number, words: ContractWords, verb: Verb = "identify"): string {
  const steps = nextSteps(words).get(code);
  return steps?.[verb] ?? steps?.other ?? lookAtLog;
}

/**
 * A step that sends the user to the driver's log, for a driver that was started for the run: its log is what it wrote.
 *
 * @param lines What it wrote last, which the error shows.
 * @returns `undefined` for a step that does not send there.
 */
export function nextInOutput(next: string, lines: readonly string[]): string | undefined {
  if (!next.includes(log)) return undefined;
  const output =
    lines.length > 0
      ? "what the driver wrote last, as shown here"
      : "the driver's output, which is empty: raise its log level by command or environment of the Driver";
  return next.replace(log, output);
}
