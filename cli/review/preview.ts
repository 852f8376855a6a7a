import { isRecord } from "../../provider/dynamic/values";

/** What a preview knows of one resource, before or after. */
export interface PlannedState {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Empty for what is not made yet. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The program keeps what the resource stands for when it is deleted: the provider is not asked. */
  readonly retainOnDelete: boolean;
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
  if (failed.length > 0) {
    throw new PreviewError(`the preview in ${source} has failed: ${failed.join("; ")}`);
  }
  const { steps } = document;
  if (!Array.isArray(steps)) {
    throw new PreviewError(
      `${source} has no steps: give what pulumi preview --json writes, the whole of its standard output`,
    );
  }
  return steps.map(readStep).filter((step) => step !== undefined);
}

function parsed(text: string, source: string): Record<string, unknown> {
  // Whoever redirects both streams has warnings before it.
  const begin = text.search(/^\{/m);
  try {
    const document: unknown = JSON.parse(text.slice(Math.max(begin, 0)));
    if (isRecord(document)) return document;
  } catch {
    // Told below.
  }
  throw new PreviewError(
    `${source} is no JSON: give what pulumi preview --json writes, the whole of its standard output`,
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

function readStep(step: unknown): PlannedStep | undefined {
  if (!isRecord(step)) return undefined;
  const { op, urn, oldState, newState, replaceReasons } = step;
  if (typeof op !== "string" || typeof urn !== "string") return undefined;
  const parts = urn.split("::");
  const type = (parts[2] ?? "").split("$").at(-1) ?? "";
  return {
    op,
    urn,
    type,
    name: parts.slice(3).join("::"),
    before: readState(oldState),
    after: readState(newState),
    replaceReasons: Array.isArray(replaceReasons) ? replaceReasons.map(String) : [],
  };
}

function readState(state: unknown): PlannedState | undefined {
  if (!isRecord(state)) return undefined;
  const { inputs, outputs, retainOnDelete } = state;
  return {
    inputs: isRecord(inputs) ? inputs : {},
    outputs: isRecord(outputs) ? outputs : {},
    retainOnDelete: retainOnDelete === true,
  };
}
