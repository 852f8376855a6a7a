import {
  OutOfRange,
  type Parameters,
  type Rule,
  type Rules,
  checkParameters,
  oneOf,
} from "../../common/parameters";
import { quote } from "../../common/text";

const MAX_CONNECTIONS = 10_000;

/** A number from 1 to 10000. */
export const connectionLimit: Rule = (value) => {
  if (!/^-?\d{1,20}$/.test(value)) return `${quote(value)} is not a whole number`;
  const number = Number(value);
  return number >= 1 && number <= MAX_CONNECTIONS
    ? undefined
    : new OutOfRange(`${value} is not from 1 to ${MAX_CONNECTIONS}`);
};

/** Words that the server judges, such as the name of a locale; in a message they are repeated. */
const word =
  (what: string): Rule =>
  (value) =>
    /^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/.test(value)
      ? undefined
      : `${quote(value)} is not the name of ${what}`;

const extensionList: Rule = (value) =>
  /^[A-Za-z0-9_-]{1,63}(,[A-Za-z0-9_-]{1,63})*$/.test(value)
    ? undefined
    : `${quote(value)} is not a list of names of extensions, joined by commas`;

/** Every key of a create, and of the context of a delete. */
const RULES = {
  onDelete: oneOf("refuse-tables", "drop"),
  connectionLimit,
  encoding: word("an encoding"),
  locale: word("a locale"),
  icuLocale: word("a locale"),
  extensions: extensionList,
} satisfies Rules;

/** @throws DriverError naming field, key and reason: `out-of-range` for a number beyond its limits, else `invalid-argument`. */
export function checkDeploymentParameters(field: string, parameters: Parameters): void {
  checkParameters(field, parameters, RULES);
}

/** What checked parameters say. */
export interface DeploymentSettings {
  /** Whether a delete drops tables too. */
  readonly dropsTables: boolean;
  readonly connectionLimit: number | undefined;
  readonly encoding: string;
  readonly locale: string | undefined;
  readonly icuLocale: string | undefined;
  readonly extensions: readonly string[];
}

export function deploymentSettings(parameters: Parameters): DeploymentSettings {
  const value = (key: keyof typeof RULES) => parameters.get(key);
  const limit = value("connectionLimit");
  return {
    dropsTables: value("onDelete") === "drop",
    connectionLimit: limit === undefined ? undefined : Number(limit),
    encoding: value("encoding") ?? "UTF8",
    locale: value("locale"),
    icuLocale: value("icuLocale"),
    extensions: [...new Set(value("extensions")?.split(",") ?? [])],
  };
}
