import * as pulumi from "@pulumi/pulumi";
import { select } from "../../dynamic/select";
import { holdsSecret, isUnknown, plain } from "../../dynamic/values";
import type { ResourceKind } from "../kind";
import type { Properties } from "../properties";
import { driverFields, isUnknownDriver, referenceProblem, unknownDriver } from "../references";

/** What a kind calls its properties. */
interface Words {
  /** The output with the driver's id: `bucketId`. */
  readonly id: string;
  /** The output with what clients need to reach it: `bucketInfo`. */
  readonly info: string;
  /** Contract by which the inputs are judged as long as that of the driver is not known. */
  readonly contract?: string;
}

/** What is common to the kinds of resources that a driver makes: buckets, and deployments. */
export function madeByDriver(
  type: string,
  provider: ResourceKind["provider"],
  { id, info, contract }: Words,
): ResourceKind {
  const account = ["issued", "credentials", "checksum"];
  return {
    type,
    provider,
    computed: [id, info, "adopted", "drift", "lostClaim", ...account, "schemaVersion"],
    stable: ["name", id],
    problems: ({ driver }) => {
      const problem = referenceProblem("driver", driver, "cosi:Driver", driverFields);
      return problem === undefined ? [] : [problem];
    },
    complete: (inputs) => ({
      ...inputs,
      secretParameters: holdsSecret(inputs["parameters"]) ? true : undefined,
    }),
    inward: (inputs) =>
      isUnknown(plain(inputs["driver"])) ? { ...inputs, driver: unknownDriver(contract) } : inputs,
    outward: (inputs) =>
      isUnknownDriver(plain(inputs["driver"])) ? { ...inputs, driver: pulumi.runtime.unknownValue } : inputs,
    inputName: (input) => input,
    reference: (outputs: Properties) =>
      select<Record<string, unknown>, string>(outputs, ["name", id, info, "driver"]),
    settled: (olds) => ((olds[id] ?? null) === null ? [] : [id, info, "adopted", ...account]),
  };
}
