import { formsOf } from "./secret-forms";
import { originOf, replaceRanges, viewsOf } from "./text-views";

const masked = "[secret]";

/**
 * Masks values that are too short to be masked wherever they stand: only as whole words, so that `true` or `1` does not
 * blot out the rest of a message. What is glued to letters or digits (`xhunter2`) is no whole word.
 */
export class WordMask {
  readonly #words = new Set<string>();
  #pattern: RegExp | undefined;

  remember(value: string): void {
    if (value.trim() === "") return;
    for (const form of formsOf(value)) this.#words.add(form);
    this.#pattern = undefined;
  }

  apply(text: string): string {
    if (this.#words.size === 0) return text;
    const pattern = (this.#pattern ??= wholeWords(this.#words));
    const found = viewsOf(text).flatMap((view) =>
      [...view.text.matchAll(pattern)].flatMap(({ index, 0: word }) =>
        word === masked ? [] : [originOf(view, [index, index + word.length])],
      ),
    );
    return replaceRanges(text, found, masked);
  }
}

/** Matches each of the texts where neither a letter nor a digit stands next to it; longest first. */
function wholeWords(texts: ReadonlySet<string>): RegExp {
  const choices = [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  // What is masked already is taken as a whole, lest a value such as `secret` nests it.
  return new RegExp(`\\[secret\\]|(?<![\\p{L}\\p{N}])(?:${choices.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}
