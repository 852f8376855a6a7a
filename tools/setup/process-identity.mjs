import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** @param {() => string} read */
const orEmpty = (read) => {
  try {
    return read().trim();
  } catch {
    return "";
  }
};

/** @param {number} pid */
const startedFromProc = (pid) => {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The second field is the command in parentheses and may hold spaces and parentheses itself (proc_pid_stat(5)).
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === undefined || state === "Z" || state === "X" ? "" : (fields[18] ?? "");
};

/** @param {number} pid */
const startedFromPs = (pid) => {
  const line = orEmpty(() =>
    execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LC_ALL: "C" },
    }),
  );
  const [state, ...started] = line.split(/\s+/);
  return state?.startsWith("Z") ? "" : started.join(" ");
};

const started = process.platform === "linux" ? startedFromProc : startedFromPs;

/** @type {string | undefined} */
let host;

const hostFacts = () => {
  const boot = orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  return boot === "" ? hostname() : `${boot} ${orEmpty(() => readlinkSync("/proc/self/ns/pid"))}`;
};

/** @type {typeof import("./process-identity.d.mts").ownHost} */
export const ownHost = () => {
  host ??= hostFacts();
  return host;
};

/** @type {typeof import("./process-identity.d.mts").identityOf} */
export const identityOf = (pid) => {
  const start = started(pid);
  return start === "" ? undefined : { pid, started: start, host: ownHost() };
};

/** @type {typeof import("./process-identity.d.mts").ownIdentity} */
export const ownIdentity = () => {
  const identity = identityOf(process.pid);
  if (identity === undefined) {
    throw new Error(`The start time of process ${process.pid} cannot be read: neither /proc nor ps answers.`);
  }
  return identity;
};

/** @type {typeof import("./process-identity.d.mts").isRunning} */
export const isRunning = (identity) => started(identity.pid) === identity.started;
