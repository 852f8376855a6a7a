import type * as pulumi from "@pulumi/pulumi";
import { FailedResourceError } from "../../provider/dynamic/failed";

type Provider<I, O> = pulumi.dynamic.ResourceProvider<I, O>;

/** Properties as a test gives them: Pulumi hands over plain objects, and some tests hand over bad ones. */
export type Properties = Record<string, unknown>;

/**
 * Calls a dynamic provider as Pulumi's host does: properties travel as JSON, secrets arrive in plain text, and
 * `__provider` is among them.
 */
export class Lifecycle {
  readonly #provider: Provider<unknown, unknown>;

  constructor(provider: unknown) {
    this.#provider = provider as Provider<unknown, unknown>;
  }

  async check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }> {
    const result = await this.#provider.check?.(wire(olds), wire(news));
    return {
      inputs: wire(result?.inputs),
      failures: (result?.failures ?? []).map(({ property, reason }) => `${property} ${reason}`.trimStart()),
    };
  }

  /** @param id For a provider that reads it. */
  async diff(olds: Properties, news: Properties, id = "id"): Promise<pulumi.dynamic.DiffResult> {
    return (await this.#provider.diff?.(id, wire(olds), wire(news))) ?? {};
  }

  /** Check and create, as `up` does for a new resource. @throws on a check failure. */
  async create(news: Properties): Promise<{ id: string; outputs: Properties; raw: Properties }> {
    const inputs = await this.#checked({}, news);
    const { id, outs } = await this.#provider.create(inputs);
    return { id, outputs: wire(outs), raw: outs as Properties };
  }

  /** @param id For a provider that reads it. */
  async update(olds: Properties, news: Properties, id = "id"): Promise<Properties> {
    const inputs = await this.#checked(olds, news);
    const result = await this.#provider.update?.(id, wire(olds), inputs);
    return wire(result?.outs);
  }

  /** @param id For a provider that reads it. */
  async read(olds: Properties, id = "id"): Promise<{ outputs: Properties; inputs: Properties }> {
    const result = await this.#provider.read?.(id, wire(olds));
    return { outputs: wire(result?.props), inputs: wire(result?.inputs) };
  }

  /** @param id For a provider that reads it. */
  async delete(outputs: Properties, id = "id"): Promise<void> {
    await this.#provider.delete?.(id, wire(outputs));
  }

  async #checked(olds: Properties, news: Properties): Promise<Properties> {
    const { inputs, failures } = await this.check(olds, news);
    if (failures.length > 0) throw new Error(failures.join("; "));
    return inputs;
  }
}

const secretSignature = "4dabf18193072939515e22adb298388d";

/** What the other side of Pulumi's wire sees: JSON, with the secret wrappers taken off. */
export function wire(value: unknown): Properties {
  return unwrap(JSON.parse(JSON.stringify(value ?? {}))) as Properties;
}

function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (typeof value !== "object" || value === null) return value;
  if (secretSignature in value && "value" in value) return unwrap(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, unwrap(entry)]));
}

/** The failed resource that the state would keep. @throws if the action does not fail so. */
export async function failedResource(action: Promise<unknown>): Promise<FailedResourceError> {
  try {
    await action;
  } catch (error) {
    if (error instanceof FailedResourceError) return error;
    throw error;
  }
  throw new Error("the action did not fail");
}

/** The lines that a function writes to standard output, which Pulumi shows to the user. */
export async function printed(action: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text: string | Uint8Array): boolean => {
    const line = String(text);
    if (!line.startsWith("warning: ") && !line.startsWith("rpc ")) return write(text);
    lines.push(line.trimEnd());
    return true;
  };
  try {
    await action();
  } finally {
    process.stdout.write = write;
  }
  return lines;
}
