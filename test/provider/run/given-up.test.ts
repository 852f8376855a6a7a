import assert from "node:assert/strict";
import { provider as claimBinding } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";
import { provider as deploymentBinding } from "../../../provider/models/deployment/request-binding";
import { provider as julyBinding } from "../../../provider/models/cosi-2020-07/request-binding";
import { provider as februaryBinding } from "../../../provider/models/cosi-2020-02/content-binding";
import { provider as objectBucketClaim } from "../../../provider/models/objectbucket/claim";
import { isUnprotected, noteProtection } from "../../../provider/run/given-up";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const claim = { namespace: "shop", name: "photos", uid: "uid-1" };
const common = {
  owner: "organization/shop/test",
  resource: "photos",
  kubernetes: {},
  model: "cosi.io/v1alpha1",
};
const urnOf = (stack: string): string => `urn:pulumi:${stack}::shop::my:Component::photos`;

/** How each API model is told what the program says of a claim that the state has. */
const tellers: Record<string, (olds: Properties, news: Properties) => Promise<unknown>> = {
  "objectstorage.k8s.io": (olds, news) =>
    new Lifecycle(claimBinding).check({ ...olds, claim }, { ...news, claim, bucketNameFormat: "v0.2.2" }),
  "platform.plural.sh": (olds, news) =>
    new Lifecycle(deploymentBinding).check(
      { ...olds, request: claim },
      { ...news, model: "deployment-v1alpha1:platform.plural.sh", request: claim },
    ),
  "the proposal of 2020-07": (olds, news) =>
    new Lifecycle(julyBinding).check({ ...olds, request: claim }, { ...news, request: claim }),
  "the proposal of 2020-02": (olds, news) =>
    new Lifecycle(februaryBinding).check({ ...olds, bucket: claim }, { ...news, bucket: claim }),
  "objectbucket.io": (olds, news) => {
    const names = { namespace: claim.namespace, name: claim.name };
    const id = `${claim.namespace}/${claim.name}/${claim.uid}/new/bucket-1`;
    return new Lifecycle(objectBucketClaim).diff({ ...olds, ...names }, { ...news, ...names }, id);
  },
};

describe("what a program says of the data of a claim", () => {
  beforeEach(beginRun);

  for (const [model, tell] of Object.entries(tellers)) {
    it(`reaches what was made for it in a renamed stack too, by the claim's UID: ${model}`, async () => {
      const olds = { ...common, parent: urnOf("before") };
      const news = { ...common, parent: urnOf("after") };
      await tell(olds, { ...news, protectData: false });
      assert.equal(isUnprotected(claim), true);
      await tell(olds, news);
      assert.equal(isUnprotected(claim), false);
    });
  }

  it("says nothing of a claim whose UID nobody knows", () => {
    for (const unknown of [{ uid: "" }, null, undefined]) {
      noteProtection(unknown, false);
      assert.equal(isUnprotected(unknown), false);
    }
  });
});
