import { anonymousWordsOf, type AnonymousWord } from "../../policy/resources/anonymous-access";
import type { AnonymousRight } from "../../policy/resources/bucket-policy";
import type { Places } from "../../policy/resources/place-types";
import { placesOf } from "../../policy/resources/places";
import { valueAt, type Properties } from "../../policy/resources/properties";
import { resourceTypes } from "../../policy/resources/types";
import { isRecord, sameValue } from "../../provider/dynamic/values";
import type { PlannedState, PlannedStep } from "./preview";
import { holdsHidden, isHidden, isNotKnownYet, knownProperties } from "./readings";
import { isData } from "./resources";

/** What callers without credentials may do by a resource, and what of it the preview hides. */
interface AnonymousAccess {
  readonly words: readonly AnonymousWord[];
  /** Where something is given that cannot be read. */
  readonly hidden: readonly string[];
}

/** What callers without credentials may do more than before. */
export interface MoreAnonymousAccess {
  readonly what: string;
  readonly before: readonly AnonymousRight[];
}

const adminBucketTypes: readonly string[] = resourceTypes.adminBucket;
const claimTypes: readonly string[] = resourceTypes.objectBucketClaim;

/**
 * What a step lets callers without credentials do that they could not do before, by the mode or by a bucket policy; `undefined`
 * for nothing. What cannot be read may be anything.
 *
 * @param steps All of the preview.
 */
export function moreAnonymousAccess(
  step: PlannedStep,
  steps: readonly PlannedStep[],
): MoreAnonymousAccess | undefined {
  const { type, op, before, after } = step;
  if (after === undefined || !isTold(step)) return undefined;
  const isNew = op === "create" || before === undefined || isUnmade(before);
  const olds = isNew ? {} : knownProperties(before);
  const news = withParametersOfClaim(after, steps);
  const is = accessBy(type, news);
  // What only may have been is no reason to pass over what may be, unless it is the same.
  const was = accessBy(type, olds).words.filter(({ field, isDoubtful }) => {
    const [old, given] = [olds, news].map((properties) => valueAt(properties, ...field.split(".")));
    return !isDoubtful || sameValue(old, given);
  });
  const [until, rights] = [rightsBy(was), rightsBy(is.words)];
  const isMore = rights.some((right) => !until.includes(right));
  if (!isMore && is.hidden.length === 0) return undefined;
  const may = isMore
    ? `anybody may ${rights.join(" and ")} without credentials (${is.words.map(inWords).join(", ")})`
    : `anybody may get access without credentials (the preview does not show ${is.hidden.join(", ")})`;
  return { what: may, before: until };
}

/** True where the driver is told of it: at the create, and where the create is sent again with other parameters. */
export function isTold(step: PlannedStep): boolean {
  const { type, op, before, after } = step;
  const isMade = op === "create" || op === "replace";
  if (adminBucketTypes.includes(type)) return isMade;
  const existing = after?.inputs["existingBucketId"] ?? undefined;
  // For a bucket that exists nothing is sent. What is told at up only may be that there is none.
  if (!isData(step) || (existing !== undefined && !isNotKnownYet(existing))) return false;
  return isMade || (op === "update" && (isUnmade(before) || isResent(before, after)));
}

/** True for what a failed create has left: the create is sent again, as the program has it by then. */
export function isUnmade(before: PlannedState | undefined): boolean {
  const { bucketId, deploymentId } = before?.outputs ?? {};
  return bucketId === null || deploymentId === null;
}

function isResent(before: PlannedState | undefined, after: PlannedState | undefined): boolean {
  const change = after?.inputs["parametersChange"];
  if (before === undefined || after === undefined || (change !== "resend" && !isHidden(change))) return false;
  const { parameters, parametersUnsettled } = knownProperties(before);
  const [was, is] = [parameters ?? {}, after.inputs["parameters"] ?? {}];
  return parametersUnsettled === true || holdsHidden([was, is]) || !sameValue(was, is);
}

function accessBy(type: string, properties: Properties): AnonymousAccess {
  const places = placesOf(type, undefined);
  const hidden = hiddenIn(places, properties);
  // What stands in the place of a hidden text says nothing.
  const words = (anonymousWordsOf({ places, properties }) ?? []).filter(
    ({ field }) => !hidden.includes(field),
  );
  return { words, hidden };
}

function rightsBy(words: readonly AnonymousWord[]): AnonymousRight[] {
  return [...new Set(words.flatMap(({ rights }) => rights))].sort();
}

function inWords({ field, value }: AnonymousWord): string {
  return `${field} is ${value}`;
}

function hiddenIn(places: Places | undefined, properties: Properties): string[] {
  const { anonymousMode = [], bucketPolicy = [] } = places ?? {};
  const modes = anonymousMode.filter((path) => isHidden(valueAt(properties, ...path)));
  const policies = bucketPolicy.flatMap((path) => {
    if (isHidden(valueAt(properties, ...path))) return [path];
    // A map that is secret as a whole may hold one. Of one that is only not known yet nobody can say it.
    const map = path.slice(0, -1);
    const value = valueAt(properties, ...map);
    return isHidden(value) && !isNotKnownYet(value) ? [map] : [];
  });
  return [...modes, ...policies].map((path) => path.join("."));
}

/**
 * Inputs of a bucket, with the parameters that its object bucket claim has for it: the preview of its create may know them in
 * their parts alone.
 */
function withParametersOfClaim({ inputs, links }: PlannedState, steps: readonly PlannedStep[]): Properties {
  if (!isNotKnownYet(inputs["parameters"]) || links.parent === undefined) return inputs;
  const claim = steps.find(
    ({ type, after }) => claimTypes.includes(type) && after?.links.parent === links.parent,
  );
  if (claim?.after === undefined) return inputs;
  const { storageClass, additionalConfig } = claim.after.inputs;
  const ofClass = isRecord(storageClass) ? storageClass["parameters"] : undefined;
  const [config, parameters] = [additionalConfig, ofClass].map((map) => (isRecord(map) ? map : {}));
  // OBC-061: what the class says goes before.
  return { ...inputs, parameters: { ...config, ...parameters } };
}
