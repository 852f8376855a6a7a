import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { describePreviews } from "../../support/previews/golden-previews";
import { WorkflowPlace } from "../../support/previews/workflow-place";

const parts = `
const classOf = (name: string, more: object = {}) => new february.BucketClass(name, {
  driver, name: name + "-" + namespace, supportedProtocols: ["s3"], releasePolicy: "Delete", ...more,
});
const gold = classOf("gold");
const silver = classOf("silver", { parameters: { tier: "cold" } });
const bucket = (name: string, more: object = {}, opts: object = {}) => new february.Bucket(name, {
  namespace, requestProtocol: "s3", bucketClass: gold, bucketPrefix: name + "-", secretName: name, ...more,
}, opts);
`;

const created = `
const gold = new february.BucketClass("gold", {
  driver, name: "gold-" + namespace, supportedProtocols: ["s3"], releasePolicy: "Delete",
});
new february.Bucket("photos", {
  namespace, requestProtocol: "s3", bucketClass: gold, bucketPrefix: "photos-", secretName: "photos-creds",
});
`;

const before = `${parts}
bucket("of-an-edited-class", { bucketClass: classOf("class-policy") });
classOf("existing-to-new", {
  releasePolicy: "Retain", bucketIdentifier: { bucketName: "archive" }, secretRef: { namespace, name: "archive" },
});
bucket("another-class", { protectData: false });
bucket("another-prefix", { protectData: false });
bucket("another-secret");
bucket("removed");
bucket("renamed", { name: "renamed" });
`;

const after = `${parts}
bucket("of-an-edited-class", { bucketClass: classOf("class-policy", { releasePolicy: "Retain" }) });
classOf("existing-to-new");
bucket("another-class", { protectData: false, bucketClass: silver });
bucket("another-prefix", { protectData: false, bucketPrefix: "new-" });
bucket("another-secret", { secretName: "new-secret" });
bucket("renamed-now", { name: "renamed", bucketPrefix: "renamed-", secretName: "renamed" }, {
  aliases: [{ name: "renamed" }],
});
`;

describePreviews(
  "cosi20200227",
  async () => {
    const flow = await FebruaryWorkflow.start();
    return new WorkflowPlace(flow, { [flow.sourceNamespace]: "cosi-system" });
  },
  ({ flow }) => {
    const head = flow.programHead();
    return { created: head + created, before: head + before, after: head + after };
  },
  ["of-an-edited-class", "renamed", "renamed-now"],
);
