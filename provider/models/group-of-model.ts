/**
 * The group of an API model whose name ends with it.
 *
 * @param prefix What the model's name begins with: `deployment-v1alpha1:`.
 * @returns `undefined` for another model.
 */
export function groupAfter(prefix: string, modelName: string): string | undefined {
  return modelName.startsWith(prefix) ? modelName.slice(prefix.length) : undefined;
}

/**
 * The same where the model has to be that one: a state with another name was written by a later release.
 *
 * @throws Error for the name of another model.
 */
export function requireGroupAfter(prefix: string, modelName: string): string {
  const group = groupAfter(prefix, modelName);
  if (group !== undefined) return group;
  throw new Error(
    `the API model ${modelName} stands where one of ${prefix}<group> has to; install the release of pulumi-cosi that wrote the state`,
  );
}
