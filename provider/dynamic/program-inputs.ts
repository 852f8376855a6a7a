import * as pulumi from "@pulumi/pulumi";
import {
  hiddenName,
  ignoredNames,
  isApart,
  isInternal,
  saidText,
  secretNames,
  target,
} from "./internal-properties";
import { internalText } from "./internal-text";
import { split } from "./select";
import { isRecord } from "./values";

/**
 * The inputs that a program gives to Pulumi. What it says itself of the internal ones goes together; what comes from other
 * resources keeps a property each, since a preview may not know it.
 *
 * @param ignored Names of the internal ones that the option `ignoreChanges` leaves as they are.
 */
export function programInputs(properties: pulumi.Inputs, ignored: readonly string[] = []): pulumi.Inputs {
  const inputs: pulumi.Inputs = {};
  const said: Record<string, unknown> = {
    [secretNames]: namesOfSecrets(properties),
    ...(ignored.length === 0 ? {} : { [ignoredNames]: ignored }),
  };
  for (const [name, value] of Object.entries<unknown>(properties)) {
    if (!isInternal(name)) inputs[name] = value;
    else if (isApart(name) || name === target) inputs[hiddenName(name)] = value;
    else if (isSaid(value)) said[name] = value;
    else if (isRecord(value) && !pulumi.Output.isInstance(value)) {
      const [own, rest] = split(value, (_key, part) => isSaid(part));
      if (Object.keys(own).length > 0) said[name] = own;
      inputs[hiddenName(name)] = rest;
    } else inputs[hiddenName(name)] = value;
  }
  const text = settled(said).then((values) => internalText(isRecord(values) ? values : {}));
  return { ...inputs, [saidText]: text };
}

/** True for what is no output of a resource, at any depth: it is the same in a preview and in its `up`. */
function isSaid(value: unknown): boolean {
  if (value instanceof Promise) return true;
  if (pulumi.Output.isInstance(value)) return false;
  if (Array.isArray(value)) return value.every(isSaid);
  return !isRecord(value) || Object.values(value).every(isSaid);
}

/** The value without promises. */
async function settled(value: unknown): Promise<unknown> {
  const known = await value;
  if (Array.isArray(known)) return Promise.all(known.map(settled));
  if (!isRecord(known)) return known;
  const entries = Object.entries(known).map(async ([key, part]) => [key, await settled(part)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Names of the internal properties of which the program has marked a part as secret; `undefined` for none. */
function namesOfSecrets(properties: pulumi.Inputs): Promise<string[] | undefined> | undefined {
  const outputs = Object.keys(properties)
    .filter(isInternal)
    .flatMap((name) => outputsIn(properties[name]).map((output) => ({ name, output })));
  if (outputs.length === 0) return undefined;
  const marked = outputs.map(async ({ name, output }) => ((await isMarked(output)) ? [name] : []));
  return Promise.all(marked).then((names) => {
    const found = [...new Set(names.flat())].sort();
    return found.length === 0 ? undefined : found;
  });
}

/** One that fails tells its error where it is used. */
async function isMarked(output: pulumi.Output<unknown>): Promise<boolean> {
  try {
    return await pulumi.isSecret(output);
  } catch {
    return false;
  }
}

function outputsIn(value: unknown): pulumi.Output<unknown>[] {
  if (pulumi.Output.isInstance(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(outputsIn);
  return isRecord(value) && !(value instanceof Promise) ? Object.values(value).flatMap(outputsIn) : [];
}
