import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { warn } from "../../run/warning";
import { classNameOf, type ContentInputs } from "./content-state";
import type { Kinds } from "./kinds";
import { supports } from "./names";
import { readClass } from "./records";
import { caseOfClass, type BucketCase, type BucketClassCopy } from "./specs";

/** A class, and the case that it stands for. */
export interface ChosenClass {
  readonly bucketClass: BucketClassCopy;
  readonly bucketCase: BucketCase;
}

/**
 * The class that a Bucket gets: the one that the program gave, or the one of the cluster that it names.
 *
 * @param isSettled The Bucket has it already: whose driver serves it now is another matter.
 * @throws RefusedError where there is none, or it does not fit.
 */
export async function chooseClass(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
  isSettled: boolean,
): Promise<ChosenClass> {
  const found = inputs.bucketClass ?? (await lookUp(client, kinds, inputs));
  const who = describe(kinds.bucket, inputs.bucket);
  const bucketCase = caseOfClass(found);
  if (bucketCase === undefined) {
    throw new RefusedError(
      `${who} names the BucketClass ${found.name}, which has secretRef and no bucketIdentifier, and the proposal does ` +
        "not define that case: give the class a bucketIdentifier (static), or take secretRef out of it (greenfield)",
    );
  }
  requireFittingDriver(who, found, bucketCase, inputs);
  if (bucketCase !== "static" && !isSettled) {
    requireServed(who, found, inputs);
    requireKnownVersion(found, inputs);
  }
  if (!supports(found.supportedProtocols, inputs.requestProtocol)) {
    throw new RefusedError(
      `${who} asks for protocol ${JSON.stringify(inputs.requestProtocol)}, and the BucketClass ${found.name} supports ` +
        `${found.supportedProtocols.map((name) => JSON.stringify(name)).join(", ") || "none"}: name a class of that protocol`,
    );
  }
  return { bucketClass: withMandatedPolicy(found, bucketCase), bucketCase };
}

async function lookUp(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
): Promise<BucketClassCopy> {
  const name = classNameOf(inputs);
  const object = await client.get(kinds.bucketClass, { name });
  if (object !== undefined) return readClass(object);
  throw new RefusedError(
    `${describe(kinds.bucket, inputs.bucket)} names the BucketClass ${JSON.stringify(name)}, which does not exist: make the ` +
      "class first, or name another one",
  );
}

function requireFittingDriver(
  who: string,
  { name, provisioner }: BucketClassCopy,
  bucketCase: BucketCase,
  inputs: ContentInputs,
): void {
  if (bucketCase === "static") {
    if (!inputs.isManaged) {
      // The Bucket's guard says so of a class of the program.
      if (provisioner !== null && (inputs.bucketClass ?? null) === null)
        warn("BucketClass", name, staticWarning(provisioner));
      return;
    }
    throw new RefusedError(
      `${who} is given a driver, and its BucketClass ${name} is static (it has bucketIdentifier and secretRef), so no ` +
        "driver is called: leave driver out",
    );
  }
  if (!inputs.isManaged) {
    throw new RefusedError(
      `${who} is given no driver, and its BucketClass ${name} is ${bucketCase}, served by the provisioner ` +
        `${JSON.stringify(provisioner)}: give the Driver of that name as driver`,
    );
  }
}

function requireServed(who: string, { name, provisioner }: BucketClassCopy, inputs: ContentInputs): void {
  if (provisioner === (inputs.provisioner ?? null)) return;
  throw new RefusedError(
    `the BucketClass ${name} of ${who} is for the provisioner ${JSON.stringify(provisioner)}, for which no driver is ` +
      `registered (the given one is for ${JSON.stringify(inputs.provisioner ?? null)}): give the Driver of that provisioner as driver`,
  );
}

/** A class of others says what it likes; a version that is none would be found out by the schema, after the grant. */
function requireKnownVersion(
  { name, bucketIdentifier }: BucketClassCopy,
  { requestProtocol }: ContentInputs,
): void {
  const { signatureVersion = "" } = bucketIdentifier ?? {};
  if (requestProtocol !== "s3" || ["", "V2", "V4"].includes(signatureVersion)) return;
  throw new RefusedError(
    `bucketIdentifier of the BucketClass ${name} has signatureVersion ${JSON.stringify(signatureVersion)}: it is "V2" or "V4"`,
  );
}

/** K02-062. */
export function staticWarning(provisioner: string): string {
  return (
    `has bucketIdentifier and secretRef, so its buckets are static: the provisioner ${JSON.stringify(provisioner)} is not ` +
    "called for them"
  );
}

/** K02-033, K02-054: a bucket that was there before is never deleted, whatever a class of others says. */
function withMandatedPolicy(found: BucketClassCopy, bucketCase: BucketCase): BucketClassCopy {
  if (bucketCase === "greenfield" || found.releasePolicy === "Retain") return found;
  warn(
    "BucketClass",
    found.name,
    `has releasePolicy Delete and is ${bucketCase}: its bucket was there before and is never deleted, so Retain holds`,
  );
  return { ...found, releasePolicy: "Retain" };
}
