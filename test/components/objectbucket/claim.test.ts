import assert from "node:assert/strict";
import type { ObjectBucketClaimArgs } from "../../../components/objectbucket/claim-args";
import { ObjectBucketClaim } from "../../../components/objectbucket/object-bucket-claim";
import { StorageClass } from "../../../components/objectbucket/storage-class";
import { dynamic, makeDriver, run, untyped, type Run } from "./mocks";

/** A program of a claim, with changes of its arguments. */
function claimProgram(
  args: Partial<ObjectBucketClaimArgs> = {},
  driver: Parameters<typeof makeDriver>[0] = {},
  isOfProgram = true,
): Promise<Run> {
  return run(() => {
    const store = makeDriver(driver);
    const ofProgram = isOfProgram ? { storageClass: new StorageClass("gold", { driver: store }) } : {};
    new ObjectBucketClaim("photos", {
      namespace: "shop",
      generateBucketName: "photos",
      ...ofProgram,
      ...args,
    });
  });
}

describe("arguments of an ObjectBucketClaim", () => {
  const wrong: [string, Partial<ObjectBucketClaimArgs>, RegExp][] = [
    [
      "a mode that is not available [OBC-010]",
      { mode: untyped("controller") },
      /mode is "controller".*only "direct"/,
    ],
    ["no set of keys [OBC-041]", { keySets: [] }, /keySets is \[\]/],
    ["another set of keys [OBC-041]", { keySets: untyped(["azure"]) }, /keySets is \["azure"\]/],
    [
      "a further key that is defined [OBC-046]",
      { extraKeys: { configMap: { BUCKET_NAME: "region" } } },
      /extraKeys.configMap .*BUCKET_NAME/,
    ],
    [
      "a secret in the ConfigMap [OBC-046]",
      { extraKeys: { configMap: { KEY: "secretAccessKey" } } },
      /extraKeys.configMap .*secret/,
    ],
    [
      "a class twice [OBC-019]",
      { storageClassName: "other" },
      /storageClass and storageClassName are both given/,
    ],
    [
      "adoption of a bucket without a name [OBC-064]",
      { onExistingBucket: "adopt" },
      /onExistingBucket is "adopt", and no bucketName/,
    ],
    ["no namespace [OBC-103]", { namespace: untyped(undefined) }, /namespace is missing/],
    ["a dialect that is none", { dialect: untyped("noobaa") }, /dialect is "noobaa": give "rook", "seed"/],
    [
      "a change that is none",
      { configChange: untyped("patch") },
      /configChange is "patch": give "replace", "resend"/,
    ],
  ];
  for (const [title, args, expected] of wrong) {
    it(`are refused for ${title}`, async () => {
      await assert.rejects(claimProgram(args), expected);
    });
  }

  it("need a class, and a driver for one of the cluster [OBC-019]", async () => {
    await assert.rejects(claimProgram({}, {}, false), /storageClass and storageClassName are both missing/);
  });

  it("need a driver for one of the cluster", async () => {
    await assert.rejects(
      claimProgram({ storageClassName: "gold" }, {}, false),
      /driver is missing: give the Driver/,
    );
  });

  it("have no rotation and no adoption where a bucket comes with its account", async () => {
    const february = { contract: "cosi-2020-02" as const, driverName: "store.example.com" };
    await assert.rejects(
      claimProgram({ rotation: { trigger: 1 } }, february),
      /rotation is given.*leave it out/,
    );
  });
});

describe("resources of an ObjectBucketClaim", () => {
  it("are claim, bucket, account, Secret, ConfigMap and ObjectBucket [OBC-009]", async () => {
    const made = await claimProgram();
    for (const kind of ["Claim", "Bucket", "BucketAccess", "Secret", "ConfigMap", "ObjectBucketBinding"])
      assert.ok(dynamic(made, kind), kind);
  });
});
