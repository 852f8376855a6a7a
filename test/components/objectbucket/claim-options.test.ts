import assert from "node:assert/strict";
import type { ObjectBucketClaimArgs } from "../../../components/objectbucket/claim-args";
import { ObjectBucketClaim } from "../../../components/objectbucket/object-bucket-claim";
import { StorageClass } from "../../../components/objectbucket/storage-class";
import { dynamic, makeDriver, run, type Run } from "./mocks";

type DriverArgs = Parameters<typeof makeDriver>[0];

/** A claim of a class of the program. */
function claimProgram(args: Partial<ObjectBucketClaimArgs>, driver: DriverArgs = {}): Promise<Run> {
  return run(() => {
    new ObjectBucketClaim("photos", {
      namespace: "shop",
      storageClass: new StorageClass("gold", { driver: makeDriver(driver) }),
      generateBucketName: "photos",
      ...args,
    });
  });
}

describe("options of an ObjectBucketClaim that do not go together", () => {
  const february: DriverArgs = { contract: "cosi-2020-02", driverName: "store.example.com" };

  it("are a rotation and adoption, which leaves the account as it is", async () => {
    await assert.rejects(
      claimProgram({ adopt: true, rotation: { trigger: 1 } }),
      /rotation is given beside adopt.*leave one of them out/,
    );
  });

  it("are adoption and a way to change settings, as nothing is sent and nothing may replace the claim", async () => {
    for (const configChange of ["replace", "resend"] as const) {
      await assert.rejects(
        claimProgram({ adopt: true, configChange }),
        /configChange is "re\w+" beside adopt.*leave configChange out, and additionalConfig as it is/,
      );
    }
  });

  it("are a resend and a driver whose repeated create ends the keys in use [OBC-076]", async () => {
    await assert.rejects(
      claimProgram({ configChange: "resend" }, february),
      /configChange is "resend".*issues other keys.*leave it out, or give "replace"/,
    );
  });

  it("are a bucket's changed settings and no resend, which has them refused [OBC-076]", async () => {
    for (const [configChange, expected] of [
      ["resend", "resend"],
      ["replace", "refuse"],
      [undefined, "refuse"],
    ] as const) {
      const made = await claimProgram(configChange === undefined ? {} : { configChange });
      assert.equal(dynamic(made, "Bucket").inputs["parametersChange"], expected);
    }
  });

  it("are not a rotation, or adoption, alone", async () => {
    const rotated = await claimProgram({ rotation: { trigger: 1 } });
    assert.equal(dynamic(rotated, "Claim").inputs["adopt"], false);
    const adopted = await claimProgram({ adopt: true });
    assert.equal(dynamic(adopted, "Claim").inputs["adopt"], true);
  });
});
