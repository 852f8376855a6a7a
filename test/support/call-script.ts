import type { Answer } from "./fake-driver";

/** When something is done in a call: it has come and nothing is done, or the work is done and the answer not sent. */
export type When = "received" | "done";

/** What happens at one moment of a call; an answer takes the place of the driver's own. */
export type Moment<Call> = (call: Call) => Promise<Answer | undefined>;

/** What a test has a storing driver do in its calls, beside its work. */
export class CallScript<Call extends { readonly rpc: string }> {
  readonly #refusals = new Map<string, Answer[]>();
  readonly #moments: Record<When, Moment<Call>[]> = { received: [], done: [] };

  /** Has something done in every call. @returns what takes it back. */
  on(when: When, moment: Moment<Call>): () => void {
    this.#moments[when].push(moment);
    return () => {
      this.#moments[when] = this.#moments[when].filter((known) => known !== moment);
    };
  }

  /** Answers the next calls of an RPC so, one each, and does nothing for them. */
  refuse(rpc: Call["rpc"], ...given: readonly Answer[]): void {
    this.#refusals.set(rpc, [...(this.#refusals.get(rpc) ?? []), ...given]);
  }

  /** The answer to a call. @param work What the driver does, unless it is refused. */
  async answer(call: Call, work: () => Answer): Promise<Answer> {
    const refusal = (await this.#reach("received", call)) ?? this.#refusals.get(call.rpc)?.shift();
    if (refusal !== undefined) return refusal;
    const answer = work();
    return (await this.#reach("done", call)) ?? answer;
  }

  /** The answer that the last of them gives stands; all of them run. */
  async #reach(when: When, call: Call): Promise<Answer | undefined> {
    let answer: Answer | undefined;
    for (const moment of this.#moments[when]) answer = (await moment(call)) ?? answer;
    return answer;
  }
}
