import { canonical, isRecord } from "../dynamic/values";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import {
  namespaceKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "./object";
import { SharedReads } from "./shared-reads";
import { resolveTarget, type KubernetesTarget } from "./target";
import { openTransport, type Transport, type TransportOptions } from "./transport";

/** What a list asks for. */
export interface ListOptions {
  /** @default all namespaces */
  namespace?: string;
  fieldSelector?: string;
  /** Stop after so many objects. @default all */
  limit?: number;
  /**
   * Properties that are kept of each object beside its name, as paths: of a long list the rest is most of the memory.
   *
   * @default all
   */
  fields?: readonly (readonly string[])[];
}

/** How something is written. */
export interface WriteOptions {
  /** The server says what it would answer, by rights, admission and quota, and changes nothing. @default false */
  dryRun?: boolean;
}

/** What must be true of the object that is deleted; the server answers 409 otherwise. */
export interface DeletePreconditions {
  uid: string;
  /** Nobody has written meanwhile. @default whoever has */
  resourceVersion?: string | undefined;
}

const mergePatch = "application/merge-patch+json";
const pageSize = 500;
/** Objects that are remembered as they were last written: those of a thousand claims and accesses, 5 MB. */
const rememberedWrites = 4000;

/** The few operations of the Kubernetes API that this package makes by itself; all throw {@link KubernetesError}. */
export class KubernetesClient {
  /** UID of the Namespace `kube-system`; `null` where it may not be read. */
  readonly clusterUid: string | null;
  readonly #transport: Transport;
  /** By path, the latest last; as the bytes of their JSON, which take the least memory, and none of V8's heap. */
  readonly #written = new Map<string, Buffer>();
  readonly #lists = new SharedReads<readonly KubernetesObject[]>();

  private constructor(transport: Transport, clusterUid: string | null) {
    this.#transport = transport;
    this.clusterUid = clusterUid;
  }

  /** Opens a client and learns which cluster it speaks to. */
  static async open(
    kubeconfig: string | undefined,
    context: string | undefined,
    options?: TransportOptions,
  ): Promise<KubernetesClient> {
    const transport = await openTransport(kubeconfig, context, options);
    return new KubernetesClient(transport, await readClusterUid(new KubernetesClient(transport, null)));
  }

  /** Address of the API server, for messages. */
  get server(): string {
    return this.#transport.server;
  }

  /**
   * The object as this process has just written it: what one operation has written the next one need not read. It may
   * have been changed since, so it is for a write that the server refuses then (409), and for fields that are ours.
   *
   * @param reference With a UID: an object of the same name that has another one is none.
   * @returns `undefined` for one that was not written here, or long ago, and for a Secret.
   */
  lastWritten(
    kind: KubernetesKind,
    reference: ObjectReference & { readonly uid?: string | undefined },
  ): KubernetesObject | undefined {
    const json = this.#written.get(objectPath(kind, reference));
    if (json === undefined) return undefined;
    const object = asObject(JSON.parse(json.toString()));
    return reference.uid === undefined || reference.uid === object.metadata.uid ? object : undefined;
  }

  /** The object, or `undefined` where there is none (nor its kind or namespace). */
  async get(kind: KubernetesKind, reference: ObjectReference): Promise<KubernetesObject | undefined> {
    const path = objectPath(kind, reference);
    const isRemembered = this.#written.delete(path);
    try {
      const answer = await this.#transport.send({
        method: "GET",
        path,
        about: { verb: "get", kind, reference },
      });
      return isRemembered ? this.#remember(kind, path, asObject(answer)) : asObject(answer);
    } catch (error) {
      if (error instanceof KubernetesError && error.notFound) return undefined;
      throw error;
    }
  }

  /**
   * Creates an object. An answer that got lost is asked for again, so a conflict (409) may be about what this very
   * call made: look at what is there.
   */
  async create(
    kind: KubernetesKind,
    object: KubernetesObject,
    { dryRun = false }: WriteOptions = {},
  ): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    const answer = await this.#transport.send({
      method: "POST",
      path: listPath(kind, namespace),
      query: writeQuery(dryRun),
      body: { ...object, apiVersion: kind.apiVersion, kind: kind.kind },
      about: { verb: "create", kind, reference: { namespace, name } },
    });
    const created = asObject(answer);
    return dryRun ? created : this.#remember(kind, objectPath(kind, { namespace, name }), created);
  }

  /** Changes fields by a JSON merge patch; `metadata.resourceVersion` in it makes it a compare-and-swap (409). */
  patch(
    kind: KubernetesKind,
    reference: ObjectReference,
    patch: unknown,
    options?: WriteOptions,
  ): Promise<KubernetesObject> {
    return this.#patch("patch", kind, reference, "", patch, options);
  }

  /**
   * Changes fields of `status` through its subresource, by a JSON merge patch.
   *
   * @param resourceVersion Makes it a compare-and-swap (409). @default whoever has written meanwhile
   */
  patchStatus(
    kind: KubernetesKind,
    reference: ObjectReference,
    status: Readonly<Record<string, unknown>>,
    resourceVersion?: string,
  ): Promise<KubernetesObject> {
    const version = resourceVersion === undefined ? {} : { metadata: { resourceVersion } };
    return this.#patch("patch status of", kind, reference, "/status", { status, ...version });
  }

  /**
   * Deletes an object, its dependents in the background; one that is gone already counts as deleted.
   *
   * @returns True if it is gone; `false` if it is gone only when its finalizers are.
   */
  async delete(
    kind: KubernetesKind,
    reference: ObjectReference,
    preconditions?: DeletePreconditions,
  ): Promise<boolean> {
    this.#written.delete(objectPath(kind, reference));
    const answer = await this.#delete(kind, reference, preconditions);
    // Of one that stays for a while the server sends the object.
    return answer === undefined || answer["kind"] === "Status";
  }

  /**
   * Asks for the deletion of an object without deleting it.
   *
   * @returns The object, if it is gone only when its finalizers are; `undefined` if it would be gone, or is gone already.
   */
  async dryRunDelete(
    kind: KubernetesKind,
    reference: ObjectReference,
    preconditions?: DeletePreconditions,
  ): Promise<KubernetesObject | undefined> {
    const answer = await this.#delete(kind, reference, preconditions, { dryRun: true });
    return answer === undefined || answer["kind"] === "Status" ? undefined : asObject(answer);
  }

  /**
   * Lists objects, page after page; a kind that the server does not have counts as none. Who asks for the same at the same
   * time shares the answer: each claim of a namespace looks through its accesses, and alone each would read all of them.
   */
  list(kind: KubernetesKind, options: ListOptions = {}): Promise<readonly KubernetesObject[]> {
    const { namespace, fieldSelector, limit, fields } = options;
    const key = canonical([kind, namespace, fieldSelector, limit, fields]);
    return this.#lists.get(key, () => this.#listAll(kind, options));
  }

  async #listAll(
    kind: KubernetesKind,
    { namespace, fieldSelector, limit = Number.POSITIVE_INFINITY, fields }: ListOptions,
  ): Promise<readonly KubernetesObject[]> {
    const found: KubernetesObject[] = [];
    let next = "";
    do {
      const answer = await this.#listPage(kind, namespace, {
        limit: String(Math.min(limit, pageSize)),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
        ...(next === "" ? {} : { continue: next }),
      });
      const items = answer === undefined ? [] : itemsOf(answer);
      found.push(
        ...items.map((item) => (fields === undefined ? asObject(item) : partOf(asObject(item), fields))),
      );
      const metadata = isRecord(answer?.["metadata"]) ? answer["metadata"] : {};
      next = typeof metadata["continue"] === "string" ? metadata["continue"] : "";
    } while (next !== "" && found.length < limit);
    return found;
  }

  async #listPage(
    kind: KubernetesKind,
    namespace: string | undefined,
    query: Record<string, string>,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      return await this.#transport.send({
        method: "GET",
        path: listPath(kind, namespace),
        query,
        about: { verb: "list", kind, reference: { namespace, name: "*" } },
      });
    } catch (error) {
      if (error instanceof KubernetesError && error.notFound) return undefined;
      throw error;
    }
  }

  /** @returns The answer; `undefined` where there is no such object. */
  async #delete(
    kind: KubernetesKind,
    reference: ObjectReference,
    preconditions: DeletePreconditions | undefined,
    { dryRun = false }: WriteOptions = {},
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      return await this.#transport.send({
        method: "DELETE",
        path: objectPath(kind, reference),
        // The server goes by the body; who stands between here and there sees the query.
        query: dryRun ? { dryRun: "All" } : {},
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          propagationPolicy: "Background",
          ...(preconditions === undefined ? {} : { preconditions }),
          ...(dryRun ? { dryRun: ["All"] } : {}),
        },
        about: { verb: "delete", kind, reference },
      });
    } catch (error) {
      if (error instanceof KubernetesError && error.notFound) return undefined;
      throw error;
    }
  }

  async #patch(
    verb: string,
    kind: KubernetesKind,
    reference: ObjectReference,
    subresource: "" | "/status",
    body: unknown,
    { dryRun = false }: WriteOptions = {},
  ): Promise<KubernetesObject> {
    const path = objectPath(kind, reference);
    // A write that fails may have been made.
    if (!dryRun) this.#written.delete(path);
    const answer = await this.#transport.send({
      method: "PATCH",
      path: `${path}${subresource}`,
      query: writeQuery(dryRun),
      contentType: mergePatch,
      body,
      about: { verb, kind, reference },
    });
    return dryRun ? asObject(answer) : this.#remember(kind, path, asObject(answer));
  }

  #remember(kind: KubernetesKind, path: string, object: KubernetesObject): KubernetesObject {
    if (kind.kind === secretKind.kind) return object;
    this.#written.set(path, bytesOf(JSON.stringify(object)));
    for (const oldest of this.#written.keys()) {
      if (this.#written.size <= rememberedWrites) break;
      this.#written.delete(oldest);
    }
    return object;
  }
}

/** In memory of their own: `Buffer.from` takes it from a slab of 8 KB, which stays as a whole for what is kept of it. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

const clients = new Map<string, Promise<KubernetesClient>>();

/**
 * The client of a target; one per process and API server.
 *
 * @throws RefusedError if the target recorded another cluster than the one that answers.
 */
export async function connectKubernetes(target: KubernetesTarget): Promise<KubernetesClient> {
  const { kubeconfig, context } = resolveTarget(target);
  const giver = target.kubeconfig === kubeconfig ? "program" : "stack";
  const key = canonical([kubeconfig, context, process.env["KUBECONFIG"]]);
  let opening = clients.get(key);
  if (opening === undefined) {
    opening = KubernetesClient.open(kubeconfig, context, { giver });
    clients.set(key, opening);
    // A failure is not kept: the next resource tries again.
    opening.catch(() => clients.delete(key));
  }
  const client = await opening;
  const recorded = target.clusterUid ?? null;
  if (recorded !== null && client.clusterUid !== null && recorded !== client.clusterUid) {
    throw new RefusedError(
      `the API server ${client.server} belongs to another cluster than the stack's objects: its namespace ` +
        `kube-system has the UID ${client.clusterUid}, but ${recorded} is recorded; point kubeconfig or context ` +
        "at the recorded cluster, or destroy the stack there first",
    );
  }
  return client;
}

async function readClusterUid(client: KubernetesClient): Promise<string | null> {
  try {
    return (await client.get(namespaceKind, { name: "kube-system" }))?.metadata.uid ?? null;
  } catch (error) {
    if (error instanceof KubernetesError && error.forbidden) return null;
    throw error;
  }
}

function writeQuery(dryRun: boolean): Record<string, string> {
  return { fieldManager: "pulumi-cosi", ...(dryRun ? { dryRun: "All" } : {}) };
}

function listPath({ apiVersion, plural }: KubernetesKind, namespace: string | null = null): string {
  const root = apiVersion.includes("/") ? "apis" : "api";
  const scope = namespace === null ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/${root}/${apiVersion}${scope}/${plural}`;
}

function objectPath(kind: KubernetesKind, { namespace, name }: ObjectReference): string {
  return `${listPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

/**
 * An answer as an object: its name is checked, the server's schema answers for the rest. Who wrote which field, which no
 * one here asks, is left out: it is the longest part.
 */
function asObject(answer: unknown): KubernetesObject {
  if (!isRecord(answer) || !isRecord(answer["metadata"]) || typeof answer["metadata"]["name"] !== "string") {
    throw new Error("the API server sent something that is no object");
  }
  const metadata = { ...answer["metadata"], name: answer["metadata"]["name"], managedFields: undefined };
  return { ...answer, metadata };
}

/** Go writes an empty list as `null`, too. */
function itemsOf(answer: Readonly<Record<string, unknown>>): readonly unknown[] {
  const items = answer["items"] === null ? [] : answer["items"];
  if (!Array.isArray(items)) throw new Error("the API server sent something that is no list");
  return items;
}

/** The object with its name and some of its properties alone. */
function partOf(object: KubernetesObject, fields: readonly (readonly string[])[]): KubernetesObject {
  const part: KubernetesObject = { metadata: { name: object.metadata.name } };
  for (const path of fields) copy(object, part, path);
  return part;
}

function copy(
  from: Readonly<Record<string, unknown>>,
  to: Record<string, unknown>,
  [key, ...rest]: readonly string[],
): void {
  if (key === undefined) return;
  const value = from[key];
  if (rest.length === 0) to[key] = value;
  else if (isRecord(value)) {
    const inner = isRecord(to[key]) ? to[key] : {};
    to[key] = inner;
    copy(value, inner, rest);
  }
}
