import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import { FailedResourceError } from "../../provider/dynamic/failed";
import type { Properties } from "./lifecycle";

/**
 * The provider of a deployment, or of an access to one, under the names that the properties of a bucket have. It shares no
 * code with the product's translation, and fails where the provider says bucket for a deployment.
 */
export function underCoreNames(given: unknown): pulumi.dynamic.ResourceProvider<Properties, Properties> {
  const provider = given as pulumi.dynamic.ResourceProvider<Properties, Properties>;
  return {
    check: async (olds: Properties, news: Properties) => {
      const result = await provider.check?.(toUser(olds), toUser(news));
      for (const { property } of result?.failures ?? []) assertOfUser(property);
      return { ...result, inputs: toCore(result?.inputs ?? {}) };
    },
    diff: async (id: string, olds: Properties, news: Properties) => {
      const result = await provider.diff?.(id, toUser(olds), toUser(news));
      return { ...result, replaces: (result?.replaces ?? []).map(coreName) };
    },
    create: async (news: Properties) => {
      const { id, outs } = await failingToCore(provider.create(toUser(news)));
      return { id, outs: toCore(outs ?? {}) };
    },
    read: async (id: string, props: Properties = {}) => {
      const result = await provider.read?.(id, toUser(props));
      // The inputs are among what a read gives, which Pulumi's types leave out.
      const { inputs = {} } = result as { inputs?: Properties };
      return { id, props: toCore(result?.props ?? {}), inputs: toCore(inputs) };
    },
    update: async (id: string, olds: Properties, news: Properties) => {
      const result = await failingToCore(provider.update?.(id, toUser(olds), toUser(news)));
      return { outs: toCore(result?.outs ?? {}) };
    },
    delete: async (id: string, props: Properties) => provider.delete?.(id, toUser(props)),
  };
}

/** What the state would keep of a resource that failed is read like any other outputs. */
async function failingToCore<Result>(call: Result | Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof FailedResourceError)) throw error;
    const { message, id, properties, cause } = error;
    throw new FailedResourceError(message, id, toCore(properties), { cause });
  }
}

const userName = (name: string): string =>
  name.replace("bucket", "deployment").replace("Bucket", "Deployment");

function coreName(name: string): string {
  assertOfUser(name);
  const own = ["deploymentName", "deploymentId", "deploymentInfo", "existingDeploymentId"];
  const isOwn = own.includes(name) || /^deployment(Access)?ClassName$/.test(name);
  return isOwn ? name.replace("deployment", "bucket").replace("Deployment", "Bucket") : name;
}

function assertOfUser(name: string): void {
  assert.doesNotMatch(name, /bucket/i, "a name of buckets, for a deployment");
}

/** Properties of a bucket, or of an access to one, under the names that those of a deployment have. */
export function toUser(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [userName(name), value]));
}

function toCore(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [coreName(name), value]));
}
