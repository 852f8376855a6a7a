import { contractNames } from "../../provider/contracts/contract";
import { contractTraits } from "../../provider/contracts/traits";
import { read, type Properties } from "./properties";
import { resourceTypes } from "./types";

const accountTypes: readonly string[] = [...resourceTypes.bucketAccess, ...resourceTypes.deploymentAccess];
const bucketTypes: readonly string[] = resourceTypes.bucket;
const driverTypes: readonly string[] = resourceTypes.driver;

/** A resource with those that its properties come from. */
export interface LinkedResource {
  readonly type: string;
  readonly name: string;
  readonly props: Properties;
  readonly propertyDependencies: Readonly<Record<string, readonly LinkedResource[]>>;
}

/**
 * True for a resource whose outputs have credentials: an access, and a bucket that comes with its account, by the contract of its
 * driver. A bucket whose contract nobody can tell may be one.
 */
export function hasAccount(resource: LinkedResource): boolean {
  if (accountTypes.includes(resource.type)) return true;
  if (!bucketTypes.includes(resource.type)) return false;
  const contracts = contractsOf(resource);
  return contracts.length === 0 || !contracts.every(grantsLater);
}

function contractsOf({ props, propertyDependencies }: LinkedResource): unknown[] {
  const own = read(props, "driver", "contract");
  if (own.is === "known") return [own.value];
  // The first preview of a program in another language does not know the reference, but the Driver that it is of.
  const drivers = (propertyDependencies["driver"] ?? []).filter(({ type }) => driverTypes.includes(type));
  return drivers.map((driver) => {
    const contract = read(driver.props, "contract");
    if (contract.is === "absent") return defaultContract;
    return contract.is === "known" ? contract.value : undefined;
  });
}

const defaultContract = "cosi.v1alpha1";

/** True for a contract by which a bucket comes without an account. */
function grantsLater(contract: unknown): boolean {
  const name = contractNames.find((known) => known === contract);
  return name !== undefined && !contractTraits[name].grantsAtCreate;
}
