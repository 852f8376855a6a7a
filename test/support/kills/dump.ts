import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { isMarkedByName } from "../../../provider/kubernetes/ownership";
import { accountsOf } from "../../../provider/models/account-record";
import { objectStorageKinds, type Cluster } from "../end-to-end/cluster";
import type { Stack } from "../stack";
import { Placeholders } from "./placeholders";
import { dumpState } from "./state-dump";
import type { OwnStore } from "./own-store";

/** What can be compared between two runs of one program: UIDs, times and secrets are named by their order. */
export interface Dump {
  /** Every object of the stack: finalizers, marks, owner, spec, status, names of data keys. */
  readonly objects: unknown;
  /** Every bucket and user in the store, and whether the one live key of an access is that of its Secret. */
  readonly store: unknown;
  /** Resources, with what the package keeps of them, and operations that are not done. */
  readonly state: unknown;
}

/** Where a program runs. */
export interface DumpedPlace {
  readonly cluster: Cluster;
  readonly store: OwnStore;
  readonly stack: Stack;
  readonly namespace: string;
  /** `<organization>/<project>/<stack>`. */
  readonly owner: string;
}

/**
 * Reads all that a program has left.
 *
 * @param rename What differs from place to place, to be called the same.
 */
export async function dumpPlace(place: DumpedPlace, rename: (text: string) => string): Promise<Dump> {
  const [objects, state] = await Promise.all([objectsOf(place), dumpState(place.stack)]);
  const store = await storeOf(place.store, objects);
  const renamed = <T>(value: T): T =>
    JSON.parse(rename(JSON.stringify(value)).replaceAll(rotatedName, "$1")) as T;
  return new Placeholders().apply({
    objects: sorted(renamed(objects.map(essence)), ({ kind, name }) => `${kind} ${name}`),
    store: renamed(store),
    state: { ...state, resources: sorted(renamed(state.resources), ({ urn }) => urn) },
  });
}

function sorted<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return [...values].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Objects of the namespace, and those of the cluster that the stack has written. */
async function objectsOf({ cluster, namespace, owner }: DumpedPlace): Promise<KubernetesObject[]> {
  const lists = [...objectStorageKinds, secretKind].map(async (kind) =>
    (await cluster.client.list(kind, kind === secretKind ? { namespace } : undefined)).map((object) => ({
      ...object,
      kind: kind.kind,
    })),
  );
  const all = (await Promise.all(lists)).flat();
  return all.filter((object) => object.metadata.namespace === namespace || isMarkedByName(object, owner));
}

/** The name of an account after a rotation ends with what is random. */
const rotatedName = /(-r\d+)-[0-9a-f]{6}\b/g;

interface Essence {
  readonly kind: string;
  readonly name: string;
  readonly [aspect: string]: unknown;
}

/** What a run decides of an object. */
function essence(object: KubernetesObject): Essence {
  const { kind = "", metadata, data, status, spec } = object as KubernetesObject & Record<string, unknown>;
  const { namespace, name, uid, finalizers = [], annotations = {}, deletionTimestamp } = metadata;
  return {
    kind,
    namespace,
    name,
    uid,
    finalizers: [...finalizers].sort(),
    marks: Object.keys(annotations).sort(),
    owners: metadata.ownerReferences ?? [],
    terminating: deletionTimestamp !== undefined,
    spec,
    status: isRecord(status) && "accountID" in status ? { ...status, accountID: "an account" } : status,
    accounts: accountsOf(object).map((account) => account.state),
    dataKeys: isRecord(data) ? Object.keys(data).sort() : [],
  };
}

async function storeOf(store: OwnStore, objects: readonly KubernetesObject[]): Promise<unknown> {
  const accesses = objects.filter(({ kind }) => kind === "BucketAccess");
  const users = await store.users();
  const accounts = accesses.map(accountOf);
  return {
    buckets: await store.buckets(),
    usersWithoutAccess: users.filter((user) => !accounts.includes(user)),
    accounts: await Promise.all(
      accesses.map(async (access) => {
        const account = accountOf(access);
        const keys = users.includes(account) ? await store.keysOf(account) : [];
        const secret = objects.find(
          ({ kind, metadata }) => kind === "Secret" && metadata.name === secretNameOf(access),
        );
        return { liveKeys: keys.length, inSecret: keys.length === 1 && keyIn(secret) === keys[0] };
      }),
    ),
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
