import type { LineStatus, Report, ReportLine } from "./report";
import { testedContract, type TestedContract } from "./tested-contract";
import type { Leftover } from "./tidy";

const groups: readonly { readonly status: LineStatus; readonly heading: string }[] = [
  { status: "pass", heading: "PASS" },
  { status: "skipped", heading: "SKIPPED" },
  { status: "warning", heading: "WARNING" },
  { status: "fail", heading: "FAIL" },
];
const indent = "            ";

/** The report as a table for a terminal; what is to be acted on stands at its end. */
export function reportText(report: Report): string {
  const contract = testedContract(report.contract);
  const blocks = groups.flatMap(({ status, heading }) => {
    const lines = report.lines.filter((line) => line.status === status);
    return lines.length === 0
      ? []
      : [[`${heading} (${lines.length})`, ...lines.map((line) => lineText(line, contract))].join("\n")];
  });
  const head = `Driver ${report.driver ?? "(no name)"} at ${report.target}, contract ${contract.name}`;
  return `${[head, ...blocks, leftoverText(report.leftovers, contract), verdictText(report)].filter((text) => text !== "").join("\n\n")}\n`;
}

function lineText(line: ReportLine, { specification }: TestedContract): string {
  const { id, level, title, section, reason, problems } = line;
  const more = [
    ...(reason === null ? [] : [`${indent}${reason}`]),
    ...problems.flatMap(({ sent, answered, wanted }) => [
      `${indent}sent      ${sent}`,
      `${indent}answered  ${answered}`,
      `${indent}demanded  ${wanted}`,
    ]),
    ...(problems.length === 0 ? [] : [`${indent}see       ${specification}, ${section}`]),
  ];
  return [`  ${id}  ${level.padEnd(6)}  ${title}`, ...more].join("\n");
}

/** What is to be removed by hand; empty where there is nothing. */
export function leftoverText(leftovers: readonly Leftover[], { object, backend }: TestedContract): string {
  if (leftovers.length === 0) return "";
  const lines = leftovers.map(({ kind, id, name, bucketId, deploymentId = bucketId, reason }) => {
    const of = deploymentId === undefined ? "" : ` of ${object} ${deploymentId}`;
    return `  ${kind} ${id ?? "(id unknown)"}${of}, made under the name ${name}\n${indent}${reason}`;
  });
  return [`NOT REMOVED (${leftovers.length}): remove these at the ${backend}`, ...lines].join("\n");
}

function verdictText({ lines, compliant, incomplete }: Report): string {
  const count = (status: LineStatus): number => lines.filter((line) => line.status === status).length;
  const counts = groups.map(({ status, heading }) => `${count(status)} ${heading.toLowerCase()}`).join(", ");
  const failed = lines.filter(({ status }) => status === "fail").map(({ id }) => id);
  if (failed.length > 0) return `${counts}\nNot compliant: ${failed.join(", ")}`;
  if (compliant) return `${counts}\nCompliant: no MUST failed.`;
  return `${counts}\nNo verdict: ${incomplete ?? ""}`;
}
