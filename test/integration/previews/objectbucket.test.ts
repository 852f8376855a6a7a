import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import { describePreviews } from "../../support/previews/golden-previews";
import { WorkflowPlace } from "../../support/previews/workflow-place";

const parts = `
const classOf = (name: string, more: object = {}) =>
  new objectbucket.StorageClass(name, { driver, name: name + "-" + namespace, reclaimPolicy: "Delete", ...more });
const gold = classOf("gold");
const silver = classOf("silver", { parameters: { tier: "cold" } });
const claim = (name: string, more: object = {}, opts: object = {}) =>
  new objectbucket.ObjectBucketClaim(name, { namespace, storageClass: gold, generateBucketName: name, ...more }, opts);
`;

const created = `
const storageClass = new objectbucket.StorageClass("gold", {
  driver, name: "gold-" + namespace, reclaimPolicy: "Delete",
});
new objectbucket.ObjectBucketClaim("photos", { namespace, storageClass, generateBucketName: "photos" });
`;

const before = `${parts}
claim("of-an-edited-class", { storageClass: classOf("class-policy") });
claim("another-class", { protectData: false });
claim("additional-config", { additionalConfig: { maxObjects: "10" }, configChange: "resend" });
claim("key-sets");
claim("labels");
claim("rotation");
claim("removed");
claim("renamed", { name: "renamed" });
`;

const after = `${parts}
claim("of-an-edited-class", { storageClass: classOf("class-policy", { reclaimPolicy: "Retain" }) });
claim("another-class", { protectData: false, storageClass: silver });
claim("additional-config", { additionalConfig: { maxObjects: "20" }, configChange: "resend" });
claim("key-sets", { extraKeys: { secret: { AWS_REGION: "region" } } });
claim("labels", { labels: { team: "shop" } });
claim("rotation", { rotation: { trigger: "2026-11" } });
claim("renamed-now", { name: "renamed", generateBucketName: "renamed" }, { aliases: [{ name: "renamed" }] });
`;

describePreviews(
  "objectbucket",
  async () => new WorkflowPlace(await ClaimWorkflow.start()),
  ({ flow }) => {
    const head = flow.programHead();
    return { created: head + created, before: head + before, after: head + after };
  },
  ["of-an-edited-class", "renamed", "renamed-now"],
);
