import { pointsOf, type NamedPoint } from "../../support/kills/point";

const bucketStatus = /PATCH .*\/buckets\/[^/]+\/status$/;
const accessStatus = /PATCH .*\/bucketaccesses\/[^/]+\/status$/;
const secretMade = /POST .*\/secrets$/;
const secretPatched = /PATCH .*\/secrets\/[^/]+$/;
const secretDeleted = /DELETE .*\/secrets\/[^/]+$/;
const accessDeleted = /DELETE .*\/bucketaccesses\/[^/]+$/;
const bucketObjectDeleted = /DELETE .*\/buckets\/[^/]+$/;
const claimDeleted = /DELETE .*\/bucketclaims\/[^/]+$/;

/** Every kind of point of every command, in words. */
export const namedPoints: readonly NamedPoint[] = [
  ...pointsOf("up", [
    ["everything before the create", { rpc: "create", stage: "before" }, "all"],
    [
      "everything after the create had its effect, before its reply",
      { rpc: "create", stage: "after" },
      "all",
    ],
    [
      "everything after the create's reply, before its status",
      { request: bucketStatus, stage: "before" },
      "all",
    ],
    ["everything between the status of Bucket and claim", { request: bucketStatus, stage: "after" }, "all"],
    ["everything before the grant", { rpc: "grant", stage: "before" }, "all"],
    ["everything after the grant had its effect, before its reply", { rpc: "grant", stage: "after" }, "all"],
    [
      "everything after the grant's reply, before its status",
      { request: accessStatus, stage: "before" },
      "all",
    ],
    [
      "everything after the account is in the access's status",
      { request: accessStatus, stage: "after" },
      "all",
    ],
    ["everything before the Secret is written", { request: secretMade, stage: "before" }, "all"],
    ["everything after the Secret is written", { request: secretMade, stage: "after" }, "all"],
    [
      "everything after all is written, before the state",
      { request: secretMade, stage: "after", later: 2 },
      "all",
    ],
    ["the host alone after the create had its effect", { rpc: "create", stage: "after" }, "host"],
    ["the host alone before the grant", { rpc: "grant", stage: "before" }, "host"],
    ["the CLI alone after the grant had its effect", { rpc: "grant", stage: "after" }, "cli"],
    ["the CLI alone between two writes", { request: bucketStatus, stage: "after" }, "cli"],
    ["the driver alone after the create had its effect", { rpc: "create", stage: "after" }, "driver"],
    [
      "the driver, which comes back, after the grant had its effect",
      { rpc: "grant", stage: "after" },
      "driver for a moment",
    ],
    ["Ctrl-C while the create is under way", { rpc: "create", stage: "after" }, "interrupt"],
    ["Ctrl-C twice while the grant is under way", { rpc: "grant", stage: "after" }, "interrupt twice"],
  ]),
  ...pointsOf("refresh", [
    ["everything while it reads a Bucket", { request: /GET .*\/buckets\/[^/]+$/, stage: "before" }, "all"],
    [
      "the host alone while it reads a Secret",
      { request: /GET .*\/secrets\/[^/]+$/, stage: "before" },
      "host",
    ],
    [
      "the CLI alone while it reads an access",
      { request: /GET .*\/bucketaccesses\/[^/]+$/, stage: "before" },
      "cli",
    ],
  ]),
  ...pointsOf("replace-bucket", [
    ["everything after the Secret is gone", { request: secretDeleted, stage: "after" }, "all"],
    ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
    ["everything before the delete", { rpc: "delete", stage: "before" }, "all"],
    ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
    ["everything between the old claim and the new one", { request: claimDeleted, stage: "after" }, "all"],
    ["everything after the create had its effect", { rpc: "create", stage: "after" }, "all"],
    ["everything before the new Secret is written", { request: secretMade, stage: "before" }, "all"],
    ["the host alone after the delete's reply", { rpc: "delete", stage: "after", later: 1 }, "host"],
    ["the CLI alone after the grant had its effect", { rpc: "grant", stage: "after" }, "cli"],
    ["the driver alone after the delete had its effect", { rpc: "delete", stage: "after" }, "driver"],
    ["Ctrl-C twice while the delete is under way", { rpc: "delete", stage: "after" }, "interrupt twice"],
  ]),
  ...pointsOf("replace-access", [
    ["everything before the revoke", { rpc: "revoke", stage: "before" }, "all"],
    ["everything after the grant had its effect", { rpc: "grant", stage: "after" }, "all"],
    [
      "the host alone between the old access and the new one",
      { request: accessDeleted, stage: "after" },
      "host",
    ],
  ]),
  ...pointsOf("rotate", [
    ["everything before the grant", { rpc: "grant", stage: "before" }, "all"],
    ["everything after the grant had its effect", { rpc: "grant", stage: "after" }, "all"],
    ["everything before the Secret is updated", { request: secretPatched, stage: "before" }, "all"],
    ["everything before the revoke", { rpc: "revoke", stage: "before" }, "all"],
    ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
    ["the host alone after the grant had its effect", { rpc: "grant", stage: "after" }, "host"],
    ["the CLI alone after the revoke had its effect", { rpc: "revoke", stage: "after" }, "cli"],
  ]),
  ...pointsOf("destroy", [
    ["everything before the Secret is released", { request: secretPatched, stage: "before" }, "all"],
    [
      "everything between the Secret's release and its delete",
      { request: secretDeleted, stage: "before" },
      "all",
    ],
    ["everything before the revoke", { rpc: "revoke", stage: "before" }, "all"],
    ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
    ["everything after the revoke's reply", { rpc: "revoke", stage: "after", later: 1 }, "all"],
    ["everything before the access is deleted", { request: accessDeleted, stage: "before" }, "all"],
    ["everything before the delete", { rpc: "delete", stage: "before" }, "all"],
    ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
    ["everything after the delete's reply", { rpc: "delete", stage: "after", later: 1 }, "all"],
    ["everything before the Bucket is deleted", { request: bucketObjectDeleted, stage: "before" }, "all"],
    ["everything before the claim is deleted", { request: claimDeleted, stage: "before" }, "all"],
    ["the host alone after the revoke had its effect", { rpc: "revoke", stage: "after" }, "host"],
    ["the CLI alone after the delete had its effect", { rpc: "delete", stage: "after" }, "cli"],
    ["the driver alone after the revoke had its effect", { rpc: "revoke", stage: "after" }, "driver"],
    ["Ctrl-C while the delete is under way", { rpc: "delete", stage: "after" }, "interrupt"],
  ]),
];
