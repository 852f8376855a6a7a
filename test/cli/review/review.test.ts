import assert from "node:assert/strict";
import { markdownOf } from "../../../cli/review/markdown";
import { PreviewError, readPreview } from "../../../cli/review/preview";
import { review } from "../../../cli/review/review";
import { reviewOf } from "../../support/ci/review";
import {
  driver,
  findingsOf,
  found,
  languages,
  secretOfState,
  step,
  unknownText,
  type StateOptions,
} from "./steps";

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`the findings of a review, of a program in ${language}`, () => {
    const [bucket, access] = [typeOf("Bucket"), typeOf("BucketAccess")];

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
      for (const hidden of ["[secret]", secretOfState, unknownText]) {
        for (const permittedNamespaces of [hidden, [hidden], [{ name: hidden }]]) {
          const [wider, ...others] = findingsOf(step("update", type, "b", few, { permittedNamespaces }));
          assert.equal(wider?.category, "access-widening");
          assert.match(
            wider.what,
            /^further namespaces may use it too \(the preview does not show all of them\)$/,
          );
          assert.equal(wider.why, "until now: shop");
          assert.deepEqual(others, []);
        }
        const ofClass = { spec: { additionalPermittedNamespaces: hidden } };
        assert.deepEqual(found(step("update", kind, "c", spec([]), ofClass)), [
          "access-widening BucketClass c",
        ]);
      }
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

    it("tell when a bucket is protected less, and not when it is protected more", () => {
      const [kept, deleted] = [{ deletionPolicy: "Retain" }, { deletionPolicy: "Delete" }];
      assert.deepEqual(found(step("update", bucket, "b", kept, deleted)), ["protection-lowered Bucket b"]);
      assert.deepEqual(found(step("update", bucket, "b", deleted, kept)), []);
      const unguarded = { ...deleted, protectData: false };
      assert.deepEqual(found(step("update", bucket, "b", deleted, unguarded)), [
        "protection-lowered Bucket b",
      ]);
    });

    it("tell by what a delete does of a policy that cannot be read, and take for the worst what nobody can read", () => {
      const deletes =
        "DELETES the bucket b (it keeps) and what the driver deletes with it (deletionPolicy Delete)";
      const keeps = "keeps the bucket and its data (deletionPolicy Retain)";
      for (const deletionPolicy of ["[secret]", secretOfState, unknownText]) {
        const gone = (more: object) => found(step("delete", bucket, "b", { deletionPolicy, ...more }));
        assert.deepEqual(gone({ onDelete: deletes }), ["data-loss Bucket b"]);
        assert.deepEqual(gone({ onDelete: keeps }), ["orphaned-data Bucket b"]);
        assert.deepEqual(gone({}), ["data-loss Bucket b"]);
        assert.deepEqual(gone({ onDelete: "[secret]" }), ["data-loss Bucket b"]);
        assert.deepEqual(gone({ existingBucketId: secretOfState }), []);
        const [lost] = findingsOf(step("delete", bucket, "b", { deletionPolicy }));
        assert.match(lost?.what ?? "", /may be deleted.*the preview does not show its deletionPolicy/);
        assert.equal(lost?.policy, undefined);
        const changes = (before: object, after: object) => found(step("update", bucket, "b", before, after));
        const [was, is] = [{ deletionPolicy: "Retain" }, { deletionPolicy }];
        assert.deepEqual(changes(was, { ...is, onDelete: deletes }), ["protection-lowered Bucket b"]);
        assert.deepEqual(changes(was, { ...is, onDelete: keeps }), []);
        assert.deepEqual(changes(was, is), ["protection-lowered Bucket b"]);
        assert.deepEqual(changes({ ...is, onDelete: deletes }, { ...is, onDelete: deletes }), []);
        const toldLater = { deletionPolicy: "Delete", existingBucketId: unknownText };
        assert.deepEqual(changes(was, toldLater), ["protection-lowered Bucket b"]);
        const unguarded = { deletionPolicy: "Delete", protectData: deletionPolicy };
        assert.deepEqual(changes({ deletionPolicy: "Delete" }, unguarded), ["protection-lowered Bucket b"]);
      }
    });

    it("tell of the end of an account that comes with a bucket, whose policy cannot be read", () => {
      const onDelete = "revokes its account, keeps the bucket and its data (it existed before)";
      const inputs = {
        driver: { ...driver, contract: "cosi-2020-02" },
        deletionPolicy: "[secret]",
        onDelete,
      };
      assert.deepEqual(found(step("delete", bucket, "b", inputs)), ["credential-revoked Bucket b"]);
    });

    it("tell that an account stays alive whose rotation revokes nothing, and of the new one beside it", () => {
      const rotation = { generation: 1 };
      const rotated = (before: object, after: object, more: StateOptions = {}) =>
        found({ ...step("replace", access, "a", before, after, more), replaceReasons: ["rotation"] });
      assert.deepEqual(rotated({ rotation: { generation: 0 } }, { rotation }), [
        "credential-rotated BucketAccess a",
      ]);
      const left = ["credential-left BucketAccess a", "credential-minted BucketAccess a"];
      for (const existingAccount of [{ accountId: "theirs" }, "[secret]", secretOfState]) {
        const taken = { existingAccount, rotation: { generation: 0 } };
        assert.deepEqual(rotated(taken, { ...taken, rotation }), left);
        assert.deepEqual(rotated({ existingAccount }, { existingAccount, rotation }), left);
        const again = { existingAccount, rotation: { generation: 2 } };
        assert.deepEqual(rotated({ existingAccount, rotation }, again), [
          "credential-rotated BucketAccess a",
        ]);
      }
      assert.deepEqual(rotated({}, { rotation }, { retainOnDelete: true }), left);
    });
  });
}

describe("what a review reads and writes", () => {
  const [bucket, access] = [languages.TypeScript("Bucket"), languages.TypeScript("BucketAccess")];

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
      /a file has no steps: give the whole standard output of pulumi preview --json/,
    );
    const failed = { steps: [], diagnostics: [{ severity: "error", message: "error: name is empty\n" }] };
    assert.throws(() => readPreview(JSON.stringify(failed), "a file"), /in a file has failed: name is empty/);
  });

  it("is refused where it failed and nothing says why, as where a policy refuses something", async () => {
    const diagnostics = [{ severity: "error", message: "error: preview failed\n" }];
    const steps = [step("update", bucket, "b", {}, {})];
    const refused =
      /has failed: nothing in it says why, as when a policy .* run pulumi preview without --json/;
    assert.throws(() => readPreview(JSON.stringify({ steps, diagnostics }), "a file"), refused);
    const after = `${JSON.stringify({ steps }, undefined, 2)}\nerror: preview failed\n`;
    assert.throws(() => readPreview(after, "a file"), refused);
    assert.equal((await reviewOf(["-"], JSON.stringify({ steps, diagnostics }))).code, 3);
  });

  it("is said to leave out what nobody can tell from nothing, where it is piped in without what stays", async () => {
    const one = step("create", bucket, "b", undefined, {});
    const stack = step("same", "pulumi:pulumi:Stack", "shop-prod", {}, {});
    const note =
      /--show-replacement-steps and --show-sames, it also leaves out what an earlier run has left to be deleted/;
    assert.match((await reviewOf(["-"], JSON.stringify({ steps: [stack, one] }))).err, note);
    const stays = step("same", bucket, "c", { deletionPolicy: "Retain" }, { deletionPolicy: "Retain" });
    assert.equal((await reviewOf(["-"], JSON.stringify({ steps: [stack, one, stays] }))).err, "");
  });

  it("counts a state without a policy as one that may delete", () => {
    const lost = found({ ...step("delete", bucket, "b", {}), oldState: {} });
    assert.deepEqual(lost, ["data-loss Bucket b"]);
    assert.deepEqual(found(step("delete", bucket, "b", {})), ["data-loss Bucket b"]);
    assert.deepEqual(found(step("update", bucket, "b", { deletionPolicy: "Retain" }, {})), [], "the default");
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
    assert.deepEqual(readPreview('{\n  "steps": []\n}\nwarning: a plugin is old\n', "a file"), []);
  });

  it("is Markdown in which a name is no markup", () => {
    const gone = step("delete", bucket, "<b>*_x_*", { name: "n`|", deletionPolicy: "Delete" });
    const text = markdownOf(review(readPreview(JSON.stringify({ steps: [gone] }), "a test")));
    assert.ok(text.includes("Bucket \\<b\\>\\*\\_x\\_\\*"), text);
    assert.ok(text.includes("n\\`\\|"), text);
  });

  it("is Markdown in which a name calls nobody, is no link, and hides and turns nothing", () => {
    const name =
      "@everyone ~~x~~ &lt; $a$ http://evil.example www.evil.example \u001b[31mred \u202eabc\u200b";
    const gone = step("delete", bucket, name, { name: "n", deletionPolicy: "Delete" });
    const text = markdownOf(review(readPreview(JSON.stringify({ steps: [gone] }), "a test")));
    for (const part of [
      "@<!-- -->everyone \\~\\~x\\~\\~ \\&lt; \\$a\\$",
      "http\\://evil.example www\\.evil.example",
      "\\\\u{1b}\\[31mred \\\\u{202e}abc\\\\u{200b}",
    ]) {
      assert.ok(text.includes(part), `${part}\n${text}`);
    }
    assert.doesNotMatch(text, /\u200b|\u202e/);
    assert.ok(!text.includes("\u001b"));
  });
});
