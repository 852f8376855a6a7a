import { parseArgs } from "node:util";
import type { SoakOptions } from "./options";

/** How the soak is run. */
export interface SoakArguments extends Omit<SoakOptions, "tell"> {
  /** Parts to run, by name. */
  readonly parts: readonly string[];
  /** Where the report is written. */
  readonly report: string;
}

export const usage = `usage: npm run soak -- [options]
  --points N       moments at which a command is killed (200)
  --replies N      malformed replies (100000)
  --seed S         the same seed tries the same cases (random)
  --model NAME     kills over this API model only; may be repeated (all, by turns)
  --point P        only this point, as a report names it, of the model; may be repeated
  --part NAME      only this part; may be repeated
  --report FILE    where the report is written (.setup/soak-report.txt)`;

/**
 * Reads the command line.
 *
 * @param names - Of all parts.
 * @param models - Names of all API models; points that are given are of the first one unless one is told.
 * @throws Error for an option that is unknown or has no such value.
 */
export function soakArguments(
  args: readonly string[],
  names: readonly string[],
  models: readonly string[],
): SoakArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      points: { type: "string", default: "200" },
      replies: { type: "string", default: "100000" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      model: { type: "string", multiple: true, default: [] },
      point: { type: "string", multiple: true, default: [] },
      part: { type: "string", multiple: true, default: [] },
      report: { type: "string", default: ".setup/soak-report.txt" },
    },
  });
  for (const part of values.part) {
    if (!names.includes(part)) throw new Error(`--part ${part}: the parts are ${names.join(", ")}`);
  }
  for (const model of values.model) {
    if (!models.includes(model)) throw new Error(`--model ${model}: the models are ${models.join(", ")}`);
  }
  const chosen = values.point.length > 0 ? ["kills"] : names;
  return {
    points: count("points", values.points),
    replies: count("replies", values.replies),
    seed: count("seed", values.seed),
    models: values.model.length > 0 ? values.model : models,
    only: values.point,
    parts: values.part.length > 0 ? values.part : chosen,
    report: values.report,
  };
}

function count(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} ${text}: give a whole number`);
  return Number(text);
}
