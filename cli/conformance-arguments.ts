import { parseArgs } from "node:util";
import type { ConformanceOptions } from "../conformance/options";
import { defaultPrefix, maximumPrefixLength } from "../conformance/names";
import {
  isTestedContractName,
  testedContract,
  testedContractNames,
  type TestedContractName,
} from "../conformance/tested-contract";
import { AuthenticationType } from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { parseSocketEndpoint } from "../provider/driver/connect/endpoint";
import { errorText } from "../provider/dynamic/error-text";
import { UsageError } from "./usage-error";

/** What the command line asks for. */
export interface ConformanceArguments {
  readonly options: ConformanceOptions;
  readonly json: boolean;
  readonly help: boolean;
}

const defaultTimeoutSeconds = "60";
const defaultIdleSeconds = "60";
const longestSeconds = 3_600;
const commandFlag = "--command";

const flags = {
  contract: { type: "string", default: "cosi.v1alpha1" },
  endpoint: { type: "string" },
  parameter: { type: "string", multiple: true },
  "other-parameter": { type: "string", multiple: true },
  "access-parameter": { type: "string", multiple: true },
  "other-access-parameter": { type: "string", multiple: true },
  "authentication-type": { type: "string", default: "Key" },
  prefix: { type: "string", default: defaultPrefix },
  timeout: { type: "string", default: defaultTimeoutSeconds },
  idle: { type: "string", default: defaultIdleSeconds },
  "check-credentials": { type: "boolean", default: false },
  "try-credentials": { type: "string" },
  "large-fields": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/**
 * Reads the command line of `pulumi-cosi conformance`. What follows `--command` is the driver's own command line.
 *
 * @throws UsageError
 */
export function readConformanceArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ConformanceArguments {
  const { own, command } = split(args);
  const { values } = parsed(own);
  const { json, help } = values;
  const other = values["other-parameter"];
  const otherAccess = values["other-access-parameter"];
  const contract = contractName(values.contract);
  const options: ConformanceOptions = {
    contract,
    ...(help ? {} : target(contract, values.endpoint, command, environment)),
    parameters: pairs("--parameter", values.parameter ?? []),
    ...(other === undefined ? {} : { otherParameters: pairs("--other-parameter", other) }),
    accessParameters: pairs("--access-parameter", values["access-parameter"] ?? []),
    ...(otherAccess === undefined
      ? {}
      : { otherAccessParameters: pairs("--other-access-parameter", otherAccess) }),
    authenticationType: authenticationType(values["authentication-type"]),
    prefix: prefix(values.prefix),
    timeoutSeconds: seconds("--timeout", values.timeout, 1),
    idleSeconds: seconds("--idle", values.idle, 0),
    ...trial(values["check-credentials"], values["try-credentials"]),
    largeFields: values["large-fields"],
  };
  return { options, json, help };
}

/** The options of the check, and the driver's command line behind them: `--command driver` or `--command=driver`. */
function split(args: readonly string[]): {
  readonly own: readonly string[];
  readonly command: readonly string[] | undefined;
} {
  const joined = `${commandFlag}=`;
  const at = args.findIndex((argument) => argument === commandFlag || argument.startsWith(joined));
  const [flag, ...rest] = at === -1 ? [] : args.slice(at);
  if (flag === undefined) return { own: args, command: undefined };
  const program = flag.startsWith(joined) ? [flag.slice(joined.length)] : [];
  return { own: args.slice(0, at), command: [...program, ...rest] };
}

function parsed(args: readonly string[]) {
  const asked = { args: [...args], options: flags, allowPositionals: true, strict: true } as const;
  let result;
  try {
    result = parseArgs(asked);
  } catch (error) {
    throw new UsageError(errorText(error));
  }
  // The text may hold a secret, so it is not shown.
  if (result.positionals.length > 0) {
    throw new UsageError(
      "an argument belongs to no option: put a value with blanks in quotes, and a driver's arguments after --command <program>",
    );
  }
  return result;
}

function contractName(text: string): TestedContractName {
  if (isTestedContractName(text)) return text;
  throw new UsageError(`--contract is one of ${testedContractNames.join(", ")}, not ${JSON.stringify(text)}`);
}

function trial(
  checkCredentials: boolean,
  program: string | undefined,
): Pick<ConformanceOptions, "checkCredentials" | "tryCredentials"> {
  if (program === undefined) return { checkCredentials };
  if (checkCredentials)
    throw new UsageError("give either --check-credentials or --try-credentials, not both");
  if (program === "") throw new UsageError("--try-credentials needs a program");
  return { checkCredentials, tryCredentials: program };
}

function target(
  contract: TestedContractName,
  endpoint: string | undefined,
  command: readonly string[] | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Pick<ConformanceOptions, "endpoint" | "command"> {
  if (command !== undefined) {
    if (endpoint !== undefined) throw new UsageError("give either --endpoint or --command, not both");
    if (command[0] === undefined || command[0] === "")
      throw new UsageError("--command needs a program: --command cosi-driver-s3");
    return { command };
  }
  const { endpointVariable } = testedContract(contract);
  const address = endpoint ?? environment[endpointVariable] ?? "";
  if (address === "") {
    throw new UsageError(
      `no driver is given: write --endpoint unix:///path/driver.sock or --command <program>, or set ${endpointVariable}`,
    );
  }
  try {
    return { endpoint: parseSocketEndpoint(address).address };
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}

function pairs(flag: string, texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const at = text.indexOf("=");
      // The text may hold a secret, so it is not shown.
      if (at < 1) throw new UsageError(`${flag} takes <key>=<value>`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function authenticationType(text: string): AuthenticationType.Key | AuthenticationType.IAM {
  switch (text.toLowerCase()) {
    case "key":
      return AuthenticationType.Key;
    case "iam":
      return AuthenticationType.IAM;
    default:
      throw new UsageError(`--authentication-type is Key or IAM, not ${JSON.stringify(text)}`);
  }
}

function prefix(text: string): string {
  if (text.length <= maximumPrefixLength && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text)) return text;
  throw new UsageError(
    `--prefix takes at most ${maximumPrefixLength} characters of a-z, 0-9 and dash, not ${JSON.stringify(text)}`,
  );
}

function seconds(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value <= longestSeconds) return value;
  throw new UsageError(
    `${flag} takes seconds from ${least} to ${longestSeconds}, not ${JSON.stringify(text)}`,
  );
}
