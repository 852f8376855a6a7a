import type * as pulumi from "@pulumi/pulumi";
import { contractNames, type Contract, type DriverNaming } from "../contracts/contract";
import { knownContract } from "../contracts/registry";
import { parseEndpoint, requireTls } from "../driver/connect/endpoint";
import { connectionSettingsOf, endpointVariableOf } from "../driver/settings";
import { tlsProblem } from "../driver/connect/tls-settings";
import { CheckFailures } from "../dynamic/check-failures";
import { driverNamesOfRun } from "../run/driver-names";
import { errorText } from "../dynamic/error-text";
import { containsUnknown, isRecord, isUnknown, sameValue } from "../dynamic/values";
import { driversOfRun } from "../run/drivers";
import { warn } from "../run/warning";
import { referenceTo, type DriverInputs, type DriverOutputs } from "./state";

/** Judges the inputs. */
export function check(
  olds: Partial<DriverInputs>,
  news: DriverInputs,
): pulumi.dynamic.CheckResult<DriverInputs> {
  const failures = new CheckFailures();
  const { endpoint, tls, command, environment, contract, driverName, identityMethod } = news;
  const rules = knownContract(contract);
  const variable = endpointVariableOf(news);
  const endpointRules = isUnknown(contract) ? { plainTextToLoopback: true } : rules;
  failures.judge("endpoint", endpoint, (value) => {
    if (command !== undefined)
      return "is given beside command: a driver is either started or found, choose one";
    try {
      requireTls(parseEndpoint(value, endpointRules), tls, endpointRules);
      return undefined;
    } catch (error) {
      // The property stands before it.
      return errorText(error).replace(/^driver endpoint /, "");
    }
  });
  failures.judge("tls", tls, (value) => {
    if (command !== undefined)
      return "is given beside command: a driver that is started is reached by its socket, leave it out";
    if (endpoint?.startsWith("unix:") === true)
      return "is given with a UNIX domain socket, which needs none: leave it out, or set endpoint to dns:///<host>:<port>";
    return tlsProblem(value);
  });
  failures.judge("command", command, (value) =>
    value.length === 0 || value[0] === "" ? "is empty: give a program and its arguments" : undefined,
  );
  failures.judge("environment", environment, (value) => {
    if (command === undefined)
      return "is given without command: a driver that is found has its environment already";
    if (variable in value)
      return `sets ${variable}, which is given to the driver by pulumi-cosi: leave it out`;
    return undefined;
  });
  if (!sameValue(olds.environment, environment)) warnOfContractNames(news);
  failures.judge("contract", contract, (value) =>
    contractNames.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}, and the contracts are: ${contractNames.join(", ")}`,
  );
  failures.judge("driverName", driverName, (value) => rules?.naming.problem(value));
  failures.judge("identityMethod", identityMethod, (value) => identityMethodProblem(value, rules));
  if (rules?.identify === null) judgeNamedDriver(failures, news, rules.naming);
  // K02-007; the others have a call for the name, or a namespace in it.
  if (rules?.name === "cosi-2020-02" && driverName !== undefined) {
    const named = { logicalName: news.logicalName, driverName, settings: news };
    const problem = driverNamesOfRun.problem(named);
    if (problem !== undefined) failures.add("driverName", problem);
  }
  for (const key of [
    "connectTimeoutSeconds",
    "callTimeoutSeconds",
    "retryBudgetSeconds",
    "firstRetryDelayMilliseconds",
  ] as const) {
    failures.judge(key, news[key], (value) =>
      Number.isFinite(value) && value > 0 ? undefined : `is ${value}: give a number above 0`,
    );
  }
  failures.judge("maxConcurrentCalls", news.maxConcurrentCalls, (value) =>
    Number.isInteger(value) && value > 0 ? undefined : `is ${value}: give a whole number above 0`,
  );
  return failures.result({ ...news, logicalName: olds.logicalName ?? news.logicalName });
}

/**
 * K07-005: a driver that cannot be asked for its name is told from others by the pair of name and place, so both stand in
 * the program and are recorded.
 */
function judgeNamedDriver(
  failures: CheckFailures,
  { contract, driverName, endpoint, command }: DriverInputs,
  { form }: DriverNaming,
): void {
  const reason = `${contract} has no call that tells a driver's name`;
  if (driverName === undefined) {
    failures.add("driverName", `is missing: ${reason}, so give ${form}`);
  }
  if (endpoint === undefined && command === undefined) {
    failures.add(
      "endpoint",
      `is missing: ${reason}, so only its address can reveal a wrong one, and COSI_ENDPOINT may differ from run to ` +
        "run; give endpoint or command",
    );
  }
}

function identityMethodProblem(path: string, rules: Contract | undefined): string | undefined {
  if (rules !== undefined && rules.identifyBy === undefined) {
    return `is given with contract ${rules.name}, which has a call of its own for it: leave it out`;
  }
  return /^\/[^/\s]+\/[^/\s]+$/.test(path)
    ? undefined
    : `is ${JSON.stringify(path)}: give the full path of an RPC, such as /cosi.v1alpha1.Identity/DriverGetInfo`;
}

/** GRPC-102, DEP-075: what begins as the contract's one variable does is the contract's to name. */
function warnOfContractNames(news: DriverInputs): void {
  const { logicalName, environment } = news;
  if (!isRecord(environment)) return;
  const variable = endpointVariableOf(news);
  const prefix = variable.slice(0, variable.indexOf("_") + 1);
  const names = Object.keys(environment).filter((name) => name.startsWith(prefix) && name !== variable);
  if (names.length === 0) return;
  warn(
    "driver",
    logicalName,
    `its environment sets ${names.join(", ")}: names that begin with ${prefix} belong to the contract, which knows ` +
      `only ${variable}`,
  );
}

/**
 * Says what a change means. A driver may be moved and renamed; nothing replaces it. Of one that is as the state has it the
 * run knows where it is; of a changed one, once it is updated.
 */
export function diff(olds: DriverOutputs, news: DriverInputs): pulumi.dynamic.DiffResult {
  const moved = !sameValue(connectionSettingsOf(olds), connectionSettingsOf(news));
  const renamed = news.driverName !== undefined && !sameValue(olds.demandedDriverName, news.driverName);
  const freed = news.driverName === undefined && olds.demandedDriverName !== null;
  const changes = moved || renamed || freed || containsUnknown(news);
  // Its id is the name that it was created under.
  driversOfRun.enter(olds.logicalName, olds.seed);
  if (!changes) driversOfRun.note(referenceTo(olds));
  return { changes, replaces: [] };
}
