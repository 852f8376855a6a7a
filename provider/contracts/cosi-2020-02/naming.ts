import type { DriverNaming } from "../contract";

/**
 * How the proposal names drivers: by any name. It promises a pattern and breaks off before it gives one, so none is
 * enforced.
 * Source: COSI proposal of 2020-02-27, Driver Naming.
 */
export const anyNaming: DriverNaming = {
  form: "the name that classes have as their provisioner",
  problem: (name) => (name === "" ? `is "": give ${anyNaming.form}` : undefined),
  ownName: (recorded) => recorded,
};
