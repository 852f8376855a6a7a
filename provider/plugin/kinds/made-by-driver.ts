import * as pulumi from "@pulumi/pulumi";
import { select } from "../../dynamic/select";
import { holdsSecret, isUnknown, plain } from "../../dynamic/values";
import type { ResourceKind } from "../kind";
import type { Properties } from "../properties";
import { driverReference, isUnknownDriver, unknownDriver } from "../references";
import { keptFromPlans, underOwnNames, underStateNames } from "./kept-from-plans";

/** What a kind calls its properties. */
interface Words {
  /** The output with the driver's id: `bucketId`. */
  readonly id: string;
  /** The output with what clients need to reach it: `bucketInfo`. */
  readonly info: string;
  /** Contract by which the inputs are judged as long as that of the driver is not known. */
  readonly contract?: string;
  /** Names of the provider's inputs. */
  readonly ownInputs: readonly string[];
  /** Names that an input has elsewhere. */
  readonly otherNames?: ResourceKind["otherNames"];
}

/** What is common to the kinds of resources that a driver makes: buckets, and deployments. */
export function madeByDriver(
  type: string,
  provider: ResourceKind["provider"],
  { id, info, contract, ownInputs, otherNames = {} }: Words,
): ResourceKind {
  const existing = `existing${type}Id`;
  const account = ["issued", "credentials", "checksum"];
  return {
    type,
    provider,
    computed: [id, info, "adopted", "drift", "lostClaim", ...account, "schemaVersion"],
    stable: ["name", id],
    references: { driver: driverReference },
    otherNames,
    ownInputs,
    complete: (inputs) => ({
      ...inputs,
      nameIsSecret: holdsSecret([inputs["name"], inputs[existing]]) ? true : undefined,
      secretParameters: holdsSecret(inputs["parameters"]) ? true : undefined,
    }),
    inward: (given) => {
      const inputs = underOwnNames(given, keptFromPlans);
      return isUnknown(plain(inputs["driver"])) ? { ...inputs, driver: unknownDriver(contract) } : inputs;
    },
    outward: (own) => {
      const inputs = underStateNames(own, keptFromPlans);
      return isUnknownDriver(plain(inputs["driver"]))
        ? { ...inputs, driver: pulumi.runtime.unknownValue }
        : inputs;
    },
    inputName: (input) => input,
    reference: (outputs: Properties) =>
      select<Record<string, unknown>, string>(outputs, ["name", id, info, "driver"]),
    endedByDelete: (outputs) => {
      const isOurs = (outputs[existing] ?? null) === null && outputs["adopted"] !== true;
      if (isOurs && outputs["deletionPolicy"] === "Delete") return `the old ${type.toLowerCase()}`;
      return (outputs["issued"] ?? null) === null ? undefined : "the old account";
    },
    settled: (olds) => ((olds[id] ?? null) === null ? [] : [id, info, "adopted", ...account]),
  };
}
