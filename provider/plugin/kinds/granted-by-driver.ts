import * as pulumi from "@pulumi/pulumi";
import { holdsSecret, isUnknown, plain, sameValue } from "../../dynamic/values";
import type { ResourceKind } from "../kind";
import type { Properties } from "../properties";
import { driverFields, isUnknownDriver, referenceProblem, unknownDriver } from "../references";
import { entriesOf, secret } from "../secrets";

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
  readonly renamed: Readonly<Record<string, string>>;
  /** Outputs of single credentials. */
  readonly credentials: readonly string[];
}

/** A plan that is saved holds no property whose name begins with two underscores: when an account's turn began, none can hold. */
export const keptFromPlans: Words["renamed"] = { __rotationSince: "rotationSince" };

/** What is common to the kinds of resources that a driver grants: accesses to buckets, and to deployments. */
export function grantedByDriver(
  type: string,
  provider: ResourceKind["provider"],
  words: Words,
): ResourceKind {
  const { target, targetType, name, id, info, contract, renamed } = words;
  const account = ["accountId", "granted", "issued", "grantedAt"];
  const told = ["credentials", "checksum", ...words.credentials];
  const names = Object.entries(renamed);
  return {
    type,
    provider,
    computed: [...account, ...told, "drift", "schemaVersion"],
    stable: ["name", "accountId"],
    problems: (inputs) => {
      const ofTarget = referenceProblem(target, inputs[target], targetType, ["name", "driver"]);
      const given = inputs["driver"] ?? undefined;
      const ofDriver =
        given === undefined ? undefined : referenceProblem("driver", given, "cosi:Driver", driverFields);
      return [ofTarget, ofDriver].filter((problem) => problem !== undefined);
    },
    complete: (inputs) => ({
      ...inputs,
      existingAccount: secret(inputs["existingAccount"] ?? undefined),
      secretParameters: holdsSecret(inputs["parameters"]) ? true : undefined,
    }),
    inward: (inputs) => {
      if (!(target in inputs)) return inputs;
      const { [target]: reference, driver, ...rest } = inputs;
      const own: Properties = { ...rest };
      for (const [given, known] of names) {
        if (given in own) own[known] = own[given];
        Reflect.deleteProperty(own, given);
      }
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
      const own: Properties = { ...rest };
      for (const [user, known] of names) {
        if (known in own) own[user] = own[known];
        Reflect.deleteProperty(own, known);
      }
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
    settled: (olds, news) => {
      if ((olds["accountId"] ?? null) === null || (olds["granted"] ?? null) === null) return [];
      const sources = [info, "authenticationType", "existingAccount", ...Object.values(renamed)];
      const isTold = sources.every((key) => sameValue(olds[key], news[key]));
      return isTold ? [...account, ...told] : account;
    },
  };
}
