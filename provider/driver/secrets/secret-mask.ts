import { formsOf } from "./secret-forms";

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
  #longestFirst: readonly string[] | undefined;

  /**
   * Notes a secret, with its JSON, URL and base64 forms; of one of several lines each line too, but for headings such as
   * `-----BEGIN PRIVATE KEY-----`. Shorter than 4 characters it would mask ordinary text.
   */
  remember(secret: string): void {
    if (secret.length < shortestSecret) return;
    const lines = secret.split(/\r?\n/);
    this.#add(secret);
    if (lines.length === 1) return;
    this.#add(lines.join("\n"));
    this.#add(lines.join("\r\n"));
    for (const line of lines.map((text) => text.trim())) {
      if (line.length >= shortestLine && !line.startsWith("-----")) this.#add(line);
    }
  }

  /** The text with every known secret replaced, longest first, so that no rest of one remains. */
  apply(text: string): string {
    this.#longestFirst ??= [...this.#forms].sort((a, b) => b.length - a.length);
    return this.#longestFirst.reduce((rest, form) => rest.replaceAll(form, masked), text);
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#forms.clear();
    this.#longestFirst = undefined;
  }

  #add(secret: string): void {
    for (const form of formsOf(secret)) this.#forms.add(form);
    this.#longestFirst = undefined;
  }
}

/** The mask of this process; one, as messages of one driver may speak of another's secrets. */
export const secretMask = new SecretMask();
