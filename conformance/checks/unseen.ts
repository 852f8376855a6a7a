import type { Check } from "../check";
import type { TestedContract } from "../tested-contract";

/** A duty, or a part of one, that cannot be seen from where a caller stands. */
function unseen(ids: Check["ids"], reason: string | ((contract: TestedContract) => string)): Check {
  return {
    ids,
    recordsOnly: true,
    run: ({ contract }) =>
      Promise.resolve({
        is: "not-judged",
        reason: typeof reason === "string" ? reason : reason(contract),
      }),
  };
}

const documentation = "needs a reader: it is about the driver's documentation";

export const unseenChecks: readonly Check[] = [
  unseen(
    { cosi: "GRPC-022", deployment: "DEP-023" },
    ({ object }) => `needs the backend: a ${object} that somebody else has made there`,
  ),
  unseen(
    { cosi: "GRPC-067", deployment: "DEP-060" },
    "needs the backend: one that refuses the driver's own keys",
  ),
  unseen(
    { cosi: "GRPC-072", deployment: "DEP-056" },
    "needs a value of the driver's own parameters that its backend cannot serve",
  ),
  unseen({ cosi: "GRPC-080" }, "needs the backend: one that answers with faults"),
  unseen({ cosi: "GRPC-082", deployment: "DEP-066" }, documentation),
  unseen(
    { cosi: "GRPC-094", deployment: "DEP-071" },
    "needs the backend: one with a certificate that nobody has signed",
  ),
  unseen({ cosi: "GRPC-101", deployment: "DEP-075" }, "needs the driver's documentation or sources"),
  unseen({ cosi: "GRPC-104", deployment: "DEP-075" }, documentation),
  unseen({ cosi: "GRPC-118", deployment: "DEP-075" }, "needs two configurations of the driver"),
  unseen({ cosi: "GRPC-119", deployment: "DEP-084" }, "needs the driver's image"),
  unseen(
    { cosi: "GRPC-120", deployment: "DEP-084" },
    ({ backend }) => `needs namespaces of its own for driver and ${backend}`,
  ),
  unseen({ cosi: "GRPC-121", deployment: "DEP-084" }, documentation),
];
