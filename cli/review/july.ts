import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState } from "./preview";
import { isDataType, typeOfUrn } from "./resources";

/** COSI proposal of 2020-07-08: its Bucket in the cluster decides what becomes of a bucket, whichever stack lets go of it last. */
const model = "cosi-2020-07:";

/** True for what has an object in the cluster whose policy counts; the one that the state has may be older. */
export function isByObject({ objects }: PlannedState["inputs"]): boolean {
  const name = isRecord(objects) ? objects["model"] : undefined;
  return typeof name === "string" && name.startsWith(model);
}

/** True for an account of a bucket that another stack has: if that has let go of it, the last account deletes it. */
export function isOfGuest({ inputs, links }: PlannedState): boolean {
  return isByObject(inputs) && !links.needs.some((urn) => isDataType(typeOfUrn(urn)));
}
