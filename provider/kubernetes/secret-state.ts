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
}

export type SecretOutputs = SecretInputs & DataObjectRecord;

/** What a program gives. */
export const inputKeys = [
  ...dataObjectKeys,
  "moves",
  "model",
] as const satisfies readonly (keyof SecretInputs)[];

/** What the state keeps of a Secret. */
export function outputsOf(outputs: SecretOutputs): SecretOutputs {
  const { data, moves, model } = outputs;
  return {
    ...dataObjectOutputs(outputs),
    data: secretOutput(data),
    moves: moves ?? false,
    model: model ?? null,
  };
}
