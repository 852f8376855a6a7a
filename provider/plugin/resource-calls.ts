import * as pulumi from "@pulumi/pulumi";
import { withProperties } from "../dynamic/failed";
import { plainProperties } from "../dynamic/values";
import { detailedDiff, type DetailedDiff } from "./detailed-diff";
import { handedOn, isHandedOn, received } from "./handed-on";
import { inputProblems, withoutNullMembers } from "./input-problems";
import type { InputProblem } from "../inputs/described";
import type { ResourceKind } from "./kind";
import { refuseLostEnvironment, warnOfLostEnvironment } from "./lost-environment";
import type { Properties } from "./properties";
import { propertiesMarkedLike } from "./secrets";
import { parseUrn } from "./urn";

/** What the engine says of a resource: its inputs are the program's, its outputs the provider's. */
export interface ResourceState {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** What an update, or a replacement, changes. */
export interface ResourceDiff {
  readonly changes: boolean;
  /** Inputs, as the program names them. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly detailed: DetailedDiff;
}

/** Judges the program's inputs, and fills in what it leaves out. */
export async function check(
  kind: ResourceKind,
  urn: string,
  olds: Properties,
  program: Properties,
): Promise<{ inputs: Properties; failures: readonly InputProblem[] }> {
  const news = withReceived(kind, program);
  const problems = inputProblems(kind, olds, news);
  // The property stands in the reason, and not beside it: the engine would print its value, a secret one in plain text.
  const failures = problems.map(({ property, reason }) => ({
    property: "",
    reason: `${property} ${reason}`,
  }));
  if (failures.length > 0) return { inputs: news, failures };
  const { name, parent } = parseUrn(urn);
  const given = kind.inward({
    ...kind.complete(withoutNullMembers(kind, news)),
    logicalName: name,
    ...(parent === undefined ? {} : { parent }),
  });
  const [before, after] = [inputsOf(kind, olds), plainProperties(given)];
  warnOfLostEnvironment(kind, name, before, after);
  const result = await kind.provider.check(before, after);
  const inputs = propertiesMarkedLike(result.inputs ?? {}, given);
  return { inputs: kind.outward(inputs, news), failures: result.failures ?? [] };
}

/** Says what a change means, in the program's names. */
export async function diff(
  kind: ResourceKind,
  id: string,
  olds: ResourceState,
  news: Properties,
): Promise<ResourceDiff> {
  const result = await kind.provider.diff(id, outputsIn(olds.outputs), inputsOf(kind, news));
  const replaces = [...new Set((result.replaces ?? []).map((input) => kind.inputName(input, news)))];
  // The state of a dynamic resource that was taken over by an alias has none, and that of an earlier version one of which YAML
  // loses a part.
  const { reference } = olds.outputs;
  const lacksReference = kind.reference !== undefined && (reference === undefined || !isHandedOn(reference));
  const changes = result.changes === true || replaces.length > 0 || lacksReference;
  const before = plainProperties(kind.outward(kind.inward(outputsIn(olds.inputs)), news));
  return {
    changes,
    replaces,
    // One that rotates is replaced in the other order. For a replacement that the user asks for (`up --replace`, a taint,
    // `replaceWith`) the engine does not ask: there only the program's option `deleteBeforeReplace` says it.
    deleteBeforeReplace: result.deleteBeforeReplace ?? news["rotation"] === undefined,
    detailed: changes ? detailedDiff(before, plainProperties(news), replaces) : new Map(),
  };
}

/** Makes the resource. */
export async function create(
  kind: ResourceKind,
  inputs: Properties,
): Promise<{ id: string; outputs: Properties }> {
  const marks = kind.inward(inputs);
  const { id, outs } = await withMarks(kind, marks, () => kind.provider.create(inputsOf(kind, inputs)));
  return { id, outputs: kept(kind, outs ?? {}, marks) };
}

/** What a create would give, as far as it can be said without a call. */
export function previewOfCreate(kind: ResourceKind, inputs: Properties): Properties {
  return withReference(kind, { ...kind.inward(inputs), ...unknowns(kind.computed) });
}

/** Compares the resource with what is there. */
export async function read(
  kind: ResourceKind,
  id: string,
  olds: ResourceState,
): Promise<{ id: string; inputs: Properties; outputs: Properties } | undefined> {
  const seen = await kind.provider.read(id, outputsIn(olds.outputs));
  if (seen.id === undefined || seen.id === "") return undefined;
  const marks = { ...olds.outputs, ...kind.inward(olds.inputs) };
  const inputs = propertiesMarkedLike(seen.inputs ?? {}, marks);
  return {
    id: seen.id,
    inputs: kind.outward(inputs, olds.inputs),
    outputs: kept(kind, seen.props ?? {}, marks),
  };
}

/** Takes the program's changes over. */
export async function update(
  kind: ResourceKind,
  id: string,
  olds: ResourceState,
  news: Properties,
): Promise<Properties> {
  const marks = kind.inward(news);
  const { outs } = await withMarks(kind, marks, () =>
    kind.provider.update(id, outputsIn(olds.outputs), inputsOf(kind, news)),
  );
  return kept(kind, outs ?? {}, marks);
}

/** What an update would give, as far as it can be said without a call. */
export function previewOfUpdate(kind: ResourceKind, olds: ResourceState, news: Properties): Properties {
  const inputs = kind.inward(news);
  const [before, after] = [outputsIn(olds.outputs), plainProperties(inputs)];
  const settled = kind.settled(before, after);
  const known = [...settled, ...(kind.demanded?.(before, after) ?? [])];
  return withReference(kind, {
    ...inputs,
    ...unknowns(kind.computed.filter((key) => !known.includes(key))),
    ...Object.fromEntries(settled.map((key) => [key, olds.outputs[key] ?? null])),
  });
}

/** Deletes the resource, or leaves it, as its state says. */
export async function remove(kind: ResourceKind, id: string, outputs: Properties): Promise<void> {
  const own = outputsIn(outputs);
  refuseLostEnvironment(kind, id, own);
  await kind.provider.delete(id, own);
}

/** The inputs as the provider takes them. */
function inputsOf(kind: ResourceKind, inputs: Properties): Properties {
  return outputsIn(kind.inward(inputs));
}

/** Properties of the state as the provider has put them there. */
function outputsIn(outputs: Properties): Properties {
  const own = plainProperties(outputs);
  // The one is the plugin's own; the other is what a dynamic resource was stored with, before an alias took its state over.
  for (const key of ["reference", "__provider"]) Reflect.deleteProperty(own, key);
  return own;
}

/** What the state keeps: what the provider gave, with what the program has marked as secret. */
function kept(kind: ResourceKind, outputs: Properties, marks: Properties): Properties {
  return withReference(kind, propertiesMarkedLike(outputs, marks));
}

function withReference(kind: ResourceKind, outputs: Properties): Properties {
  if (kind.reference === undefined) return outputs;
  return { ...outputs, reference: handedOn(kind.reference(outputs)) };
}

/** The program's inputs with the marks within what other resources have handed on. */
function withReceived(kind: ResourceKind, inputs: Properties): Properties {
  const references = Object.entries(kind.references).filter(([name]) => name in inputs);
  return {
    ...inputs,
    ...Object.fromEntries(references.map(([name, type]) => [name, received(inputs[name], type)])),
  };
}

function unknowns(keys: readonly string[]): Properties {
  return Object.fromEntries(keys.map((key) => [key, pulumi.runtime.unknownValue]));
}

/** What stays in the state of a resource that failed is marked as all else is. */
async function withMarks<Result>(
  kind: ResourceKind,
  marks: Properties,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw withProperties(error, (properties) => kept(kind, properties, marks));
  }
}
