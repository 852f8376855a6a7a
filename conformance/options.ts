import type { AuthenticationType } from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Parameters } from "./ledger";
import type { TestedContractName } from "./tested-contract";

/** What a run is told about the driver. */
export interface ConformanceOptions {
  /** The contract by which the driver is judged. */
  readonly contract: TestedContractName;
  /** Socket of a driver that runs, `unix:///run/cosi/cosi.sock`; or else `command`. */
  readonly endpoint?: string;
  /** Program and arguments of a driver that the run starts, restarts and ends; `{endpoint}` in them is replaced. */
  readonly command?: readonly string[];
  /** Parameters with which the driver makes a bucket. */
  readonly parameters: Parameters;
  /** Other valid parameters, for a create that must be told from the first one. */
  readonly otherParameters?: Parameters;
  /** Parameters with which the driver grants access. */
  readonly accessParameters: Parameters;
  /** Other valid parameters, for a grant that must be told from the first one. */
  readonly otherAccessParameters?: Parameters;
  readonly authenticationType: AuthenticationType.Key | AuthenticationType.IAM;
  /** Start of all names, `[a-z0-9-]`, at most 40 characters. */
  readonly prefix: string;
  /** Longest wait for one call, for a driver to serve, and for a store to take note of a change. */
  readonly timeoutSeconds: number;
  /** Pause between two calls after which a driver must still be the same process. */
  readonly idleSeconds: number;
  /** Try the granted S3 credentials at the store. */
  readonly checkCredentials: boolean;
  /**
   * Program that tries granted credentials of any other kind. It gets them as JSON on standard input, and exits with 0 if
   * they are alive, 1 if they are refused.
   *
   * @default none: only S3 credentials can be tried, with `checkCredentials`
   */
  readonly tryCredentials?: string;
  /** The driver documents larger limits than the contract's for its fields. */
  readonly largeFields: boolean;
}
