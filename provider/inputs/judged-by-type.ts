import { CheckFailures } from "../dynamic/check-failures";
import type { WholeProvider } from "../dynamic/hosted";
import described from "./argument-types.json";
import type { DescribedArguments, ValueType } from "./described";
import { propertyProblems } from "./value-problems";

const classes: DescribedArguments = described;

/**
 * A provider whose check judges the types of values first. The class has judged what the program gives as it is; what it gives
 * as an output is known only here. What follows then meets the types that it expects, and shows no value of another one, which
 * may be a secret.
 *
 * @param type The class of the core.
 * @param names The provider's names of inputs, by the program's. @default the same
 */
export function judgedByType<Inputs extends object, Outputs extends object>(
  type: keyof typeof described,
  provider: WholeProvider<Inputs, Outputs>,
  names: Readonly<Record<string, string>> = {},
): WholeProvider<Inputs, Outputs> {
  const properties = valuesOf(type);
  return {
    ...provider,
    check: (olds, news) => {
      const values = underNames(news, names);
      const problems = propertyProblems(values, { properties, required: [] });
      if (problems.length === 0) return provider.check(olds, news);
      const failures = new CheckFailures();
      for (const { property, reason } of problems) failures.add(property, reason);
      return Promise.resolve(failures.result(news));
    },
  };
}

/** The arguments that are no resources: of one the provider is told parts alone, under names of its own. */
function valuesOf(type: string): Record<string, ValueType> {
  const { properties = {} } = classes[type] ?? {};
  return Object.fromEntries(Object.entries(properties).filter(([, { resource }]) => resource === undefined));
}

function underNames(inputs: object, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const given: Record<string, unknown> = { ...inputs };
  for (const [program, own] of Object.entries(names)) given[program] = given[own];
  return given;
}
