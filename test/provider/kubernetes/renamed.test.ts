import assert from "node:assert/strict";
import { isRecord } from "../../../provider/dynamic/values";
import { provider as nameGuard } from "../../../provider/kubernetes/name-guard";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { provider as claim } from "../../../provider/models/objectbucket/claim";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { beginRun } from "../../support/run";

const owner = "organization/shop/test";
const guarded = { kind: bucketClaimKind, namespace: "shop", owner };

/** A component of a program, by what it is called there, with the names that it gives its object. */
const guardInputs = (called: string, given?: string) => ({
  ...guarded,
  resource: `cosi:objectstorage:BucketClaim::${called}`,
  name: given ?? called,
  ...(given === undefined ? { isDefaultName: true } : {}),
});

const claimInputs = (called: string, secretName = called, naming: "plain" | "hashed" = "plain") => ({
  owner,
  resource: `cosi:objectbucket:ObjectBucketClaim::${called}`,
  namespace: "shop",
  name: called,
  isDefaultName: true,
  storageClass: null,
  storageClassName: "gold",
  provisioner: "cosi.objectbucket.io/store",
  driverName: "store",
  naming: "prefixAndUid" as const,
  generateBucketName: "photos",
  preferBucketName: false,
  brownfield: false,
  allowedAdditionalConfig: [],
  allowOperatorProvisioner: true,
  objectBucketName: objectBucketNameOf({ namespace: "shop", name: called }, naming),
  secretName,
  configMapName: called,
  dialect: "rook" as const,
  adopt: false,
  takesBucket: false,
});

/** The inputs as the state would keep them. @param check Of the provider. */
async function checked<Inputs extends object>(
  check: (olds: Inputs, news: Inputs) => Promise<{ inputs?: Inputs; failures?: { reason: string }[] }>,
  olds: Partial<Inputs>,
  news: Inputs,
): Promise<Inputs> {
  const { inputs, failures = [] } = await check(olds as Inputs, news);
  assert.deepEqual(failures, []);
  assert.ok(isRecord(inputs));
  return inputs;
}

describe("an object of a component that an alias renames", () => {
  beforeEach(beginRun);
  after(beginRun);

  it("keeps the default name and the mark that it has, and nothing of it changes", async () => {
    const olds = await checked(nameGuard.check, {}, guardInputs("photos"));
    beginRun();
    const news = await checked(nameGuard.check, olds, guardInputs("pictures"));
    assert.equal(news.name, "photos");
    assert.equal(news.resource, olds.resource);
    assert.deepEqual(await nameGuard.diff("", olds, news), { changes: false, replaces: [] });
  });

  it("keeps a default name of a state that does not tell that it is one", async () => {
    const { name, resource } = guardInputs("photos");
    const before = { ...guarded, name, resource };
    const news = await checked(nameGuard.check, before, guardInputs("pictures"));
    assert.equal(news.name, "photos");
  });

  it("has the name that the program gives, be it the component's own", async () => {
    const olds = await checked(nameGuard.check, {}, guardInputs("photos"));
    beginRun();
    const news = await checked(nameGuard.check, olds, guardInputs("pictures", "pictures"));
    assert.equal(news.name, "pictures");
    assert.deepEqual((await nameGuard.diff("", olds, news)).replaces, ["name"]);
  });

  it("keeps its name from another component, which then finds it taken in the preview", async () => {
    const olds = await checked(nameGuard.check, {}, guardInputs("photos"));
    beginRun();
    await checked(nameGuard.check, olds, guardInputs("pictures"));
    const { failures = [] } = await nameGuard.check({} as typeof olds, guardInputs("photos"));
    assert.match(
      failures.map(({ reason }) => reason).join(),
      /photos is written by the resource ".*::pictures"/,
    );
  });

  it("has what is named after it keep its name too, and what has a name of its own that", async () => {
    for (const naming of ["plain", "hashed"] as const) {
      beginRun();
      const olds = await checked(claim.check, {}, claimInputs("photos", "photos", naming));
      for (const [given, kept] of [
        ["pictures", "photos"],
        ["creds", "creds"],
      ] as const) {
        beginRun();
        const news = await checked(claim.check, olds, claimInputs("pictures", given, naming));
        assert.deepEqual(
          [news.name, news.secretName, news.configMapName, news.objectBucketName],
          ["photos", kept, "photos", olds.objectBucketName],
        );
        assert.equal(news.resource, olds.resource);
      }
    }
  });
});
