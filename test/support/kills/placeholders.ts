/** Names UIDs by the order in which they first come: two runs have other ones. */
export class Placeholders {
  readonly #names = new Map<string, string>();

  apply<T>(value: T): T {
    const form = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
    const text = JSON.stringify(value).replaceAll(form, (uid) => {
      const name = this.#names.get(uid) ?? `uid-${this.#names.size + 1}`;
      this.#names.set(uid, name);
      return name;
    });
    return JSON.parse(text) as T;
  }
}
