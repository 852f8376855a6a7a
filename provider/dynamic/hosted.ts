import type * as pulumi from "@pulumi/pulumi";
import { endWithEngine, engineAddress } from "../driver/process/host";
import { recordedUids } from "../run/recorded-uids";
import { stacksOfRun } from "../run/stacks-of-run";
import { withProperties } from "./failed";
import { MemoryGuard, ownMemory } from "./host-memory";
import { hasHidden } from "./internal-properties";
import { requireKnownFormat } from "./state-format";
import { checkedInputs, stateInputs, stateOutputs, withoutHidden } from "./state-properties";
import { withoutNulls } from "./values";

type ResourceProvider<Inputs, Outputs> = pulumi.dynamic.ResourceProvider<Inputs, Outputs>;

/** A provider with every method: Pulumi's answer to a missing `diff` or `update` is a wrong plan, or lost outputs. */
export type WholeProvider<Inputs, Outputs> = Required<Omit<ResourceProvider<Inputs, Outputs>, "configure">> &
  Pick<ResourceProvider<Inputs, Outputs>, "configure">;

/**
 * Makes a provider fit for Pulumi's host: the host ends with the engine from the first call on, an input that is
 * `null` counts as left out, what Pulumi keeps hidden has a name of its own in the code, and an error reaches the user
 * once, as the engine shows it, without a stack trace (GRPC-062). What a `provider` file exports goes through here.
 */
export function hosted<Inputs extends object, Outputs extends object>(
  provider: WholeProvider<Inputs, Outputs>,
): WholeProvider<Inputs, Outputs> {
  return {
    ...provider,
    check: (olds, news) =>
      call(news, async ({ ofInputs }) => {
        const before = withoutHidden(olds);
        const checked = withoutNulls(checkedInputs(news, before));
        stacksOfRun.note(checked);
        const { inputs, ...result } = await provider.check(before, checked);
        return { ...result, ...(inputs === undefined ? {} : { inputs: ofInputs(inputs) }) };
      }),
    diff: (id, olds, news) => call(news, () => provider.diff(id, recordedOf(olds), withoutHidden(news))),
    create: (inputs) =>
      call(inputs, async ({ ofOutputs }) => {
        const { outs, ...result } = await provider.create(withoutHidden(inputs));
        return { ...result, ...(outs === undefined ? {} : { outs: ofOutputs(outs) }) };
      }),
    read: (id, given) =>
      call(given, async ({ ofInputs, ofOutputs }) => {
        const recorded = given && recordedOf(given);
        recordedUids.note(recorded);
        const { props, inputs, ...result } = await provider.read(id, recorded);
        return {
          ...result,
          ...(props === undefined ? {} : { props: ofOutputs(props) }),
          ...(inputs === undefined ? {} : { inputs: ofInputs(inputs) }),
        };
      }),
    update: (id, olds, news) =>
      call(news, async ({ ofOutputs }) => {
        const { outs } = await provider.update(id, recordedOf(olds), withoutHidden(news));
        return outs === undefined ? {} : { outs: ofOutputs(outs) };
      }),
    delete: (id, props) => call(props, () => provider.delete(id, recordedOf(props))),
  };
}

function recordedOf<Kept extends object>(kept: Kept): Kept {
  return requireKnownFormat(withoutHidden(kept));
}

type Change = <Properties extends object>(properties: Properties) => Properties;

/** Properties for whoever called: as Pulumi keeps them where the call had such. */
interface Outwards {
  readonly ofInputs: Change;
  readonly ofOutputs: Change;
}

const memory = new MemoryGuard(ownMemory);

async function call<Result>(
  given: object | undefined,
  method: (outwards: Outwards) => Promise<Result>,
): Promise<Result> {
  endWithEngine();
  const keeps = given !== undefined && hasHidden(given);
  const ofInputs: Change = (inputs) => (keeps ? stateInputs(inputs, given) : inputs);
  const ofOutputs: Change = (outputs) => (keeps ? stateOutputs(outputs, given) : outputs);
  try {
    return await method({ ofInputs, ofOutputs });
  } catch (thrown) {
    // What stays in the state of a resource that failed is kept in the same way.
    const error = withProperties(thrown, ofOutputs);
    throw engineAddress() === undefined ? error : withoutStack(error);
  } finally {
    if (engineAddress() !== undefined) memory.collectIfLarge();
  }
}

/**
 * What the host is told of an error. It prints `${error}: ${error.stack}` beside the message that it hands to the engine.
 * An error that several calls wait for, as of an API server that does not answer, is one object: it stays as it is.
 */
export function withoutStack(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // Id, properties and reasons of a failed resource are the original's.
  return Object.create(error, {
    message: { value: error.message },
    toString: { value: () => "pulumi-cosi" },
    stack: { value: "an error stopped this step; it is shown with its resource" },
  }) as Error;
}
