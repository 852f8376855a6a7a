import { isRecord } from "../../../provider/dynamic/values";
import {
  customResourceDefinitionKind,
  namespaceKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import type { Cluster } from "../end-to-end/cluster";

/** What a cluster has of an API model's objects, for the tests of its examples. */
export class ExampleObjects {
  /** @param kinds All kinds of the model, of one group. */
  constructor(
    protected readonly cluster: Cluster,
    private readonly kinds: readonly KubernetesKind[],
  ) {}

  /** `<kind> <name>` of each of the model's objects, and of each Secret. */
  async names(): Promise<string[]> {
    const found = await Promise.all(
      [...this.kinds, secretKind].map(async (kind) =>
        (await this.list(kind)).map(({ metadata }) => `${kind.kind} ${metadata.name}`),
      ),
    );
    return found.flat().sort();
  }

  /** Names of these namespaces that are there. */
  async namespaces(...wanted: readonly string[]): Promise<string[]> {
    const found = await this.list(namespaceKind);
    return found.map(({ metadata }) => metadata.name).filter((name) => wanted.includes(name));
  }

  /** Phases of all that have one, by kind and name. */
  async phases(): Promise<Record<string, string>> {
    const found = await Promise.all(
      this.kinds
        .filter(({ kind }) => !kind.endsWith("Class"))
        .map(async (kind) =>
          (await this.list(kind)).map((object): [string, string] => [
            `${kind.kind} ${object.metadata.name}`,
            phaseOf(object),
          ]),
        ),
    );
    return Object.fromEntries(found.flat());
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

  /** Names of the definitions of the model's group. */
  async definitions(): Promise<string[]> {
    const groups = this.kinds.map(({ apiVersion }) => apiVersion.replace(/\/.*/, ""));
    const found = await this.cluster.client.list(customResourceDefinitionKind);
    return found
      .map(({ metadata }) => metadata.name)
      .filter((name) => groups.some((group) => name.endsWith(`.${group}`)));
  }

  protected list(kind: KubernetesKind): Promise<readonly KubernetesObject[]> {
    return this.cluster.client.list(kind);
  }
}

function phaseOf({ status }: KubernetesObject): string {
  return isRecord(status) && typeof status["phase"] === "string" ? status["phase"] : "";
}
