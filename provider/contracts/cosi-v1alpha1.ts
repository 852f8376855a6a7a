import type { Contract } from "./contract";
import { contractTraits } from "./traits";
import { clientOf, formTraits, identifyOf, type WireNames } from "./v1alpha1-form";

const names: WireNames = {
  services: "cosi.v1alpha1",
  noun: "Bucket",
  messages: { package: "cosi.v1alpha1", noun: "Bucket" },
};

/**
 * The contract cosi.v1alpha1 in the newer of its two dialects: the contexts of delete and revoke are always sent, and
 * a driver of the older dialect skips them.
 * Source: COSI specification, RPC Interface.
 */
export const cosiV1alpha1 = {
  ...formTraits,
  ...contractTraits["cosi.v1alpha1"],
  name: "cosi.v1alpha1",
  descriptors: "cosi.v1alpha1",
  endpointVariable: "COSI_ENDPOINT",
  limitsNames: true,
  credentialsAreFree: false,
  identify: identifyOf(names),
  client: clientOf(names),
} satisfies Contract;
