import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, paths, s3Secrets } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

forEachContract("size limits", (contract) => {
  const { bucket, access, obligingDriver, driverReference, say, ids, credential } = contract;
  let driver: FakeDriver;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;
  let large: Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    large = { driver: { ...reference, largeFields: true } };
    ofBucket = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
    const ofIt = { bucketName: "photos-1", bucketId: "b1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "photos-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  describe("of what the program gives", () => {
    /** A map of so many bytes. */
    const mapOf = (bytes: number) => ({ k: "v".repeat(bytes - 1) });

    for (const [resource, lifecycle, inputs] of [
      ["Bucket", bucket, (changes: Properties) => ofBucket(changes)],
      ["BucketAccess", access, (changes: Properties) => ofAccess(changes)],
    ] as const) {
      it(`are kept by a ${resource}: what fits is sent, what does not fails in check and sends nothing ${ids("[GRPC-041] [CASE-C13]", "[DEP-039]")}`, async () => {
        const fits = { name: "n".repeat(63), parameters: mapOf(4096) };
        await lifecycle.create(inputs(fits));
        const [sent] = driver.calls.slice(-1);
        const decoded =
          resource === "Bucket"
            ? DriverCreateBucketRequest.decode(sent?.body ?? Buffer.alloc(0))
            : DriverGrantBucketAccessRequest.decode(sent?.body ?? Buffer.alloc(0));
        assert.equal(decoded.name, fits.name);
        assert.deepEqual(Object.fromEntries(decoded.parameters), fits.parameters);

        const calls = driver.calls.length;
        for (const [changes, text] of [
          [{ name: "n".repeat(64) }, /^name has 64 characters, .* at most 63/],
          [{ parameters: mapOf(4097) }, /^parameters has 4097 bytes .* allows 4096/],
          [
            { parameters: { k: `${"v".repeat(4094)}é` } },
            /^parameters has 4097 bytes .* allows 4096.*largeFields/,
          ],
        ] as const) {
          const { failures } = await lifecycle.check({}, inputs({ logicalName: "other", ...changes }));
          assert.equal(failures.length, 1);
          assert.match(failures[0] ?? "", text);
          await assert.rejects(lifecycle.create(inputs({ logicalName: "other", ...changes })));
        }
        assert.equal(driver.calls.length, calls);
      });

      it(`are lifted for a ${resource} by largeFields, but for the name`, async () => {
        const policy = { policy: "p".repeat(5994) };
        await lifecycle.create(inputs({ ...large, parameters: policy }));
        assert.ok((driver.calls.at(-1)?.body.length ?? 0) > 6000);
        const { failures } = await lifecycle.check({}, inputs({ ...large, name: "n".repeat(64) }));
        assert.match(failures.join(), /^name has 64 characters/);
      });

      it(`of a ${resource} name the key of a value that is no text, and never a value [CASE-C13]`, async () => {
        const { failures } = await lifecycle.check({}, inputs({ parameters: { quota: 1234567, a: "b" } }));
        assert.match(failures.join(), /^parameters.quota is a number, and must be a text: put it in quotes/);
        assert.ok(!failures.join().includes("1234567"));
      });
    }
  });

  describe("of what a driver or a backend issued", () => {
    const id = "b".repeat(600);
    const account = "a".repeat(600);

    it(`only warn, once in the run that records it; the ids are sent back unchanged ${ids("[GRPC-042]", "[DEP-040]")}`, async () => {
      driver.on(paths.create, () => answers.created(id));
      driver.on(paths.grant, () => answers.granted(account, { ...s3Secrets(), policy: "p".repeat(5000) }));
      const made: { bucket: Properties; access: Properties } = { bucket: {}, access: {} };
      const news = ofBucket({ logicalName: "long", deletionPolicy: "Delete" });
      const first = await printed(async () => {
        made.bucket = (await bucket.create(news)).outputs;
        made.access = (await access.create(ofAccess({ logicalName: "long-rw", bucketId: id }))).outputs;
      });
      assert.equal(first.length, 3);
      assert.match(first[0] ?? "", say(/^warning: bucket long-\w+: bucket_id has 600 bytes, .* allows 128/));
      assert.match(first[1] ?? "", /^warning: access long-rw-\w+: account_id has 600 bytes, .* allows 128/);
      assert.match(first[2] ?? "", /^warning: access long-rw-\w+: the credentials "s3" have \d+ bytes.*4096/);
      assert.equal(made.bucket["bucketId"], id);
      assert.equal(credential(made.access, "policy"), "p".repeat(5000));

      beginRun();
      const later = await printed(async () => {
        const { inputs } = await bucket.check(made.bucket, news);
        assert.deepEqual(await bucket.diff(made.bucket, inputs), { changes: false, replaces: [] });
        beginRun();
        await access.delete(made.access);
        await bucket.delete(made.bucket);
      });
      assert.deepEqual(later, []);
      const revoke = DriverRevokeBucketAccessRequest.decode(bytes("DriverRevokeBucketAccess"));
      assert.deepEqual([revoke.bucketId, revoke.accountId], [id, account]);
      assert.equal(DriverDeleteBucketRequest.decode(bytes("DriverDeleteBucket")).bucketId, id);
    });

    it(`only warn of a bucket that exists already, in the preview too, and not once it is taken ${ids("[GRPC-042]", "[DEP-040]")}`, async () => {
      const news = ofBucket({ logicalName: "old", existingBucketId: `old-${id}` });
      const preview = await printed(() => bucket.check({}, news));
      assert.equal(preview.length, 1);
      assert.match(
        preview[0] ?? "",
        say(/^warning: bucket old-b+: existingBucketId has 604 bytes, .* allows 128/),
      );
      const { outputs } = await bucket.create(news);
      const unchanged = await printed(() =>
        bucket.check(outputs, ofBucket({ logicalName: "old", existingBucketId: `old-${id}` })),
      );
      assert.deepEqual(unchanged, []);
      assert.equal(outputs["bucketId"], `old-${id}`);
      const unknown = ofBucket({ existingBucketId: pulumi.runtime.unknownValue });
      assert.deepEqual(await printed(() => bucket.check({}, unknown)), []);
    });

    it("say nothing where the driver documents larger fields", async () => {
      driver.on(paths.create, () => answers.created(id));
      driver.on(paths.grant, () => answers.granted(account, { ...s3Secrets(), policy: "p".repeat(5000) }));
      const lines = await printed(async () => {
        await bucket.create(ofBucket({ ...large, logicalName: "documented" }));
        await access.create(ofAccess({ ...large, logicalName: "documented-rw" }));
      });
      assert.deepEqual(lines, []);
    });

    if (contract.name === "cosi.v1alpha1") {
      it("of the next contract are told of once per run and driver", async () => {
        const reference = driverReference(driver.endpoint, { driverName: "odd.example.com" });
        driver.on(paths.getInfo, () => answers.info("odd.example.com"));
        driver.on(paths.create, (_, earlier) => answers.created(`zone:${earlier}=`));
        const lines = await printed(async () => {
          await bucket.create(ofBucket({ driver: reference, logicalName: "one" }));
          await bucket.create(ofBucket({ driver: reference, logicalName: "two" }));
        });
        assert.equal(lines.length, 1);
        assert.match(
          lines[0] ?? "",
          say(/^warning: driver odd\.example\.com: bucket ids such as "zone:0=" .*v1alpha2/),
        );
      });
    }
  });

  function bytes(rpc: string): Buffer {
    return Buffer.from(driver.bodies(rpc).at(-1) ?? "", "hex");
  }
});
