import { fitsAny } from "../globs";
import { describe, type JudgedResource } from "../resources/judged-resource";
import { filled, textAt, type Path } from "../resources/properties";
import { resourcePolicy, textsSetting } from "../rule";

/** Settings of `cosi-allowed-drivers`. */
export interface AllowedDriversConfig {
  /**
   * Names that drivers may have, as they report them; `*` stands for any characters.
   *
   * @default any
   */
  readonly drivers: readonly string[];
}

const defaults: AllowedDriversConfig = { drivers: ["*"] };

/**
 * Only named drivers make buckets and grant access.
 *
 * The first preview of a stack does not know what name a driver reports. The `up` that follows judges each resource before it
 * is made, once the driver has reported its name.
 */
export const allowedDrivers = resourcePolicy<AllowedDriversConfig>({
  name: "cosi-allowed-drivers",
  description: "Buckets, deployments and accesses are made by drivers of the allowed list.",
  severity: "high",
  remediationSteps:
    "Use a Driver whose name is in `drivers`, or have the name added there by those who own the policy pack.",
  defaults,
  settings: {
    drivers: textsSetting(
      "Names that the drivers may have, as they report them, * for any characters",
      defaults.drivers,
    ),
  },
  judge: (resource, { drivers }) =>
    driversOf(resource)?.flatMap((path) => {
      const name = textAt(resource.properties, ...path);
      if (name === undefined || fitsAny(name, drivers)) return [];
      return [
        `${describe(resource)}: ${path.join(".")} is ${JSON.stringify(name)}, and the allowed drivers are ` +
          `${drivers.map((allowed) => JSON.stringify(allowed)).join(", ")}. Next: use one of these, or have it added to them.`,
      ];
    }),
});

/** Where a resource names its driver; `undefined` for one that has none. */
function driversOf({ places, properties }: JudgedResource): readonly Path[] | undefined {
  if (places?.driver === undefined) return undefined;
  const { driver, driverOfTarget } = places;
  const own = filled(properties, driver);
  return own.length === 0 && driverOfTarget !== undefined ? [driverOfTarget] : own;
}
