import { cosiDuties } from "./duties/cosi-v1alpha1";
import { deploymentDuties } from "./duties/deployment-v1alpha1";
import type { Duty, DutyList } from "./duty";

/** What a driver must do, by the list that says so. Each duty is judged by one check or more. */
export const duties: Readonly<Record<DutyList, readonly Duty[]>> = {
  cosi: cosiDuties,
  deployment: deploymentDuties,
};
