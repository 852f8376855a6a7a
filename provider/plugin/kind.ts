import type { WholeProvider } from "../dynamic/hosted";
import type { Properties } from "./properties";
import type { ReferenceType } from "./references";

/**
 * A kind of resource as programs in any language have it: the provider of the dynamic resource, and what the TypeScript
 * class does around it. Inputs come with the marks of secrets, and leave with them.
 */
export interface ResourceKind {
  /** `Bucket` of the token `cosi:index:Bucket`. */
  readonly type: string;
  readonly provider: WholeProvider<Properties, Properties>;
  /** Outputs that are no inputs. */
  readonly computed: readonly string[];
  /** Outputs that stay as they are for as long as the resource does. */
  readonly stable: readonly string[];
  /** Inputs that are another resource's output `reference`. */
  readonly references: Readonly<Record<string, ReferenceType>>;
  /** Names that an input has elsewhere, by which a program may call it. */
  readonly otherNames: Readonly<Record<string, string>>;
  /** The provider's names of its inputs, those that `check` fills in among them. */
  readonly ownInputs: readonly string[];
  /** The program's inputs with what the TypeScript class fills in. */
  complete(inputs: Properties): Properties;
  /** The provider's names of the inputs; those that have them already are left alone, as a dynamic resource's state is. */
  inward(inputs: Properties): Properties;
  /** The program's names of the inputs. @param given The program's inputs, which say in what form it gave them. */
  outward(inputs: Properties, given: Properties): Properties;
  /** The program's name of an input. @param given The program's inputs. */
  inputName(input: string, given: Properties): string;
  /** What other resources need to know of this one, with the marks of what is secret in it: its output `reference`. */
  reference?(outputs: Properties): Properties;
  /** What a delete of this resource ends at the driver, in words; `undefined` for nothing. Outputs without marks. */
  endedByDelete(outputs: Properties): string | undefined;
  /** Those of {@link computed} that an update leaves as they are. Both without marks, under the provider's names. */
  settled(olds: Properties, news: Properties): readonly string[];
  /** Those of {@link computed} that an update makes what the input of the same name says. Both as in {@link settled}. */
  demanded?(olds: Properties, news: Properties): readonly string[];
}

/**
 * A provider as it is spoken to by a host, which knows of property names and types nothing: the engine hands over what the
 * provider's `check` has returned, and what it has put into the state.
 */
export function untyped<Inputs extends object, Outputs extends object>(
  provider: WholeProvider<Inputs, Outputs>,
): WholeProvider<Properties, Properties> {
  return {
    check: async (olds, news) => {
      const { inputs, failures = [] } = await provider.check(olds as Inputs, news as Inputs);
      return inputs === undefined ? { failures } : { failures, inputs: propertiesOf(inputs) };
    },
    diff: (id, olds, news) => provider.diff(id, olds as Outputs, news as Inputs),
    create: async (inputs) => {
      const { id, outs } = await provider.create(inputs as Inputs);
      return { id, outs: propertiesOf(outs) };
    },
    read: async (id, known) => {
      const { id: seen = "", props, inputs } = await provider.read(id, known as Outputs | undefined);
      return { id: seen, props: propertiesOf(props), inputs: propertiesOf(inputs) };
    },
    update: async (id, olds, news) => {
      const { outs } = await provider.update(id, olds as Outputs, news as Inputs);
      return { outs: propertiesOf(outs) };
    },
    delete: (id, known) => provider.delete(id, known as Outputs),
  };
}

function propertiesOf(typed: object | undefined): Properties {
  return Object.fromEntries(Object.entries(typed ?? {}));
}
