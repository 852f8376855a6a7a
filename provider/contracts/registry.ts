import type { Contract, ContractName } from "./contract";
import { cosiV1alpha1 } from "./cosi-v1alpha1";

const contracts: Readonly<Record<ContractName, Contract>> = {
  "cosi.v1alpha1": cosiV1alpha1,
};

/** The adapter of a contract. */
export function contractOf(name: ContractName): Contract {
  return contracts[name];
}
