import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { withoutHidden } from "../../../provider/dynamic/state-properties";

/** A resource that a program registered, with its inputs under their own names. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  /** Its explicit provider, `<urn>::<id>`; empty for the default one. */
  readonly provider: string;
  readonly inputs: Record<string, unknown>;
}

const uids: Record<string, string> = {
  BucketClaim: "c1a10000-0000-4000-8000-000000000001",
  Bucket: "b0000000-0000-4000-8000-000000000002",
  BucketAccess: "acce5500-0000-4000-8000-000000000003",
};

const credentials = {
  protocol: "S3",
  accessKeyId: "AKIA",
  accessSecretKey: "s3cr3t",
  endpoint: "https://s3.example.com",
  region: "eu-1",
  accessToken: null,
  expiry: null,
};

/** What a provider would answer to the registration of a resource; `undefined`: what is usual. */
export type Answer = (args: pulumi.runtime.MockResourceArgs) => { id: string; state: object } | undefined;

/** What the providers would answer; dynamic ones are not called in a unit test. */
function outputsOf({ type, inputs }: pulumi.runtime.MockResourceArgs): { id: string; state: object } {
  const own = inputs as Record<string, unknown>;
  switch (type) {
    case "pulumi-nodejs:dynamic/cosi:Driver":
      return { id: "driver", state: { ...own, driverName: "cosi.example.com", seed: "seed" } };
    case "pulumi-nodejs:dynamic/cosi/objectstorage:ClaimBinding": {
      const { claim, existingBucketName } = own as { claim: { uid: string }; existingBucketName?: string };
      return {
        id: existingBucketName ?? `bucket-${claim.uid}`,
        state: { ...own, bucketUid: uids["Bucket"] },
      };
    }
    case "pulumi-nodejs:dynamic/cosi/kubernetes:CustomResourceDefinitions":
      return { id: "definitions", state: { ...own, stackId: "stack-id" } };
    case "pulumi-nodejs:dynamic/cosi:Bucket": {
      const { existingBucketId = "backend-id", name = existingBucketId } = own as Record<string, string>;
      return { id: name, state: { ...own, bucketId: existingBucketId, bucketInfo: null } };
    }
    case "pulumi-nodejs:dynamic/cosi:BucketAccess": {
      const { protocol = "S3" } = own as { protocol?: string };
      const granted = { ...credentials, protocol };
      return {
        id: String(own["name"]),
        state: { ...own, ...granted, accountId: "account", credentials: granted },
      };
    }
    default: {
      const [, , kind = ""] = type.split(":");
      const metadata = { ...(own["metadata"] as object | undefined), uid: uids[kind] };
      return {
        id: `${type}-id`,
        state: type.startsWith("kubernetes:objectstorage") ? { ...own, metadata } : own,
      };
    }
  }
}

/**
 * Runs a program without engine, providers and cluster.
 *
 * @param options `preview`: as `pulumi preview` does; `answer`: what its own providers answer.
 * @returns What it registered, in the order of registration.
 * @throws What the program, or the judgement of an argument, throws.
 */
export async function run(
  program: () => void,
  { preview = false, answer = () => undefined }: { preview?: boolean; answer?: Answer } = {},
): Promise<Registered[]> {
  const registered: Registered[] = [];
  await pulumi.runtime.setMocks(
    {
      call: ({ inputs }) => Promise.resolve(inputs as Record<string, unknown>),
      newResource: (args) => {
        registered.push({
          type: args.type,
          name: args.name,
          provider: args.provider ?? "",
          inputs: withoutHidden(args.inputs as Record<string, unknown>),
        });
        return Promise.resolve(answer(args) ?? outputsOf(args));
      },
    },
    "shop",
    "test",
    preview,
    "organization",
  );
  const failures: unknown[] = [];
  // A resource whose inputs fail is how a program ends that an argument is refused in.
  const note = (error: unknown) => failures.push(error);
  process.on("unhandledRejection", note);
  try {
    await pulumi.runtime.runInPulumiStack(() => {
      program();
      return Promise.resolve();
    });
    await pulumi.runtime.disconnect();
    await setImmediate();
  } finally {
    process.off("unhandledRejection", note);
  }
  if (failures.length > 0) throw failures[0];
  return registered;
}

/** The one resource of a kind, a type's last part. */
export function only(registered: readonly Registered[], kind: string): Registered {
  const found = registered.filter(({ type }) => type.endsWith(`:${kind}`));
  const [first, ...others] = found;
  if (first === undefined || others.length > 0) {
    throw new Error(
      `${found.length} resources of kind ${kind}: ${registered.map(({ type }) => type).join(", ")}`,
    );
  }
  return first;
}
