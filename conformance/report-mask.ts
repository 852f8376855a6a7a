import { SecretMask } from "../provider/driver/secrets/secret-mask";

/** From this length on a value is masked wherever it stands; a shorter one may be a part of ordinary words. */
const shortestAnywhere = 8;
const masked = "[secret]";

/**
 * Keeps credentials and the values of parameters out of a report. A credential and a long value of a parameter are
 * masked wherever they stand. A short value is masked in the driver's words only, and only as a whole word, so that
 * `true` or `1` does not blot out the rest of a message. What a driver glues to letters or digits (`xhunter2`) is no
 * whole word.
 */
export class ReportMask {
  readonly #anywhere = new SecretMask();
  readonly #words = new Set<string>();
  #pattern: RegExp | undefined;

  /** Notes a credential. */
  remember(secret: string): void {
    this.#anywhere.remember(secret);
  }

  /** Notes the value of a parameter, of any length. */
  rememberParameter(value: string): void {
    if (value.length >= shortestAnywhere) this.#anywhere.remember(value);
    else if (value.trim() !== "") {
      for (const form of formsOf(value)) this.#words.add(form);
      this.#pattern = wholeWords(this.#words);
    }
  }

  /** Masks a text of the run itself, which may hold ids that the driver gave. */
  apply(text: string): string {
    return this.#anywhere.apply(text);
  }

  /** Masks what the driver said. */
  applyToDriverText(text: string): string {
    const rest = this.apply(text);
    return this.#pattern === undefined ? rest : rest.replaceAll(this.#pattern, masked);
  }
}

/** A value as drivers write it: plain, in JSON, in a URL, in base64. */
function formsOf(value: string): string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    Buffer.from(value).toString("base64"),
  ];
}

/** Matches each of the texts where neither a letter nor a digit stands next to it; longest first. */
function wholeWords(texts: ReadonlySet<string>): RegExp {
  const choices = [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  // What is masked already is taken as a whole, lest a parameter with the value `secret` nests it.
  return new RegExp(`\\[secret\\]|(?<![\\p{L}\\p{N}])(?:${choices.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}
