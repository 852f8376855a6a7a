import { KubernetesError } from "./kubernetes-error";

/**
 * Takes steps that tidy up after an error which the user must see: none of theirs is thrown. One that is refused keeps
 * the others from nothing; where the API server does not answer, the rest is not tried.
 */
export async function attemptAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (error instanceof KubernetesError && !error.refused) return;
    }
  }
}
