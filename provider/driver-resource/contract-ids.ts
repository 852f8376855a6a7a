import type { ContractName } from "../contracts/contract";
import { isUnknown } from "../dynamic/values";

/** Sister packages: what a driver has issued by the one is the same bytes by the other. */
const sisters: readonly ContractName[] = ["deployment.v1alpha1", "database.v1alpha1"];

/**
 * False for contracts of which the one's ids mean nothing, or something else, in the other: there an account may be known by
 * the name that was sent, and here by the store's own. What is not known tells nothing.
 */
export function sharesIds(one: ContractName | undefined, other: ContractName | undefined): boolean {
  if (one === undefined || other === undefined || isUnknown(one) || isUnknown(other)) return true;
  return one === other || (sisters.includes(one) && sisters.includes(other));
}
