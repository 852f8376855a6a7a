import { containsUnknown } from "../../dynamic/values";
import { additionalConfigProblem } from "./additional-config";
import type { ClaimInputs } from "./claim-state";
import {
  brownfieldBucketOf,
  objectStoreProblem,
  type ClaimClass,
  type StorageClassCopy,
} from "./class-parameters";
import { bucketNameProblem, bucketPrefixProblem, namedBucketName } from "./names";

/** What is wrong with a claim: the input, and the text of its problem. */
export interface ClaimProblem {
  readonly input: keyof ClaimInputs;
  readonly text: string;
}

/** What a claim that is new says of its bucket, and its class. */
type NewClaim = Pick<
  ClaimInputs,
  | "namespace"
  | "name"
  | "bucketName"
  | "generateBucketName"
  | "preferBucketName"
  | "naming"
  | "brownfield"
  | "additionalConfig"
  | "allowedAdditionalConfig"
>;

/** What of a claim is to be judged: what is in the state was, when it came there. */
interface Judged {
  /** The bucket is still to be named. */
  readonly isNamed: boolean;
  /** `additionalConfig` is new. */
  readonly isConfigured: boolean;
}

/** What is wrong with a claim of this class; values that are not known yet pass. */
export function claimProblems(
  claim: NewClaim,
  storageClass: ClaimClass,
  { isNamed, isConfigured }: Judged,
): ClaimProblem[] {
  const problems: (ClaimProblem | undefined)[] = [
    classProblem(claim, storageClass),
    isNamed ? bucketProblem(claim, storageClass) : undefined,
    isConfigured ? configProblem(claim, storageClass) : undefined,
  ];
  return problems.filter((problem) => problem !== undefined);
}

/** What is wrong with a class of the cluster whose provisioner is not that of the driver: OBC-037. */
export function otherProvisionerProblem(
  claim: Pick<ClaimInputs, "provisioner">,
  { name, provisioner }: StorageClassCopy,
): string | undefined {
  if (provisioner === claim.provisioner) return undefined;
  return (
    `storageClassName is the StorageClass ${name} of provisioner ${JSON.stringify(provisioner)}, and the driver of this claim ` +
    `serves ${JSON.stringify(claim.provisioner)}: name a class of that one, or give its provisioner as the argument provisioner`
  );
}

function classProblem(claim: NewClaim, { name, parameters }: ClaimClass): ClaimProblem | undefined {
  const { brownfield } = claim;
  if (containsUnknown([name, parameters])) return undefined;
  const store = objectStoreProblem(parameters);
  if (store !== undefined)
    return { input: "storageClassName", text: `is the StorageClass ${name}, whose ${store}` };
  if (!brownfield || brownfieldBucketOf(parameters) !== undefined) return undefined;
  // OBC-069.
  return {
    input: "brownfield",
    text:
      `is true, and the StorageClass ${name} has no parameter bucketName: name a class of a bucket that exists, or leave ` +
      "brownfield out",
  };
}

/** OBC-021, OBC-022, OBC-053. A class that names a bucket overrules both fields. */
function bucketProblem(claim: NewClaim, { parameters }: ClaimClass): ClaimProblem | undefined {
  if (containsUnknown(parameters) || brownfieldBucketOf(parameters) !== undefined) return undefined;
  const { bucketName = null, generateBucketName = null, preferBucketName, naming } = claim;
  if (containsUnknown([bucketName, generateBucketName])) return undefined;
  if (bucketName !== null && bucketName !== "") {
    const isBoth = generateBucketName !== null && generateBucketName !== "";
    if (isBoth && !preferBucketName) {
      return {
        input: "bucketName",
        text:
          `is ${JSON.stringify(bucketName)}, and generateBucketName is ${JSON.stringify(generateBucketName)}: give only one of them, or ` +
          'bothNames "preferBucketName"',
      };
    }
    const text = bucketNameProblem(bucketName);
    return text === undefined ? undefined : { input: "bucketName", text };
  }
  if (naming === "namespaceAndName") {
    if (containsUnknown([claim.namespace, claim.name])) return undefined;
    const text = bucketNameProblem(namedBucketName(claim));
    return text === undefined ? undefined : { input: "naming", text };
  }
  if (generateBucketName === null || generateBucketName === "") {
    return {
      input: "generateBucketName",
      text: "and bucketName are both missing: give one of them, as the class names no bucket",
    };
  }
  const text = bucketPrefixProblem(generateBucketName);
  return text === undefined ? undefined : { input: "generateBucketName", text };
}

function configProblem(claim: NewClaim, { parameters }: ClaimClass): ClaimProblem | undefined {
  const { additionalConfig, allowedAdditionalConfig: allowed } = claim;
  if (containsUnknown([additionalConfig, parameters])) return undefined;
  const text = additionalConfigProblem(additionalConfig, { allowed, parameters });
  return text === undefined ? undefined : { input: "additionalConfig", text };
}
