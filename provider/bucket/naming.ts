import * as pulumi from "@pulumi/pulumi";
import type { BucketInputs, CheckedInputs } from "./state";
import { containsUnknown, isUnknown } from "../dynamic/values";
import { computedName } from "../fields/naming";

/** Everything that a bucket's name depends on, beside seed and logical name; what changes it replaces the bucket. */
function identityOf({ parent, driver, parameters, protocol, accessMode }: BucketInputs): object {
  return { parent, driverName: driver.driverName, parameters, protocol, accessMode };
}

/** The name of a bucket that has none of the user's; unknown while anything is that it depends on. */
export function computeBucketName(inputs: BucketInputs): string {
  const { driver, logicalName } = inputs;
  const identity = identityOf(inputs);
  return isUnknown(driver.seed) || containsUnknown(identity)
    ? pulumi.runtime.unknownValue
    : computedName(driver.seed, logicalName, identity);
}

/** True for a name that no other resource and no user sends: computed by check, or built from a claim's UID. */
export function isOursAlone(inputs: CheckedInputs): boolean {
  const { name, objects } = inputs;
  if (objects !== undefined) return objects.claim !== null && name.includes(objects.claim.uid);
  // Since then, what the name was computed from may have changed: the Driver's seed, an empty map for none.
  return inputs.nameComputed ?? name === computeBucketName(inputs);
}
