import { isRecord } from "../../provider/dynamic/values";
import { readPreview, type PlannedState, type PlannedStep } from "../review/preview";
import { GraphInputError, type Change, type GraphResource } from "./resource";

/**
 * Reads what `pulumi stack export` or `pulumi preview --json` has written.
 *
 * @param source What it is called in messages: a file, `the input`.
 * @throws GraphInputError if it is neither.
 * @throws PreviewError if it is a preview that has failed.
 */
export function readResources(text: string, source: string): GraphResource[] {
  const document = parsed(text, source);
  const { deployment, steps } = document;
  if (Array.isArray(steps)) return ofPreview(readPreview(text, source), steps);
  if (isRecord(deployment)) {
    const { resources = [] } = deployment;
    if (Array.isArray(resources)) return resources.map(ofState).filter((one) => one !== undefined);
  }
  throw new GraphInputError(
    `${source} has neither resources nor steps: give what pulumi stack export or pulumi preview --json writes`,
  );
}

function parsed(text: string, source: string): Record<string, unknown> {
  // Whoever redirects both streams has warnings before it.
  const begin = Math.max(text.search(/^\{/m), 0);
  try {
    const document: unknown = JSON.parse(text.slice(begin));
    if (isRecord(document)) return document;
  } catch {
    // Told below.
  }
  throw new GraphInputError(
    `${source} is no JSON: give what pulumi stack export or pulumi preview --json writes, the whole of it`,
  );
}

function ofState(resource: unknown): GraphResource | undefined {
  if (!isRecord(resource)) return undefined;
  const { urn, delete: isPendingDelete, inputs, outputs, retainOnDelete } = resource;
  // What waits for its delete since a replacement that was interrupted has a successor of the same URN.
  if (typeof urn !== "string" || isPendingDelete === true) return undefined;
  const state: PlannedState = {
    inputs: isRecord(inputs) ? inputs : {},
    outputs: isRecord(outputs) ? outputs : {},
    retainOnDelete: retainOnDelete === true,
  };
  const { type, name } = partsOf(urn);
  return {
    urn,
    type,
    name,
    isKnown: true,
    state,
    before: undefined,
    change: undefined,
    ...linksOf(resource),
  };
}

function partsOf(urn: string): { prefix: string; chain: string[]; type: string; name: string } {
  const parts = urn.split("::");
  const chain = (parts[2] ?? "").split("$");
  return {
    prefix: parts.slice(0, 2).join("::"),
    chain,
    type: chain.at(-1) ?? "",
    name: parts.slice(3).join("::"),
  };
}

/** What a preview calls its steps; the others change nothing that a picture shows. */
const changes: Readonly<Record<string, Change>> = {
  create: "created",
  import: "created",
  "create-replacement": "replaced",
  replace: "replaced",
  "delete-replaced": "replaced",
  update: "changed",
  delete: "deleted",
};

function ofPreview(steps: readonly PlannedStep[], raw: readonly unknown[]): GraphResource[] {
  const links = new Map<string, ReturnType<typeof linksOf>>();
  for (const step of raw.filter(isRecord)) {
    const { urn, oldState, newState } = step;
    const resource = isRecord(newState) ? newState : oldState;
    if (typeof urn === "string" && isRecord(resource)) links.set(urn, linksOf(resource));
  }
  const found = new Map<string, GraphResource>();
  for (const { op, urn, type, name, before, after } of steps) {
    // What a preview leaves as it is has its outputs in the state before alone.
    const state = op === "same" ? (before ?? after) : (after ?? before);
    const link = links.get(urn);
    if (state === undefined || link === undefined) continue;
    const known = found.get(urn);
    // A replacement may be told in several steps.
    const change = known?.change === "replaced" ? "replaced" : changes[op];
    found.set(urn, {
      urn,
      type,
      name,
      isKnown: true,
      state,
      before: before ?? known?.before,
      change,
      ...link,
    });
  }
  return withStandIns(found);
}

/** A preview leaves out what stays as it is, unless it was run with `--show-sames`. */
function withStandIns(resources: ReadonlyMap<string, GraphResource>): GraphResource[] {
  const all = new Map(resources);
  const queue = [...resources.values()];
  for (let resource = queue.pop(); resource !== undefined; resource = queue.pop()) {
    for (const urn of resource.needs.filter((each) => !all.has(each))) {
      const standIn = standInOf(urn);
      all.set(urn, standIn);
      queue.push(standIn);
    }
  }
  return [...all.values()];
}

function standInOf(urn: string): GraphResource {
  const { prefix, chain, type, name } = partsOf(urn);
  const above = chain.slice(0, -1);
  // Components give their children their own name.
  const parent = above.length === 0 ? undefined : [prefix, above.join("$"), name].join("::");
  return {
    urn,
    type,
    name,
    parent,
    needs: parent === undefined ? [] : [parent],
    isComponent: type.startsWith("cosi:"),
    isProtected: false,
    isKnown: false,
    state: { inputs: {}, outputs: {}, retainOnDelete: false },
    before: undefined,
    change: undefined,
  };
}

type Links = Pick<GraphResource, "parent" | "needs" | "isComponent" | "isProtected">;

function linksOf(resource: Readonly<Record<string, unknown>>): Links {
  const { parent, dependencies, propertyDependencies, deletedWith, provider, custom, protect } = resource;
  const ofProperties = isRecord(propertyDependencies) ? Object.values(propertyDependencies) : [];
  // `<URN>::<id>`
  const ofProvider = typeof provider === "string" ? provider.split("::").slice(0, -1).join("::") : undefined;
  const all = [parent, deletedWith, ofProvider, ...[dependencies, ...ofProperties].flatMap(listOf)];
  const needs = new Set(all.filter((urn): urn is string => typeof urn === "string" && urn !== ""));
  return {
    parent: typeof parent === "string" ? parent : undefined,
    needs: [...needs],
    isComponent: custom !== true,
    isProtected: protect === true,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
