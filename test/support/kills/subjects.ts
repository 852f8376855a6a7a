import { proposal202002 } from "./cosi-2020-02/subject";
import { proposal202007 } from "./cosi-2020-07/subject";
import { deployments } from "./deployment/subject";
import { objectBuckets } from "./objectbucket/subject";
import { objectStorage } from "./objectstorage-v1alpha1/subject";
import type { Subject } from "./subject";

/** All that is killed. */
export const subjects: readonly [Subject, ...Subject[]] = [
  objectStorage,
  proposal202007,
  proposal202002,
  objectBuckets,
  deployments,
];

/** @throws Error if there is none. */
export function subjectNamed(name: string): Subject {
  const subject = subjects.find((each) => each.name === name);
  if (subject !== undefined) return subject;
  throw new Error(
    `there is no model ${JSON.stringify(name)}: ${subjects.map((each) => each.name).join(", ")}`,
  );
}
