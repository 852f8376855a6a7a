import type * as pulumi from "@pulumi/pulumi";
import { endWithEngine, engineAddress } from "../driver/process/host";
import { withoutNulls } from "./values";

type ResourceProvider<Inputs, Outputs> = pulumi.dynamic.ResourceProvider<Inputs, Outputs>;

/** A provider with every method: Pulumi's answer to a missing `diff` or `update` is a wrong plan, or lost outputs. */
export type WholeProvider<Inputs, Outputs> = Required<Omit<ResourceProvider<Inputs, Outputs>, "configure">> &
  Pick<ResourceProvider<Inputs, Outputs>, "configure">;

/**
 * Makes a provider fit for Pulumi's host: the host ends with the engine from the first call on, an input that is
 * `null` counts as left out, and an error reaches the user once, as the engine shows it, without a stack trace
 * (GRPC-062). What a `provider` file exports goes through here.
 */
export function hosted<Inputs extends object, Outputs>(
  provider: WholeProvider<Inputs, Outputs>,
): WholeProvider<Inputs, Outputs> {
  return {
    ...provider,
    check: (olds, news) => call(() => provider.check(olds, withoutNulls(news))),
    diff: (id, olds, news) => call(() => provider.diff(id, olds, news)),
    create: (inputs) => call(() => provider.create(inputs)),
    read: (id, props) => call(() => provider.read(id, props)),
    update: (id, olds, news) => call(() => provider.update(id, olds, news)),
    delete: (id, props) => call(() => provider.delete(id, props)),
  };
}

async function call<Result>(method: () => Promise<Result>): Promise<Result> {
  endWithEngine();
  try {
    return await method();
  } catch (error) {
    throw engineAddress() === undefined ? error : withoutStack(error);
  }
}

/** The host prints `${error}: ${error.stack}` beside the message that it hands to the engine. */
function withoutStack(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return Object.defineProperties(error, {
    toString: { value: () => "pulumi-cosi" },
    stack: { value: "an error stopped this step; it is shown with its resource" },
  });
}
