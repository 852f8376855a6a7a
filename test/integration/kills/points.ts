import { pointsOf, type NamedPoint } from "../../support/kills/point";

/** What a model with a claim and an access to it calls them. */
export interface ClaimedWords {
  /** The claim, and the kind of the object of what it is for. */
  readonly claim: string;
  readonly bucket: string;
  /** The kinds as paths have them. */
  readonly claims: string;
  readonly buckets: string;
  readonly accesses: string;
}

const secretMade = /POST .*\/secrets$/;
const secretPatched = /PATCH .*\/secrets\/[^/]+$/;
const secretDeleted = /DELETE .*\/secrets\/[^/]+$/;
const secretRead = /GET .*\/secrets\/[^/]+$/;

function requestsOf({ claims, buckets, accesses }: ClaimedWords) {
  const object = (method: string, plural: string, rest = ""): RegExp =>
    new RegExp(`${method} .*/${plural}/[^/]+${rest}$`);
  return {
    bucketStatus: object("PATCH", buckets, "/status"),
    accessStatus: object("PATCH", accesses, "/status"),
    accessDeleted: object("DELETE", accesses),
    bucketObjectDeleted: object("DELETE", buckets),
    claimDeleted: object("DELETE", claims),
    bucketRead: object("GET", buckets),
    accessRead: object("GET", accesses),
  };
}

/** Points of every command, in words: one of each kind of moment, and of what ends. */
export function pointsOfEachKind(words: ClaimedWords): readonly NamedPoint[] {
  const { bucketStatus, accessDeleted, claimDeleted, bucketObjectDeleted, bucketRead } = requestsOf(words);
  return [
    ...pointsOf("up", [
      [
        "everything after the create had its effect, before its reply",
        { rpc: "create", stage: "after" },
        "all",
      ],
      [
        `everything between the status of ${words.bucket} and ${words.claim}`,
        { request: bucketStatus, stage: "after" },
        "all",
      ],
      [
        "everything after the grant had its effect, before its reply",
        { rpc: "grant", stage: "after" },
        "all",
      ],
      ["everything before the Secret is written", { request: secretMade, stage: "before" }, "all"],
      [
        "everything after all is written, before the state",
        { request: secretMade, stage: "after", later: 2 },
        "all",
      ],
      ["the host alone before the grant", { rpc: "grant", stage: "before" }, "host"],
      ["the CLI alone after the grant had its effect", { rpc: "grant", stage: "after" }, "cli"],
      ["the driver alone after the create had its effect", { rpc: "create", stage: "after" }, "driver"],
      [
        "the driver, which comes back, after the grant had its effect",
        { rpc: "grant", stage: "after" },
        "driver for a moment",
      ],
      ["Ctrl-C while the create is under way", { rpc: "create", stage: "after" }, "interrupt"],
    ]),
    ...pointsOf("refresh", [
      [`everything while it reads a ${words.bucket}`, { request: bucketRead, stage: "before" }, "all"],
    ]),
    ...pointsOf("replace-bucket", [
      ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
      [
        `everything between the old ${words.claim} and the new one`,
        { request: claimDeleted, stage: "after" },
        "all",
      ],
      ["Ctrl-C twice while the delete is under way", { rpc: "delete", stage: "after" }, "interrupt twice"],
    ]),
    ...pointsOf("replace-access", [
      [
        "the host alone between the old access and the new one",
        { request: accessDeleted, stage: "after" },
        "host",
      ],
    ]),
    ...pointsOf("rotate", [
      ["everything after the grant had its effect", { rpc: "grant", stage: "after" }, "all"],
      ["everything before the Secret is updated", { request: secretPatched, stage: "before" }, "all"],
      ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
    ]),
    ...pointsOf("destroy", [
      [
        "everything between the Secret's release and its delete",
        { request: secretDeleted, stage: "before" },
        "all",
      ],
      ["everything after the delete had its effect", { rpc: "delete", stage: "after" }, "all"],
      [
        `everything before the ${words.bucket} is deleted`,
        { request: bucketObjectDeleted, stage: "before" },
        "all",
      ],
      ["the driver alone after the revoke had its effect", { rpc: "revoke", stage: "after" }, "driver"],
    ]),
  ];
}

/** Further points, of the same kinds. */
export function furtherPointsOf(words: ClaimedWords): readonly NamedPoint[] {
  const { bucketStatus, accessStatus, accessDeleted, claimDeleted, accessRead } = requestsOf(words);
  return [
    ...pointsOf("up", [
      [
        "everything after the grant's reply, before its status",
        { request: accessStatus, stage: "before" },
        "all",
      ],
      ["everything before the create", { rpc: "create", stage: "before" }, "all"],
      [
        "everything after the create's reply, before its status",
        { request: bucketStatus, stage: "before" },
        "all",
      ],
      ["everything before the grant", { rpc: "grant", stage: "before" }, "all"],
      [
        "everything after the account is in the access's status",
        { request: accessStatus, stage: "after" },
        "all",
      ],
      ["everything after the Secret is written", { request: secretMade, stage: "after" }, "all"],
      ["the host alone after the create had its effect", { rpc: "create", stage: "after" }, "host"],
      ["the CLI alone between two writes", { request: bucketStatus, stage: "after" }, "cli"],
      ["Ctrl-C twice while the grant is under way", { rpc: "grant", stage: "after" }, "interrupt twice"],
    ]),
    ...pointsOf("refresh", [
      ["the host alone while it reads a Secret", { request: secretRead, stage: "before" }, "host"],
      ["the CLI alone while it reads an access", { request: accessRead, stage: "before" }, "cli"],
    ]),
    ...pointsOf("replace-bucket", [
      ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
      ["everything after the Secret is gone", { request: secretDeleted, stage: "after" }, "all"],
      ["everything before the delete", { rpc: "delete", stage: "before" }, "all"],
      ["everything after the create had its effect", { rpc: "create", stage: "after" }, "all"],
      ["everything before the new Secret is written", { request: secretMade, stage: "before" }, "all"],
      ["the host alone after the delete's reply", { rpc: "delete", stage: "after", later: 1 }, "host"],
      ["the CLI alone after the grant had its effect", { rpc: "grant", stage: "after" }, "cli"],
      ["the driver alone after the delete had its effect", { rpc: "delete", stage: "after" }, "driver"],
    ]),
    ...pointsOf("replace-access", [
      ["everything before the revoke", { rpc: "revoke", stage: "before" }, "all"],
      ["everything after the grant had its effect", { rpc: "grant", stage: "after" }, "all"],
    ]),
    ...pointsOf("rotate", [
      ["everything before the grant", { rpc: "grant", stage: "before" }, "all"],
      ["everything before the revoke", { rpc: "revoke", stage: "before" }, "all"],
      ["the host alone after the grant had its effect", { rpc: "grant", stage: "after" }, "host"],
      ["the CLI alone after the revoke had its effect", { rpc: "revoke", stage: "after" }, "cli"],
    ]),
    ...pointsOf("destroy", [
      ["everything after the revoke had its effect", { rpc: "revoke", stage: "after" }, "all"],
      ["everything before the Secret is released", { request: secretPatched, stage: "before" }, "all"],
      ["everything before the revoke", { rpc: "revoke", stage: "before" }, "all"],
      ["everything after the revoke's reply", { rpc: "revoke", stage: "after", later: 1 }, "all"],
      ["everything before the access is deleted", { request: accessDeleted, stage: "before" }, "all"],
      ["everything before the delete", { rpc: "delete", stage: "before" }, "all"],
      ["everything after the delete's reply", { rpc: "delete", stage: "after", later: 1 }, "all"],
      [`everything before the ${words.claim} is deleted`, { request: claimDeleted, stage: "before" }, "all"],
      ["the host alone after the revoke had its effect", { rpc: "revoke", stage: "after" }, "host"],
      ["the CLI alone after the delete had its effect", { rpc: "delete", stage: "after" }, "cli"],
      ["Ctrl-C while the delete is under way", { rpc: "delete", stage: "after" }, "interrupt"],
    ]),
  ];
}
