/**
 * Number of the form in which resources stand in the state, their `schemaVersion`. It is raised with each change that an
 * earlier version of the package would misread.
 */
export const stateFormat = 1;

/**
 * Refuses what a newer version of the package wrote: read as if it were of this one, it might be taken for something else.
 *
 * @param properties Of a resource as it is in the state.
 * @returns The same.
 */
export function requireKnownFormat<Properties extends object>(properties: Properties): Properties {
  const format: unknown = "schemaVersion" in properties ? properties.schemaVersion : undefined;
  if (typeof format !== "number" || format <= stateFormat) return properties;
  throw new Error(
    `the state was written by a newer version of pulumi-cosi (form ${format}; this version knows ${stateFormat}). ` +
      "Next: install the version that the stack was last run with, then run the command again",
  );
}
