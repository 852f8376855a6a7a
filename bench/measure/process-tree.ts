import { readdirSync, readFileSync } from "node:fs";

/** What a process of a `pulumi` command is for. */
export const roles = [
  "cli",
  "language host",
  "program",
  "provider host",
  "kubernetes plugin",
  "other",
] as const;

export type Role = (typeof roles)[number];

/** What processes of one role needed. */
export interface RoleUsage {
  /** Seconds of all of them. */
  readonly cpuSeconds: number;
  /** Resident memory of the largest one at its peak, in MB. */
  readonly peakMegabytes: number;
}

interface Process {
  readonly role: Role;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

const intervalMs = 100;
/** `sysconf(_SC_CLK_TCK)` of every Linux that Node.js runs on. */
const ticksPerSecond = 100;

/** Words of a command line by which a process is known, the first that fits. */
const marks: readonly (readonly [Role, RegExp])[] = [
  ["provider host", /cmd\/dynamic-provider|pulumi-resource-pulumi-nodejs/],
  ["kubernetes plugin", /pulumi-resource-kubernetes/],
  ["language host", /pulumi-language-nodejs/],
  ["program", /@pulumi\/pulumi\/cmd\/run/],
  ["cli", /\/pulumi(\s|$)/],
];

/** Looks at a process and all below it, ten times a second, as /proc has them; Linux alone. */
export class ProcessTree {
  readonly #known = new Map<string, Process>();
  readonly #pids = new Set<number>();
  readonly #timer: NodeJS.Timeout;

  constructor(root: number) {
    this.#pids.add(root);
    this.#look();
    this.#timer = setInterval(() => {
      this.#look();
    }, intervalMs);
  }

  /** Ends it. @returns what was needed, by role. */
  stop(): Readonly<Record<Role, RoleUsage>> {
    clearInterval(this.#timer);
    const of = (role: Role): RoleUsage => {
      const processes = [...this.#known.values()].filter((process) => process.role === role);
      return {
        cpuSeconds: processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
        peakMegabytes: Math.max(0, ...processes.map(({ peakMegabytes }) => peakMegabytes)),
      };
    };
    return {
      cli: of("cli"),
      "language host": of("language host"),
      program: of("program"),
      "provider host": of("provider host"),
      "kubernetes plugin": of("kubernetes plugin"),
      other: of("other"),
    };
  }

  #look(): void {
    const stats = new Map(readPids().map((pid) => [pid, readStat(pid)] as const));
    let found = true;
    // Children may have lower ids than their parents.
    while (found) {
      found = false;
      for (const [pid, stat] of stats) {
        if (stat === undefined || this.#pids.has(pid) || !this.#pids.has(stat.parent)) continue;
        this.#pids.add(pid);
        found = true;
      }
    }
    for (const pid of this.#pids) {
      const stat = stats.get(pid);
      const peakMegabytes = readPeak(pid);
      if (stat === undefined || peakMegabytes === undefined) continue;
      const { started, cpuSeconds } = stat;
      // The role changes where a shell gives way to what it starts.
      this.#known.set(`${pid} ${started}`, { role: roleOf(pid), cpuSeconds, peakMegabytes });
    }
  }
}

function readPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readStat(pid: number): { parent: number; started: string; cpuSeconds: number } | undefined {
  const text = readProc(pid, "stat");
  // The name of the program, in brackets, may hold anything.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return undefined;
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
  return {
    parent: Number(fields[1]),
    started: fields[19] ?? "",
    cpuSeconds: (userTicks + systemTicks) / ticksPerSecond,
  };
}

function readPeak(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, "status") ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

function roleOf(pid: number): Role {
  const command = (readProc(pid, "cmdline") ?? "").replaceAll("\0", " ");
  return marks.find(([, mark]) => mark.test(command))?.[0] ?? "other";
}

/** `undefined` for a process that has ended. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
