import assert from "node:assert/strict";
import { markdownOf } from "../../../cli/review/markdown";
import { PreviewError, readPreview } from "../../../cli/review/preview";
import { review } from "../../../cli/review/review";

type Properties = Readonly<Record<string, unknown>>;

const driver = { driverName: "db.example.com", contract: "cosi.v1alpha1" };

/** A step as `pulumi preview --json` writes it. */
const step = (
  op: string,
  type: string,
  name: string,
  oldInputs?: Properties,
  newInputs?: Properties,
  more = {},
) => ({
  op,
  urn: `urn:pulumi:prod::shop::${type}::${name}`,
  ...(oldInputs === undefined
    ? {}
    : { oldState: { inputs: { driver, ...oldInputs }, outputs: {}, ...more } }),
  ...(newInputs === undefined ? {} : { newState: { inputs: { driver, ...newInputs } } }),
});
const bucket = "pulumi-nodejs:dynamic/cosi:Bucket";
const access = "pulumi-nodejs:dynamic/cosi:BucketAccess";

/** Category and object of each finding. */
const found = (...steps: readonly object[]): string[] =>
  review(readPreview(JSON.stringify({ steps }), "a test")).findings.map(
    ({ category, resource }) => `${category} ${resource}`,
  );

describe("the findings of a review", () => {
  it("tell of callers without credentials where the driver will be told, and not at an update", () => {
    const open = { anonymousAccess: "rw" };
    assert.deepEqual(found(step("create", bucket, "b", undefined, open)), ["access-widening Bucket b"]);
    assert.deepEqual(found(step("create", bucket, "b", undefined, { anonymousAccess: "private" })), []);
    assert.deepEqual(found(step("update", bucket, "b", { anonymousAccess: "ro" }, open)), []);
    const replaced = found(step("replace", bucket, "b", { anonymousAccess: "ro", name: "b" }, open));
    assert.ok(replaced.includes("access-widening Bucket b"), replaced.join());
    const narrower = found(step("replace", bucket, "b", { ...open, name: "b" }, { anonymousAccess: "ro" }));
    assert.ok(!narrower.includes("access-widening Bucket b"), narrower.join());
  });

  it("tell of further namespaces that may bind, and of none where they become fewer", () => {
    const type = "pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket";
    const [few, more] = [["shop"], ["shop", "lab"]].map((names) => ({
      permittedNamespaces: names.map((name) => ({ name })),
    }));
    assert.deepEqual(found(step("update", type, "b", few, more)), ["access-widening AdminBucket b"]);
    assert.deepEqual(found(step("update", type, "b", more, few)), []);
    const kind = "kubernetes:cosi.io/v1alpha1:BucketClass";
    const spec = (names: string[]) => ({ spec: { additionalPermittedNamespaces: names } });
    assert.deepEqual(found(step("update", kind, "c", spec([]), spec(["lab"]))), [
      "access-widening BucketClass c",
    ]);
  });

  it("tell of the account that comes with a bucket by the contract cosi-2020-02", () => {
    const inputs = { driver: { ...driver, contract: "cosi-2020-02" }, deletionPolicy: "Delete" };
    assert.deepEqual(found(step("create", bucket, "b", undefined, inputs)), ["credential-minted Bucket b"]);
    assert.deepEqual(found(step("delete", bucket, "b", inputs)), [
      "data-loss Bucket b",
      "credential-revoked Bucket b",
    ]);
  });

  it("tell that an account which was taken over stays, until a rotation has replaced it", () => {
    const existingAccount = { accountId: "theirs" };
    assert.deepEqual(found(step("create", access, "a", undefined, { existingAccount })), []);
    assert.deepEqual(found(step("delete", access, "a", { existingAccount })), [
      "credential-left BucketAccess a",
    ]);
    const rotated = { existingAccount, rotation: { generation: 1 } };
    assert.deepEqual(found(step("delete", access, "a", rotated)), ["credential-revoked BucketAccess a"]);
    const kept = step("delete", access, "a", {}, undefined, { retainOnDelete: true });
    assert.deepEqual(found(kept), ["credential-left BucketAccess a"]);
  });

  it("tell of a grant that is asked for again, as the state knows no account", () => {
    const again = step("update", access, "a", {}, {}, { outputs: { accountId: null } });
    assert.deepEqual(found(again), ["credential-minted BucketAccess a"]);
    assert.deepEqual(found(step("update", access, "a", {}, {}, { outputs: { accountId: "a" } })), []);
  });

  it("say nothing of a bucket that another resource takes over by its id", () => {
    const gone = step("delete", bucket, "old", { name: "photos", deletionPolicy: "Delete" });
    const heir = step("create", bucket, "new", undefined, { existingBucketId: "photos" });
    assert.deepEqual(found(gone, heir), []);
    assert.deepEqual(found(gone), ["data-loss Bucket old"]);
  });

  it("tell when a bucket is protected less, and not when it is protected more", () => {
    const [kept, deleted] = [{ deletionPolicy: "Retain" }, { deletionPolicy: "Delete" }];
    assert.deepEqual(found(step("update", bucket, "b", kept, deleted)), ["protection-lowered Bucket b"]);
    assert.deepEqual(found(step("update", bucket, "b", deleted, kept)), []);
    const unguarded = { ...deleted, protectData: false };
    assert.deepEqual(found(step("update", bucket, "b", deleted, unguarded)), ["protection-lowered Bucket b"]);
  });
});

describe("what a review reads and writes", () => {
  it("has the properties of others as they are, whatever they are called", () => {
    const theirs = { granted: "{ a: grant }", __internal: "{", __objects: {}, __recorded: "{'granted':{}}" };
    for (const type of ["postgresql:index/grant:Grant", "pulumi-nodejs:dynamic/cosium:Bucket", "cosi:x:Y"]) {
      const [read] = readPreview(
        JSON.stringify({ steps: [step("create", type, "g", {}, theirs)] }),
        "a test",
      );
      assert.deepEqual(read?.after?.inputs, { driver, ...theirs }, type);
    }
    const type = "pulumi-nodejs:dynamic/cosi/kubernetes:Secret";
    const ours = step("create", type, "s", {}, { __internal: "{'owner':'o'}" });
    const [read] = readPreview(JSON.stringify({ steps: [ours] }), "a test");
    assert.deepEqual(read?.after?.inputs, { driver, owner: "o" });
  });

  it("is refused where it is no preview, or one that failed", () => {
    assert.throws(() => readPreview("no", "a file"), PreviewError);
    assert.throws(
      () => readPreview("{}", "a file"),
      /a file has no steps: give what pulumi preview --json writes/,
    );
    const failed = { steps: [], diagnostics: [{ severity: "error", message: "error: name is empty\n" }] };
    assert.throws(() => readPreview(JSON.stringify(failed), "a file"), /in a file has failed: name is empty/);
  });

  it("has each replacement once, and as a deletion what leaves with it or was left by an earlier run", () => {
    const of = (op: string, name: string, id: string) => ({
      op,
      urn: `urn:pulumi:prod::shop::${access}::${name}`,
      oldState: { id },
    });
    const steps = readPreview(
      JSON.stringify({
        steps: [
          of("delete-replaced", "leaves", "1"),
          of("delete-replaced", "stays", "2"),
          of("replace", "stays", "2"),
          of("create-replacement", "stays", "2"),
          of("delete-replaced", "stays", "left"),
        ],
      }),
      "a test",
    );
    assert.deepEqual(
      steps.map(({ op, name, before }) => [op, name, before?.id]),
      [
        ["delete", "leaves", "1"],
        ["replace", "stays", "2"],
        ["delete", "stays", "left"],
      ],
    );
  });

  it("is read between what the other stream says", () => {
    assert.deepEqual(readPreview('warning: {x}\n{ "steps": [] }', "a file"), []);
    assert.deepEqual(readPreview('{\n  "steps": []\n}\nerror: preview failed\n', "a file"), []);
  });

  it("is Markdown in which a name is no markup", () => {
    const gone = step("delete", bucket, "<b>*_x_*", { name: "n`|", deletionPolicy: "Delete" });
    const text = markdownOf(review(readPreview(JSON.stringify({ steps: [gone] }), "a test")));
    assert.ok(text.includes("Bucket \\<b\\>\\*\\_x\\_\\*"), text);
    assert.ok(text.includes("n\\`\\|"), text);
  });
});
