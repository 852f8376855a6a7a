import { sleep } from "../../../provider/driver/call/retry";
import { isRecord, sameValue } from "../../../provider/dynamic/values";
import type { KubernetesClient } from "../../../provider/kubernetes/client";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { watchSince, type WatchEvent } from "./object-watch";

/** Something that happened, at the API server or at the driver. */
export interface TimelineEvent {
  /** The API server's revision: the events of both sides are in the order of it. */
  readonly revision: number;
  /** `BucketClaim photos status {…}`, `Bucket bucket-… +finalizer bucket-protection`, `DriverCreateBucket received`. */
  readonly text: string;
}

/** A kind whose objects are watched. */
export interface WatchedKind {
  readonly kind: KubernetesKind;
  readonly namespaced: boolean;
}

const livingKinds: readonly WatchedKind[] = [
  { kind: bucketClaimKind, namespaced: true },
  { kind: bucketKind, namespaced: false },
  { kind: bucketAccessKind, namespaced: true },
  { kind: secretKind, namespaced: true },
];

const configMapKind: KubernetesKind = { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" };
const finalizerPrefix = /^(?:cosi\.objectstorage\.k8s\.io|deployment\.pulumi-cosi)\//;

/**
 * What happened at the API server and at the driver, in one order. Each call leaves a mark at the API server; the
 * revision that this makes lies between those of the writes before it and after it.
 */
export class Timeline {
  readonly #marks: TimelineEvent[] = [];
  #since = 0;

  private constructor(
    private readonly client: KubernetesClient,
    private readonly kubeconfig: string,
    private readonly namespace: string,
    private readonly kinds: readonly WatchedKind[],
  ) {}

  /** @param kubeconfig Path of a kubeconfig. @param namespace One that the test has for itself. */
  static async start(
    client: KubernetesClient,
    kubeconfig: string,
    namespace: string,
    kinds: readonly WatchedKind[] = livingKinds,
  ): Promise<Timeline> {
    const timeline = new Timeline(client, kubeconfig, namespace, kinds);
    await client.create(configMapKind, { metadata: { namespace, name: "timeline" } });
    await timeline.restart();
    return timeline;
  }

  /**
   * Waits until the server can tell what happens to objects of a kind, which takes it a moment after the kind is
   * defined; then begins anew.
   */
  async whenWatchable(): Promise<this> {
    for (;;) {
      await this.restart();
      try {
        await this.events();
        return this;
      } catch (error) {
        if (!(error instanceof Error && /"Expired"|Too Many Requests/.test(error.message))) throw error;
        await sleep(200);
      }
    }
  }

  /** Forgets what has happened so far. */
  async restart(): Promise<void> {
    this.#marks.length = 0;
    this.#since = await this.#revision();
  }

  /** Notes something that happens at this moment outside of the API server. */
  async mark(text: string): Promise<void> {
    this.#marks.push({ revision: await this.#revision(), text });
  }

  /** Everything since the start, in its order. */
  async events(): Promise<TimelineEvent[]> {
    const watched = await Promise.all(
      this.kinds.map(({ kind, namespaced }) =>
        watchSince({
          kubeconfig: this.kubeconfig,
          kind,
          since: this.#since,
          ...(namespaced ? { namespace: this.namespace } : {}),
        }),
      ),
    );
    return [...watched.flatMap(changesOf), ...this.#marks].sort((a, b) => a.revision - b.revision);
  }

  /** The texts of {@link events}. */
  async texts(): Promise<string[]> {
    return (await this.events()).map(({ text }) => text);
  }

  async #revision(): Promise<number> {
    const reference = { namespace: this.namespace, name: "timeline" };
    // A patch that changes nothing makes no revision.
    const data = { mark: `${Date.now()} ${Math.random()}` };
    const { metadata } = await this.client.patch(configMapKind, reference, { data });
    return Number(metadata.resourceVersion);
  }
}

/** What the events of one kind changed, each change a text. */
function changesOf(events: readonly WatchEvent[]): TimelineEvent[] {
  const known = new Map<string, KubernetesObject>();
  return events.flatMap(({ type, kind, object, revision }) => {
    const { uid = "" } = object.metadata;
    const before = known.get(uid);
    known.set(uid, object);
    const texts = type === "DELETED" ? ["deleted"] : [...additionOf(type), ...differences(before, object)];
    return texts.map((text) => ({ revision, text: `${kind} ${object.metadata.name} ${text}` }));
  });
}

function additionOf(type: WatchEvent["type"]): string[] {
  return type === "ADDED" ? ["added"] : [];
}

function differences(before: KubernetesObject | undefined, after: KubernetesObject): string[] {
  const [old, now] = [before?.metadata, after.metadata];
  const texts: string[] = [];
  for (const finalizer of now.finalizers ?? []) {
    if (old?.finalizers?.includes(finalizer) !== true) texts.push(`+finalizer ${short(finalizer)}`);
  }
  for (const finalizer of old?.finalizers ?? []) {
    if (now.finalizers?.includes(finalizer) !== true) texts.push(`-finalizer ${short(finalizer)}`);
  }
  if (now.deletionTimestamp !== undefined && old?.deletionTimestamp === undefined) texts.push("deleting");
  if (before !== undefined) {
    for (const name of annotationsOf(after)) {
      if (!annotationsOf(before).includes(name)) texts.push(`+annotation ${name}`);
    }
    for (const name of annotationsOf(before)) {
      if (!annotationsOf(after).includes(name)) texts.push(`-annotation ${name}`);
    }
  }
  if (!sameValue(before?.["status"], after["status"]))
    texts.push(`status ${JSON.stringify(after["status"])}`);
  if (before !== undefined && !sameValue(before["spec"], after["spec"])) texts.push("spec changed");
  if (before !== undefined && !sameValue(before["data"], after["data"])) texts.push("data changed");
  return texts;
}

function annotationsOf({ metadata: { annotations } }: KubernetesObject): string[] {
  return isRecord(annotations) ? Object.keys(annotations) : [];
}

function short(finalizer: string): string {
  return finalizer.replace(finalizerPrefix, "");
}
