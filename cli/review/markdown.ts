import { printable } from "../printable";
import { categories, headings, type Finding } from "./finding";
import type { Review } from "./review";

/** The review as Markdown, for the comment on a pull request. */
export function markdownOf({ findings, counts }: Review): string {
  const sections = categories.flatMap((category) => {
    const own = findings.filter((finding) => finding.category === category);
    return own.length === 0 ? [] : [`## ${headings[category]}\n\n${own.map(line).join("\n")}\n`];
  });
  const all = Object.entries(counts).map(([op, count]) => `${count} to ${op}`);
  const rest = all.length === 0 ? "Nothing changes." : `In all: ${all.join(", ")}.`;
  const none =
    findings.length === 0 ? ["Nothing happens to data, credentials or access that is worth a look.\n"] : [];
  return ["# Review of the storage in this change\n", ...none, ...sections, `${rest}\n`].join("\n");
}

function line({ resource, what, why, policy }: Finding): string {
  const byPolicy = policy === undefined ? "" : ` (policy ${policy})`;
  return `- **${escaped(resource)}**: ${escaped(what)}${byPolicy}. Why: ${escaped(why)}.`;
}

/** A name of the user's must become neither markup nor a link, and call nobody: GitHub knows a mention by its text alone. */
function escaped(text: string): string {
  return printable(text.replace(/\s+/g, " "))
    .replace(/[\\`*_~[\]<>|#&$]/g, (character) => `\\${character}`)
    .replace(/:(?=\/\/)|(?<=www)\./gi, (character) => `\\${character}`)
    .replaceAll("@", "@<!-- -->");
}
