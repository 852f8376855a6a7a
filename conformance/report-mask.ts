import { SecretMask } from "../provider/driver/secrets/secret-mask";
import { WordMask } from "../provider/driver/secrets/word-mask";

/** From this length on a value is masked wherever it stands; a shorter one may be a part of ordinary words. */
const shortestAnywhere = 8;

/**
 * Keeps credentials and the values of parameters out of a report. A credential and a long value of a parameter are
 * masked wherever they stand. A short value is masked in the driver's words only, and only as a whole word, so that
 * `true` or `1` does not blot out the rest of a message. What a driver glues to letters or digits (`xhunter2`) is no
 * whole word.
 */
export class ReportMask {
  readonly #anywhere = new SecretMask();
  readonly #words = new WordMask();

  /** Notes a credential. */
  remember(secret: string): void {
    this.#anywhere.remember(secret);
  }

  /** Notes the value of a parameter, of any length. */
  rememberParameter(value: string): void {
    if (value.length >= shortestAnywhere) this.#anywhere.remember(value);
    else this.rememberWord(value);
  }

  /** Notes what is masked in the driver's words only. */
  rememberWord(value: string): void {
    this.#words.remember(value);
  }

  /** Masks a text of the run itself, which may hold ids that the driver gave. */
  apply(text: string): string {
    return this.#anywhere.apply(text);
  }

  /** Masks what the driver said. */
  applyToDriverText(text: string): string {
    return this.#words.apply(this.apply(text));
  }
}
