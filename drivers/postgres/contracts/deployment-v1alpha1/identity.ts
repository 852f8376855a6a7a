import type { IdentityServer } from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { Calls } from "../../../common/calls/calls";
import type { Driver } from "../../core/driver";

/** The service `deployment.v1alpha1.Identity`. */
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
