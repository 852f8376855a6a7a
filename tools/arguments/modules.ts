/** Where a module of the package has its resources, and where the description of their arguments goes. */
export interface DescribedModule {
  /** What a program imports, from the repository. */
  readonly entry: string;
  readonly file: string;
}

const models = ["objectstorage", "objectbucket", "deployment", "cosi20200708", "cosi20200227"];

/** All of them. A program that loads one module loads the description of that one alone. */
export const describedModules: readonly DescribedModule[] = [
  { entry: "core.ts", file: "provider/inputs/argument-types.json" },
  ...models.map((model) => ({
    entry: `components/${model}/index.ts`,
    file: `components/${model}/argument-types.json`,
  })),
];
