import { KillHarness, type Outcome } from "../../test/support/kills/harness";
import { parsePoint } from "../../test/support/kills/point";
import type { Subject } from "../../test/support/kills/subject";
import { subjectNamed } from "../../test/support/kills/subjects";
import { onShutdown } from "../setup/shutdown.mjs";
import type { SoakOptions } from "./options";
import { allPoints, pickPoints } from "./random-points";
import type { SoakReport } from "./report";

/**
 * Ends commands of the CLI, or parts of them, at random points, runs each again and compares with an undisturbed run; of
 * one API model after the other.
 *
 * @throws Error if a part cannot be started, or an undisturbed run fails.
 */
export async function* soakKills({ models, only, points, ...rest }: SoakOptions): AsyncGenerator<SoakReport> {
  const chosen = only.length > 0 ? models.slice(0, 1) : models;
  for (const [index, name] of chosen.entries()) {
    const share = Math.floor((points + index) / chosen.length);
    yield await soakModel(subjectNamed(name), { ...rest, only, points: share });
  }
}

async function soakModel(
  subject: Subject,
  { seed, points, only, tell }: Omit<SoakOptions, "models" | "replies">,
): Promise<SoakReport> {
  const given = only.map(parsePoint);
  const names = new Set(
    given.length > 0 ? given.map(({ command }) => command) : subject.commands.map(({ name }) => name),
  );
  const harness = await KillHarness.start(subject, [...names]);
  const unregister = onShutdown(() => harness.abandon());
  try {
    const texts = only.length > 0 ? [...only] : await randomPoints(harness, [...names], seed, points);
    const failures: string[] = [];
    let missed = 0;
    for (const [index, outcome] of harness.try(texts.map(parsePoint)).entries()) {
      const text = texts[index] ?? "";
      const ended = await outcome;
      if (ended.problem === undefined && ended.struckAt === undefined) missed += 1;
      if (ended.problem !== undefined) failures.push(failureText(subject, seed, text, ended));
      tell(`${index + 1}/${texts.length} ${text} ${ended.problem === undefined ? "ok" : "FAILED"}`);
    }
    const title = `kills of ${[...names].join(", ")} over ${subject.name} (${missed} whose moment did not come)`;
    return { title, tried: texts.length, failures };
  } finally {
    await harness.stop();
    unregister();
  }
}

async function randomPoints(
  harness: KillHarness,
  names: readonly string[],
  seed: number,
  count: number,
): Promise<string[]> {
  const all = await Promise.all(names.map(async (name) => allPoints(name, await harness.reference(name))));
  return pickPoints(all.flat(), seed, count);
}

function failureText(
  { name }: Subject,
  seed: number,
  text: string,
  { struckAt, problem = "" }: Outcome,
): string {
  const where = struckAt === undefined ? "its moment did not come" : `${struckAt.stage} ${struckAt.what}`;
  const again = `npm run soak -- --seed ${seed} --model ${name} --point "${text}"`;
  return [`${text}: ${where}`, `again: ${again}`, problem].join("\n");
}
