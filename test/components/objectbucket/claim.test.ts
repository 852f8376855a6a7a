import assert from "node:assert/strict";
import type { ObjectBucketClaimArgs } from "../../../components/objectbucket/claim-args";
import { ObjectBucketClaim } from "../../../components/objectbucket/object-bucket-claim";
import { StorageClass } from "../../../components/objectbucket/storage-class";
import { secretOutput } from "../../../provider/dynamic/values";
import type { Answer } from "../objectstorage/mocks";
import { dynamic, makeDriver, run, untyped, type Run } from "./mocks";

/** A program of a claim, with changes of its arguments. */
function claimProgram(
  args: Partial<ObjectBucketClaimArgs> = {},
  driver: Parameters<typeof makeDriver>[0] = {},
  isOfProgram = true,
  answer?: Answer,
): Promise<Run> {
  const program = (): void => {
    const store = makeDriver(driver);
    const ofProgram = isOfProgram ? { storageClass: new StorageClass("gold", { driver: store }) } : {};
    new ObjectBucketClaim("photos", {
      namespace: "shop",
      generateBucketName: "photos",
      ...ofProgram,
      ...args,
    });
  };
  return run(program, answer === undefined ? {} : { answer });
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
      /onExistingBucket is "adopt", but no bucketName/,
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

  const signed = "https://store.example.com/c?sv=2024&sig=hunter2hunter2";
  /** What the provider of an access tells whose driver gave such an address. */
  const tellsSigned: Answer = ({ type, inputs }) =>
    type.endsWith(":BucketAccess")
      ? { id: "access", state: { ...(inputs as object), ...secretAddress(), accountId: "a" } }
      : undefined;
  const secretAddress = (): object => ({ endpoint: secretOutput(signed), accessKeyId: "A", region: null });

  it("have a driver's address with a signature in none of them: it is refused, and not repeated [OBC-050]", async () => {
    await assert.rejects(claimProgram({}, {}, true, tellsSigned), (error: Error) => {
      assert.match(error.message, /the endpoint that was told has a query .*as the argument endpoint/);
      assert.ok(!error.message.includes("hunter2"), error.message);
      return true;
    });
  });

  it("have the program's address in plain sight, whatever the driver told [OBC-051]", async () => {
    const made = await claimProgram({ endpoint: "https://s3.example.com" }, {}, true, tellsSigned);
    const { data } = dynamic(made, "ConfigMap").inputs as { data: Record<string, string> };
    assert.equal(data["BUCKET_HOST"], "s3.example.com");
    assert.ok(!JSON.stringify(dynamic(made, "ObjectBucketBinding").inputs).includes("hunter2"));
  });
});
