import assert from "node:assert/strict";

/** Asserts that these texts are there, each after the one before it. */
export function assertInOrder(events: readonly string[], ...expected: readonly string[]): void {
  let at = -1;
  for (const text of expected) {
    const next = events.findIndex((event, index) => index > at && event.startsWith(text));
    assert.ok(next > at, `${text} is not after the one before it in\n${events.join("\n")}`);
    at = next;
  }
}
