import { recordedUids } from "../run/recorded-uids";
import type { KubernetesClient } from "./client";
import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject, type ObjectReference } from "./object";
import {
  isOfOtherStack,
  isOfStack,
  marksOf,
  ownerAnnotation,
  resourceAnnotation,
  stackIdAnnotation,
  stackIdOf,
  stackIdProblem,
  type StackMark,
} from "./ownership";
import { splitUrn } from "./writers";

/** Who writes an object. */
interface Writer extends StackMark {
  readonly resource: string;
}

/**
 * Passes if a name is free, or taken by what this very component wrote in a run that was killed.
 *
 * @param writers The component as it is now, then as the state has it, before an alias or another name of the stack.
 * @param uid Of its object, as the state has it; `null` where others of the state may know it. @default it has none yet
 * @returns What has the name.
 * @throws RefusedError that names the object, whose it is, and the way on.
 */
export async function refuseForeign(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  writers: readonly [Writer, ...Writer[]],
  uid?: string | null,
): Promise<KubernetesObject | undefined> {
  const found = await client.get(kind, reference);
  if (found === undefined) return undefined;
  requireOfStack(kind, found, writers, uid === undefined ? null : recordedUidOf(found, uid));
  const [writer] = writers;
  const resource = found.metadata.annotations?.[resourceAnnotation];
  if (resource === undefined || writers.some((known) => known.resource === resource)) return found;
  throw new RefusedError(
    `${describe(kind, reference)} belongs to the resource ${JSON.stringify(resource)} of this stack; ` +
      `if that is ${JSON.stringify(writer.resource)} now, give it the option ` +
      `aliases: [{ ${aliasOf(resource, writer.resource)} }], otherwise choose another name`,
  );
}

/**
 * @param uid Of the stack's object, as its state has it; `null`: nothing is recorded.
 * @throws RefusedError for an object of somebody else, see {@link isOfStack}.
 */
export function requireOfStack(
  kind: KubernetesKind,
  found: KubernetesObject,
  stacks: readonly [StackMark, ...StackMark[]],
  uid: string | null,
): void {
  if (stacks.some((stack) => isOfStack(found, stack, uid))) return;
  const [stack] = stacks;
  throw new RefusedError(
    `${describe(kind, found.metadata)} exists and ${whose(found, stack)}; it stays as it is: ` +
      wayOn(found, kind, { ...stack, had: stacks.length > 1 && uid === null }),
  );
}

/**
 * The UID by which an object is known as one of the stack.
 *
 * @param uid What the resource itself has recorded: those that belong to its object may know a later one.
 */
export function recordedUidOf({ metadata }: KubernetesObject, uid: string | null | undefined): string | null {
  return (recordedUids.has(metadata.uid) ? metadata.uid : uid) ?? null;
}

/** Fields of the alias by which a component that was `before` is known as `now`. */
function aliasOf(before: string, now: string): string {
  const [type, name] = splitUrn(before);
  const [typeNow, nameNow] = splitUrn(now);
  const parent = type.includes("$") ? "<the parent that it had>" : "pulumi.rootStackResource";
  return [
    ...(name === nameNow ? [] : [`name: ${JSON.stringify(name)}`]),
    ...(type === typeNow ? [] : [`parent: ${parent}`]),
  ].join(", ");
}

/** Of an object that this stack did not make, as far as it knows. */
export function whose(object: KubernetesObject, { owner, kubernetes }: StackMark): string {
  const other = object.metadata.annotations?.[ownerAnnotation];
  const stackId = kubernetes?.stackId ?? "absent";
  const theirs = stackIdOf(object);
  if (other === undefined) {
    if (theirs === stackId) return `has no ${ownerAnnotation}, but the ${stackIdAnnotation} of this stack`;
    return theirs === undefined
      ? "was not made by pulumi-cosi"
      : `belongs to another stack: its ${stackIdAnnotation} is ${theirs}, the one of this stack is ${stackId}`;
  }
  if (other !== owner) return `belongs to the stack ${other}`;
  return (
    `belongs to a stack ${other} that has another state: its ${stackIdAnnotation} is ` +
    `${theirs ?? "absent"}, the one of this stack is ${stackId}`
  );
}

/**
 * What to do: where a mark alone is missing, the object may be the stack's own, and what was made for it with it.
 *
 * @param stack Which also says whether it had an object of this name before.
 */
function wayOn(
  found: KubernetesObject,
  kind: KubernetesKind,
  stack: StackMark & { readonly had: boolean },
): string {
  const stackId = stack.kubernetes?.stackId ?? "";
  // To delete what another stack has would delete that one's data.
  const other = isOfOtherStack(found, stack)
    ? "choose another name, or take it out of that stack first; if it is to go on in this one, move its entry here with pulumi state move"
    : "choose another name, or delete it first";
  const { [ownerAnnotation]: owner } = found.metadata.annotations ?? {};
  const theirs = stackIdOf(found);
  // The object of a stack that had the name, and recorded no UID, may have lost all of its marks.
  const mayBeOurs =
    owner === undefined ? theirs === stackId || (theirs === undefined && stack.had) : owner === stack.owner;
  if (!mayBeOurs || stackId === "" || (stack.owner ?? "") === "") return other;
  if (theirs !== undefined && theirs !== stackId && stackIdProblem(theirs) === undefined) {
    return (
      `${other}; if that state, or the CustomResourceDefinitions resource in it, was lost, and this is its successor, give ` +
      "the module of the component its id, which takes over all that carries it: " +
      `install({ stackId: ${JSON.stringify(theirs)} })`
    );
  }
  const { namespace, name, annotations } = found.metadata;
  const where = namespace === undefined ? "" : ` -n ${namespace}`;
  // With its group: `deployment` alone is one of apps.
  const [group] = kind.apiVersion.split("/", 1);
  const resource = kind.apiVersion.includes("/") ? `${kind.plural}.${group ?? ""}` : kind.plural;
  const marks = Object.entries(marksOf(stack)).filter(([key, value]) => annotations?.[key] !== value);
  const given = marks.map(([key, value]) => `${key}=${value}`).join(" ");
  return (
    "if it belongs to somebody else, choose another name; if it is this stack's own: " +
    `kubectl annotate --overwrite${where} ${resource} ${name} ${given}`
  );
}
