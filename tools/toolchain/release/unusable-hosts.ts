import { HostError } from "./download-error";

/** What this run knows of hosts that cannot be used: nobody waits for them twice. */
export class UnusableHosts {
  readonly #reasons = new Map<string, HostError>();

  /** Remembers it. */
  add(host: string, reason: string, remedy?: string): HostError {
    const error = new HostError(reason, remedy);
    this.#reasons.set(host, error);
    return error;
  }

  /** @throws HostError when the host is one of them. */
  check(host: string): void {
    const known = this.#reasons.get(host);
    if (known !== undefined) throw known;
  }
}
