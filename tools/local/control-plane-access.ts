/** A Kubernetes API that the tests and the demo write to. */
export interface ControlPlane {
  /** Path of a kubeconfig file for an administrator. */
  readonly kubeconfig: string;
  /** URL of the API server. */
  readonly server: string;
  /** The administrator's bearer token; `undefined` when the cluster is the user's. */
  readonly token: string | undefined;
  /** Whether it was started here; `false` when `PULUMI_COSI_TEST_KUBECONFIG` gives a cluster of the user's. */
  readonly local: boolean;
  /** Ends what was started and removes its data; does nothing to a cluster of the user's. */
  readonly stop: () => Promise<void>;
}
