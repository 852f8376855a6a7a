import { secretMask } from "../secrets/secret-mask";
import { WordMask } from "../secrets/word-mask";
import type { ConnectionSettings } from "../settings";

/** From this length on a value is masked in every text; a shorter one may be a part of ordinary words. */
const shortestAnywhere = 8;
/** Shorter than that it is a word of the language, or a number, more often than a secret. */
const shortestWord = 4;
/** What a short variable holds that is no secret: a switch, a level, a port. */
const ordinary = /^(?:true|false|none|null|auto|info|debug|trace|warn|warning|error|fatal|[0-9]{1,5})$/i;

/**
 * Masks in what a started driver says the secrets that it was given: its variables, which are all secret in the state,
 * and the arguments of a `command` that the program marked as secret, with the value of `--flag=value` alone too. A value
 * of 4 to 7 characters is masked in the driver's output and answers only, and as a whole word; ordinary words such as
 * `true` and numbers of up to 5 digits stay.
 */
export function outputMask(
  settings: Pick<ConnectionSettings, "command" | "environment" | "secretCommand">,
): (text: string) => string {
  const words = new WordMask();
  for (const value of givenSecrets(settings)) {
    if (value.length >= shortestAnywhere) secretMask.remember(value);
    else if (!isOrdinary(value)) words.remember(value);
  }
  return (text) => words.apply(secretMask.apply(text));
}

/** True for a value that is masked nowhere, whatever it is called: words such as `true`, numbers, and what is too short. */
export function isOrdinary(value: string): boolean {
  return value.length < shortestWord || ordinary.test(value);
}

function givenSecrets({
  command = [],
  environment = {},
  secretCommand,
}: Pick<ConnectionSettings, "command" | "environment" | "secretCommand">): string[] {
  const variables = Object.values(environment);
  if (secretCommand !== true) return variables;
  // The program itself is named in messages.
  return [...variables, ...command.slice(1).flatMap((argument) => [argument, ...valueOfFlag(argument)])];
}

function valueOfFlag(argument: string): string[] {
  const [, value] = /^-[^=]*=(.+)$/s.exec(argument) ?? [];
  return value === undefined ? [] : [value];
}
