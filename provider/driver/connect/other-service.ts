import type { ContractName } from "../../contracts/contract";
import type { Channel } from "./channel";

const v1alpha2Identity = "/sigs.k8s.io.cosi.v1alpha2.Identity/DriverGetInfo";

/** Calls by which the contracts that have one ask for a driver's name, and releases of them that have another. */
const identityCalls = [
  "/cosi.v1alpha1.Identity/DriverGetInfo",
  "/deployment.v1alpha1.Identity/DriverGetInfo",
  "/database.v1alpha1.Identity/DriverGetInfo",
];

/** What serves at an endpoint in place of the contract, and what the user does about it. */
export interface OtherService {
  readonly what: string;
  readonly next: string;
}

/**
 * Finds out what answers UNIMPLEMENTED to `DriverGetInfo` of a contract. Nothing is asked of its provisioner: by the
 * words of gRPC in Go, in which drivers are written, a service that is there lacks a method, and another one is unknown.
 *
 * @param said The message of the UNIMPLEMENTED answer.
 */
export async function identifyOtherService(
  channel: Channel,
  contract: ContractName,
  said: string,
  timeoutMilliseconds: number,
): Promise<OtherService> {
  const own = `/${contract}.Identity/DriverGetInfo`;
  for (const other of identityCalls.filter((call) => call !== own)) {
    if (!(await serves(channel, other, timeoutMilliseconds))) continue;
    const served = other.slice(1, other.indexOf(".Identity"));
    return { what: `it serves ${served}`, next: `set contract of the Driver to ${JSON.stringify(served)}` };
  }
  if (contract !== "cosi.v1alpha1") {
    return {
      what: `its ${contract}.Identity, if it has one, does not answer DriverGetInfo`,
      next: `point the Driver at a driver that serves ${contract} with its Identity service`,
    };
  }
  if (await serves(channel, v1alpha2Identity, timeoutMilliseconds)) {
    return {
      what: "it serves sigs.k8s.io.cosi.v1alpha2, a later contract that this release does not speak",
      next: "run the driver's release for cosi.v1alpha1",
    };
  }
  const next = "point the Driver at a driver that serves cosi.v1alpha1";
  if (/unknown method/i.test(said)) {
    return {
      what: "it serves cosi.v1alpha1.Identity without DriverGetInfo, as a pre-alpha driver does (its call was ProvisionerGetInfo)",
      next: "run a newer release of the driver, one that is built with COSI v0.1.0 or later",
    };
  }
  if (/unknown service/i.test(said)) {
    return { what: "it is not a COSI driver but another gRPC service", next };
  }
  return { what: "it is another gRPC service, or a pre-alpha driver", next };
}

async function serves(channel: Channel, method: string, timeoutMilliseconds: number): Promise<boolean> {
  return channel.unary(method, new Uint8Array(), timeoutMilliseconds).then(
    () => true,
    () => false,
  );
}
