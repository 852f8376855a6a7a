import { warn } from "../run/warning";
import type { ResourceKind } from "./kind";
import type { Properties } from "./properties";
import { parseUrn } from "./urn";

/**
 * What this process has created. An entry that the same resource was created again for, under the same name, goes without a
 * call: the driver has answered with what there was. So it is where the user asks for a replacement and the program does not
 * say that the old one goes first; the engine does not ask the plugin then.
 */
export class AskedAgain {
  readonly #created = new Set<string>();

  note(urn: string, id: string): void {
    this.#created.add(keyOf(urn, id));
  }

  /** Says of an entry that goes what has stayed because of that. @param outputs Without marks. */
  tell(kind: ResourceKind, urn: string, id: string, outputs: Properties): void {
    const ended = kind.endedByDelete(outputs);
    if (ended === undefined || !this.#created.has(keyOf(urn, id))) return;
    const next =
      (outputs["rotation"] ?? null) === null
        ? "set the option deleteBeforeReplace of the resource, then replace it again"
        : "change the trigger of its rotation";
    warn(
      kind.type,
      parseUrn(urn).name,
      `nothing was replaced: the new one was requested under the name of the old one before the old one was gone, so ${ended} is as it ` +
        `was. Next: ${next}.`,
    );
  }
}

function keyOf(urn: string, id: string): string {
  return JSON.stringify([urn, id]);
}
