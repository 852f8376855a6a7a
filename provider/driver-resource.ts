import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { contractNames, type ContractName } from "./contracts/contract";
import { connectionTo } from "./driver/connection";
import { isDriverName, sameDriverName } from "./driver/driver-name";
import { parseEndpoint, requireTls } from "./driver/endpoint";
import { secretSettings } from "./driver/secret-settings";
import { defaultWaits, describeDriver, type ConnectionSettings } from "./driver/settings";
import { tlsProblem } from "./driver/tls-settings";
import { withSecretKey, type DriverTls } from "./driver-tls";
import { CheckFailures } from "./dynamic/check-failures";
import { errorText } from "./dynamic/error-text";
import { hosted } from "./dynamic/hosted";
import { DynamicResource } from "./dynamic/resource";
import { containsUnknown, isRecord, isUnknown, sameValue } from "./dynamic/values";
import { warn } from "./warning";

/** How to reach a driver, and how long to wait for it. */
export interface DriverArgs {
  /**
   * Driver that somebody else runs: its socket `unix:///run/cosi/cosi.sock`, an absolute path of at most 107 bytes
   * (103 on macOS) that ends in `.sock`; or its host `dns:///cosi.example.com:443`, together with `tls`. Plain text is
   * never sent over a network. A change of the endpoint is an update and replaces nothing.
   *
   * @default The value of COSI_ENDPOINT in the environment of `pulumi`, read at each call, so that a laptop and a CI
   * runner may differ without a change in the preview.
   */
  endpoint?: pulumi.Input<string>;
  /**
   * TLS with a driver on the network, which has an endpoint `dns:///host:port` here or in COSI_ENDPOINT; `{}` for one
   * whose certificate Node.js trusts anyway. Excludes `command`.
   *
   * @default No TLS: the driver is reached by a UNIX domain socket.
   */
  tls?: pulumi.Input<DriverTls>;
  /**
   * Program and arguments of a driver that is started for the run and ended with it, `["cosi-driver-s3"]`. It gets
   * its socket in `COSI_ENDPOINT`, or wherever `{endpoint}` stands in an argument or variable. No shell is involved.
   * `cosi-driver-s3` is that of this package; another program without a slash is looked for in `node_modules/.bin`,
   * then in PATH. One that ends in mid-run is started again, at most 5 times in a run. Excludes `endpoint`.
   *
   * @default none: a driver that somebody else runs is used
   */
  command?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Variables for `command`, beside the inherited ones. Secret in the state.
   *
   * @default none
   */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Wire protocol that the driver speaks.
   *
   * @default "cosi.v1alpha1"
   */
  contract?: pulumi.Input<ContractName>;
  /**
   * Name that the driver must report. Set it to accept a driver that was renamed.
   *
   * @default The name that the driver reports at the first `up`.
   */
  driverName?: pulumi.Input<string>;
  /**
   * Longest wait, in seconds, for socket, connection and the driver's name together.
   *
   * @default 30
   */
  connectTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Deadline of one attempt of a call, in seconds.
   *
   * @default 60
   */
  callTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Time in seconds, from a call's first attempt, after which no further attempt starts.
   *
   * @default 120
   */
  retryBudgetSeconds?: pulumi.Input<number>;
  /**
   * Pause before the first retry, in milliseconds; it doubles up to 5 s, each ±20 %.
   *
   * @default 200
   */
  firstRetryDelayMilliseconds?: pulumi.Input<number>;
  /**
   * Calls in flight at the driver at one time, for drivers that race.
   *
   * @default As many as Pulumi runs in parallel.
   */
  maxConcurrentCalls?: pulumi.Input<number>;
  /**
   * Lifts the contract's limits of 128 bytes per string and 4096 bytes per map, for a driver that documents larger
   * fields. Source: COSI specification, Size Limits.
   *
   * @default false
   */
  largeFields?: pulumi.Input<boolean>;
}

interface DriverInputs extends ConnectionSettings {
  driverName?: string;
  logicalName: string;
}

interface DriverOutputs extends ConnectionSettings {
  logicalName: string;
  /** The name that was recorded. */
  driverName: string;
  /** The name that the program demands. */
  demandedDriverName: string | null;
  seed: string;
  schemaVersion: 1;
}

/**
 * A storage driver, as a node of the graph: at `up` it is connected to and asked for its name, which is recorded.
 * Moving it to another endpoint is an update, and never replaces a bucket.
 *
 * @example
 * ```ts
 * const store = new cosi.Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
 * ```
 */
export class Driver extends DynamicResource {
  /** Name that the driver gave itself. */
  declare readonly driverName: pulumi.Output<string>;
  /** Random text from which the names of this driver's buckets and accounts are computed. */
  declare readonly seed: pulumi.Output<string>;
  readonly #settings: pulumi.Inputs;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi:Driver";

  constructor(name: string, args: DriverArgs, opts?: pulumi.CustomResourceOptions) {
    const settings = {
      endpoint: args.endpoint,
      tls: args.tls === undefined ? undefined : withSecretKey(args.tls),
      command: args.command,
      environment: args.environment === undefined ? undefined : pulumi.secret(args.environment),
      contract: args.contract ?? "cosi.v1alpha1",
      connectTimeoutSeconds: args.connectTimeoutSeconds ?? defaultWaits.connectTimeoutSeconds,
      callTimeoutSeconds: args.callTimeoutSeconds ?? defaultWaits.callTimeoutSeconds,
      retryBudgetSeconds: args.retryBudgetSeconds ?? defaultWaits.retryBudgetSeconds,
      firstRetryDelayMilliseconds:
        args.firstRetryDelayMilliseconds ?? defaultWaits.firstRetryDelayMilliseconds,
      maxConcurrentCalls: args.maxConcurrentCalls,
      largeFields: args.largeFields,
    };
    const outputs = { seed: undefined, demandedDriverName: undefined, schemaVersion: undefined };
    const props = { ...outputs, ...settings, driverName: args.driverName, logicalName: name };
    super("cosi", "Driver", "driver-resource", name, props, opts);
    this.#settings = settings;
  }

  /** What a bucket or an access keeps of this driver: a `DriverReference`, once all is known. @internal */
  reference(): pulumi.Inputs {
    return { ...this.#settings, driverName: this.driverName, seed: this.seed };
  }
}

/** The one variable of the contract, which a started driver gets from us. */
const endpointVariable = "COSI_ENDPOINT";

const inputKeys = [
  "endpoint",
  "tls",
  "command",
  "environment",
  "contract",
  "connectTimeoutSeconds",
  "callTimeoutSeconds",
  "retryBudgetSeconds",
  "firstRetryDelayMilliseconds",
  "maxConcurrentCalls",
  "largeFields",
] as const satisfies readonly (keyof ConnectionSettings)[];

function settingsOf(inputs: ConnectionSettings): ConnectionSettings {
  return Object.fromEntries(
    inputKeys.flatMap((key) => (inputs[key] === undefined ? [] : [[key, inputs[key]]])),
  ) as unknown as ConnectionSettings;
}

/** Logic of {@link Driver}, called by Pulumi's host. */
export const provider = hosted<DriverInputs, DriverOutputs>({
  check(olds, news) {
    const failures = new CheckFailures();
    const { endpoint, tls, command, environment, contract, driverName } = news;
    failures.judge("endpoint", endpoint, (value) => {
      if (command !== undefined)
        return "is given beside command: a driver is either started or found, choose one";
      try {
        requireTls(parseEndpoint(value), tls);
        return undefined;
      } catch (error) {
        return errorText(error);
      }
    });
    failures.judge("tls", tls, (value) => {
      if (command !== undefined)
        return "is given beside command: a driver that is started is reached by its socket, leave it out";
      if (endpoint?.startsWith("unix:") === true)
        return "is given with a UNIX domain socket, which needs none: leave it out, or set endpoint to dns:///<host>:<port>";
      return tlsProblem(value);
    });
    failures.judge("command", command, (value) =>
      value.length === 0 || value[0] === "" ? "is empty: give a program and its arguments" : undefined,
    );
    failures.judge("environment", environment, (value) => {
      if (command === undefined)
        return "is given without command: a driver that is found has its environment already";
      if (endpointVariable in value)
        return "sets COSI_ENDPOINT, which is given to the driver by pulumi-cosi: leave it out";
      return undefined;
    });
    if (!sameValue((olds as Partial<DriverInputs>).environment, environment)) warnOfContractNames(news);
    failures.judge("contract", contract, (value) =>
      contractNames.includes(value)
        ? undefined
        : `is ${JSON.stringify(value)}, and the contracts are: ${contractNames.join(", ")}`,
    );
    failures.judge("driverName", driverName, (value) =>
      isDriverName(value)
        ? undefined
        : `is ${JSON.stringify(value)}: a driver name has 1 to 63 letters, digits, dashes and dots, letters or digits at the ends`,
    );
    for (const key of [
      "connectTimeoutSeconds",
      "callTimeoutSeconds",
      "retryBudgetSeconds",
      "firstRetryDelayMilliseconds",
    ] as const) {
      failures.judge(key, news[key], (value) =>
        Number.isFinite(value) && value > 0 ? undefined : `is ${value}: give a number above 0`,
      );
    }
    failures.judge("maxConcurrentCalls", news.maxConcurrentCalls, (value) =>
      Number.isInteger(value) && value > 0 ? undefined : `is ${value}: give a whole number above 0`,
    );
    return Promise.resolve(
      failures.result({
        ...news,
        logicalName: (olds as Partial<DriverInputs>).logicalName ?? news.logicalName,
      }),
    );
  },

  diff(_id, olds, news) {
    const moved = !sameValue(settingsOf(olds), settingsOf(news));
    const renamed = news.driverName !== undefined && !sameValue(olds.demandedDriverName, news.driverName);
    const freed = news.driverName === undefined && olds.demandedDriverName !== null;
    return Promise.resolve({ changes: moved || renamed || freed || containsUnknown(news), replaces: [] });
  },

  async create(inputs) {
    const reported = await reportedName(inputs, inputs.driverName);
    const seed = randomBytes(16).toString("hex");
    return { id: inputs.logicalName, outs: outputsOf(inputs, reported, seed) };
  },

  async update(_id, olds, news) {
    const reported = await reportedName(news, news.driverName ?? olds.driverName);
    return { outs: outputsOf(news, reported, olds.seed) };
  },

  // GRPC-017: a driver that is out of reach must not stop a refresh, and nothing here can drift.
  read(id, props) {
    if (props?.schemaVersion === undefined)
      return Promise.reject(new Error(`the Driver ${id} can only be read from the state`));
    const { demandedDriverName, logicalName } = props;
    const demanded = demandedDriverName === null ? {} : { driverName: demandedDriverName };
    const inputs = secretSettings({ ...settingsOf(props), ...demanded, logicalName });
    return Promise.resolve({ id, props: secretSettings(props), inputs: inputs as DriverOutputs });
  },

  async delete() {
    // The driver belongs to somebody else, or ends with this process.
  },
});

/** GRPC-102: what begins with COSI_ is the contract's to name. */
function warnOfContractNames({ logicalName, environment }: DriverInputs): void {
  if (!isRecord(environment)) return;
  const names = Object.keys(environment).filter(
    (name) => name.startsWith("COSI_") && name !== endpointVariable,
  );
  if (names.length === 0) return;
  warn(
    "driver",
    logicalName,
    `its environment sets ${names.join(", ")}: names that begin with COSI_ belong to the contract, which knows ` +
      `only ${endpointVariable}`,
  );
}

/** Asks the driver for its name. @throws Error if it is none, or not the one that is expected. */
async function reportedName(settings: ConnectionSettings, expected: string | undefined): Promise<string> {
  const reported = await connectionTo(settingsOf(settings)).driverName();
  const where = describeDriver(settings);
  if (!isDriverName(reported)) {
    throw new Error(
      `the driver at ${where} calls itself ${JSON.stringify(reported)}, which is no driver name (1 to 63 letters, digits, ` +
        `dashes and dots, letters or digits at the ends). Next: mend the driver; nothing was made with it.`,
    );
  }
  if (expected !== undefined && !isUnknown(expected) && !sameDriverName(expected, reported)) {
    throw new Error(
      `the driver at ${where} calls itself ${JSON.stringify(reported)}, and ${JSON.stringify(expected)} is expected. Next: ` +
        `point endpoint at the right driver, or, if it was renamed, set driverName to ${JSON.stringify(reported)}.`,
    );
  }
  return reported;
}

function outputsOf(inputs: DriverInputs, driverName: string, seed: string): DriverOutputs {
  return secretSettings({
    ...settingsOf(inputs),
    logicalName: inputs.logicalName,
    driverName,
    demandedDriverName: inputs.driverName ?? null,
    seed,
    schemaVersion: 1,
  });
}
