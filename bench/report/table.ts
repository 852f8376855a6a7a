import type { RunFigures } from "./figures";
import type { Results } from "./results";

/** A bound that has to hold, and at which sizes. */
interface Row {
  readonly title: string;
  readonly bound?: { readonly most: number; readonly from?: number; readonly to?: number };
  readonly value: (run: RunFigures) => number | null;
  readonly digits: number;
}

const rows: readonly Row[] = [
  { title: "up, × floor", bound: { most: 1.25, from: 100, to: 100 }, value: (run) => run.upRatio, digits: 2 },
  {
    title: "up without checkpoints, × floor",
    value: (run) => run.withoutCheckpoints?.upRatio ?? null,
    digits: 2,
  },
  { title: "CPU of up, × floor", value: (run) => run.upCpuRatio, digits: 2 },
  { title: "last usable Secret, × floor", value: (run) => run.lastSecretRatio, digits: 2 },
  {
    title: "unchanged preview, × floor",
    bound: { most: 1.2, from: 500, to: 500 },
    value: (run) => run.previewRatio,
    digits: 2,
  },
  { title: "refresh, × floor", value: (run) => run.refreshRatio, digits: 2 },
  { title: "destroy, × floor", value: (run) => run.destroyRatio, digits: 2 },
  { title: "up with faults, × without", bound: { most: 1.3 }, value: (run) => run.faultsRatio, digits: 2 },
  { title: "RPCs of the preview", bound: { most: 0 }, value: (run) => run.previewCalls, digits: 0 },
  { title: "creates per claim", bound: { most: 1 }, value: (run) => run.createCallsPerClaim, digits: 2 },
  { title: "grants per claim", bound: { most: 1 }, value: (run) => run.grantCallsPerClaim, digits: 2 },
  { title: "DriverGetInfo of up", bound: { most: 1 }, value: (run) => run.infoCalls, digits: 0 },
  { title: "API requests per claim", value: (run) => run.requestsPerClaim, digits: 1 },
  { title: "resources per claim", bound: { most: 10 }, value: (run) => run.resourcesPerClaim, digits: 0 },
  {
    title: "bytes of state per claim",
    bound: { most: 16 * 1024 },
    value: (run) => run.stateBytesPerClaim,
    digits: 0,
  },
  {
    title: "the same with PULUMI_DIY_BACKEND_GZIP",
    value: (run) => run.stateGzipBytesPerClaim,
    digits: 0,
  },
  { title: "the same of the floor", value: (run) => run.plainStateBytesPerClaim, digits: 0 },
  { title: "bytes of __provider", bound: { most: 1024 }, value: (run) => run.providerBytes, digits: 0 },
  {
    title: "memory of the provider host, MB",
    bound: { most: 250 },
    value: (run) => run.hostPeakMegabytes,
    digits: 0,
  },
  { title: "memory of the CLI, MB", value: (run) => run.cliPeakMegabytes, digits: 0 },
  { title: "memory of the program, MB", value: (run) => run.programPeakMegabytes, digits: 0 },
  { title: "the same of the floor", value: (run) => run.plainProgramPeakMegabytes, digits: 0 },
];

/** What has to hold for a value at a size; a star marks one that does not. */
function cell({ bound, value, digits }: Row, run: RunFigures): string {
  const figure = value(run);
  if (figure === null) return "–";
  const text = figure.toFixed(digits);
  const { most, from = 0, to = Infinity } = bound ?? { most: Infinity };
  return figure > most && run.n >= from && run.n <= to ? `${text} *` : text;
}

function boundText({ bound }: Row): string {
  if (bound === undefined) return "";
  const { most, from } = bound;
  return `≤ ${most}${from === undefined ? "" : ` at ${from}`}`;
}

/** The figures as a table of Markdown, with what they must be; a star marks one that is not. */
export function tableOf({ runs, start, growth }: Results): string {
  const lines = [
    ["", "must be", ...runs.map(({ n }) => `${n} claims`)],
    ["---", "---", ...runs.map(() => "--:")],
    ...rows.map((row) => [row.title, boundText(row), ...runs.map((run) => cell(row, run))]),
  ];
  return [
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `Start, to the first RPC of a program of one claim: ${start.ratio.toFixed(2)} × that of a bare program (must be ≤ 1.3).`,
    ...(growth === null
      ? []
      : [
          `Cost of a claim at ${growth.to} against ${growth.from}: ${growth.ratio.toFixed(2)} × the floor's own growth (must be ≤ 1.1).`,
        ]),
  ].join("\n");
}
