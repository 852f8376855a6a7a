import * as pulumi from "@pulumi/pulumi";
import {
  hiddenName,
  ignoredNames,
  isApart,
  isInternal,
  nameOfHidden,
  restText,
  saidText,
  secretNames,
  target,
} from "./internal-properties";
import { fromInternalText, internalText, isInternalText } from "./internal-text";
import { split } from "./select";
import { containsUnknown, holdsSecret, isRecord, isSecretOutput, secretOutput } from "./values";

type Properties = Record<string, unknown>;

/** Outputs that tell something only where there is something: without it they are left out. */
const silent: ReadonlySet<string> = new Set([
  "annotations",
  "copied",
  "drift",
  "existingBucketName",
  "labels",
  "lostClaim",
  "warnings",
]);

/** A secret record that no program reads: it is kept as a text. */
const unread = "granted";

/**
 * Inputs as Pulumi keeps them.
 *
 * @param given The properties of the call, which tell what the program says itself.
 */
export function stateInputs<Inputs extends object>(inputs: Inputs, given: object): Inputs {
  const { kept, said, rest } = sorted(inputs, given);
  const secrets = secretsOf(given);
  for (const [name, value] of Object.entries(rest)) {
    // A refresh takes the inputs from the outputs, with their marks.
    const isOpen = secrets.has(name) || holdsSecret(value);
    kept[hiddenName(name)] = isOpen ? value : withTargetAsText(name, value);
  }
  // It stays where it is empty, too: without it the outputs would be taken for those of before.
  const all: object = { ...kept, ...(saidText in given ? { [saidText]: internalText(said) } : {}) };
  return all as Inputs;
}

/** Outputs as Pulumi keeps them, which may have a mark at what is secret; see {@link stateInputs}. */
export function stateOutputs<Outputs extends object>(outputs: Outputs, given: object): Outputs {
  const [, told] = split(outputs, (name, value) => silent.has(name) && isEmpty(value));
  const { kept, said, rest } = sorted(told, given);
  const secrets = secretsOf(given);
  const [open, recorded] = split(
    rest,
    (name, value) => secrets.has(name) || holdsSecret(value) || isOfBefore(name, given),
  );
  for (const [name, value] of Object.entries(open)) kept[hiddenName(name)] = value;
  if (isSecretRecord(kept[unread])) kept[unread] = secretOutput(internalText(kept[unread].value));
  const all: object = { ...kept, ...asText(saidText, said), ...asText(restText, recorded) };
  return all as Outputs;
}

/** Properties as the code knows them. */
export function withoutHidden<Kept extends object>(kept: Kept): Kept {
  const properties: Properties = { ...textOf(kept, restText) };
  for (const [key, value] of Object.entries(kept)) {
    if (key === saidText || key === restText) continue;
    const name = nameOfHidden(key);
    if (name !== undefined) properties[name] = withTargetFromText(name, value);
    else properties[key] = key === unread ? fromText(value) : value;
  }
  for (const [name, own] of Object.entries(textOf(kept, saidText))) {
    if (name === secretNames || name === ignoredNames) continue;
    const rest = properties[name];
    // One that a preview does not know at all is not known in the parts that the program says, either.
    if (isRecord(own) && isRecord(rest)) properties[name] = { ...own, ...rest };
    else if (rest === undefined) properties[name] = own;
  }
  // The same properties in other places, which no type can say, here and above.
  const all: object = properties;
  return all as Kept;
}

/**
 * The inputs of a check as the code knows them: of what the option `ignoreChanges` is to leave as it is, the old value stays.
 * Pulumi does so itself with what a path leads to. In a create, and for a replacement, there are no old ones.
 *
 * @param olds As the code knows them.
 */
export function checkedInputs<Inputs extends object>(news: Inputs, olds: object): Inputs {
  const properties: object = withoutHidden(news);
  const ignored = Object.keys(olds).length === 0 ? [] : namesIn(news, ignoredNames);
  for (const name of ignored) {
    const value: unknown = Reflect.get(olds, name);
    if (value === undefined) Reflect.deleteProperty(properties, name);
    else Reflect.set(properties, name, value);
  }
  return properties as Inputs;
}

/** Properties by where they are kept: as they are or under a hidden name of their own, in the program's text, elsewhere. */
function sorted(properties: object, given: object): { kept: Properties; said: Properties; rest: Properties } {
  const program = textOf(given, saidText);
  const [kept, rest]: [Properties, Properties] = [{}, {}];
  const said: Properties = secretNames in program ? { [secretNames]: program[secretNames] } : {};
  for (const [name, value] of Object.entries(properties)) {
    const own = program[name];
    if (!isInternal(name)) kept[name] = value;
    else if (isApart(name)) kept[hiddenName(name)] = value;
    else if (isRecord(own) && isRecord(value) && !isSecretOutput(value)) {
      const [inText, others] = split(value, (key, part) => key in own && !holdsSecret(part));
      said[name] = inText;
      if (Object.keys(others).length > 0) rest[name] = others;
    } else if (name in program && !isRecord(own) && !holdsSecret(value)) said[name] = value;
    else rest[name] = value;
  }
  return { kept, said, rest };
}

/** What the program has marked as secret in part; Pulumi keeps it so as long as it is a property of its own. */
function secretsOf(given: object): ReadonlySet<string> {
  return new Set(namesIn(given, secretNames));
}

/** Names that the program's text has beside the properties. */
function namesIn(given: object, key: string): string[] {
  const names = textOf(given, saidText)[key];
  return Array.isArray(names) ? names.map(String) : [];
}

/**
 * True for a property of its own in a state from before there was a text: that does not tell what of it is secret. Pulumi
 * knows it as long as the property stays where it is.
 */
function isOfBefore(name: string, given: object): boolean {
  return !(saidText in given) && hiddenName(name) in given;
}

/**
 * A property with its target as a text. One that is not known in part is not known at all: an `up` has to be by the plan of
 * its preview.
 */
function withTargetAsText(name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (name !== target)
    return target in value ? { ...value, [target]: withTargetAsText(target, value[target]) } : value;
  return containsUnknown(value) ? pulumi.runtime.unknownValue : internalText(value);
}

function withTargetFromText(name: string, value: unknown): unknown {
  if (name === target) return fromText(value);
  return isRecord(value) && target in value ? { ...value, [target]: fromText(value[target]) } : value;
}

function fromText(value: unknown): unknown {
  return isInternalText(value) ? fromInternalText(value) : value;
}

function isSecretRecord(value: unknown): value is { readonly value: Properties } {
  return isSecretOutput(value) && isRecord(value.value);
}

function asText(key: string, properties: Properties): Properties {
  return Object.keys(properties).length === 0 ? {} : { [key]: internalText(properties) };
}

function textOf(properties: object, key: string): Properties {
  const text: unknown = Reflect.get(properties, key);
  return isInternalText(text) ? fromInternalText(text) : {};
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
