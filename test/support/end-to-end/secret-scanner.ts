/** Shorter values would be found by chance; in characters. */
export const shortestSecret = 8;

/** Looks for secrets where none may be, in every form in which a text is likely to carry one. */
export class SecretScanner {
  readonly #forms: readonly { readonly label: string; readonly text: string }[];

  /** @param secrets Values by the name that a finding calls them. */
  constructor(secrets: Readonly<Record<string, string>>) {
    this.#forms = Object.entries(secrets).flatMap(([name, secret]) => {
      if (secret.length < shortestSecret) throw new Error(`${name} is too short to be looked for`);
      return [...formsOf(secret)].map(([form, text]) => ({ label: `${name} (${form})`, text }));
    });
  }

  /**
   * @param texts What is searched, by the name that a finding calls it.
   * @returns One line per finding, none of which quotes the secret.
   */
  find(texts: Readonly<Record<string, string>>): string[] {
    return Object.entries(texts).flatMap(([place, text]) =>
      this.#forms.filter((form) => text.includes(form.text)).map(({ label }) => `${label} in ${place}`),
    );
  }
}

function formsOf(secret: string): Map<string, string> {
  const quoted = JSON.stringify(secret).slice(1, -1);
  const hex = Buffer.from(secret).toString("hex");
  const base64 = [0, 1, 2].map((offset): [string, string] => [
    `base64 at ${offset}`,
    base64Within(secret, offset),
  ]);
  const forms: [string, string][] = [
    ["plain", secret],
    ["JSON", quoted],
    ["JSON in JSON", JSON.stringify(quoted).slice(1, -1)],
    ["JSON of Go", quoted.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026")],
    ["URL", encodeURIComponent(secret)],
    ["form", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["XML", secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
    ["hex", hex],
    ["HEX", hex.toUpperCase()],
    ...base64,
    ...base64.map(([form, text]): [string, string] => [
      `${form}, for URLs`,
      text.replaceAll("+", "-").replaceAll("/", "_"),
    ]),
  ];
  // Of equal forms the first one counts.
  return new Map(forms.filter(([, text], index) => forms.findIndex(([, other]) => other === text) === index));
}

/** What is in the base64 form of any text that has the secret, so many bytes modulo 3 behind its start. */
function base64Within(secret: string, offset: number): string {
  const encoded = Buffer.from("-".repeat(offset) + secret).toString("base64");
  const bytes = offset + Buffer.byteLength(secret);
  // A character that also depends on the bytes before or behind the secret is left out.
  return encoded.slice(Math.ceil((offset * 4) / 3), Math.floor((bytes * 4) / 3));
}
