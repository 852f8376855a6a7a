import type { WholeProvider } from "./hosted";
import { withProperties } from "./failed";

/** Properties of a resource, whatever they are called. */
type Properties = Record<string, unknown>;

/**
 * A provider whose inputs and outputs have other names for the user, and in the state, than in its code.
 *
 * @param names The user's names by those of the code; what is not in it has one name.
 */
export function renamed<Inputs extends object, Outputs extends object>(
  provider: WholeProvider<Inputs, Outputs>,
  names: Readonly<Record<string, string>>,
): WholeProvider<Properties, Properties> {
  const own = Object.fromEntries(Object.entries(names).map(([code, user]) => [user, code]));
  const inwards = (properties: object): Properties => withNames(properties, own);
  const outwards = (properties: object): Properties => withNames(properties, names);
  // What goes in and comes out is of the types of the code but for the names, which no type can say.
  const inputs = (properties: object): Inputs => inwards(properties) as Inputs;
  const outputs = (properties: object): Outputs => inwards(properties) as Outputs;
  const { configure } = provider;
  return {
    ...(configure === undefined ? {} : { configure: (request) => configure.call(provider, request) }),
    check: async (olds, news) => {
      const { inputs: judged, ...result } = await provider.check(inputs(olds), inputs(news));
      return { ...result, ...(judged === undefined ? {} : { inputs: outwards(judged) }) };
    },
    diff: async (id, olds, news) => {
      const result = await provider.diff(id, outputs(olds), inputs(news));
      return { ...result, replaces: (result.replaces ?? []).map((property) => names[property] ?? property) };
    },
    create: async (news) => {
      const { id, outs } = await underNames(() => provider.create(inputs(news)), outwards);
      return { id, outs: outwards(outs ?? {}) };
    },
    read: async (id, props) => {
      const known = props === undefined ? undefined : outputs(props);
      const { props: seen, inputs: given, ...result } = await provider.read(id, known);
      return {
        ...result,
        ...(seen === undefined ? {} : { props: outwards(seen) }),
        ...(given === undefined ? {} : { inputs: outwards(given) }),
      };
    },
    update: async (id, olds, news) => {
      const { outs } = await underNames(() => provider.update(id, outputs(olds), inputs(news)), outwards);
      return { outs: outwards(outs ?? {}) };
    },
    delete: (id, props) => provider.delete(id, outputs(props)),
  };
}

/** What stays in the state of a resource that failed has the user's names too. */
async function underNames<Result>(
  call: () => Promise<Result>,
  outwards: (properties: object) => Properties,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw withProperties(error, outwards);
  }
}

function withNames(properties: object, names: Readonly<Record<string, string>>): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}
