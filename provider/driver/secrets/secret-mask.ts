import { formsOf } from "./secret-forms";
import { originOf, replaceRanges, viewsOf, type Range, type TextView } from "./text-views";

const shortestSecret = 4;
/** A shorter line of a longer secret may be a bracket, or a word that all such secrets share. */
const shortestLine = 8;
const masked = "[secret]";

/**
 * The secrets that this process has met, to keep them out of every text that a user or a log sees. A driver's
 * message is foreign text and may repeat a credential in any of the usual encodings, or one line of it.
 */
export class SecretMask {
  readonly #forms = new Set<string>();
  /** Secrets whose forms no text has needed yet; most runs show none. */
  readonly #met = new Set<string>();

  /**
   * Notes a secret; of one of several lines each line too, but for headings such as `-----BEGIN PRIVATE KEY-----`. Shorter
   * than 4 characters it would mask ordinary text.
   */
  remember(secret: string): void {
    if (secret.length < shortestSecret) return;
    const lines = secret.split(/\r?\n/);
    this.#met.add(secret);
    if (lines.length === 1) return;
    this.#met.add(lines.join("\n"));
    this.#met.add(lines.join("\r\n"));
    for (const line of lines.map((text) => text.trim())) {
      if (line.length >= shortestLine && !line.startsWith("-----")) this.#met.add(line);
    }
  }

  /** The text with every known secret replaced, as a whole where it holds another one, so that no rest of one remains. */
  apply(text: string): string {
    for (const secret of this.#met) for (const form of formsOf(secret)) this.#forms.add(form);
    this.#met.clear();
    if (this.#forms.size === 0) return text;
    const found = viewsOf(text).flatMap((view) => this.#find(view));
    return replaceRanges(text, found, masked);
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#forms.clear();
    this.#met.clear();
  }

  #find(view: TextView): Range[] {
    const found: Range[] = [];
    for (const form of this.#forms) {
      let start = view.text.indexOf(form);
      while (start >= 0) {
        found.push(originOf(view, [start, start + form.length]));
        start = view.text.indexOf(form, start + 1);
      }
    }
    return found;
  }
}

/** The mask of this process; one, as messages of one driver may speak of another's secrets. */
export const secretMask = new SecretMask();
