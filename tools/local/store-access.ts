/** Where an S3 API, with an IAM API at the same endpoint, is and who administers it. */
export interface StoreAccess {
  /** URL; buckets are addressed by path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An object store that the tests and the demo write to. */
export interface Store extends StoreAccess {
  /** Whether it was started here; `false` when `PULUMI_COSI_TEST_S3_ENDPOINT` gives a store of the user's. */
  readonly local: boolean;
  /** Ends what was started and removes its data; does nothing to a store of the user's. */
  readonly stop: () => Promise<void>;
}
