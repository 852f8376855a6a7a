import { provider as definitions } from "../../../../provider/kubernetes/custom-resource-definitions";
import { kindsOf, modelNameOf } from "../../../../provider/models/cosi-2020-02/kinds";
import type { Cluster } from "../cluster";
import { owner } from "../objects";

/** A group of its own: the server of the tests has the proposal of 2020-07-08 under the one that both share. */
export const group = "february.cosi.io";

/** API model of the proposal of 2020-02-27 in that group. */
export const february = modelNameOf(group);
export const kinds = kindsOf(group);

/** Installs the three kinds, once per cluster. */
export async function installFebruary({ target }: Cluster): Promise<void> {
  await definitions.create({ kubernetes: target, model: february, owner });
}
