import type { ContractName, DriverIdentity, EndpointVariable, UnaryMethod } from "../contracts/contract";
import { contractOf, knownContract } from "../contracts/registry";
import { select } from "../dynamic/select";
import { canonical, containsUnknown, isUnknown, withoutNulls } from "../dynamic/values";
import type { TlsSettings } from "./connect/tls-settings";
import { defaultWaits } from "./default-waits";
import { realAddress } from "./real-address";

export { defaultWaits } from "./default-waits";

/**
 * How to reach a driver. It is kept in the state of every resource that calls the driver, because `destroy` runs
 * no program.
 */
export interface ConnectionSettings {
  /** Driver that somebody else runs: `unix:///run/cosi/cosi.sock`, or `dns:///cosi.example.com:443` with `tls`. */
  endpoint?: string;
  /** For a driver on the network, also one that the environment names. */
  tls?: TlsSettings;
  /** Program and arguments of a driver that is started for the run. */
  command?: string[];
  /** The program marked an argument of `command` as secret. */
  secretCommand?: boolean;
  /** Environment variables for `command`, beside those that are inherited. */
  environment?: Record<string, string>;
  contract: ContractName;
  /** Full path of the RPC that tells the driver's name, for a contract that has none of its own. */
  identityMethod?: string;
  connectTimeoutSeconds: number;
  callTimeoutSeconds: number;
  retryBudgetSeconds: number;
  firstRetryDelayMilliseconds: number;
  /** Calls in flight at the driver at one time; absent: as many as Pulumi runs. */
  maxConcurrentCalls?: number;
  /** The driver documents larger fields than the contract allows, so their bytes are not judged. */
  largeFields?: boolean;
}

type Wait = keyof typeof defaultWaits;

/** Settings as they are kept: a wait that is left out is the default one. */
export type KeptSettings = Omit<ConnectionSettings, Wait> & Partial<Pick<ConnectionSettings, Wait>>;

/** What says where a driver is (of `tls`, the server's name); the other settings say how it is spoken to. */
export type DriverPlace = Pick<ConnectionSettings, "endpoint" | "tls" | "command" | "environment"> &
  Partial<Pick<ConnectionSettings, "contract">>;

/** The variable that has a driver's endpoint, in its own environment or in ours. */
export function endpointVariableOf({ contract }: Pick<DriverPlace, "contract">): EndpointVariable {
  return knownContract(contract)?.endpointVariable ?? "COSI_ENDPOINT";
}

/**
 * The endpoint at which a driver is found now: the one that is given, else that of the contract's variable.
 *
 * @returns `undefined` for a driver that is started, and where that variable is not set.
 */
export function effectiveEndpoint(place: DriverPlace): string | undefined {
  const { endpoint, command } = place;
  if (endpoint !== undefined || command !== undefined) return endpoint;
  const inherited = process.env[endpointVariableOf(place)];
  return inherited === "" ? undefined : inherited;
}

/** One text for each place: equal for settings that lead to one driver, however it is named, written or spoken to. */
export function placeOf(settings: DriverPlace): string {
  const endpoint = effectiveEndpoint(settings);
  if (endpoint === undefined) return canonical([settings.command, settings.environment ?? {}]);
  return canonical(realAddress(endpoint, settings.tls?.serverName));
}

/** False where a preview does not know all that the place depends on. */
export function isPlaceKnown({ endpoint, tls, command, environment }: DriverPlace): boolean {
  return !containsUnknown([endpoint, isUnknown(tls) ? tls : tls?.serverName, command, environment]);
}

/** The RPC that tells who the driver is; `null` if the contract has none and the user names none. */
export function identifyMethod({
  contract,
  identityMethod,
}: Pick<ConnectionSettings, "contract" | "identityMethod">): UnaryMethod<void, DriverIdentity> | null {
  const { identify, identifyBy } = contractOf(contract);
  if (identify !== null || identityMethod === undefined) return identify;
  return identifyBy?.(identityMethod) ?? null;
}

/** Names the driver in messages: its socket, or the command that starts it. */
export function describeDriver(settings: Omit<DriverPlace, "environment">): string {
  if (settings.endpoint !== undefined) return settings.endpoint;
  if (settings.command !== undefined) return `command ${JSON.stringify(settings.command[0])}`;
  return `the endpoint in ${endpointVariableOf(settings)}`;
}

/** The settings alone, of an object that holds more; one that is `null` is left out. */
export function connectionSettingsOf(from: KeptSettings): ConnectionSettings {
  return {
    contract: from.contract,
    ...defaultWaits,
    ...select(withoutNulls(from), [
      "connectTimeoutSeconds",
      "callTimeoutSeconds",
      "retryBudgetSeconds",
      "firstRetryDelayMilliseconds",
      "endpoint",
      "tls",
      "command",
      "secretCommand",
      "environment",
      "identityMethod",
      "maxConcurrentCalls",
      "largeFields",
    ]),
  };
}
