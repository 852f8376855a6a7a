import { mock } from "node:test";

/**
 * The deadlines of requests to the API server, which pass when a test says so and not by time: a server that hangs costs a
 * test nothing, and a slow machine changes nothing.
 */
export class RequestDeadlines {
  readonly #open = new Set<AbortController>();
  readonly #mocked = mock.method(AbortSignal, "timeout", () => {
    const controller = new AbortController();
    this.#open.add(controller);
    return controller.signal;
  });

  /** All that is under way has taken too long. */
  pass(): void {
    for (const controller of this.#open) controller.abort(new DOMException("too late", "TimeoutError"));
    this.#open.clear();
  }

  /** Time decides again. */
  restore(): void {
    this.#mocked.mock.restore();
  }
}
