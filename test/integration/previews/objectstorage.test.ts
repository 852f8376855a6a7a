import { describePreviews } from "../../support/previews/golden-previews";
import { WorkflowPlace } from "../../support/previews/workflow-place";
import { Workflow } from "../../support/workflows/workflow";

const parts = `
const { Bucket, BucketAccess, BucketAccessClass, BucketClaim, BucketClass } = cosi.objectstorage;
const claim = (name: string, more: object = {}, opts: object = {}) =>
  new BucketClaim(name, { namespace, bucketClass: gold, protocols: ["S3"], ...more }, opts);
const access = (name: string, more: object = {}, opts: object = {}) =>
  new BucketAccess(name, {
    namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: name, ...more,
  }, opts);
const classOf = (name: string, tier: string) =>
  new BucketClass(name, { driver, name: name + "-" + namespace, deletionPolicy: "Delete", parameters: { tier } });
const accessClass = (name: string, accessMode: string) => new BucketAccessClass(name, {
  driver, name: name + "-" + namespace, authenticationType: "Key", parameters: { accessMode },
});
const photos = claim("photos");
const silver = classOf("silver", "cold");
const readers = accessClass("readers", "ro");
const archive = new Bucket("archive", {
  bucketClass: gold, name: "archive-" + namespace, existingBucketId: "archive", protocols: ["S3"],
});
`;

const created = `
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace, bucketClass: gold, protocols: ["S3"] });
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
});
`;

const before = `${parts}
const edited = classOf("class-parameters", "hot");
claim("of-an-edited-class", { bucketClass: edited });
claim("retain-to-delete", { deletionPolicy: "Retain" });
claim("delete-to-retain", { deletionPolicy: "Delete" });
claim("unprotected");
claim("labels");
const moved = claim("another-class", { protectData: false });
claim("new-to-existing", { protectData: false });
access("follows-its-claim", { bucketClaim: moved });
claim("another-name", { name: "old-name", protectData: false });
claim("another-namespace", { protectData: false });
claim("other-protocols", { protectData: false });
claim("removed");
claim("renamed", { name: "renamed" });
access("access-class", { bucketAccessClass: readers });
access("rotation");
access("secret-content");
access("another-secret");
access("access-removed");
access("access-renamed", { credentialsSecretName: "access-renamed" });
`;

const after = `${parts}
const edited = classOf("class-parameters", "cold");
claim("of-an-edited-class", { bucketClass: edited });
claim("retain-to-delete", { deletionPolicy: "Delete" });
claim("delete-to-retain", { deletionPolicy: "Retain" });
claim("unprotected", { protectData: false });
claim("labels", { labels: { team: "shop" }, annotations: { note: "of the user" } });
const moved = claim("another-class", { protectData: false, bucketClass: silver });
claim("new-to-existing", { protectData: false, bucketClass: undefined, existingBucket: archive });
access("follows-its-claim", { bucketClaim: moved });
claim("another-name", { name: "new-name", protectData: false });
claim("another-namespace", { protectData: false, namespace: namespace + "-b" });
claim("other-protocols", { protectData: false, protocols: ["S3", "Azure"] });
claim("renamed-now", { name: "renamed" }, { aliases: [{ name: "renamed" }] });
access("access-class");
access("rotation", { rotation: { trigger: "2026-11" } });
access("secret-content", { extraKeys: ["aws-environment"], secretLabels: { team: "shop" }, region: "eu-1" });
access("another-secret", { credentialsSecretName: "new-secret" });
access("access-renamed-now", { credentialsSecretName: "access-renamed" }, { aliases: [{ name: "access-renamed" }] });
`;

describePreviews(
  "objectstorage",
  async () => new WorkflowPlace(await Workflow.start()),
  ({ flow }) => {
    const head = flow.programHead();
    return { created: head + created, before: head + before, after: head + after };
  },
  ["of-an-edited-class", "photos", "renamed", "renamed-now", "access-renamed", "access-renamed-now"],
  "[OS1-019]",
);
