import { secretKind } from "../../../provider/kubernetes/object";
import { kindsOf } from "../../../provider/models/cosi-2020-07/kinds";
import { readBucket, readStatus } from "../../../provider/models/cosi-2020-07/records";
import { proposalKinds, type Cluster } from "../end-to-end/cluster";
import { ExampleObjects } from "../examples/objects";

/** The kinds of cosi.io/v1alpha1. */
export const kinds = kindsOf("cosi.io");

/** The Bucket object, as far as the tests of the examples look at it. */
export interface BucketLook {
  readonly phase: string;
  readonly bindings: readonly string[];
  readonly finalizers: readonly string[];
  readonly isDeleted: boolean;
}

/** What a cluster has of the proposal's objects. */
export class JulyObjects extends ExampleObjects {
  constructor(cluster: Cluster) {
    super(cluster, proposalKinds);
  }

  /** @returns `undefined` if there is none. */
  async bucket(name: string): Promise<BucketLook | undefined> {
    const object = await this.cluster.client.get(kinds.bucket, { name });
    if (object === undefined) return undefined;
    return {
      phase: readStatus(object).phase,
      bindings: readBucket(object).bindings,
      finalizers: object.metadata.finalizers ?? [],
      isDeleted: object.metadata.deletionTimestamp !== undefined,
    };
  }

  /** Everything that stands in the open, the metadata of Secrets too, as text by kind. */
  async openTexts(): Promise<Record<string, string>> {
    const secrets = (await this.list(secretKind)).map(({ metadata }) => metadata);
    return { ...(await this.cluster.textOfAllButSecrets()), Secrets: JSON.stringify(secrets) };
  }
}
