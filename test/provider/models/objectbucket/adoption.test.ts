import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider as adoptedProvider } from "../../../../provider/models/objectbucket/adopted-claim";
import { provider as claimProvider } from "../../../../provider/models/objectbucket/claim";
import { claimIdOf } from "../../../../provider/models/objectbucket/claim-id";
import { provider as bindingProvider } from "../../../../provider/models/objectbucket/object-bucket-binding";
import { Lifecycle, printed, type Properties } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";
import { claimProgram, type ClaimPlace } from "../../../support/objectbucket/claim-program";

const place: ClaimPlace = { namespace: "shop", target: {}, endpoint: "unix:///run/cosi/cosi.sock" };
const claim = { namespace: "shop", name: "photos", uid: "8f14e45f-ceea-467e-bd4d-2a3f3c1d9a01" };
const id = claimIdOf({ ...claim, isExisting: true, bucket: "photos-3b1c" });

/** Inputs of a claim that is adopted, as a program without an edit gives them. */
function adoptedInputs(changes: Properties = {}): Properties {
  const [first] = claimProgram(place, "photos", { inputs: { adopt: true, ...changes } });
  if (first === undefined) throw new Error("the program has no claim");
  const none = (): never => {
    throw new Error("a claim comes first");
  };
  return first.inputs(none, none);
}

describe("a claim that is adopted", () => {
  const lifecycle = new Lifecycle(claimProvider);
  beforeEach(() => {
    beginRun();
  });

  for (const [title, input, changes] of [
    ["another class", "storageClassName", { storageClassName: "renamed" }],
    ["another namespace", "namespace", { namespace: "elsewhere" }],
    ["a namespace that is replaced", "namespace", { namespace: pulumi.runtime.unknownValue }],
    ["another name", "name", { name: "pictures" }],
    [
      "other settings",
      "additionalConfig",
      { additionalConfig: { maxObjects: "2" }, configChange: "replace" },
    ],
    ["another Secret", "secretName", { secretName: "keys" }],
    ["another ConfigMap", "configMapName", { configMapName: "where" }],
  ] as const) {
    it(`is not replaced because of ${title}: its objects would go, and nothing come [OBC-075]`, async () => {
      const olds = adoptedInputs();
      const refused = lifecycle.diff(olds, adoptedInputs(changes), id);
      const expected =
        input === "additionalConfig"
          ? /additionalConfig was changed, and nothing is sent.*take the change back/
          : new RegExp(
              `shop/photos was taken over as it is, and would be replaced \\(${input}\\).*take the change back`,
            );
      await assert.rejects(refused, expected);
    });
  }

  it("is not replaced where that is asked for, which asks only what has its UID [OBC-075]", async () => {
    const named = { objectBucketName: "obc-shop-photos", secretName: "photos", configMapName: "photos" };
    const asked = new Lifecycle(adoptedProvider).diff(
      { ...named, claim },
      { ...named, claim: { ...claim, uid: pulumi.runtime.unknownValue } },
    );
    await assert.rejects(asked, /would be replaced \(claim\).*take the change back, or the --replace/);
  });

  it("has no successor where it is gone, which the text says", async () => {
    const olds = { ...adoptedInputs(), lost: true };
    await assert.rejects(
      lifecycle.diff(olds, adoptedInputs(), id),
      /is gone, or another one has its name.*remove it from the program.*pulumi state delete/,
    );
  });

  it("stays adopted, and the text names the ways out", async () => {
    await assert.rejects(
      lifecycle.diff(adoptedInputs(), adoptedInputs({ adopt: false }), id),
      /give adopt: true; to have a claim made, declare it beside this one under another name; to hand this one back, .*state delete/,
    );
  });

  it("shows no change of labels and annotations, which it does not get, and says so once", async () => {
    const olds = adoptedInputs();
    const given = adoptedInputs({ labels: { team: "other" }, annotations: { note: "other" } });
    let news: Properties = {};
    const lines = await printed(async () => {
      ({ inputs: news } = await lifecycle.check(olds, given));
    });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /shop\/photos: not written: labels and annotations, as adopt leaves/);
    assert.equal((await lifecycle.diff(olds, news, id)).changes, false);
    assert.deepEqual(await printed(() => lifecycle.check(news, given)), []);

    const binding = { claim, name: "obc-shop-photos", adopt: true };
    const other = { ...binding, labels: { team: "other" }, annotations: { note: "other" } };
    assert.equal((await new Lifecycle(bindingProvider).diff(binding, other)).changes, false);
  });
});
