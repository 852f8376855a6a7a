import { isWiderPolicy } from "../../policy/resources/wider-policy";
import { isRecord } from "../../provider/dynamic/values";
import { isTold, isUnmade, moreAnonymousAccess } from "./anonymous";
import type { Finding } from "./finding";
import { mayExpireMore } from "./lifecycle";
import type { PlannedStep } from "./preview";
import { isHidden, isNotKnownYet, knownProperties, readableText } from "./readings";
import { describeStep, driverOf } from "./resources";

/** A setting of a bucket that holds data, by which some of it may go, or somebody may do more. */
interface Setting {
  readonly key: string;
  readonly category: Finding["category"];
  /** What may come of it, in words. @param value `undefined` where the preview does not show it. */
  readonly what: (bucket: string, value: string | undefined) => string;
  /** Empty texts are no setting. */
  readonly isMore: (before: string, after: string) => boolean;
}

/** Source of the names: Rook, object bucket claims, `additionalConfig`. */
const settings: readonly Setting[] = [
  {
    key: "bucketLifecycle",
    category: "data-loss",
    what: (bucket) => `objects of ${bucket} may be deleted, by the rules for their life that are sent to it`,
    isMore: mayExpireMore,
  },
  {
    key: "bucketOwner",
    category: "access-widening",
    what: (bucket, user) =>
      `${user === undefined ? "a user" : `the user ${JSON.stringify(user)}`} may do everything with ${bucket}`,
    isMore: (before, after) => after !== "" && before !== after,
  },
  {
    key: "bucketPolicy",
    category: "access-widening",
    what: (bucket) => `somebody may do more with ${bucket}: its policy allows more, or denies less`,
    isMore: isWiderPolicy,
  },
];

/**
 * What may come of settings that are sent to a bucket that is there (`parametersChange`, of a claim `configChange`). What the
 * preview does not show counts as the worst that it may be; of a key that is left out nothing is sent.
 */
export function resentFindings(steps: readonly PlannedStep[]): Finding[] {
  return steps
    .filter((step) => step.op === "update" && isTold(step) && !isUnmade(step.before))
    .flatMap((step) => {
      const isOpened = moreAnonymousAccess(step, steps) !== undefined;
      return settings.flatMap((setting) =>
        // That is told already.
        setting.key === "bucketPolicy" && isOpened ? [] : findingOf(step, setting),
      );
    });
}

function findingOf(step: PlannedStep, { key, category, what, isMore }: Setting): Finding[] {
  const before = step.before === undefined ? undefined : knownProperties(step.before)["parameters"];
  const after = step.after?.inputs["parameters"];
  const value = textIn(after, key);
  if (value !== undefined && !isMore(textIn(before, key) ?? "", value)) return [];
  // Of parameters that are not known as a whole nobody can say it.
  if (value === undefined && isNotKnownYet(after)) return [];
  const object = readableText(step.before, "bucketId", "name") ?? step.name;
  const place = isHidden(after) ? "parameters" : `parameters.${key}`;
  return [
    {
      category,
      resource: describeStep(step),
      urn: step.urn,
      driver: driverOf(step.before),
      object,
      what: what(`the bucket ${object}`, value),
      why: value === undefined ? `the preview does not show ${place}` : `${place} is another one`,
    },
  ];
}

/** A setting among parameters, the empty text where it is left out; `undefined` for one that cannot be read. */
function textIn(parameters: unknown, key: string): string | undefined {
  if (isHidden(parameters)) return undefined;
  const value = isRecord(parameters) ? (parameters[key] ?? "") : "";
  return typeof value === "string" && !isHidden(value) ? value : undefined;
}
