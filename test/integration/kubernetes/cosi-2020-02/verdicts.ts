import type { Verdict } from "../verdicts";
import { brownfield, bucketSpec, contentSpec, greenfield, kinds, staticClass } from "./written-by-hand";

type Row = [what: string, fields: object, rejects?: RegExp | undefined];

const bucket: Row[] = [
  ["what is required", {}],
  ["all fields", { bucketPrefix: "YosemitePhotos-", secretName: "creds", requestProtocol: "azureBlob" }],
  ["no protocol", { requestProtocol: undefined }, /requestProtocol: Required/],
  [
    "the protocol swift",
    { requestProtocol: "swift" },
    /requestProtocol: Unsupported value: "swift": .*"azureBlob", "gcs", "s3"/,
  ],
  ["a protocol in capitals", { requestProtocol: "S3" }, /requestProtocol: Unsupported value/],
  ["no class", { bucketClassName: undefined }, /bucketClassName: Required/],
  ["an empty class", { bucketClassName: "" }, /bucketClassName/],
];

const content: Row[] = [
  ["what is required", {}],
  ["no class", { bucketClassName: undefined }, /bucketClassName: Required/],
  ["no protocol", { protocol: undefined }, /protocol: Required/],
  ["another protocol", { protocol: "swift" }, /protocol: Unsupported value/],
  [
    "another policy",
    { releasePolicy: "Recycle" },
    /releasePolicy: Unsupported value: "Recycle": .*"Retain", "Delete"/,
  ],
  ["another mode", { accessMode: "public" }, /accessMode: Unsupported value: "public": .*"ro", "wo", "rw"/],
  ["half of a Secret's name", { secretRef: { name: "keys" } }, /secretRef\.namespace: Required/],
  ["a Bucket without UID", { bucketRef: { name: "a", namespace: "b" } }, /bucketRef\.uuid: Required/],
  [
    "another version of signatures",
    { protocolS3: { signatureVersion: "v4" } },
    /signatureVersion: Unsupported value/,
  ],
];

const bucketClass: Row[] = [
  ["what is required of a greenfield one", greenfield],
  ["what is required of a brownfield one", brownfield],
  ["what is required of a static one", staticClass],
  ["protocols that are none of ours", { ...greenfield, supportedProtocols: ["swift", "s3"] }],
  ["an empty identifier", { ...greenfield, bucketIdentifier: {} }],
  ["a container", { ...greenfield, bucketIdentifier: { containerName: "archive" } }],
  ["a static one with provisioner", { ...staticClass, provisioner: "s3.example.com" }],
  ["a static one whose bucket has no name", { ...staticClass, bucketIdentifier: { region: "eu-1" } }],
  [
    "neither provisioner nor Secret",
    { ...greenfield, provisioner: undefined },
    /give provisioner, or secretRef/,
  ],
  ["an identifier alone", { ...brownfield, provisioner: undefined }, /give provisioner, or secretRef/],
  ["an empty provisioner", { ...greenfield, provisioner: "" }, /provisioner/],
  ["no protocols", { ...greenfield, supportedProtocols: undefined }, /supportedProtocols: Required/],
  [
    "an empty list of protocols",
    { ...greenfield, supportedProtocols: [] },
    /supportedProtocols.* at least 1/,
  ],
  ["an empty protocol", { ...greenfield, supportedProtocols: [""] }, /supportedProtocols\[0\]/],
  [
    "another mode",
    { ...greenfield, accessMode: "public" },
    /accessMode: Unsupported value: "public": .*"ro", "wo", "rw"/,
  ],
  [
    "another policy",
    { ...greenfield, releasePolicy: "retain" },
    /releasePolicy: Unsupported value: "retain"/,
  ],
  ["Delete", { ...greenfield, releasePolicy: "Delete" }],
  ["Delete and an empty identifier", { ...greenfield, bucketIdentifier: {}, releasePolicy: "Delete" }],
  [
    "Delete and an identifier",
    { ...brownfield, releasePolicy: "Delete" },
    /releasePolicy Delete is not for a bucket that was there/,
  ],
  [
    "Delete and a Secret",
    { ...staticClass, releasePolicy: "Delete" },
    /releasePolicy Delete is not for a bucket that was there/,
  ],
  [
    "an identifier without name",
    { ...greenfield, bucketIdentifier: { region: "eu-1" } },
    /bucketIdentifier has no name of a bucket/,
  ],
  [
    "an identifier with a number",
    { ...greenfield, bucketIdentifier: { bucketName: 1 } },
    /bucketIdentifier\.bucketName/,
  ],
  ["a Secret alone", { ...staticClass, bucketIdentifier: undefined }, /secretRef requires bucketIdentifier/],
  [
    "a Secret and an empty identifier",
    { ...staticClass, bucketIdentifier: {} },
    /secretRef requires bucketIdentifier/,
  ],
  [
    "half of a Secret's name",
    { ...staticClass, secretRef: { name: "keys" } },
    /secretRef\.namespace: Required/,
  ],
  ["the other half", { ...staticClass, secretRef: { namespace: "vault" } }, /secretRef\.name: Required/],
  ["a number as parameter", { ...greenfield, parameters: { size: 1 } }, /parameters\.size/],
];

const verdict = (kind: Verdict["kind"], [what, fields, rejects]: Row): Verdict => ({
  what: `${kind.kind} with ${what}`,
  kind,
  fields: { ...fields },
  ...(rejects === undefined ? {} : { rejects }),
});

/** Objects, and what the definitions say to them. */
export const verdicts: readonly Verdict[] = [
  ...bucket.map(([what, spec, rejects]) =>
    verdict(kinds.bucket, [what, { spec: { ...bucketSpec, ...spec } }, rejects]),
  ),
  ...content.map(([what, spec, rejects]) =>
    verdict(kinds.bucketContent, [what, { spec: { ...contentSpec, ...spec } }, rejects]),
  ),
  verdict(kinds.bucket, ["no spec", {}, /spec: Required/]),
  verdict(kinds.bucketContent, ["no spec", {}, /spec: Required/]),
  ...bucketClass.map((row) => verdict(kinds.bucketClass, row)),
];
