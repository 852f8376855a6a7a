import {
  DynamicBucketHandlerService,
  StaticBucketHandlerService,
} from "../../../../gen/cosi-2020-02/cosi/v1/cosi";
import { KeyedLock } from "../../../../provider/driver/call/locks";
import type { Driver } from "../../core/driver";
import type { Service } from "../../../common/server/driver-server";
import type { Calls } from "../../../common/calls/calls";
import { dynamicBucketHandler } from "./dynamic-bucket-handler";
import { staticBucketHandler } from "./static-bucket-handler";

/** The contract of the COSI proposal of 2020-02-27. */
export function cosi202002(driver: Driver, calls: Calls): readonly Service[] {
  const turns = new KeyedLock();
  return [
    { definition: DynamicBucketHandlerService, implementation: dynamicBucketHandler(driver, calls, turns) },
    { definition: StaticBucketHandlerService, implementation: staticBucketHandler(driver, calls, turns) },
  ];
}
