import { isRecord } from "../dynamic/values";
import { keepUid } from "../kubernetes/identity";
import { keepTarget } from "../kubernetes/target";
import { targetOutput } from "../kubernetes/target-output";
import type { AccessObjects, BucketObjects } from "./model";

type Objects = BucketObjects | AccessObjects;

/**
 * The objects of a resource that is in the state already, for its `check`: a cluster that the preview does not know is
 * the one that was recorded, and an absent UID, as a preview without a cluster has it, is the recorded one.
 */
export function keepObjects<T extends Objects>(olds: T | undefined, news: T | undefined): T | undefined {
  if (!isRecord(olds) || !isRecord(news)) return news;
  const kept = Object.entries(news).map(
    ([key, value]) => [key, keepUid(Reflect.get(olds, key), value)] as const,
  );
  return { ...news, ...Object.fromEntries(kept), kubernetes: keepTarget(olds.kubernetes, news.kubernetes) };
}

/** The objects as an output: the text of a kubeconfig holds credentials. */
export function objectsOutput<T extends Objects>(objects: T): T {
  return { ...objects, kubernetes: targetOutput(objects.kubernetes) };
}
