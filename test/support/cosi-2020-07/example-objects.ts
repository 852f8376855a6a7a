import { isRecord } from "../../../provider/dynamic/values";
import {
  customResourceDefinitionKind,
  namespaceKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import { kindsOf } from "../../../provider/models/cosi-2020-07/kinds";
import { readBucket, readStatus } from "../../../provider/models/cosi-2020-07/records";
import { proposalKinds, type Cluster } from "../end-to-end/cluster";

/** The kinds of cosi.io/v1alpha1. */
export const kinds = kindsOf("cosi.io");

/** The Bucket object, as far as the tests of the examples look at it. */
export interface BucketLook {
  readonly phase: string;
  readonly bindings: readonly string[];
  readonly finalizers: readonly string[];
  readonly isDeleted: boolean;
}

/** What a cluster has of the proposal's objects, for the tests of the examples. */
export class ExampleObjects {
  constructor(private readonly cluster: Cluster) {}

  /** `<kind> <name>` of each of the proposal's objects, and of each Secret. */
  async names(): Promise<string[]> {
    const found = await Promise.all(
      [...proposalKinds, secretKind].map(async (kind) =>
        (await this.#list(kind)).map(({ metadata }) => `${kind.kind} ${metadata.name}`),
      ),
    );
    return found.flat().sort();
  }

  /** Names of these namespaces that are there. */
  async namespaces(...wanted: readonly string[]): Promise<string[]> {
    const found = await this.#list(namespaceKind);
    return found.map(({ metadata }) => metadata.name).filter((name) => wanted.includes(name));
  }

  /** Phases of BucketRequest, Bucket, BucketAccessRequest and BucketAccess, by kind and name. */
  async phases(): Promise<Record<string, string>> {
    const found = await Promise.all(
      proposalKinds
        .filter(({ kind }) => !kind.endsWith("Class"))
        .map(async (kind) =>
          (await this.#list(kind)).map((object): [string, string] => [
            `${kind.kind} ${object.metadata.name}`,
            readStatus(object).phase,
          ]),
        ),
    );
    return Object.fromEntries(found.flat());
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

  /** `spec` of an object. */
  async spec(kind: KubernetesKind, name: string, namespace?: string): Promise<Record<string, unknown>> {
    const { spec } = await this.cluster.get(kind, name, namespace);
    return isRecord(spec) ? spec : {};
  }

  /** The data of a Secret as a workload is given it. */
  async secret(namespace: string, name: string): Promise<Readonly<Record<string, string>>> {
    const { data } = await this.cluster.get(secretKind, name, namespace);
    const entries = Object.entries(isRecord(data) ? data : {});
    return Object.fromEntries(
      entries.map(([key, value]) => [key, Buffer.from(String(value), "base64").toString()]),
    );
  }

  /** Names of the definitions of cosi.io. */
  async definitions(): Promise<string[]> {
    const found = await this.cluster.client.list(customResourceDefinitionKind);
    return found.map(({ metadata }) => metadata.name).filter((name) => name.endsWith(`.${kinds.group}`));
  }

  /** Everything that stands in the open, the metadata of Secrets too, as text by kind. */
  async openTexts(): Promise<Record<string, string>> {
    const secrets = (await this.#list(secretKind)).map(({ metadata }) => metadata);
    return { ...(await this.cluster.textOfAllButSecrets()), Secrets: JSON.stringify(secrets) };
  }

  #list(kind: KubernetesKind): Promise<readonly KubernetesObject[]> {
    return this.cluster.client.list(kind);
  }
}
