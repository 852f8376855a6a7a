import type { Parameters } from "./secret-input";
import { sameValue } from "./values";

/**
 * Keeps the parent with which a name was computed: a rename with an alias changes nothing.
 *
 * @param olds The inputs in the state; empty before the create, and where a replacement is planned.
 */
export function keepParent(
  olds: { readonly name?: string; readonly parent?: string },
  inputs: { parent?: string },
): void {
  if (olds.name === undefined) return;
  if (olds.parent === undefined) delete inputs.parent;
  else inputs.parent = olds.parent;
}

/**
 * Keeps what was copied from a class while the class name stays, so that an edit of the class changes nothing else. With
 * the parameters it is kept that they are secret; those that are marked so later are secret from then on.
 */
export function keepClassCopy<Inputs extends Parameters>(
  olds: Partial<Inputs>,
  inputs: Inputs,
  className: keyof Inputs,
  copied: readonly (keyof Inputs)[],
): void {
  if (olds[className] === undefined || olds[className] !== inputs[className]) return;
  const markedNow = inputs.secretParameters === true && sameValue(olds.parameters, inputs.parameters);
  for (const key of copied) {
    const value = olds[key];
    if (value === undefined) Reflect.deleteProperty(inputs, key);
    else inputs[key] = value;
  }
  if (olds.secretParameters === true || markedNow) inputs.secretParameters = true;
  else delete inputs.secretParameters;
}

/**
 * A resource of the program in words that no other one shares. All of a program are of one stack and project, which its parent
 * is told without: `pulumi stack rename` and `pulumi state move` change them, and a parent that is kept has those of its create.
 *
 * @param parent URN of the component, be it what the program calls it or what is kept.
 */
export function describeResource(logicalName: string, parent: string | undefined): string {
  return describeRecorded(logicalName, parent?.replace(/^urn:pulumi:[^:]*::[^:]*::/, ""));
}

/** A resource in words that stay as they are, whatever becomes of the stack. @param parent What the state keeps. */
export function describeRecorded(logicalName: string, parent: string | undefined): string {
  return parent === undefined ? logicalName : `${logicalName} (in ${parent})`;
}
