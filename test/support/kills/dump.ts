import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { isMarkedByName } from "../../../provider/kubernetes/ownership";
import { accountsOf } from "../../../provider/models/account-record";
import type { Cluster } from "../end-to-end/cluster";
import type { Stack } from "../stack";
import type { Backend } from "./backend";
import { Placeholders } from "./placeholders";
import { dumpState } from "./state-dump";
import type { Subject } from "./subject";

/** What can be compared between two runs of one program: UIDs, times and secrets are named by their order. */
export interface Dump {
  /** Every object of the stack: finalizers, marks, owner, spec, status, names of data keys. */
  readonly objects: unknown;
  /** Every bucket and account at the backend, and whether the one live key of an access is that of its Secrets. */
  readonly store: StoreDump;
  /** Resources, with what the package keeps of them, and operations that are not done. */
  readonly state: unknown;
}

/** What is at the backend. */
export interface StoreDump {
  /** What creates have made. */
  readonly buckets: readonly string[];
  /** Accounts that are of no access. */
  readonly usersWithoutAccess: readonly string[];
  /** Of each access. */
  readonly accounts: readonly { readonly liveKeys: number; readonly inSecret: boolean }[];
}

/** Where a program runs, and what it is. */
export interface DumpedPlace {
  readonly subject: Subject;
  readonly cluster: Cluster;
  readonly backend: Backend;
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
  const objects = await objectsOf(place);
  const living = objects.flatMap(({ metadata: { uid } }) => uid ?? []);
  const state = await dumpState(place.stack, living);
  const store = await storeOf(place, objects);
  const renamed = <T>(value: T): T => JSON.parse(rename(JSON.stringify(value))) as T;
  return new Placeholders().apply({
    objects: sorted(renamed(objects.map(essence)), ({ kind, namespace = "", name }) =>
      [kind, namespace, name].join(" "),
    ),
    store: renamed(store),
    state: { ...state, resources: sorted(renamed(state.resources), ({ urn }) => urn) },
  });
}

function sorted<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return [...values].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Objects of the namespaces, and those of the cluster that the stack has written. */
async function objectsOf({ subject, cluster, namespace, owner }: DumpedPlace): Promise<KubernetesObject[]> {
  const namespaces = subject.namespaces(namespace);
  const lists = [...subject.kinds, secretKind].map(async (kind) =>
    (await cluster.client.list(kind)).map((object) => ({ ...object, kind: kind.kind })),
  );
  const all = (await Promise.all(lists)).flat();
  return all.filter(
    (object) => namespaces.includes(object.metadata.namespace ?? "") || isMarkedByName(object, owner),
  );
}

interface Essence {
  readonly kind: string;
  readonly namespace: string | undefined;
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

async function storeOf(
  { subject, backend }: DumpedPlace,
  objects: readonly KubernetesObject[],
): Promise<StoreDump> {
  const present = await backend.accounts();
  const accesses = await subject.accesses(objects, present);
  return {
    buckets: await backend.buckets(),
    usersWithoutAccess: present
      .map(({ name }) => name)
      .filter((name) => !accesses.some(({ user }) => user === name)),
    accounts: await Promise.all(
      accesses.map(async ({ user, keysInSecrets }) => {
        const account = present.find(({ name }) => name === user);
        const liveKeys = account?.liveKeys ?? 0;
        const accepted = await Promise.all(
          keysInSecrets.map(async (key) => key !== undefined && (await account?.accepts(key)) === true),
        );
        return { liveKeys, inSecret: liveKeys === 1 && !accepted.includes(false) };
      }),
    ),
  };
}
