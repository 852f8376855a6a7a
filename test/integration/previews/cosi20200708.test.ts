import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { describePreviews } from "../../support/previews/golden-previews";
import { WorkflowPlace } from "../../support/previews/workflow-place";

const parts = `
const classOf = (name: string, more: object = {}) => new july.BucketClass(name, {
  driver, name: name + "-" + namespace, protocol: "s3", releasePolicy: "Delete", ...more,
});
const accessClassOf = (name: string, allow: string[]) => new july.BucketAccessClass(name, {
  driver, name: name + "-" + namespace, protocol: "s3", policyActions: { allow },
});
const request = (name: string, more: object = {}, opts: object = {}) =>
  new july.BucketRequest(name, { namespace, protocol: "s3", bucketClass: gold, bucketPrefix: name + "-", ...more }, opts);
const existing = (name: string, more: object = {}) => new july.Bucket(name, {
  driver, name: name + "-" + namespace, protocol: { s3: { bucketName: name + "-2019" } },
  permittedNamespaces: [{ name: namespace }], ...more,
});
const bound = (name: string, to: july.Bucket) =>
  new july.BucketRequest(name, { namespace, protocol: "s3", bucketInstanceName: to.bucketName });
const access = (name: string, more: object = {}, opts: object = {}) => new july.BucketAccessRequest(name, {
  namespace, bucketRequest: photos, bucketAccessClass: keys, accessSecretName: name, ...more,
}, opts);
const photos = request("photos");
const films = request("films");
const silver = classOf("silver", { parameters: { tier: "cold" } });
const projects = classOf("projects", { protocol: "gcs" });
const retained = classOf("retained", { releasePolicy: "Retain" });
const archive = existing("archive");
const museum = existing("museum");
const readers = accessClassOf("readers", ["read"]);
`;

const created = `
const photos = new july.BucketRequest("photos", {
  namespace, protocol: "s3", bucketClass: gold, bucketPrefix: "photos-",
});
new july.BucketAccessRequest("photos-rw", {
  namespace, bucketRequest: photos, bucketAccessClass: keys, accessSecretName: "photos-creds",
});
const archive = new july.Bucket("archive", {
  driver, name: "archive-" + namespace, protocol: { s3: { bucketName: "archive-2019", region: "eu-1" } },
  permittedNamespaces: [{ name: namespace }],
});
const old = new july.BucketRequest("old-photos", {
  namespace, protocol: "s3", bucketInstanceName: archive.bucketName,
});
new july.BucketAccessRequest("old-photos-ro", {
  namespace, bucketRequest: old, bucketAccessClass: keys, serviceAccountName: "web",
});
`;

const before = `${parts}
request("of-an-edited-class", { bucketClass: classOf("class-policy") });
request("of-a-remade-class", { bucketClass: classOf("class-parameters", { parameters: { tier: "hot" } }) });
classOf("default-class");
const moved = request("another-class", { protectData: false });
access("follows-its-request", { bucketRequest: moved });
request("another-prefix", { protectData: false });
request("another-protocol", { protectData: false });
request("another-name", { name: "old-name", protectData: false });
request("login-secret");
request("unprotected");
request("labels");
request("removed");
request("retained-removed", { bucketClass: retained });
request("renamed", { name: "renamed" });
existing("permitted-namespaces");
existing("existing-bucket");
bound("another-instance", archive);
access("of-edited-actions", { bucketAccessClass: accessClassOf("class-actions", ["read"]) });
access("another-bucket");
access("access-class", { bucketAccessClass: readers });
access("another-secret");
access("to-service-account");
access("secret-content");
access("access-removed");
access("access-renamed", { name: "access-renamed" });
`;

const after = `${parts}
request("of-an-edited-class", { bucketClass: classOf("class-policy", { releasePolicy: "Retain" }) });
request("of-a-remade-class", { bucketClass: classOf("class-parameters", { parameters: { tier: "cold" } }) });
classOf("default-class", { isDefaultBucketClass: true });
const moved = request("another-class", { protectData: false, bucketClass: silver });
access("follows-its-request", { bucketRequest: moved });
request("another-prefix", { protectData: false, bucketPrefix: "new-" });
request("another-protocol", { protectData: false, protocol: "gcs", bucketClass: projects });
request("another-name", { name: "new-name", protectData: false });
request("login-secret", { secretName: "store-login" });
request("unprotected", { protectData: false });
request("labels", { labels: { team: "shop" }, annotations: { note: "of the user" } });
request("renamed-now", { name: "renamed", bucketPrefix: "renamed-" }, { aliases: [{ name: "renamed" }] });
existing("permitted-namespaces", { permittedNamespaces: [{ name: namespace }, { name: "guests" }] });
existing("existing-bucket", { protocol: { s3: { bucketName: "existing-bucket-2020" } } });
bound("another-instance", museum);
access("of-edited-actions", { bucketAccessClass: accessClassOf("class-actions", ["read", "write"]) });
access("another-bucket", { bucketRequest: films });
access("access-class");
access("another-secret", { accessSecretName: "new-secret" });
access("to-service-account", { accessSecretName: undefined, serviceAccountName: "web" });
access("secret-content", { connectionKeys: true, secretLabels: { team: "shop" } });
access("access-renamed-now", { name: "access-renamed", accessSecretName: "access-renamed" }, {
  aliases: [{ name: "access-renamed" }],
});
`;

describePreviews(
  "cosi20200708",
  async () => {
    const flow = await ProposalWorkflow.start();
    const [provisionerNamespace = ""] = flow.provisioner.split("/");
    return new WorkflowPlace(flow, { [provisionerNamespace]: "stores" });
  },
  ({ flow }) => {
    const head = flow.programHead();
    return { created: head + created, before: head + before, after: head + after };
  },
  [
    "of-an-edited-class",
    "of-a-remade-class",
    "of-edited-actions",
    "photos",
    "renamed",
    "renamed-now",
    "access-renamed",
    "access-renamed-now",
  ],
);
