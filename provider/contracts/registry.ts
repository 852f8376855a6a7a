import { contractNames, type Contract, type ContractName } from "./contract";
import { cosi202002 } from "./cosi-2020-02/adapter";
import { cosi202007 } from "./cosi-2020-07/adapter";
import { cosiV1alpha1 } from "./cosi-v1alpha1";

const contracts: Readonly<Record<ContractName, Contract>> = {
  "cosi.v1alpha1": cosiV1alpha1,
  "cosi-2020-07": cosi202007,
  "cosi-2020-02": cosi202002,
};

/** The adapter of a contract. */
export function contractOf(name: ContractName): Contract {
  return contracts[name];
}

/** The adapter of a contract that a program names; `undefined` for what is none, and for what is not known yet. */
export function knownContract(name: ContractName | undefined): Contract | undefined {
  return name !== undefined && contractNames.includes(name) ? contracts[name] : undefined;
}
