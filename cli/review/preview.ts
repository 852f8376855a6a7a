import { isRecord } from "../../provider/dynamic/values";
import { ownInputs, ownOutputs } from "./own-properties";

/** What a preview knows of one resource, before or after. */
export interface PlannedState {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Empty for what is not made yet. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The program keeps what the resource stands for when it is deleted: the provider is not asked. */
  readonly retainOnDelete: boolean;
  /** Empty for a component, and for what is not made yet. */
  readonly id: string;
  readonly links: Links;
}

/** How a resource hangs together with others. */
export interface Links {
  readonly parent: string | undefined;
  /** URN of the provider, which is a process of its own in a run. */
  readonly provider: string | undefined;
  /** URNs that it is deleted before: its dependencies, parent and provider, and what it is deleted with. */
  readonly needs: readonly string[];
  /** URN of what it is deleted with: where that goes, its provider is not asked. */
  readonly deletedWith: string | undefined;
  readonly isComponent: boolean;
  readonly isProtected: boolean;
}

/** One step of a preview. */
export interface PlannedStep {
  /** `create`, `update`, `replace`, `delete`, `same`, `read`, `import`, `refresh`. */
  readonly op: string;
  readonly urn: string;
  /** Type of the resource, `pulumi-nodejs:dynamic/cosi:Bucket`. */
  readonly type: string;
  /** Name in the program. */
  readonly name: string;
  readonly before: PlannedState | undefined;
  readonly after: PlannedState | undefined;
  /** Inputs because of which it is replaced. */
  readonly replaceReasons: readonly string[];
  /** The old resource goes at its turn in the run, and not at the end: the run may not have come to others by then. */
  readonly deletesAtOnce: boolean;
  /** A replacement that is made before the old resource goes; known of a preview with `--show-replacement-steps` alone. */
  readonly createsFirst: boolean;
}

/** A preview that cannot be read, or that did not come to its end. */
export class PreviewError extends Error {}

/**
 * Reads what `pulumi preview --json` has written.
 *
 * @param source What it is called in messages: a file, `the input`.
 * @throws PreviewError if it is no such text, or the preview has failed: nothing can be said of the rest of it.
 */
export function readPreview(text: string, source: string): PlannedStep[] {
  const document = parsed(text, source);
  const failed = diagnosticErrors(document);
  if (failed.length === 0 && hasFailed(document, text)) failed.push(refusedByPolicy);
  if (failed.length > 0) {
    throw new PreviewError(`the preview in ${source} has failed: ${failed.join("; ")}`);
  }
  const { steps } = document;
  if (!Array.isArray(steps)) {
    throw new PreviewError(`${source} has no steps: give the whole standard output of pulumi preview --json`);
  }
  return inOneStep(steps.map((step) => readStep(step, source)));
}

/** What `--show-replacement-steps` shows of a replacement beside the step `replace`. */
const partsOfReplacement = ["create-replacement", "delete-replaced"];

/**
 * Each replacement as the one step that it is without `--show-replacement-steps`. The option also shows the end of what is made
 * nowhere again: it has left the program in the change that replaces what it hangs on. That is a deletion.
 */
function inOneStep(steps: readonly PlannedStep[]): PlannedStep[] {
  const replaced = new Set(steps.filter(({ op }) => op === "replace").map(idOfBefore));
  const isShown = steps.some(({ op }) => partsOfReplacement.includes(op));
  const deleted = new Set<string>();
  return steps.flatMap((step) => {
    if (step.op === "delete-replaced") deleted.add(idOfBefore(step));
    if (step.op === "replace") return [{ ...step, createsFirst: isShown && !deleted.has(idOfBefore(step)) }];
    if (step.op === "delete-replaced" && !replaced.has(idOfBefore(step)))
      return [{ ...step, op: "delete", deletesAtOnce: true }];
    return partsOfReplacement.includes(step.op) ? [] : [step];
  });
}

/** Of one URN there may be an earlier resource, which a run that broke off has left to be deleted. */
function idOfBefore({ urn, before }: PlannedStep): string {
  return JSON.stringify([urn, before?.id]);
}

function parsed(text: string, source: string): Record<string, unknown> {
  // Whoever redirects both streams has warnings before it, and the last words of a preview that failed after it.
  const begin = Math.max(text.search(/^\{/m), 0);
  const end = text.lastIndexOf("\n}");
  try {
    const document: unknown = JSON.parse(text.slice(begin, end > begin ? end + 2 : undefined));
    if (isRecord(document)) return document;
  } catch {
    // Told below.
  }
  throw new PreviewError(`${source} is not JSON: give the whole standard output of pulumi preview --json`);
}

/** Pulumi writes violations of a policy neither into the document nor to the other stream. */
const refusedByPolicy =
  "nothing in it says why, as when a policy refuses something. Next: run pulumi preview without --json, which says why";

/** True where Pulumi says so, in the document or after it. */
function hasFailed({ diagnostics }: Record<string, unknown>, text: string): boolean {
  const isTold = (message: unknown): boolean => /^(?:error: )?preview failed\s*$/.test(String(message));
  return (
    /^error: preview failed\s*$/m.test(text) ||
    (Array.isArray(diagnostics) && diagnostics.some((each) => isRecord(each) && isTold(each["message"])))
  );
}

/** Pulumi's own complaints about a program whose preview has ended, and what it says after every error. */
const ofPulumi = /^$|^at |^preview failed$|^failed to deliver log message|^message severity: /;

function diagnosticErrors({ diagnostics }: Record<string, unknown>): string[] {
  if (!Array.isArray(diagnostics)) return [];
  return diagnostics
    .filter(isRecord)
    .filter(({ severity }) => severity === "error")
    .map(({ message }) =>
      String(message)
        .trim()
        .replace(/^error: /, ""),
    )
    .filter((message) => !ofPulumi.test(message));
}

function readStep(step: unknown, source: string): PlannedStep {
  const { op, urn, oldState, newState, replaceReasons } = isRecord(step) ? step : {};
  if (typeof op !== "string" || typeof urn !== "string") {
    throw new PreviewError(`${source} has a step that does not come from pulumi preview --json`);
  }
  const parts = urn.split("::");
  const type = (parts[2] ?? "").split("$").at(-1) ?? "";
  return {
    op,
    urn,
    type,
    name: parts.slice(3).join("::"),
    before: isRecord(oldState) ? readState(oldState, type) : undefined,
    after: isRecord(newState) ? readState(newState, type) : undefined,
    replaceReasons: Array.isArray(replaceReasons) ? replaceReasons.map(String) : [],
    deletesAtOnce: op === "replace",
    createsFirst: false,
  };
}

/**
 * Reads the state of a resource, of a preview or of the stack.
 *
 * @param type Type token of the resource. An alias may have given it to a state of another one, which says so itself.
 */
export function readState(state: Readonly<Record<string, unknown>>, type: string): PlannedState {
  const { inputs, outputs, retainOnDelete, id, type: own } = state;
  const written = typeof own === "string" && own !== "" ? own : type;
  return {
    inputs: isRecord(inputs) ? ownInputs(inputs, written) : {},
    outputs: isRecord(outputs) ? ownOutputs(outputs, written) : {},
    retainOnDelete: retainOnDelete === true,
    id: typeof id === "string" ? id : "",
    links: linksOf(state),
  };
}

function linksOf(resource: Readonly<Record<string, unknown>>): Links {
  const { parent, dependencies, propertyDependencies, deletedWith, provider, custom, protect } = resource;
  const ofProperties = isRecord(propertyDependencies) ? Object.values(propertyDependencies) : [];
  // `<URN>::<id>`
  const ofProvider = typeof provider === "string" ? provider.split("::").slice(0, -1).join("::") : undefined;
  const all = [parent, deletedWith, ofProvider, ...[dependencies, ...ofProperties].flatMap(listOf)];
  const needs = new Set(all.filter((urn): urn is string => typeof urn === "string" && urn !== ""));
  return {
    parent: typeof parent === "string" ? parent : undefined,
    provider: ofProvider,
    needs: [...needs],
    deletedWith: typeof deletedWith === "string" && deletedWith !== "" ? deletedWith : undefined,
    isComponent: custom !== true,
    isProtected: protect === true,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
