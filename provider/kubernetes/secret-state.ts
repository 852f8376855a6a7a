import { secretOutput } from "../dynamic/values";
import {
  dataObjectKeys,
  dataObjectOutputs,
  type DataObjectInputs,
  type DataObjectRecord,
} from "./data-object-state";

export interface SecretInputs extends DataObjectInputs {
  moves?: boolean | null;
  model?: string | null;
  /** `<organization>/<project>/<stack>`; absent in a state from before it was recorded. */
  stack?: string | null;
}

export type SecretOutputs = SecretInputs & DataObjectRecord;

/** What a program gives. */
export const inputKeys = [
  ...dataObjectKeys,
  "moves",
  "model",
  "stack",
] as const satisfies readonly (keyof SecretInputs)[];

/** What the state keeps of a Secret. */
export function outputsOf(outputs: SecretOutputs): SecretOutputs {
  const { data, moves, model, stack } = outputs;
  return {
    ...dataObjectOutputs(outputs),
    data: secretOutput(data),
    moves: moves ?? false,
    model: model ?? null,
    stack: stack ?? null,
  };
}
