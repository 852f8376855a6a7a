import * as grpc from "@grpc/grpc-js";
import { performance } from "node:perf_hooks";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { paths } from "../../test/support/cosi-v1alpha1";

/** Calls that a program of claims makes, straight from a client of grpc-js. */
export interface BareCalls {
  /** Seconds of a create and a grant for each claim. */
  readonly upSeconds: number;
  /** Seconds of a revoke and a delete for each. */
  readonly destroySeconds: number;
}

/** What Pulumi runs in parallel on two cores, by default. */
const concurrency = 8;

/** Makes the calls of `n` claims at a driver, as many at once as the package makes. */
export async function bareCalls(endpoint: string, n: number): Promise<BareCalls> {
  const client = new grpc.Client(endpoint.replace("unix://", "unix:"), grpc.credentials.createInsecure());
  const name = (index: number): string => `bare-${index}`;
  try {
    const upSeconds = await timed(n, async (index) => {
      await send(
        client,
        paths.create,
        DriverCreateBucketRequest.encode({ name: name(index), parameters: new Map() }).finish(),
      );
      await send(
        client,
        paths.grant,
        DriverGrantBucketAccessRequest.encode(
          DriverGrantBucketAccessRequest.fromPartial({ bucketId: name(index), name: name(index) }),
        ).finish(),
      );
    });
    const destroySeconds = await timed(n, async (index) => {
      await send(
        client,
        paths.revoke,
        DriverRevokeBucketAccessRequest.encode(
          DriverRevokeBucketAccessRequest.fromPartial({ bucketId: name(index), accountId: name(index) }),
        ).finish(),
      );
      await send(
        client,
        paths.delete,
        DriverDeleteBucketRequest.encode(
          DriverDeleteBucketRequest.fromPartial({ bucketId: name(index) }),
        ).finish(),
      );
    });
    return { upSeconds, destroySeconds };
  } finally {
    client.close();
  }
}

async function timed(n: number, work: (index: number) => Promise<void>): Promise<number> {
  const before = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < n) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return (performance.now() - before) / 1000;
}

function send(client: grpc.Client, path: string, body: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      Buffer.from(body),
      { deadline: Date.now() + 60_000 },
      (error, answer) => {
        if (error !== null) reject(error);
        else resolve(answer ?? Buffer.alloc(0));
      },
    );
  });
}
