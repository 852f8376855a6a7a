import { labelValue } from "../../kubernetes/label-value";

/** Label with the name of the provisioner, for listing only: {@link provisionerLabelValue} shortens it. */
export const provisionerLabel = "cosi.io/provisioner";

/** A provisioner as the value of a label. Source: COSI proposals of 2020-02-27 and 2020-07-08, `labels`. */
export function provisionerLabelValue(provisioner: string): string {
  return labelValue(provisioner);
}
