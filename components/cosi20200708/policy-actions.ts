import type { PolicyActions } from "../../provider/contracts/contract";
import { isRecord } from "../../provider/dynamic/values";
import { asFound } from "../kubernetes/named-values";
import { ProblemError } from "../kubernetes/problem";

/** K07-077: lists of actions, whose words the driver defines. @returns `null` for none at all. */
export function actionsNamed(value: unknown): PolicyActions | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) throw new ProblemError(`policyActions ${asFound(value)}: give { allow?, deny? }`);
  const { allow, deny, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new ProblemError(`policyActions has ${JSON.stringify(other)}: give "allow" and "deny" only`);
  }
  const actions = { ...listed("allow", allow), ...listed("deny", deny) };
  return Object.keys(actions).length === 0 ? null : actions;
}

function listed<Key extends "allow" | "deny">(key: Key, value: unknown): Partial<Record<Key, string[]>> {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string" && entry !== "")) {
    return value.length === 0 ? {} : ({ [key]: value } as Partial<Record<Key, string[]>>);
  }
  throw new ProblemError(`policyActions.${key} ${asFound(value)}: give a list of texts`);
}
