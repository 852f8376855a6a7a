import { claimedModel } from "../claimed/model";
import type { Model } from "../model";
import { apiOf } from "./api";
import { definitionsFor } from "./definitions";

/** The API of the Deployment Interface, in a group. */
export function deploymentModel(group: string): Model {
  return claimedModel(apiOf(group), definitionsFor(group));
}
