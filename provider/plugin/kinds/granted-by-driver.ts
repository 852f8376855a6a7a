import * as pulumi from "@pulumi/pulumi";
import { holdsSecret, isUnknown, plain, sameValue } from "../../dynamic/values";
import type { ResourceKind } from "../kind";
import { driverReference, isUnknownDriver, madeReference, unknownDriver } from "../references";
import { entriesOf, secret } from "../secrets";
import { keptFromPlans, underOwnNames, underStateNames, type Names } from "./kept-from-plans";

/** What a kind calls its properties. */
interface Words {
  /** The input that names what the access is to: `bucket`. */
  readonly target: string;
  /** Type of that, as YAML has it. */
  readonly targetType: string;
  /** The provider's inputs that this stands for: `bucketName`, `bucketId`, `bucketInfo`. */
  readonly name: string;
  readonly id: string;
  readonly info: string;
  /** Contract by which the inputs are judged as long as that of the driver is not known. */
  readonly contract?: string;
  /** Inputs that the provider knows by other names, since it has outputs of these: `endpoint`. */
  readonly otherwise: Names;
  /** Names of the provider's inputs. */
  readonly ownInputs: readonly string[];
  /** Outputs of single credentials. */
  readonly credentials: readonly string[];
}

/** What is common to the kinds of resources that a driver grants: accesses to buckets, and to deployments. */
export function grantedByDriver(
  type: string,
  provider: ResourceKind["provider"],
  words: Words,
): ResourceKind {
  const { target, targetType, name, id, info, contract, otherwise, ownInputs } = words;
  const renamed: Names = { ...otherwise, ...keptFromPlans };
  const account = ["accountId", "granted", "issued", "grantedAt"];
  const told = ["credentials", "checksum", ...words.credentials];
  const names = Object.entries(renamed);
  // What comes from them is an output of the user's name, which is as secret.
  const marks = Object.keys(otherwise).map((user) => [user, markOf(user)] as const);
  return {
    type,
    provider,
    computed: [...account, ...told, "drift", "schemaVersion"],
    stable: ["name", "accountId"],
    references: { [target]: madeReference(targetType, id, info), driver: driverReference },
    otherNames: {},
    ownInputs,
    complete: (inputs) => ({
      ...inputs,
      nameIsSecret: holdsSecret(inputs["name"]) ? true : undefined,
      existingAccount: secret(inputs["existingAccount"] ?? undefined),
      secretParameters: holdsSecret(inputs["parameters"]) ? true : undefined,
      ...Object.fromEntries(
        marks.map(([user, mark]) => [mark, holdsSecret(inputs[user]) ? true : undefined]),
      ),
    }),
    inward: (inputs) => {
      if (!(target in inputs)) return inputs;
      const { [target]: reference, driver, ...rest } = inputs;
      const own = underOwnNames(rest, renamed);
      const unknown = pulumi.runtime.unknownValue;
      const parts = entriesOf(reference) ?? {
        name: unknown,
        [id]: unknown,
        [info]: unknown,
        driver: unknown,
      };
      const grants = driver ?? parts["driver"];
      return {
        ...own,
        [name]: parts["name"],
        // The id that a create has not told yet is none.
        [id]: parts[id] ?? undefined,
        [info]: parts[info],
        driver: isUnknown(plain(grants)) ? unknownDriver(contract) : grants,
      };
    },
    outward: (inputs, given) => {
      if (!(target in given)) return inputs;
      const { [name]: targetName, [id]: targetId, [info]: targetInfo, driver: grants, ...rest } = inputs;
      const own = underStateNames(rest, renamed);
      const driver = isUnknownDriver(plain(grants)) ? pulumi.runtime.unknownValue : grants;
      const isAsGiven = isUnknown(plain(given[target])) && isUnknown(plain(targetName));
      const explicit = (given["driver"] ?? null) !== null;
      const ofTarget = explicit ? entriesOf(given[target])?.["driver"] : driver;
      return {
        ...own,
        ...(explicit ? { driver } : {}),
        [target]: isAsGiven
          ? given[target]
          : { name: targetName, [id]: targetId, [info]: targetInfo ?? null, driver: ofTarget },
      };
    },
    inputName: (input, given) => {
      if (input === name || input === id) return target;
      if (input === "driver") return (given["driver"] ?? null) === null ? target : "driver";
      return names.find(([, known]) => known === input)?.[0] ?? input;
    },
    endedByDelete: ({ existingAccount }) =>
      (existingAccount ?? null) === null ? "the old account" : undefined,
    settled: (olds, news) => {
      if ((olds["accountId"] ?? null) === null || (olds["granted"] ?? null) === null) return [];
      const given = [...Object.values(otherwise), ...marks.map(([, mark]) => mark)];
      const sources = [info, "authenticationType", "existingAccount", ...given];
      const isTold = sources.every((key) => sameValue(olds[key], news[key]));
      return isTold ? [...account, ...told] : account;
    },
  };
}

/** `secretEndpoint`, by which the provider knows that the program marked `endpoint` as secret. */
function markOf(input: string): string {
  return `secret${input.slice(0, 1).toUpperCase()}${input.slice(1)}`;
}
