import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { objectStorageKinds, type Cluster } from "../end-to-end/cluster";
import type { Stack } from "../stack";

/** What can be compared between two runs of one program: UIDs, times and secrets are named by their order. */
export interface Dump {
  /** Every object: finalizers, marks, owner, spec, status, names of data keys. */
  readonly objects: unknown;
  /** Buckets of the namespace's claims, and whether each access has exactly one live key, the one of its Secret. */
  readonly store: unknown;
  /** URN without the stack's part, and what is not whole. What Pulumi keeps of a killed create is its own matter. */
  readonly state: unknown;
}

/**
 * Reads the world of one namespace.
 *
 * @param namespace Of the program; classes and Buckets belong to it by the names in them.
 */
export async function dumpWorld(
  { cluster, admin, stack }: { cluster: Cluster; admin: StoreAdmin; stack: Stack },
  namespace: string,
): Promise<Dump> {
  const all = (
    await Promise.all(
      [...objectStorageKinds, secretKind].map(async (kind) =>
        withKind(kind.kind, await cluster.client.list(kind)),
      ),
    )
  ).flat();
  const uids = new Set(
    all.filter(({ metadata }) => metadata.namespace === namespace).map(({ metadata }) => metadata.uid ?? ""),
  );
  const belongs = (object: KubernetesObject): boolean =>
    object.metadata.namespace === namespace ||
    object.metadata.name.endsWith(`-${namespace}`) ||
    [...uids].some((uid) => object.metadata.name.includes(uid));
  const objects = all.filter(belongs);
  const names = new Placeholders();
  return {
    objects: names.apply(objects.map(essence)),
    store: await storeOf(admin, objects),
    state: await stateOf(stack),
  };
}

function withKind(kind: string, objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.map((object) => ({ ...object, kind }));
}

/** What a run decides of an object. */
function essence(object: KubernetesObject): unknown {
  const { kind, metadata, data, status, spec } = object as KubernetesObject & Record<string, unknown>;
  const { namespace, name, uid, finalizers = [], annotations = {}, deletionTimestamp } = metadata;
  return {
    kind,
    namespace,
    name,
    uid,
    finalizers: [...finalizers].sort(),
    marks: Object.keys(annotations).sort(),
    owners: (metadata as unknown as { ownerReferences?: unknown }).ownerReferences ?? [],
    terminating: deletionTimestamp !== undefined,
    spec,
    status: isRecord(status) && "accountID" in status ? { ...status, accountID: "an account" } : status,
    dataKeys: isRecord(data) ? Object.keys(data).sort() : [],
  };
}

async function storeOf(admin: StoreAdmin, objects: readonly KubernetesObject[]): Promise<unknown> {
  const buckets = objects.filter(({ kind }) => kind === "Bucket");
  const accesses = objects.filter(({ kind }) => kind === "BucketAccess");
  const users = await admin.users();
  return {
    buckets: await Promise.all(buckets.map(({ metadata }) => admin.bucketsNamed(metadata.name))),
    accounts: await Promise.all(
      accesses.map(async (access) => {
        const account = accountOf(access);
        const keys = users.includes(account) ? await admin.keysOf(account) : [];
        const secret = objects.find(
          ({ kind, metadata }) => kind === "Secret" && metadata.name === secretNameOf(access),
        );
        return { liveKeys: keys.length, inSecret: keys.length === 1 && keyIn(secret) === keys[0] };
      }),
    ),
    unfinishedCreates: users.filter((user) => user.startsWith("cosi-intent-")).length,
  };
}

function accountOf({ status }: KubernetesObject & { status?: unknown }): string {
  return isRecord(status) ? String(status["accountID"]) : "";
}

function secretNameOf({ spec }: KubernetesObject & { spec?: unknown }): string {
  return isRecord(spec) ? String(spec["credentialsSecretName"]) : "";
}

function keyIn(secret: (KubernetesObject & { data?: unknown }) | undefined): string | undefined {
  const data = secret?.data;
  if (!isRecord(data) || typeof data["BucketInfo"] !== "string") return undefined;
  const info = JSON.parse(Buffer.from(data["BucketInfo"], "base64").toString()) as {
    spec: { secretS3: { accessKeyID: string } | null };
  };
  return info.spec.secretS3?.accessKeyID;
}

async function stateOf(stack: Stack): Promise<unknown> {
  const { resources } = await stack.state();
  return resources
    .map(({ urn, initErrors = [] }) => [urn.slice(urn.indexOf("::program::")), ...initErrors].join(" "))
    .sort();
}

/** Names UIDs by the order in which they first come: two runs have other ones. */
class Placeholders {
  readonly #names = new Map<string, string>();

  apply(value: unknown): unknown {
    const form = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
    const text = JSON.stringify(value).replaceAll(form, (uid) => {
      const name = this.#names.get(uid) ?? `uid-${this.#names.size + 1}`;
      this.#names.set(uid, name);
      return name;
    });
    return JSON.parse(text);
  }
}
