import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { Lifecycle } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const load: (file: string) => unknown = createRequire(__filename);
const root = path.join(__dirname, "../../../provider");

/** Those that have no owner, or whose owner is an object of the cluster, by its UID. */
const withoutStack = [
  "kubernetes/config-map.ts",
  "kubernetes/secret.ts",
  "models/objectbucket/adopted-claim.ts",
];

/** Every resource around objects of the cluster, by its file. */
function providerFiles(): string[] {
  return ["kubernetes", "models"]
    .flatMap((folder) =>
      fs.readdirSync(path.join(root, folder), { recursive: true }).map((file) => `${folder}/${String(file)}`),
    )
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => fs.readFileSync(path.join(root, file), "utf8").includes("export const provider "))
    .filter((file) => !withoutStack.includes(file))
    .sort();
}

const reference = { namespace: "shop", name: "photos", uid: "uid-1" };

/** What any of them has, so far as its plan reads it. */
const recorded = {
  ...reference,
  kubernetes: {},
  resource: "photos",
  model: "cosi.io/v1alpha1",
  kind: { apiVersion: "v1", kind: "Secret", plural: "secrets" },
  owner: "organization/shop/before",
  claim: reference,
  request: reference,
  bucket: reference,
  access: reference,
  accessRequest: reference,
  object: reference,
  protocolFields: { bucketName: "photos-1" },
  created: [],
  adopt: false,
};

describe("the plan of a resource that records whose stack its objects are", () => {
  beforeEach(beginRun);

  for (const file of providerFiles()) {
    it(`is an update once the stack is renamed, and none after it: ${file}`, async () => {
      const loaded: unknown = load(path.join(root, file));
      assert.ok(typeof loaded === "object" && loaded !== null && "provider" in loaded);
      const lifecycle = new Lifecycle(loaded.provider);
      const id = "shop/photos/uid-1/new/bucket-1";
      const renamed = { ...recorded, owner: "organization/shop/after" };
      const planned = await lifecycle.diff(recorded, renamed, id);
      assert.deepEqual([planned.changes, planned.replaces], [true, []]);
      assert.equal((await lifecycle.diff(renamed, renamed, id)).changes, false);
    });
  }

  it("is an update of a Secret too, and none where a state of an earlier release takes the stack's name in", async () => {
    const secret = new Lifecycle(secretProvider);
    const { owner: before, ...rest } = recorded;
    const inputs = { ...rest, owner: { apiVersion: "v1", kind: "Pod", name: "rw", uid: "uid-2" }, data: {} };
    const named = { ...inputs, stack: before };
    const renamed = { ...inputs, stack: "organization/shop/after" };
    assert.equal((await secret.diff(named, renamed, "shop/photos")).changes, true);
    assert.equal((await secret.diff(named, named, "shop/photos")).changes, false);
    for (const earlier of [inputs, { ...inputs, stack: null }])
      assert.equal((await secret.diff(earlier, named, "shop/photos")).changes, false);
  });
});
