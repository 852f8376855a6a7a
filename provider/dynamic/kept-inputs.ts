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

/** Keeps what was copied from a class while the class name stays, so that an edit of the class changes nothing else. */
export function keepClassCopy<Inputs extends object>(
  olds: Partial<Inputs>,
  inputs: Inputs,
  className: keyof Inputs,
  copied: readonly (keyof Inputs)[],
): void {
  if (olds[className] === undefined || olds[className] !== inputs[className]) return;
  for (const key of copied) {
    const value = olds[key];
    if (value === undefined) Reflect.deleteProperty(inputs, key);
    else inputs[key] = value;
  }
}

/** A resource of the program in words that no other one shares. */
export function describeResource(logicalName: string, parent: string | undefined): string {
  return parent === undefined ? logicalName : `${logicalName} (in ${parent})`;
}
