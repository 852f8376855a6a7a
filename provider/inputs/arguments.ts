import type { DescribedClass, InputProblem } from "./described";
import { isMap, typeOfResource } from "./found";
import { wantedResource } from "./resource-problems";
import { isLeftOut, publicNames, valueProblems, way, wrongType } from "./value-problems";

/**
 * What is wrong with the arguments of a class or a function by their types: names that there are none of, values of a wrong
 * type, and resources that are missing. TypeScript says so to programs that it checks, and nobody to others: what is
 * misspelt would be left out in silence, `deletionpolicy: "Delete"` among it. Outputs are judged by whoever takes them.
 *
 * @returns `undefined` if nothing is.
 */
export function argumentsProblem(described: DescribedClass | undefined, args: unknown): string | undefined {
  return problemOf(described, args, valueProblems);
}

/** What is wrong with names and resources alone, for classes that judge the values themselves: see {@link argumentsProblem}. */
export function namesProblem(described: DescribedClass | undefined, args: unknown): string | undefined {
  return problemOf(described, args, (name, value, type) => {
    if (type.resource !== undefined) return valueProblems(name, value, type);
    return typeOfResource(value) === undefined ? [] : valueProblems(name, value, type);
  });
}

function problemOf(
  described: DescribedClass | undefined,
  args: unknown,
  judge: typeof valueProblems,
): string | undefined {
  if (described === undefined) throw new Error("there is no description of these arguments");
  const { properties, required, otherNames } = described;
  const names = publicNames(described);
  if (!isMap(args)) {
    const { property, reason } = wrongType("args", args, `an object with ${names.join(", ")}`);
    return `${property} ${reason}`;
  }
  const problems = Object.entries(args)
    .filter(([name, value]) => !Object.hasOwn(properties, name) && !isLeftOut(value))
    .map(([name]): InputProblem => ({
      property: name,
      reason: `is no argument: ${way(name, names, otherNames)}`,
    }));
  for (const [name, type] of Object.entries(properties)) {
    if (!isLeftOut(args[name])) problems.push(...judge(name, args[name], type));
    else if (type.resource !== undefined && required.includes(name)) {
      problems.push({ property: name, reason: `is missing: give ${wantedResource(type)}` });
    }
  }
  return problems.length === 0
    ? undefined
    : problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
}
