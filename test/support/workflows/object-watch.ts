import { isRecord } from "../../../provider/dynamic/values";
import type { KubernetesKind, KubernetesObject } from "../../../provider/kubernetes/object";

/** One event of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: KubernetesObject;
  /** The API server's revision that the event made. It has one count for all kinds, so it tells the order. */
  readonly revision: number;
}

/** What to watch. */
export interface WatchRequest {
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  readonly kind: KubernetesKind;
  /** @default all namespaces */
  readonly namespace?: string;
  /** The events after this revision are given. */
  readonly since: number;
}

/**
 * Watches a kind at a real API server from a revision on, to the present: the server sends every event that a watch
 * opened then would have had.
 *
 * @throws Error if the server has forgotten the revision, or the watch breaks.
 */
export async function watchSince(request: WatchRequest): Promise<WatchEvent[]> {
  const { KubeConfig, Watch } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(request.kubeconfig);
  const watch = new Watch(config);
  const { kind, since } = request;
  const events: WatchEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    const take = (type: string, object: unknown): void => {
      if (isEventType(type) && isKubernetesObject(object)) {
        const revision = Number(object.metadata.resourceVersion);
        events.push({ type, kind: kind.kind, object, revision });
      } else reject(new Error(`the watch of ${kind.kind} said ${type}: ${JSON.stringify(object)}`));
    };
    const ended = (error: unknown): void => {
      if (error instanceof Error && error.name !== "AbortError") reject(error);
      else resolve();
    };
    // The server ends the watch after this time; all that lies behind comes first.
    const query = { resourceVersion: String(since), timeoutSeconds: "1" };
    watch.watch(pathOf(request), query, take, ended).catch(reject);
  });
  return events;
}

function pathOf({ kind: { apiVersion, plural }, namespace }: WatchRequest): string {
  const root = apiVersion.includes("/") ? "apis" : "api";
  const scope = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `/${root}/${apiVersion}${scope}/${plural}`;
}

function isEventType(type: string): type is WatchEvent["type"] {
  return type === "ADDED" || type === "MODIFIED" || type === "DELETED";
}

function isKubernetesObject(value: unknown): value is KubernetesObject {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}
