import { resourceTypes } from "../../policy/resources/types";
import { isRecord, sameValue } from "../../provider/dynamic/values";
import type { Finding } from "./finding";
import type { PlannedState, PlannedStep } from "./preview";
import { holdsHidden, readable, readableText } from "./readings";
import { describeStep, driverOf, isAccess, isAccessType, isData, isDataType, typeOfUrn } from "./resources";

const bindingTypes: readonly string[] = resourceTypes.bucketBinding;
const secretTypes: readonly string[] = [...resourceTypes.secret, ...bindingTypes];

/** Where credentials lie: namespace and name of a Secret, as far as they can be read. */
type Place = readonly [namespace: unknown, name: unknown];

/** Tells `<namespace>/<name>` of the Secret that an account's credentials go into; `undefined` where they are outputs alone. */
export type SecretOf = (state: PlannedState | undefined) => string | undefined;

/** Finds the Secrets of accounts: that of a bucket which comes with its account is written by another resource. */
export function secretsIn(steps: readonly PlannedStep[]): SecretOf {
  const bound = new Map<string, Place>();
  for (const { type, before, after } of steps) {
    if (!bindingTypes.includes(type)) continue;
    for (const state of [before, after]) {
      const [parent, place] = [state?.links.parent, placeOf(state)];
      if (parent !== undefined && place !== undefined) bound.set(parent, place);
    }
  }
  return (state) => {
    const place = bound.get(state?.links.parent ?? "") ?? placeByObjects(state);
    return place === undefined ? undefined : inWords(place);
  };
}

function placeByObjects(state: PlannedState | undefined): Place | undefined {
  const objects = state?.inputs["objects"];
  if (!isRecord(objects) || (objects["secretName"] ?? undefined) === undefined) return undefined;
  const { secretName, access, claim } = objects;
  const place = isRecord(access) ? access : claim;
  return [isRecord(place) ? place["namespace"] : undefined, secretName];
}

/** Where the resource of a Secret has it; a binding may have none. */
function placeOf(state: PlannedState | undefined): Place | undefined {
  const { namespace, name, bucket, secretName } = state?.inputs ?? {};
  if (isRecord(bucket)) {
    return (secretName ?? undefined) === undefined ? undefined : [bucket["namespace"], secretName];
  }
  return name === undefined ? undefined : [namespace, name];
}

function inWords([namespace, name]: Place): string {
  return `${readable(namespace) ?? "(namespace told at up)"}/${readable(name) ?? "(name told at up)"}`;
}

/** Secrets that go, come or move while their account stays: of it nothing else is told. */
export function secretFindings(steps: readonly PlannedStep[]): Finding[] {
  const accountOf = accountsIn(steps);
  return steps
    .filter(({ type }) => secretTypes.includes(type))
    .flatMap((step) => ofSecret(step, accountOf(step)));
}

function ofSecret(step: PlannedStep, account: PlannedStep | undefined): Finding[] {
  const { op, before, after } = step;
  if (!["create", "update", "replace", "delete"].includes(op)) return [];
  if (account !== undefined && ["create", "replace", "delete"].includes(account.op)) return [];
  const [was, is] = [placeOf(before), op === "delete" ? undefined : placeOf(after)];
  const isHidden = op === "replace" && holdsHidden([was, is]);
  if (sameValue(was, is) && !isHidden) return [];
  const state = account?.before ?? account?.after;
  const object = readableText(state, "accountId", "bucketId", "name") ?? "an account that is named at up";
  const finding = (place: Place, parts: Pick<Finding, "category" | "what" | "why">): Finding => ({
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(state),
    object,
    secret: inWords(place),
    ...parts,
  });
  const why = op === "delete" ? "it is not in the program any more" : "the Secret is another one";
  const goes = was !== undefined && before?.retainOnDelete !== true;
  return [
    ...(goes
      ? [
          finding(was, {
            category: "credential-revoked",
            what: `the Secret ${inWords(was)} goes, while the account ${object} stays; what uses it loses its access`,
            why,
          }),
        ]
      : []),
    ...(is === undefined
      ? []
      : [
          finding(is, {
            category: "credential-minted",
            what: `the credentials of the account ${object} reach the Secret ${inWords(is)}, and whatever reads it there`,
            why: op === "create" ? "the program asks for it" : why,
          }),
        ]),
  ];
}

/** Finds the step of the account whose credentials a Secret has; none where the preview leaves it out, as it stays as it is. */
function accountsIn(steps: readonly PlannedStep[]): (secret: PlannedStep) => PlannedStep | undefined {
  const accounts = steps.filter((step) => isAccess(step) || isData(step));
  const byUrn = new Map(accounts.map((step) => [step.urn, step]));
  const byParent = Map.groupBy(accounts, ({ before, after }) => (after ?? before)?.links.parent);
  return ({ type, before, after }) => {
    const isAccount = bindingTypes.includes(type) ? isDataType : isAccessType;
    const states = [before, after].filter((state) => state !== undefined);
    const needs = states.flatMap(({ links }) => links.needs).filter((urn) => isAccount(typeOfUrn(urn)));
    const beside = states.flatMap(({ links }) => byParent.get(links.parent) ?? []);
    const needed = needs.map((urn) => byUrn.get(urn)).find((step) => step !== undefined);
    return needed ?? beside.find((step) => isAccount(step.type));
  };
}
