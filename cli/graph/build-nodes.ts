import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState } from "../review/preview";
import { readable, readableText } from "../review/readings";
import { driverOf } from "../review/resources";
import { endingOf } from "./ending";
import type { Node } from "./life-cycle";
import type { Members } from "./membership";
import type { Change, GraphResource } from "./resource";
import { roleOf, type RoleOfType } from "./roles";

/** What goes with what: in a preview, and in the destroy after it. */
export interface Going {
  readonly now: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
}

/** @param steps When a destroy deletes each resource. */
export function nodeOf({ head, all }: Members, steps: ReadonlyMap<string, number>, going: Going): Node {
  const { role, kind } = roleOf(head.type) ?? { role: "workload", kind: lastPart(head.type) };
  const object = head.isComponent ? objectOf(kind, all) : head;
  const account = role === "access" ? (all.find(isAccount) ?? object) : undefined;
  const actor = account ?? object;
  const place = placeOf(object.state.inputs);
  const change = changeOf(head, all);
  const noun = head.type.endsWith(":Deployment") ? "deployment" : "bucket";
  const isAtDriver = role === "bucket" || kind === "account";
  const step = steps.get(actor.urn);
  const isPlanned = actor.change !== undefined && actor.change !== "deleted";
  const told = endingOf(role, { state: actor.state, isPlanned, going: going.later }, noun);
  const ending = actor.isProtected ? { ...told, text: `${told.text}; refused before, by protect` } : told;
  const endsNow = change === "deleted" || change === "replaced" ? actor.before : undefined;
  return {
    id: head.urn,
    role,
    kind,
    name: isAtDriver ? (idAtDriver(actor) ?? head.name) : (place.name ?? head.name),
    namespace: isAtDriver || isOfCluster(role) ? undefined : (place.namespace ?? namespaceAmong(all)),
    store: isAtDriver && actor.isKnown ? driverOf(actor.state) : undefined,
    account: account === undefined || isAtDriver ? undefined : idAtDriver(account),
    details: [
      ...detailsOf({ role, kind }, object.state),
      ...(head.isLeft ? ["left by an earlier run; the next up ends it"] : []),
    ],
    change,
    endsNow:
      endsNow === undefined
        ? undefined
        : endingOf(role, { state: endsNow, isPlanned: false, going: going.now }, noun),
    ending: change === "deleted" || step === undefined ? undefined : { ...ending, step },
  };
}

function lastPart(type: string): string {
  return type.split(":").at(-1) ?? type;
}

function isAccount({ type }: GraphResource): boolean {
  return roleOf(type)?.kind === "account";
}

/** What writes the object of a component: its kind in the cluster; else what is made first, so that it goes last. */
function objectOf(kind: string, all: readonly GraphResource[]): GraphResource {
  const [head, ...inside] = all.toSorted((one, other) => Number(other.isComponent) - Number(one.isComponent));
  const written = inside.find(({ type }) => type.startsWith("kubernetes:") && lastPart(type) === kind);
  const ours = inside.find(({ type }) => ["Claim", "AdminBucket"].includes(lastPart(type)));
  const found = written ?? ours ?? inside.find(({ isComponent }) => !isComponent) ?? head;
  if (found === undefined) throw new Error(`${kind} has no resource`);
  return found;
}

/** Name and namespace of an object, of @pulumi/kubernetes or of this package, as far as they are plain text. */
function placeOf(inputs: PlannedState["inputs"]): {
  name: string | undefined;
  namespace: string | undefined;
} {
  const { metadata } = inputs;
  const place = isRecord(metadata) ? metadata : inputs;
  const { bucket, content, secretName } = inputs;
  const ofBucket = isRecord(bucket) ? bucket["namespace"] : undefined;
  return {
    name: readable(place["name"]) ?? readable(secretName) ?? readable(content),
    namespace: readable(place["namespace"]) ?? readable(ofBucket),
  };
}

/** What no namespace has: @pulumi/kubernetes adds `default` to it where it does not find its kind yet. */
function isOfCluster(role: Node["role"]): boolean {
  return role === "driver" || role === "class" || role === "static";
}

/** The namespace of the objects around a component whose own object is not written yet. */
function namespaceAmong(all: readonly GraphResource[]): string | undefined {
  const places = all.map(({ state }) => placeOf(state.inputs).namespace);
  return places.find((namespace) => namespace !== undefined);
}

const bucketIds = ["bucketId", "deploymentId", "existingBucketId", "existingDeploymentId", "name"];
const accountIds = ["accountId", "name"];

/** The driver's id; until it is told the name that is sent. */
function idAtDriver(resource: GraphResource): string | undefined {
  const fields = isAccount(resource) ? accountIds : bucketIds;
  return readableText(resource.state, ...fields);
}

function detailsOf({ role }: Pick<RoleOfType, "role" | "kind">, state: PlannedState): string[] {
  if (role === "driver") {
    const name = readableText(state, "driverName");
    return name === undefined ? [] : [name];
  }
  if (role !== "class") return [];
  const policies = ["deletionPolicy", "releasePolicy", "reclaimPolicy"];
  return policies.flatMap((field) => {
    const policy = readable(state.inputs[field]);
    return policy === undefined ? [] : [`${field} ${policy}`];
  });
}

/** What the preview does to a thing as a whole. */
function changeOf({ change }: GraphResource, all: readonly GraphResource[]): Change | undefined {
  if (change !== undefined) return change;
  const changes = new Set(all.map((member) => member.change).filter((each) => each !== undefined));
  if (changes.has("replaced")) return "replaced";
  return changes.size === 0 ? undefined : "changed";
}
