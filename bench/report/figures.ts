import type { Command, Cycle } from "../measure/cycle";
import type { Single } from "../measure/single";
import { sizeOf } from "../measure/shape";
import type { Pair } from "../measure/size";
import { median } from "./median";

/** The cycles of one size. */
export interface Measured {
  readonly n: number;
  /** With the checkpoints of the file backend; empty where they were not asked for. */
  readonly withCheckpoints: readonly Pair[];
  readonly withoutCheckpoints: readonly Pair[];
  /** Without checkpoints, with a tenth of the calls failing the first time. */
  readonly withFaults: readonly Pair[];
}

/** Our cost in parts of the floor's, command by command. */
export interface Ratios {
  /** The bare calls count to the floor. */
  readonly upRatio: number;
  readonly previewRatio: number;
  readonly refreshRatio: number;
  readonly destroyRatio: number;
  /** CPU of all processes. */
  readonly upCpuRatio: number;
  /** Time to the last Secret that a workload can use. */
  readonly lastSecretRatio: number;
}

/** The figures of one size; those of `up`, `preview`, `refresh`, `destroy` are with checkpoints where these were measured. */
export interface RunFigures extends Ratios {
  readonly n: number;
  readonly checkpoints: boolean;
  readonly resourcesPerClaim: number;
  readonly stateBytesPerClaim: number;
  /** With `PULUMI_DIY_BACKEND_GZIP`, the whole file shared out. */
  readonly stateGzipBytesPerClaim: number;
  /** Of the floor, whose resources hold next to nothing. */
  readonly plainStateBytesPerClaim: number;
  readonly providerBytes: number;
  readonly createCallsPerClaim: number;
  readonly grantCallsPerClaim: number;
  /** In `up`. */
  readonly infoCalls: number;
  /** RPCs in an unchanged preview. */
  readonly previewCalls: number;
  /** Requests to the API server in `up`. */
  readonly requestsPerClaim: number;
  readonly hostPeakMegabytes: number;
  readonly cliPeakMegabytes: number;
  readonly programPeakMegabytes: number;
  /** Of the floor. */
  readonly plainProgramPeakMegabytes: number;
  readonly withoutCheckpoints: Ratios | null;
  /** `up` with faults in parts of `up` without; both without checkpoints. */
  readonly faultsRatio: number | null;
}

/** Judges what was measured at a size. */
export function figuresOf(
  { n, withCheckpoints, withoutCheckpoints, withFaults }: Measured,
  single: Single,
): RunFigures {
  const shown = withCheckpoints.length > 0 ? withCheckpoints : withoutCheckpoints;
  const claims = shown.map((pair) => pair.claims);
  const of = (value: (cycle: Cycle) => number): number => median(claims.map(value));
  const perClaim = (rpc: string): number => of(({ up }) => (up.rpcs[rpc] ?? 0) / n);
  return {
    n,
    checkpoints: withCheckpoints.length > 0,
    ...ratiosOf(shown),
    resourcesPerClaim: sizeOf(single.shape),
    stateBytesPerClaim: Math.round(of(({ result }) => (result.stateBytes - single.baseBytes) / n)),
    stateGzipBytesPerClaim: Math.round(of(({ result }) => result.stateGzipBytes / n)),
    plainStateBytesPerClaim: Math.round(median(shown.map(({ plain }) => plain.result.stateBytes / n))),
    providerBytes: of(({ result }) => result.providerBytes),
    createCallsPerClaim: perClaim("DriverCreateBucket"),
    grantCallsPerClaim: perClaim("DriverGrantBucketAccess"),
    infoCalls: of(({ up }) => up.rpcs["DriverGetInfo"] ?? 0),
    previewCalls: of(({ preview }) => sum(preview.rpcs)),
    requestsPerClaim: of(({ up }) => sum(up.requests) / n),
    hostPeakMegabytes: peakOf(claims, "provider host"),
    cliPeakMegabytes: peakOf(claims, "cli"),
    programPeakMegabytes: peakOf(claims, "program"),
    plainProgramPeakMegabytes: peakOf(
      shown.map(({ plain }) => plain),
      "program",
    ),
    withoutCheckpoints: withoutCheckpoints.length > 0 ? ratiosOf(withoutCheckpoints) : null,
    faultsRatio: withFaults.length > 0 ? faultsRatioOf(withFaults, withoutCheckpoints) : null,
  };
}

function ratiosOf(pairs: readonly Pair[]): Ratios {
  const ratio = (ours: (pair: Pair) => number, floor: (pair: Pair) => number): number =>
    median(pairs.map((pair) => ours(pair) / floor(pair)));
  const wall = (command: Command, calls: (pair: Pair) => number): number =>
    ratio(
      ({ claims }) => claims[command].wallSeconds,
      (pair) => pair.plain[command].wallSeconds + calls(pair),
    );
  return {
    upRatio: wall("up", ({ bare }) => bare.upSeconds),
    previewRatio: wall("preview", () => 0),
    refreshRatio: wall("refresh", () => 0),
    destroyRatio: wall("destroy", ({ bare }) => bare.destroySeconds),
    upCpuRatio: ratio(
      ({ claims }) => claims.up.cpuSeconds,
      ({ plain }) => plain.up.cpuSeconds,
    ),
    lastSecretRatio: ratio(
      ({ claims }) => claims.result.lastSecretSeconds,
      ({ plain }) => plain.result.lastSecretSeconds,
    ),
  };
}

/** The floor of either run tells how busy the machine was. */
function faultsRatioOf(withFaults: readonly Pair[], without: readonly Pair[]): number {
  const relative = ({ claims, plain }: Pair): number => claims.up.wallSeconds / plain.up.wallSeconds;
  return median(withFaults.map(relative)) / median(without.map(relative));
}

function peakOf(cycles: readonly Cycle[], role: "cli" | "program" | "provider host"): number {
  const steps = cycles.flatMap(({ up, preview, refresh, destroy }) => [up, preview, refresh, destroy]);
  return Math.round(Math.max(...steps.map(({ byRole }) => byRole[role].peakMegabytes)));
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
