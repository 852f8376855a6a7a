import { isRecord } from "../../provider/dynamic/values";
import { readPreview, readState, type Links, type PlannedStep } from "../review/preview";
import { isAccessType, isDataType } from "../review/resources";
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
  if (Array.isArray(steps)) return ofPreview(readPreview(text, source));
  if (isRecord(deployment)) {
    const { resources = [] } = deployment;
    if (Array.isArray(resources)) {
      const all: readonly unknown[] = resources;
      return all.map(ofState).filter((one) => one !== undefined);
    }
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
    `${source} is not JSON: give the whole of what pulumi stack export or pulumi preview --json writes`,
  );
}

function ofState(resource: unknown, index: number): GraphResource | undefined {
  if (!isRecord(resource)) return undefined;
  const { urn, delete: isPendingDelete } = resource;
  if (typeof urn !== "string") return undefined;
  const { type, name } = partsOf(urn);
  const isLeft = isPendingDelete === true;
  if (isLeft && !isAtDriver(type)) return undefined;
  const state = readState(resource, type);
  return {
    urn: isLeft ? urnOfLeft(urn, index) : urn,
    type,
    name,
    isKnown: true,
    state,
    before: undefined,
    change: undefined,
    isLeft,
    ...state.links,
  };
}

/** Of what waits for its delete, that at a driver alone is worth a picture: the rest is made again beside it. */
function isAtDriver(type: string): boolean {
  return isDataType(type) || isAccessType(type);
}

/** What waits for its delete has a successor of the same URN. */
function urnOfLeft(urn: string, index: number): string {
  return `${urn}::left-${index}`;
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

function ofPreview(steps: readonly PlannedStep[]): GraphResource[] {
  const found = new Map<string, GraphResource>();
  const stays = new Set(steps.filter(({ op }) => op !== "delete").map(({ urn }) => urn));
  for (const [index, { op, urn, type, name, before, after }] of steps.entries()) {
    // What a preview leaves as it is has its outputs in the state before alone.
    const state = op === "same" ? (before ?? after) : (after ?? before);
    const links = (after ?? before)?.links;
    if (state === undefined || links === undefined) continue;
    const isLeft = op === "delete" && stays.has(urn);
    if (isLeft && !isAtDriver(type)) continue;
    const key = isLeft ? urnOfLeft(urn, index) : urn;
    const known = found.get(key);
    // A replacement may be told in several steps.
    const change = known?.change === "replaced" ? "replaced" : changes[op];
    found.set(key, {
      urn: key,
      type,
      name,
      isKnown: true,
      state,
      before: before ?? known?.before,
      change,
      isLeft,
      ...links,
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
  const links: Links = {
    parent,
    provider: undefined,
    needs: parent === undefined ? [] : [parent],
    deletedWith: undefined,
    isComponent: type.startsWith("cosi:") && !type.startsWith("cosi:index:"),
    isProtected: false,
  };
  return {
    urn,
    type,
    name,
    isKnown: false,
    ...links,
    state: { id: "", inputs: {}, outputs: {}, retainOnDelete: false, links },
    before: undefined,
    change: undefined,
    isLeft: false,
  };
}
