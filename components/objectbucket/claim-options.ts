import type { Driver } from "../../provider/driver-resource/driver";
import { requireOneOf } from "../kubernetes/one-of";
import { ProblemError } from "../kubernetes/problem";
import { requireGiven } from "../kubernetes/required";
import { extraKeysProblem, keySetProblem, keySets, type KeySet } from "../secrets/object-bucket-keys";
import type { ObjectBucketClaimArgs } from "./claim-args";

/** What is known of a claim's options immediately. */
export interface ClaimOptions {
  /** The driver's buckets come with their account. */
  readonly grantsAtCreate: boolean;
  /** The driver's id of a bucket is the name by which clients reach it. */
  readonly idsAreNames: boolean;
  readonly keySets: readonly KeySet[];
  readonly adopt: boolean;
  readonly emptyOnDelete: boolean;
  readonly warnings: string[];
}

/** @throws ProblemError for options that are not allowed, alone or together. */
export function judgeOptions(args: ObjectBucketClaimArgs): ClaimOptions & { driver: Driver } {
  requireGiven(args, "namespace");
  judgeValues(args);
  const driver = driverOf(args);
  const contract = driver.contractTraits();
  const { adopt = false, rotation } = args;
  if (adopt && rotation !== undefined) {
    throw new ProblemError(
      "rotation is given beside adopt, which leaves the account and the objects as they are: leave one of them out",
    );
  }
  if (adopt && args.configChange !== undefined) {
    throw new ProblemError(
      `configChange is ${JSON.stringify(args.configChange)} beside adopt, with which nothing is sent for the bucket and ` +
        "nothing may replace the claim: leave configChange out, and additionalConfig as it is",
    );
  }
  if (contract === undefined) {
    throw new ProblemError(
      "the driver's contract is not a plain string, but it decides which resources a claim has: give the Driver contract as " +
        "a plain string",
    );
  }
  const { grantsAtCreate, idsAreNames } = contract;
  if (grantsAtCreate && (rotation !== undefined || adopt)) {
    throw new ProblemError(
      `${adopt ? "adopt" : "rotation"} is given, but with the driver's contract a bucket comes with its account, which stays ` +
        "for the bucket's life: leave it out, or use a driver of another contract",
    );
  }
  if (grantsAtCreate && args.configChange === "resend") {
    throw new ProblemError(
      'configChange is "resend", but with the driver\'s contract a repeated create issues other keys and ends those in use: ' +
        'leave it out, or give "replace"',
    );
  }
  // Those of a claim that is adopted are as they were, unless the program says more.
  const sets = args.keySets ?? (adopt ? [] : keySets);
  return {
    driver,
    grantsAtCreate,
    idsAreNames,
    keySets: sets,
    adopt,
    emptyOnDelete: args.emptyOnDelete ?? false,
    warnings: "objectBucketName" in args ? [ignoredName] : [],
  };
}

/** OBC-025. */
const ignoredName = "objectBucketName is ignored: it is written once the ObjectBucket is there";

function judgeValues(args: ObjectBucketClaimArgs): void {
  const mode: string | undefined = args.mode;
  if (mode !== undefined && mode !== "direct") {
    throw new ProblemError(
      `mode is ${JSON.stringify(mode)}: only "direct", in which this program does the work, is available in this release`,
    );
  }
  requireOneOf("bothNames", args.bothNames, ["error", "preferBucketName"]);
  requireOneOf("naming", args.naming, ["prefixAndUid", "namespaceAndName"]);
  requireOneOf("onExistingBucket", args.onExistingBucket, ["fail", "adopt"]);
  requireOneOf("configChange", args.configChange, ["replace", "resend"]);
  requireOneOf("dialect", args.dialect, ["rook", "seed"]);
  requireOneOf("objectBucketNaming", args.objectBucketNaming, ["plain", "hashed"]);
  const sets = args.keySets ?? keySets;
  const setProblem = keySetProblem(sets);
  if (setProblem !== undefined) throw new ProblemError(`keySets ${setProblem}`);
  for (const where of ["secret", "configMap"] as const) {
    const problem = extraKeysProblem(sets, args.extraKeys?.[where], where);
    if (problem !== undefined) throw new ProblemError(`extraKeys.${where} ${problem}`);
  }
  if (args.onExistingBucket === "adopt" && args.bucketName === undefined) {
    throw new ProblemError(
      'onExistingBucket is "adopt", but no bucketName says which bucket is meant: give bucketName, or leave onExistingBucket out',
    );
  }
}

function driverOf({ storageClass, storageClassName, driver, ...args }: ObjectBucketClaimArgs): Driver {
  if (storageClass === undefined) {
    if (storageClassName === undefined || storageClassName === "") {
      throw new ProblemError("storageClass and storageClassName are both missing: give one of them");
    }
    if (driver !== undefined) return driver;
    throw new ProblemError("driver is missing: give the Driver that serves the class storageClassName");
  }
  if (storageClassName !== undefined) {
    throw new ProblemError("storageClass and storageClassName are both given: leave one of them out");
  }
  for (const key of ["provisioner", "allowedAdditionalConfig"] as const) {
    if (args[key] !== undefined) {
      throw new ProblemError(`${key} is given beside storageClass, which already says it: leave it out`);
    }
  }
  const found = driver ?? storageClass.driver;
  if (found !== undefined) return found;
  throw new ProblemError(
    "driver is missing, and the class has none: give the Driver that serves the class, here or to the class",
  );
}
