import type { Namesake } from "../../kubernetes/definition";

/** A proposal of 2020, by the day it is of. */
type Proposal = "2020-02-27" | "2020-07-08";

/** What tells a kind of one proposal from that of its name in the other. */
interface Sign {
  /** A field that only this one has, from the top. */
  readonly field: readonly string[];
  readonly scope: Namesake["otherScope"];
}

const modules: Readonly<Record<Proposal, string>> = {
  "2020-02-27": "cosi20200227",
  "2020-07-08": "cosi20200708",
};

const signs: Readonly<Record<"Bucket" | "BucketClass", Readonly<Record<Proposal, Sign>>>> = {
  Bucket: {
    "2020-02-27": { field: ["spec", "requestProtocol"], scope: "Namespaced" },
    "2020-07-08": { field: ["spec", "protocol", "protocolSignature"], scope: "Cluster" },
  },
  BucketClass: {
    "2020-02-27": { field: ["supportedProtocols"], scope: "Cluster" },
    "2020-07-08": { field: ["protocol"], scope: "Cluster" },
  },
};

/**
 * What tells a definition of a proposal from the one of its name in the other: both have group, version and two kinds in
 * common.
 *
 * @param otherGroup A group under which the definitions of this one may be.
 */
export function namesakeOf(proposal: Proposal, kind: keyof typeof signs, otherGroup: string): Namesake {
  const other = proposal === "2020-02-27" ? "2020-07-08" : "2020-02-27";
  return {
    model: `the COSI proposal of ${proposal} (components ${modules[proposal]})`,
    otherModel: `the COSI proposal of ${other} (components ${modules[other]})`,
    field: signs[kind][proposal].field,
    otherField: signs[kind][other].field,
    otherScope: signs[kind][other].scope,
    wayOut:
      `give ${modules[proposal]}.install the input group, such as ${otherGroup}, under which this model has definitions ` +
      "of its own, or use another cluster",
  };
}
