import * as pulumi from "@pulumi/pulumi";
import { contractNames, type ContractName } from "../contracts/contract";
import { contractTraits, type ContractTraits } from "../contracts/traits";
import { defaultWaits } from "../driver/default-waits";
import { DynamicResource } from "../dynamic/resource";
import { isSecretInput } from "../dynamic/secret-input";
import { select } from "../dynamic/select";
import { withoutNulls } from "../dynamic/values";
import { requireArguments } from "../inputs/core-arguments";
import { withSecretKey, type DriverTls } from "./driver-tls";

/** The arguments that are waits; what a bucket or an access keeps of its driver has those alone that are no default. */
const waits = [
  "connectTimeoutSeconds",
  "callTimeoutSeconds",
  "retryBudgetSeconds",
  "firstRetryDelayMilliseconds",
] as const;

/** How to reach a driver, and how long to wait for it. */
export interface DriverArgs {
  /**
   * Driver that somebody else runs: its socket `unix:///run/cosi/cosi.sock`, an absolute path of at most 107 bytes
   * (103 on macOS) that ends in `.sock`; or its host `dns:///cosi.example.com:443`, together with `tls`. Plain text is
   * never sent over a network. A change of the endpoint is an update and replaces nothing.
   *
   * With the contracts `cosi-2020-07` and `cosi-2020-02` a port of this machine may be named `localhost:9000`, without `tls`.
   *
   * @default The value of COSI_ENDPOINT in the environment of `pulumi` (`deployment.v1alpha1`: Deployment_ENDPOINT), read at
   * each call, so that a laptop and a CI runner may differ without a change in the preview; none with the contracts
   * `cosi-2020-07` and `cosi-2020-02`.
   */
  endpoint?: pulumi.Input<string>;
  /**
   * TLS with a driver on the network, which has an endpoint `dns:///host:port` here or in the environment; `{}` for one
   * whose certificate Node.js trusts anyway. Excludes `command`.
   *
   * @default No TLS: the driver is reached by a UNIX domain socket.
   */
  tls?: pulumi.Input<DriverTls>;
  /**
   * Program and arguments of a driver that is started for the run and ended with it, `["cosi-driver-s3"]`. It gets
   * its socket in `COSI_ENDPOINT` (`deployment.v1alpha1`: `Deployment_ENDPOINT`), or wherever `{endpoint}` stands in an argument or variable. No shell is involved.
   * `cosi-driver-s3` and `deployment-driver-postgres` are those of this package; another program without a slash is looked for in `node_modules/.bin`,
   * then in PATH. One that ends in mid-run is started again, at most 5 times in a run. Excludes `endpoint`.
   * With a secret among them the command is secret in the state and its arguments are masked in errors; other users of
   * the machine see the arguments of a process, so a secret belongs into `environment`.
   *
   * @default none: a driver that somebody else runs is used
   */
  command?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Variables for `command`, beside the inherited ones. Secret in the state, and masked in what is shown of the driver's
   * output and answers: a value from 8 characters on wherever it stands, a shorter one from 4 on as a whole word, unless it is an
   * ordinary one (`true`, `info`, a number of up to 5 digits).
   *
   * @default none
   */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Wire protocol that the driver speaks: `cosi.v1alpha1`; that of a COSI proposal: `cosi-2020-07` of 2020-07-08,
   * `cosi-2020-02` of 2020-02-27; or the Deployment Interface, `deployment.v1alpha1`, and its sister package
   * `database.v1alpha1`, for {@link Deployment}. A change is refused while buckets or accesses that were made by another one are
   * in the state, whose ids mean nothing in it (but between the last two): add a second Driver.
   *
   * @default "cosi.v1alpha1"
   */
  contract?: pulumi.Input<ContractName>;
  /**
   * Name that the driver must report. Set it to accept a driver that was renamed. With a contract of a proposal it is
   * required and the provisioner, with `cosi-2020-07` as `<provisioner-namespace>/<provisioner-name>`, with `cosi-2020-02` any
   * name: these contracts have no call that tells a name, so the recorded pair of provisioner and endpoint is what keeps calls
   * from a wrong driver.
   *
   * @default The name that the driver reports at the first `up`.
   */
  driverName?: pulumi.Input<string>;
  /**
   * With a contract of a proposal: full path of an RPC that the driver answers with its name, such as
   * `/cosi.v1alpha1.Identity/DriverGetInfo`. It is called once per connection, and the name must be `driverName`, with
   * `cosi-2020-07` the part of it after the slash.
   *
   * @default none: the driver is not asked
   */
  identityMethod?: pulumi.Input<string>;
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
    requireArguments("Driver", name, args);
    const given = withoutNulls(args);
    const settings = {
      endpoint: given.endpoint,
      tls: given.tls === undefined ? undefined : withSecretKey(given.tls),
      command: given.command,
      secretCommand: given.command === undefined ? undefined : isSecretInput(given.command),
      environment: given.environment === undefined ? undefined : pulumi.secret(given.environment),
      contract: given.contract ?? "cosi.v1alpha1",
      identityMethod: given.identityMethod,
      ...select(given, waits),
      maxConcurrentCalls: given.maxConcurrentCalls,
      largeFields: given.largeFields,
    };
    const outputs = { seed: undefined };
    const props = {
      ...outputs,
      ...defaultWaits,
      ...settings,
      driverName: given.driverName,
      logicalName: name,
    };
    super("cosi", "Driver", "driver-resource/provider", name, props, opts);
    this.#settings = settings;
  }

  /**
   * What the driver's contract has; `undefined` where the program does not say it as a plain text.
   *
   * @internal
   */
  contractTraits(): ContractTraits | undefined {
    const contract: unknown = this.#settings["contract"];
    const known = contractNames.find((name) => name === contract);
    return known === undefined ? undefined : contractTraits[known];
  }

  /**
   * What a bucket or an access keeps of this driver: a `DriverReference`, once all is known. The id is not kept: it tells a
   * preview of an update, which knows it, from that of a create.
   *
   * @internal
   */
  reference(): pulumi.Inputs {
    return { ...this.#settings, driverName: this.driverName, seed: this.seed, id: this.id };
  }
}
