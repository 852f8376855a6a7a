import type { ApiReader } from "../parts/api-reader";

/** Waits for Secrets of a namespace that a workload could use. */
export class SecretWatch {
  readonly #names = new Set<string>();
  #lastAt = 0;

  private constructor(readonly end: () => void) {}

  /** Begins with what comes from now on. */
  static async start(api: ApiReader, namespace: string): Promise<SecretWatch> {
    const path = `/api/v1/namespaces/${namespace}/secrets`;
    const { metadata } = JSON.parse(await api.text(`${path}?limit=1`)) as {
      metadata: { resourceVersion: string };
    };
    const end = await api.follow(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`, (line) => {
      watch.#take(line);
    });
    const watch: SecretWatch = new SecretWatch(end);
    return watch;
  }

  /** Secrets with data so far, and when the last of them came, in milliseconds of the epoch. */
  get usable(): { readonly count: number; readonly lastAt: number } {
    return { count: this.#names.size, lastAt: this.#lastAt };
  }

  #take(line: string): void {
    const { type, object } = JSON.parse(line) as {
      type: string;
      object: { metadata?: { name?: string }; data?: Record<string, string> };
    };
    const name = object.metadata?.name;
    if (type === "DELETED" || name === undefined || this.#names.has(name)) return;
    if (Object.keys(object.data ?? {}).length === 0) return;
    this.#names.add(name);
    this.#lastAt = Date.now();
  }
}
