import { bucketWords } from "./bucket-words";
import { contractNames, type Contract, type ContractName } from "./contract";
import { deploymentWords } from "./deployment-words";

/** What a program goes by of a contract, before anything is called. */
export type ContractTraits = Pick<Contract, "words" | "limitsFields" | "grantsAtCreate" | "idsAreNames">;

const ofV1alpha1 = { limitsFields: true, grantsAtCreate: false, idsAreNames: false };
const ofProposals = { limitsFields: false, idsAreNames: true, words: bucketWords };

/** Apart from the adapters: a program calls no driver, so it does not load the messages of the contracts. */
export const contractTraits = {
  "cosi.v1alpha1": { ...ofV1alpha1, words: bucketWords },
  "cosi-2020-07": { ...ofProposals, grantsAtCreate: false },
  "cosi-2020-02": { ...ofProposals, grantsAtCreate: true },
  "deployment.v1alpha1": { ...ofV1alpha1, words: deploymentWords("Deployment") },
  "database.v1alpha1": { ...ofV1alpha1, words: deploymentWords("Database") },
} as const satisfies Readonly<Record<ContractName, ContractTraits>>;

/** The traits of a contract that a program names; `undefined` for what is none, and for what is not known yet. */
export function traitsOf(name: ContractName | undefined): ContractTraits | undefined {
  return name !== undefined && contractNames.includes(name) ? contractTraits[name] : undefined;
}
