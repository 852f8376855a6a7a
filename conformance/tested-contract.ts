import { status } from "@grpc/grpc-js";
import { contractOf } from "../provider/contracts/registry";
import type { EndpointVariable } from "../provider/contracts/contract";
import type { WireNames } from "../provider/contracts/v1alpha1-form";
import type { DutyList } from "./duty";
import { rpcsOf, type Rpcs } from "./rpc";

/** Contracts by which a driver can be judged: all have the messages of the first under other names. */
export const testedContractNames = ["cosi.v1alpha1", "deployment.v1alpha1", "database.v1alpha1"] as const;

/** A contract by which a driver can be judged. */
export type TestedContractName = (typeof testedContractNames)[number];

/** A contract as the checks and the report speak it. */
export interface TestedContract {
  readonly name: TestedContractName;
  /** The list of its drivers' duties. */
  readonly list: DutyList;
  /** Title of the text that sets them. */
  readonly specification: string;
  readonly rpcs: Rpcs;
  readonly endpointVariable: EndpointVariable;
  /** What its drivers make: `bucket`. */
  readonly object: string;
  /** Its id in messages: `bucket_id`. */
  readonly objectId: string;
  /** Names under which a driver's message may speak of that field. */
  readonly objectIdNames: readonly string[];
  /** What tells more of it in a create's reply: `bucket_info`. */
  readonly objectInfo: string;
  /** The same id in the package's own words: `bucketId`. */
  readonly objectIdProperty: "bucketId" | "deploymentId";
  /** One that can be deleted, in words. */
  readonly unused: string;
  /** Where its drivers make things, for the report. */
  readonly backend: string;
  /** Option with which granted credentials are tried there. */
  readonly trialOption: "--check-credentials" | "--try-credentials";
}

const bucketMessages = { package: "cosi.v1alpha1", noun: "Bucket" };
const deploymentMessages = { package: "deployment.v1alpha1", noun: "Deployment" };

const wireNames: Readonly<Record<TestedContractName, WireNames>> = {
  "cosi.v1alpha1": { services: "cosi.v1alpha1", noun: "Bucket", messages: bucketMessages },
  "deployment.v1alpha1": {
    services: "deployment.v1alpha1",
    noun: "Deployment",
    messages: deploymentMessages,
  },
  "database.v1alpha1": { services: "database.v1alpha1", noun: "Database", messages: deploymentMessages },
};

const lists: Readonly<
  Record<
    DutyList,
    Pick<TestedContract, "specification" | "objectIdProperty" | "unused" | "backend" | "trialOption">
  >
> = {
  cosi: {
    specification: "COSI specification",
    objectIdProperty: "bucketId",
    unused: "a bucket without objects",
    backend: "store",
    trialOption: "--check-credentials",
  },
  deployment: {
    specification: "Deployment Interface",
    objectIdProperty: "deploymentId",
    unused: "a new deployment",
    backend: "backend",
    trialOption: "--try-credentials",
  },
};

/** Names under which a driver's message may speak of the field `authentication_type`. */
export const authenticationTypeNames: readonly string[] = ["authentication_type", "auth_type"];

/** Members of requests and replies that all contracts have, as reports show them. */
const members =
  "name parameters deleteContext revokeAccessContext accountId account_id authenticationType authentication_type credentials secrets";

/** True for a part of the words in which reports speak of calls by this contract. */
export function isWordOf(contract: TestedContract, text: string): boolean {
  const words = [JSON.stringify(contract), members, ...Object.keys(status)];
  return words.some((word) => word.includes(text));
}

/** A contract by its name. */
export function testedContract(name: TestedContractName): TestedContract {
  const { words, endpointVariable } = contractOf(name);
  const names = wireNames[name];
  const list = name === "cosi.v1alpha1" ? "cosi" : "deployment";
  return {
    ...lists[list],
    name,
    list,
    endpointVariable,
    rpcs: rpcsOf(name, names),
    object: words.object,
    objectId: words.objectId,
    objectIdNames: [...new Set([words.objectId, `${names.noun.toLowerCase()}_id`])],
    objectInfo: words.objectId.replace(/_id$/, "_info"),
  };
}

/** True for the name of a contract by which a driver can be judged. */
export function isTestedContractName(text: string): text is TestedContractName {
  return testedContractNames.some((name) => name === text);
}
