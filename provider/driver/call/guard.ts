import { status } from "@grpc/grpc-js";
import type { CallTarget, Contract, ContractWords, Verb } from "../../contracts/contract";
import { DriverError } from "./driver-error";
import { driverNameForm, isDriverName, sameDriverName } from "../connect/driver-name";
import type { Endpoint } from "../connect/endpoint";
import { rpcName } from "./rpc-name";
import type { Session } from "../session";
import { WrongDriverError } from "./wrong-driver-error";

/**
 * Lets a call through only to the driver that its object belongs to. One that cannot be asked for its name is the right
 * one by where it is: name and place were recorded together.
 *
 * @param outcomeUnknown True if an earlier attempt of the call may have had its effect.
 * @throws WrongDriverError if another driver is behind the endpoint, or one for another protocol; DriverError if something
 * would be made at a driver whose name breaks the contract.
 */
export function requireRightDriver(
  { identity, endpoint }: Session,
  method: { readonly verb: Verb; readonly path: string },
  target: CallTarget,
  outcomeUnknown: boolean,
  { naming, words }: Pick<Contract, "naming" | "words">,
): void {
  if (identity === null) return;
  const { name, protocols } = identity;
  const { driverName: recorded, protocol: wanted } = target;
  const own = naming.ownName(recorded);
  const sameName = sameDriverName(name, own);
  const makes = method.verb === "create" || method.verb === "grant";
  // K02-007: a name is ill-formed by the rules of its contract, which may have none.
  const asRecorded = sameName && naming.problem(recorded) === undefined;
  if (makes && !asRecorded && !isDriverName(name)) throw illFormedName(name, endpoint, outcomeUnknown, words);
  const servesProtocol = protocols === undefined || wanted === undefined || protocols.includes(wanted);
  if (sameName && servesProtocol) return;
  throw new WrongDriverError({
    rpc: rpcName(method),
    subject: target.subject,
    recorded,
    reported: name,
    inputForReported: recorded.slice(0, recorded.length - own.length) + name,
    ...(sameName && wanted !== undefined ? { protocols: { wanted, served: protocols ?? [] } } : {}),
    endpoint: endpoint.address,
    outcomeUnknown,
  });
}

function illFormedName(
  driverName: string,
  endpoint: Endpoint,
  outcomeUnknown: boolean,
  words: ContractWords,
): DriverError {
  return new DriverError({
    rpc: "DriverGetInfo",
    code: status.INVALID_ARGUMENT,
    reason: `the driver calls itself ${JSON.stringify(driverName)}, which is not a valid driver name (${driverNameForm})`,
    next: "fix the driver, then run the command again",
    subject: "the driver itself",
    words,
    driver: `driver at ${endpoint.address}`,
    attempts: 1,
    seconds: 0,
    outcomeUnknown,
  });
}
