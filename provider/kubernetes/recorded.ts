import type * as pulumi from "@pulumi/pulumi";
import { select } from "../dynamic/select";
import { sameValue } from "../dynamic/values";
import type { KubernetesTarget } from "./target";

/** What every resource records that writes objects: where they are, and what a refresh found. */
interface Recorded {
  readonly kubernetes?: KubernetesTarget | null | undefined;
  /** What was found to be other than it should be. */
  readonly drift?: readonly string[] | null | undefined;
}

/**
 * The plan for a resource whose objects are told by what it records: it changes where it is replaced, where a refresh found
 * something, where it is written to elsewhere, and where `isChanged` says so.
 */
export function planOf(
  olds: Recorded,
  news: Recorded,
  replaces: string[],
  isChanged: boolean,
): pulumi.dynamic.DiffResult {
  const changes =
    replaces.length > 0 ||
    (olds.drift ?? []).length > 0 ||
    isChanged ||
    !sameValue(olds.kubernetes ?? {}, news.kubernetes ?? {});
  return { changes, replaces, deleteBeforeReplace: true };
}

/** @throws Error for a resource that a program would read by an id: what it is about stands in the state. */
export function requireRecorded<Outputs>(kind: string, id: string, props: Outputs | undefined): Outputs {
  if (props === undefined) throw new Error(`the ${kind} ${id} is read from the state only`);
  return props;
}

/** What a refresh gives: outputs, and what a program gave of them. Pulumi types inputs and outputs alike here. */
export function refreshed<Outputs extends object>(
  id: string,
  outputs: Outputs,
  inputKeys: readonly (keyof Outputs)[],
): pulumi.dynamic.ReadResult<Outputs> {
  return { id, props: outputs, inputs: select(outputs, inputKeys) as Outputs };
}
