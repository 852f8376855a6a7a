import type { IdentityServer } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Driver } from "../../core/driver";
import type { Calls } from "../../../common/calls/calls";

/** The service `cosi.v1alpha1.Identity`. */
export function identityServer(driver: Driver, calls: Calls): IdentityServer {
  return {
    driverGetInfo: calls.unary({
      rpc: "DriverGetInfo",
      attempt: () => `tell the name of driver "${driver.name}"`,
      subject: () => ({}),
      answer: () => Promise.resolve({ name: driver.name }),
    }),
  };
}
