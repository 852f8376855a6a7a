/** What a resource is called. */
export interface ResourceName {
  /** Type token, `cosi:index:Bucket`. */
  readonly type: string;
  readonly name: string;
  /** Types of the resources that it is in, which tell two of one name apart; absent below the stack. */
  readonly parent?: string;
}

/**
 * Reads `urn:pulumi:<stack>::<project>::<type of the parents>$<type>::<name>`. The stack is left out of what comes of it,
 * so that renaming one changes nothing.
 *
 * @throws Error for a text that is none.
 */
export function parseUrn(urn: string): ResourceName {
  const [, , types, ...name] = urn.split("::");
  if (types === undefined || name.length === 0)
    throw new Error(`${JSON.stringify(urn)} is no URN of a resource`);
  const end = types.lastIndexOf("$");
  return {
    type: types.slice(end + 1),
    name: name.join("::"),
    ...(end < 0 ? {} : { parent: types.slice(0, end) }),
  };
}
