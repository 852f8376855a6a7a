import {
  IdentityService,
  ProvisionerService,
} from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { Calls } from "../../../common/calls/calls";
import type { Service } from "../../../common/server/driver-server";
import type { Driver } from "../../core/driver";
import { identityServer } from "./identity";
import { provisionerServer } from "./provisioner";

/** The contract `deployment.v1alpha1`. */
export function deploymentV1alpha1(driver: Driver, calls: Calls): readonly Service[] {
  return [
    { definition: IdentityService, implementation: identityServer(driver, calls) },
    { definition: ProvisionerService, implementation: provisionerServer(driver, calls) },
  ];
}
