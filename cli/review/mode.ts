import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState, PlannedStep } from "./preview";
import { isHidden } from "./readings";
import { isAccess } from "./resources";

/** What somebody may do, by a word of the package or of a driver that comes with it. */
const rightsOf: Readonly<Record<string, readonly string[]>> = {
  private: [],
  ro: ["read"],
  wo: ["write"],
  rw: ["read", "write"],
  readonly: ["read"],
  readwrite: ["read", "write"],
  admin: ["read", "write", "administer"],
};

/** Without a word the drivers that come with the package let an account read and write. */
const defaultMode = "rw";

/** Keys of parameters that our drivers take for what an account may do, and what they do without one. */
const modeKeys = ["accessMode", "mode"];

/** That an account may do more than the one before it. */
export interface WiderMode {
  readonly what: string;
  readonly why: string;
}

/** A word; `null` for one that the preview does not show, which may be any. */
type Mode = string | null | undefined;

interface Place {
  /** The input of the resource, of which a change replaces the account. */
  readonly input: string;
  readonly key: string;
  readonly read: (state: PlannedState | undefined) => Mode;
}

/** What an account may do more by a step. A change of it always replaces the account. */
export function widerModes(step: PlannedStep): WiderMode[] {
  if (step.op !== "replace") return [];
  const places: readonly Place[] = [
    { input: "accessMode", key: "accessMode", read: (state) => wordOf(state?.inputs["accessMode"]) },
    ...(isAccess(step) ? placesInParameters(step) : []),
  ];
  return places.flatMap((place) => widerBy(step, place) ?? []);
}

function placesInParameters({ before, after }: PlannedStep): Place[] {
  const input = "parameters";
  if ([before, after].some((state) => isHidden(state?.inputs[input]))) {
    return [{ input, key: input, read: (state) => (isHidden(state?.inputs[input]) ? null : undefined) }];
  }
  return modeKeys.map((key) => ({
    input,
    key,
    read: (state) => {
      const parameters = state?.inputs[input];
      return isRecord(parameters) ? wordOf(parameters[key]) : undefined;
    },
  }));
}

function widerBy(step: PlannedStep, { input, key, read }: Place): WiderMode | undefined {
  const [before, after] = [read(step.before), read(step.after)];
  if (before === null || after === null) {
    if (!step.replaceReasons.includes(input) || rights(after)?.length === 0) return undefined;
    return {
      what: `the account may get more access (the preview does not show ${key}${after === null ? "" : " of before"})`,
      why: `${input} is another one`,
    };
  }
  const [was, is] = [rights(before), rights(after)];
  if (before === after || was === undefined || is?.some((right) => !was.includes(right)) !== true) {
    return undefined;
  }
  return {
    what: `the account may ${is.join(" and ")} (${key} ${after ?? "is left out"})`,
    why: `${key} was ${before ?? "left out"}`,
  };
}

/** `undefined` for what is not known: a word of somebody else's driver, or one that is hidden. */
function rights(mode: Mode): readonly string[] | undefined {
  return mode === null ? undefined : rightsOf[mode ?? defaultMode];
}

function wordOf(value: unknown): Mode {
  if (isHidden(value)) return null;
  return typeof value === "string" ? value : undefined;
}
