import * as pulumi from "@pulumi/pulumi";

/** A resource that a program registered, and its inputs. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What a program has done. */
export interface Ran<Result> {
  readonly registered: readonly Registered[];
  /** Options as the code gives them, by `<type>::<name>`; what children inherit is not among them. */
  readonly options: ReadonlyMap<string, pulumi.ResourceOptions>;
  readonly result: Result;
}

const credentials = {
  protocol: "S3",
  accessKeyId: "AKIA",
  accessSecretKey: "s3cr3t",
  endpoint: "https://s3.acme.example",
  region: "eu-1",
  accessToken: null,
  expiry: null,
};

/** What the providers would answer. Mocks call none of them: what is not an input has to stand here. */
function answerTo({ type, name, inputs }: pulumi.runtime.MockResourceArgs): {
  id: string;
  state: Record<string, unknown>;
} {
  const own = inputs as Record<string, unknown>;
  const answers: Record<string, Record<string, unknown>> = {
    "pulumi-nodejs:dynamic/cosi:Driver": { driverName: "objects.acme.example" },
    "pulumi-nodejs:dynamic/cosi:Bucket": { bucketId: `bucket-of-${name}` },
    "pulumi-nodejs:dynamic/cosi:BucketAccess": { accountId: `account-of-${name}`, credentials },
  };
  const metadata = { ...(own["metadata"] as object | undefined), uid: `uid-of-${name}` };
  const answer = type.startsWith("kubernetes:") ? { metadata } : answers[type];
  return { id: `id-of-${name}`, state: { ...own, ...answer } };
}

/** Runs a program without engine, driver and cluster. */
export async function run<Result>(program: () => Result): Promise<Ran<Result>> {
  const registered: Registered[] = [];
  const options = new Map<string, pulumi.ResourceOptions>();
  await pulumi.runtime.setMocks(
    {
      call: ({ inputs }) => Promise.resolve(inputs as Record<string, unknown>),
      newResource: (args) => {
        const { type, name } = args;
        registered.push({ type, name, inputs: args.inputs as Record<string, unknown> });
        return Promise.resolve(answerTo(args));
      },
    },
    "shop",
    "test",
    false,
    // Objects in the cluster are marked with the organization, so it has to be given.
    "acme",
  );
  let made: { readonly result: Result } | undefined;
  await pulumi.runtime.runInPulumiStack(() => {
    pulumi.runtime.registerStackTransformation(({ type, name, opts }) => {
      options.set(`${type}::${name}`, opts);
      return undefined;
    });
    made = { result: program() };
    return Promise.resolve();
  });
  await pulumi.runtime.disconnect();
  if (made === undefined) throw new Error("the program did not run");
  return { registered, options, ...made };
}

/** Value of an output. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}
