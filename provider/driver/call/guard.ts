import { status } from "@grpc/grpc-js";
import type { CallTarget, Verb } from "../../contracts/contract";
import { DriverError } from "./driver-error";
import { driverNameForm, isDriverName, sameDriverName } from "../connect/driver-name";
import type { Endpoint } from "../connect/endpoint";
import { rpcName } from "./rpc-name";
import type { Session } from "../session";
import { WrongDriverError } from "./wrong-driver-error";

/**
 * Lets a call through only to the driver that its object belongs to.
 *
 * @param outcomeUnknown True if an earlier attempt of the call may have had its effect.
 * @throws WrongDriverError if another driver is behind the endpoint; DriverError if something would be made at a driver
 * whose name breaks the contract.
 */
export function requireRightDriver(
  { driverName, endpoint }: Session,
  method: { readonly verb: Verb; readonly path: string },
  target: CallTarget,
  outcomeUnknown: boolean,
): void {
  const makes = method.verb === "create" || method.verb === "grant";
  if (makes && !isDriverName(driverName)) throw illFormedName(driverName, endpoint, outcomeUnknown);
  if (sameDriverName(driverName, target.driverName)) return;
  throw new WrongDriverError({
    rpc: rpcName(method),
    subject: target.subject,
    recorded: target.driverName,
    reported: driverName,
    endpoint: endpoint.address,
    outcomeUnknown,
  });
}

function illFormedName(driverName: string, endpoint: Endpoint, outcomeUnknown: boolean): DriverError {
  return new DriverError({
    rpc: "DriverGetInfo",
    code: status.INVALID_ARGUMENT,
    reason: `the driver calls itself ${JSON.stringify(driverName)}, which is no driver name (${driverNameForm})`,
    next: "mend the driver, then run the command again",
    subject: "the driver itself",
    driver: `driver at ${endpoint.address}`,
    attempts: 1,
    seconds: 0,
    outcomeUnknown,
  });
}
