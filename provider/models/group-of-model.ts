/** An API model whose kinds may be in several groups: its name ends with the group. */
export interface GroupedModel<Kinds> {
  /** Name of the API model in a group; it stands in the state of every resource that has objects of it. */
  readonly modelNameOf: (group: string) => string;
  /** The group of the API model by its name, or `undefined` for another model. */
  readonly groupOfModel: (modelName: string) => string | undefined;
  /**
   * The kinds of the API model by its name.
   *
   * @throws Error for the name of another model: a later release wrote the state.
   */
  readonly kindsOfModel: (modelName: string) => Kinds;
}

/** @param prefix What the model's name begins with: `deployment-v1alpha1:`. */
export function groupedModel<Kinds>(prefix: string, kindsOf: (group: string) => Kinds): GroupedModel<Kinds> {
  const groupOfModel = (modelName: string): string | undefined =>
    modelName.startsWith(prefix) ? modelName.slice(prefix.length) : undefined;
  return {
    modelNameOf: (group) => `${prefix}${group}`,
    groupOfModel,
    kindsOfModel: (modelName) => {
      const group = groupOfModel(modelName);
      if (group !== undefined) return kindsOf(group);
      throw new Error(
        `the API model ${modelName} is not one of ${prefix}<group>; install the release of pulumi-cosi that wrote the state`,
      );
    },
  };
}
