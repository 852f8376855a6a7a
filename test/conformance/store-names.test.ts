import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  DriverCreateBucketResponse,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { paths } from "../support/cosi-v1alpha1";
import { idsWith, TestedDriver } from "./support/tested-driver";

/** A driver whose bucket ids are UUIDs, and whose store calls the buckets by the names that were sent. */
async function startWithUuids(): Promise<TestedDriver> {
  const ids = new Map<string, string>();
  const nameOf = (bucketId: string): string => [...ids].find(([, id]) => id === bucketId)?.[0] ?? bucketId;
  const tested: TestedDriver = await TestedDriver.start([], (path, body) => {
    const answer = (bytes: Uint8Array): Uint8Array => tested.driver.answer(path, bytes);
    if (path === paths.create) {
      const reply = DriverCreateBucketResponse.decode(answer(body));
      const bucketId = ids.get(reply.bucketId) ?? randomUUID();
      ids.set(reply.bucketId, bucketId);
      return DriverCreateBucketResponse.encode({ ...reply, bucketId }).finish();
    }
    for (const [rpc, codec] of [
      [paths.delete, DriverDeleteBucketRequest],
      [paths.grant, DriverGrantBucketAccessRequest],
      [paths.revoke, DriverRevokeBucketAccessRequest],
    ] as const) {
      if (path !== rpc) continue;
      const request = codec.decode(body);
      const fields = codec.fromPartial({ ...request, bucketId: nameOf(request.bucketId) });
      return answer(codec.encode(fields as never).finish());
    }
    return undefined;
  });
  return tested;
}

describe("a bucket whose id looks like a name and is none at the store", function () {
  this.timeout(120_000);

  for (const [how, tells] of [
    ["says that there is no such bucket", true],
    ["refuses it", false],
  ] as const) {
    it(`is looked into by the name that was sent, where the store ${how} [GRPC-129]`, async () => {
      const tested = await startWithUuids();
      if (tells) tested.store.knows = (bucket) => bucket.startsWith("cosi-conformance-");
      try {
        const report = await tested.run({ checkCredentials: true });
        assert.equal(report.incomplete, null);
        assert.deepEqual(idsWith(report, "fail"), []);
        assert.equal(report.compliant, true);
        const judged = report.lines.find(({ id }) => id === "GRPC-095");
        assert.equal(judged?.status, "pass", judged?.reason ?? "");
        assert.deepEqual([...tested.store.objects], []);
        assert.deepEqual(report.leftovers, []);
      } finally {
        await tested.stop();
      }
    });
  }

  it("is told as the store's answer where it has neither [GRPC-129]", async () => {
    const tested = await startWithUuids();
    tested.store.knows = () => false;
    try {
      const report = await tested.run({ checkCredentials: true });
      assert.match(report.incomplete ?? "", /: the store answered for account \S+: NoSuchBucket$/);
    } finally {
      await tested.stop();
    }
  });
});
