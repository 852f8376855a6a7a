import { CosiControllerService } from "../../../../gen/cosi-2020-07/cosi/v1/cosi";
import type { Driver } from "../../core/driver";
import type { Service } from "../../../common/server/driver-server";
import type { Calls } from "../../../common/calls/calls";
import { cosiControllerServer } from "./controller";

/** The contract of the COSI proposal of 2020-07-08. */
export function cosi202007(driver: Driver, calls: Calls): readonly Service[] {
  return [{ definition: CosiControllerService, implementation: cosiControllerServer(driver, calls) }];
}
