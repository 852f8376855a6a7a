const shortestSecret = 4;
const masked = "[secret]";

/**
 * The secrets that this process has met, to keep them out of every text that a user or a log sees. A driver's
 * message is foreign text and may repeat a credential in any of the usual encodings.
 */
export class SecretMask {
  readonly #forms = new Set<string>();

  /** Notes a secret, with its JSON, URL and base64 forms. Shorter than 4 characters it would mask ordinary text. */
  remember(secret: string): void {
    if (secret.length < shortestSecret) return;
    this.#forms.add(secret);
    this.#forms.add(JSON.stringify(secret).slice(1, -1));
    this.#forms.add(encodeURIComponent(secret.toWellFormed()));
    this.#forms.add(Buffer.from(secret).toString("base64"));
  }

  /** The text with every known secret replaced, longest first, so that no rest of one remains. */
  apply(text: string): string {
    let result = text;
    for (const form of [...this.#forms].sort((a, b) => b.length - a.length)) {
      result = result.replaceAll(form, masked);
    }
    return result;
  }
}

/** The mask of this process; one, as messages of one driver may speak of another's secrets. */
export const secretMask = new SecretMask();
