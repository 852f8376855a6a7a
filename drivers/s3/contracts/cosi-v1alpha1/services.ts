import { IdentityService, ProvisionerService } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Driver } from "../../core/driver";
import type { Service } from "../../../common/server/driver-server";
import type { Calls } from "../../../common/calls/calls";
import { identityServer } from "./identity";
import { provisionerServer } from "./provisioner";

/** The contract `cosi.v1alpha1`. */
export function cosiV1alpha1(driver: Driver, calls: Calls): readonly Service[] {
  return [
    { definition: IdentityService, implementation: identityServer(driver, calls) },
    { definition: ProvisionerService, implementation: provisionerServer(driver, calls) },
  ];
}
