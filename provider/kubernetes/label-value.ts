/** Longest value of a label, in characters. Source: Kubernetes, labels and selectors. */
const longestValue = 63;

/**
 * A text as the value of a label: what a label cannot hold becomes `-`, and the ends are cut to letters and digits. For
 * listing only, as two texts may become one value.
 */
export function labelValue(text: string): string {
  return text
    .replace(/[^-._a-zA-Z0-9]/g, "-")
    .slice(0, longestValue)
    .replace(/^[^a-zA-Z0-9]+/, "")
    .replace(/[^a-zA-Z0-9]+$/, "");
}
