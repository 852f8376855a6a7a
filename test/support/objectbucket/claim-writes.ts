import type { Rpc } from "../workflows/storing-driver";
import { claimCases, type ClaimCase, type ClaimCommand } from "./claim-world";

/** A call of the driver, between writes. */
export type Call = `call ${Rpc}`;

/** A write: what it is of, the request, and the resource at which a run ends that it is refused. */
export type Write = readonly [what: string, request: RegExp, stopsAt: string];

/** What a command writes, with its calls between; of a case only those calls that it has. */
const commandSteps: Readonly<Record<ClaimCommand, readonly (Write | Call)[]>> = {
  up: [
    ["the claim", /^POST \S+\/objectbucketclaims /, "claim"],
    ["the bucket's name", /^PATCH \S+\/objectbucketclaims\/\S+ .*"bucketName"/, "claim"],
    ["the claim's Pending", /^PATCH \S+\/objectbucketclaims\/\S+\/status .*"Pending"/, "claim"],
    ["the mark of the create", /^PATCH \S+\/objectbucketclaims\/\S+ .*create-sent":"/, "bucket"],
    "call create",
    ["the mark of the grant", /^PATCH \S+\/objectbucketclaims\/\S+ .*cosi\/account":""/, "access"],
    "call grant",
    ["the account", /^PATCH \S+\/objectbucketclaims\/\S+ .*cosi\/account":"\w/, "access"],
    ["the Secret", /^POST \S+\/secrets /, "secret"],
    ["the ConfigMap", /^POST \S+\/configmaps /, "configMap"],
    ["the ObjectBucket", /^POST \S+\/objectbuckets /, "binding"],
    ["the ObjectBucket's Bound", /^PATCH \S+\/objectbuckets\/\S+\/status .*"Bound"/, "binding"],
    ["the ObjectBucket's name", /^PATCH \S+\/objectbucketclaims\/\S+ .*"objectBucketName"/, "binding"],
    ["the claim's Bound", /^PATCH \S+\/objectbucketclaims\/\S+\/status .*"Bound"/, "binding"],
  ],
  update: [
    ["the claim", /^PATCH \S+\/objectbucketclaims\/\S+ .*"note"/, "claim"],
    "call create",
    ["the Secret", /^PATCH \S+\/secrets\/\S+ .*"note"/, "secret"],
    ["the ConfigMap", /^PATCH \S+\/configmaps\/\S+ .*"note"/, "configMap"],
    ["the ObjectBucket", /^PATCH \S+\/objectbuckets\/\S+ .*"note"/, "binding"],
  ],
  destroy: [
    ["the ObjectBucket's Released", /^PATCH \S+\/objectbuckets\/\S+\/status .*"Released"/, "binding"],
    ["the claim's Released", /^PATCH \S+\/objectbucketclaims\/\S+\/status .*"Released"/, "binding"],
    ["the finalizer of the ConfigMap", /^PATCH \S+\/configmaps\/\S+ .*"finalizers":\[\]/, "configMap"],
    ["the ConfigMap", /^DELETE \S+\/configmaps\//, "configMap"],
    ["the finalizer of the Secret", /^PATCH \S+\/secrets\/\S+ .*"finalizers":\[\]/, "secret"],
    ["the Secret", /^DELETE \S+\/secrets\//, "secret"],
    ["the mark of the revoke", /^PATCH \S+\/objectbucketclaims\/\S+ .*revoke-sent":"true"/, "access"],
    "call revoke",
    ["that there is no account", /^PATCH \S+\/objectbucketclaims\/\S+ .*cosi\/account":null/, "access"],
    [
      "the mark of the end",
      /^PATCH \S+\/objectbucketclaims\/\S+ .*\{"pulumi-cosi\/end-sent":"true"\}/,
      "bucket",
    ],
    "call delete",
    ["that there is no bucket", /^PATCH \S+\/objectbucketclaims\/\S+ .*create-sent":null/, "bucket"],
    ["the finalizer of the ObjectBucket", /^PATCH \S+\/objectbuckets\/\S+ .*"finalizers":\[\]/, "claim"],
    ["the ObjectBucket", /^DELETE \S+\/objectbuckets\//, "claim"],
    ["the finalizer of the claim", /^PATCH \S+\/objectbucketclaims\/\S+ .*"finalizers":\[\]/, "claim"],
    ["the claim", /^DELETE \S+\/objectbucketclaims\//, "claim"],
  ],
};

/** Marks of calls that a contract does not have. */
const missing: Readonly<Record<ClaimCase, readonly string[]>> = {
  greenfield: ["the mark of the end"],
  brownfield: ["the mark of the end", "the mark of the create", "that there is no bucket"],
  "bucket with account": [
    "the mark of the grant",
    "the account",
    "the mark of the revoke",
    "that there is no account",
  ],
};

/** What a command of a case writes and calls, in its order. */
export function stepsOf(command: ClaimCommand, claimCase: ClaimCase): (Write | Call)[] {
  const calls = claimCases[claimCase][command].map((rpc): Call => `call ${rpc}`);
  return commandSteps[command].filter((step) =>
    typeof step === "string" ? calls.includes(step) : !missing[claimCase].includes(whatOf(step)),
  );
}

/** A step, in words. */
export function whatOf(step: Write | Call): string {
  return typeof step === "string" ? step : step[0];
}

/** A write, with the calls of the command that came before it. */
export interface WriteAfterCalls {
  readonly what: string;
  readonly request: RegExp;
  readonly stopsAt: string;
  readonly sent: readonly string[];
}

/** What a command of a case writes. */
export function writesOf(command: ClaimCommand, claimCase: ClaimCase): WriteAfterCalls[] {
  const sent: string[] = [];
  return stepsOf(command, claimCase).flatMap((step) => {
    if (typeof step !== "string") {
      const [what, request, stopsAt] = step;
      return [{ what, request, stopsAt, sent: [...sent] }];
    }
    sent.push(step);
    return [];
  });
}
