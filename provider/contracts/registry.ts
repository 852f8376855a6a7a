import { contractNames, type Contract, type ContractName, type ContractWords } from "./contract";
import { cosi202002 } from "./cosi-2020-02/adapter";
import { cosi202007 } from "./cosi-2020-07/adapter";
import { cosiV1alpha1 } from "./cosi-v1alpha1";
import { bucketWords } from "./bucket-words";
import { databaseV1alpha1, deploymentV1alpha1 } from "./deployment-v1alpha1";

const contracts: Readonly<Record<ContractName, Contract>> = {
  "cosi.v1alpha1": cosiV1alpha1,
  "cosi-2020-07": cosi202007,
  "cosi-2020-02": cosi202002,
  "deployment.v1alpha1": deploymentV1alpha1,
  "database.v1alpha1": databaseV1alpha1,
};

/** The adapter of a contract. */
export function contractOf(name: ContractName): Contract {
  return contracts[name];
}

/** The adapter of a contract that a program names; `undefined` for what is none, and for what is not known yet. */
export function knownContract(name: ContractName | undefined): Contract | undefined {
  return name !== undefined && contractNames.includes(name) ? contracts[name] : undefined;
}

/** What a contract calls things; of one that is not known yet, what most of them do. */
export function wordsOf({ contract }: { readonly contract?: ContractName }): ContractWords {
  return knownContract(contract)?.words ?? bucketWords;
}

/** What the user calls an input or output of the package, by the contract of its driver. */
export function propertyName(driver: { readonly contract?: ContractName }, property: string): string {
  return wordsOf(driver).properties[property] ?? property;
}
