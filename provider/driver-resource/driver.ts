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

/** The arguments that are waits; what a bucket or an access keeps of its driver has only those that are not defaults. */
const waits = [
  "connectTimeoutSeconds",
  "callTimeoutSeconds",
  "retryBudgetSeconds",
  "firstRetryDelayMilliseconds",
] as const;

/** How to reach a driver, and how long to wait for it. */
export interface DriverArgs {
  /**
   * Address of a driver that somebody else runs: its socket `unix:///run/cosi/cosi.sock`, an absolute path of at most 107
   * bytes (103 on macOS) that ends in `.sock`; or its host `dns:///cosi.example.com:443`, together with `tls`. Nothing is
   * sent over a network in plain text. Changing the endpoint is an update and replaces nothing.
   *
   * With the contracts `cosi-2020-07` and `cosi-2020-02`, a port of this machine is allowed too: `localhost:9000`, without
   * `tls`.
   *
   * @default The value of COSI_ENDPOINT in the environment of `pulumi` (`deployment.v1alpha1`: Deployment_ENDPOINT), read at
   * each call, so that a laptop and a CI runner may differ without a change in the preview; none with the contracts
   * `cosi-2020-07` and `cosi-2020-02`.
   */
  endpoint?: pulumi.Input<string>;
  /**
   * TLS for a driver on the network, whose endpoint `dns:///host:port` is given here or in the environment. Use `{}` if
   * Node.js trusts its certificate anyway. Cannot be combined with `command`.
   *
   * @default No TLS: the driver is reached through a UNIX domain socket.
   */
  tls?: pulumi.Input<DriverTls>;
  /**
   * Program and arguments of a driver to start for the run, such as `["cosi-driver-s3"]`; it is stopped when the run ends.
   * It gets its socket in `COSI_ENDPOINT` (`deployment.v1alpha1`: `Deployment_ENDPOINT`), and wherever `{endpoint}` stands in
   * an argument or variable. No shell is involved. `cosi-driver-s3` and `deployment-driver-postgres` are those of this
   * package; any other program without a slash is looked up in `node_modules/.bin`, then in PATH. A driver that ends during
   * the run is started again, at most 5 times per run. Cannot be combined with `endpoint`.
   * If one of the texts is secret, the command is secret in the state and its arguments are masked in errors. Other users of
   * the machine can see a process's arguments, so put secrets into `environment`.
   *
   * @default none: a driver that somebody else runs is used
   */
  command?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Environment variables for `command`, in addition to the inherited ones. They are secret in the state. In what is shown
   * of the driver's output and answers their values are masked: those of 8 or more characters wherever they occur, those of
   * 4 to 7 as whole words, except ordinary ones (`true`, `info`, a number of up to 5 digits).
   *
   * @default none
   */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Wire protocol that the driver speaks: `cosi.v1alpha1`; that of a COSI proposal, `cosi-2020-07` (2020-07-08) or
   * `cosi-2020-02` (2020-02-27); or, for {@link Deployment}, that of the Deployment Interface, `deployment.v1alpha1`, or of
   * its sister package, `database.v1alpha1`. While the state has buckets or accesses made with another contract, a change is
   * refused, as their ids mean nothing in the new one: add a second Driver. Between the last two a change is allowed.
   *
   * @default "cosi.v1alpha1"
   */
  contract?: pulumi.Input<ContractName>;
  /**
   * Name that the driver must report. Set it to accept a driver that was renamed. With a proposal's contract it is required
   * and names the provisioner: `<provisioner-namespace>/<provisioner-name>` with `cosi-2020-07`, any name with
   * `cosi-2020-02`. These contracts have no call that reports a name, so the recorded pair of provisioner and endpoint is
   * what keeps calls from the wrong driver.
   *
   * @default The name that the driver reports at the first `up`.
   */
  driverName?: pulumi.Input<string>;
  /**
   * With a proposal's contract: full path of an RPC that the driver answers with its name, such as
   * `/cosi.v1alpha1.Identity/DriverGetInfo`. It is called once per connection, and the answer must be `driverName`; with
   * `cosi-2020-07`, the part after the slash.
   *
   * @default none: the driver is not asked
   */
  identityMethod?: pulumi.Input<string>;
  /**
   * Longest wait, in seconds, for the socket, the connection and the driver's name together.
   *
   * @default 30
   */
  connectTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Deadline for one attempt of a call, in seconds.
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
   * Pause before the first retry, in milliseconds. It doubles with each further retry, up to 5 s, and varies by ±20 %.
   *
   * @default 200
   */
  firstRetryDelayMilliseconds?: pulumi.Input<number>;
  /**
   * Maximum number of calls in flight to the driver, for drivers that race when called in parallel.
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
 * A storage driver, as a node of the graph: `up` connects to it, asks for its name, and records the name. Moving the
 * driver to another endpoint is an update, and never replaces a bucket.
 *
 * @example
 * ```ts
 * const store = new cosi.Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
 * ```
 */
export class Driver extends DynamicResource {
  /** Name of the driver, as it calls itself; by the contracts of the two proposals, as the program calls it. */
  declare readonly driverName: pulumi.Output<string>;
  /** Random text from which the names of this driver's buckets and accounts are computed. */
  declare readonly seed: pulumi.Output<string>;
  readonly #settings: pulumi.Inputs;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi:Driver";

  constructor(name: string, args: DriverArgs = {}, opts?: pulumi.CustomResourceOptions) {
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
   * What the driver's contract has; `undefined` if the program does not give the contract as plain text.
   *
   * @internal
   */
  contractTraits(): ContractTraits | undefined {
    const contract: unknown = this.#settings["contract"];
    const known = contractNames.find((name) => name === contract);
    return known === undefined ? undefined : contractTraits[known];
  }

  /**
   * What a bucket or an access keeps of this driver: a `DriverReference`, once all of it is known. The id is not kept: it
   * tells the preview of an update, which knows it, from that of a create.
   *
   * @internal
   */
  reference(): pulumi.Inputs {
    return { ...this.#settings, driverName: this.driverName, seed: this.seed, id: this.id };
  }
}
