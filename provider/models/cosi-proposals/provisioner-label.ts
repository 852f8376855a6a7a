/** Label with the name of the provisioner, for listing only: {@link provisionerLabelValue} shortens it. */
export const provisionerLabel = "cosi.io/provisioner";

/** Longest value of a label, in characters. */
const longestLabel = 63;

/**
 * A provisioner as the value of a label: what a label cannot hold becomes `-`. For listing only, as two may be equal.
 * Source: COSI proposals of 2020-02-27 and 2020-07-08, `labels`.
 */
export function provisionerLabelValue(provisioner: string): string {
  return provisioner
    .replace(/[^-._a-zA-Z0-9]/g, "-")
    .slice(0, longestLabel)
    .replace(/^[^a-zA-Z0-9]+/, "")
    .replace(/[^a-zA-Z0-9]+$/, "");
}
