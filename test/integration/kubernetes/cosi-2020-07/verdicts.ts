import { kinds, bucketSpec, provisioner } from "./july";
import type { Verdict } from "../verdicts";

const bucket = (changes: object): Verdict["fields"] => ({ spec: { ...bucketSpec, ...changes } });
const withProtocol = (protocol: object): Verdict["fields"] => bucket({ protocol });

const bucketClass = { provisioner, protocol: "s3" };
const accessClass = { provisioner, protocol: "gcs" };
const accessRequest = { bucketInstance: "legacy", bucketAccessClassName: "read", accessSecretName: "keys" };
const access = {
  bucketAccessRequestName: "web",
  bucketAccessRequestNamespace: "team-a",
  accessSecretName: "bucketaccess-web-team-a",
  provisioner,
};

/** The same rule at each of the places where the proposal has a provisioner. */
const provisioners: Verdict[] = ["rgw", "a/b/c", "/x", "x/", "Upper/x", "a/b c"].flatMap((wrong) => [
  {
    what: `Bucket of ${wrong}`,
    kind: kinds.bucket,
    fields: bucket({ provisioner: wrong }),
    rejects: /provisioner/,
  },
  {
    what: `BucketClass of ${wrong}`,
    kind: kinds.bucketClass,
    fields: { ...bucketClass, provisioner: wrong },
    rejects: /provisioner/,
  },
]);

/** Objects, and what the definitions say to them. */
export const verdicts: readonly Verdict[] = [
  ...provisioners,
  { what: "Bucket with what is required", kind: kinds.bucket, fields: bucket({}) },
  {
    what: "Bucket without provisioner",
    kind: kinds.bucket,
    fields: bucket({ provisioner: undefined }),
    rejects: /provisioner: Required/,
  },
  {
    what: "Bucket without namespaces",
    kind: kinds.bucket,
    fields: bucket({ permittedNamespaces: undefined }),
    rejects: /permittedNamespaces: Required/,
  },
  {
    what: "Bucket without protocol",
    kind: kinds.bucket,
    fields: bucket({ protocol: undefined }),
    rejects: /protocol: Required/,
  },
  { what: "Bucket without spec", kind: kinds.bucket, fields: {}, rejects: /spec: Required/ },
  {
    what: "Bucket with an unknown policy",
    kind: kinds.bucket,
    fields: bucket({ releasePolicy: "Recycle" }),
    rejects: /releasePolicy: Unsupported value/,
  },
  {
    what: "Bucket with the other spelling of a mode",
    kind: kinds.bucket,
    fields: bucket({ anonymousAccessMode: "publicRead" }),
  },
  {
    what: "Bucket with an unknown mode",
    kind: kinds.bucket,
    fields: bucket({ anonymousAccessMode: "public" }),
    rejects: /anonymousAccessMode: Unsupported value/,
  },
  {
    what: "Bucket of a namespace without name",
    kind: kinds.bucket,
    fields: bucket({ permittedNamespaces: [{ uid: "u" }] }),
    rejects: /name: Required/,
  },
  {
    what: "Bucket with a binding twice",
    kind: kinds.bucket,
    fields: bucket({ bindings: ["a:n/r", "a:n/r"] }),
    rejects: /bindings\[1\]: Duplicate value/,
  },
  {
    what: "Bucket in lower case",
    kind: kinds.bucket,
    fields: withProtocol({ protocolSignature: "azureblob", azureBlob: { containerName: "c" } }),
  },
  {
    what: "Bucket of an unknown protocol",
    kind: kinds.bucket,
    fields: withProtocol({ protocolSignature: "swift", s3: { bucketName: "b" } }),
    rejects: /protocolSignature: Unsupported value: "swift"/,
  },
  {
    what: "Bucket without member",
    kind: kinds.bucket,
    fields: withProtocol({ protocolSignature: "s3" }),
    rejects: /fill s3 if protocolSignature is s3, and only then/,
  },
  {
    what: "Bucket with another member",
    kind: kinds.bucket,
    fields: withProtocol({ protocolSignature: "s3", gcs: { bucketName: "b" } }),
    rejects: /fill gcs if protocolSignature is gcs, and only then/,
  },
  {
    what: "Bucket with two members",
    kind: kinds.bucket,
    fields: withProtocol({
      protocolSignature: "gcs",
      gcs: { bucketName: "b" },
      azureBlob: { containerName: "c" },
    }),
    rejects: /fill azureBlob if protocolSignature is azureBlob or azureblob, and only then/,
  },
  {
    what: "Bucket without its name in the backend",
    kind: kinds.bucket,
    fields: withProtocol({ protocolSignature: "gcs", gcs: { projectId: "p" } }),
    rejects: /bucketName: Required/,
  },
  {
    what: "Bucket with an empty name",
    kind: kinds.bucket,
    fields: withProtocol({ protocolSignature: "azureBlob", azureBlob: { containerName: "" } }),
    rejects: /containerName/,
  },
  { what: "BucketClass with what is required", kind: kinds.bucketClass, fields: bucketClass },
  {
    what: "BucketClass in lower case",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, protocol: "azureblob" },
  },
  {
    what: "BucketClass without provisioner",
    kind: kinds.bucketClass,
    fields: { protocol: "s3" },
    rejects: /provisioner: Required/,
  },
  {
    what: "BucketClass without protocol",
    kind: kinds.bucketClass,
    fields: { provisioner },
    rejects: /protocol: Required/,
  },
  {
    what: "BucketClass of several protocols",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, protocol: ["s3", "gcs"] },
    rejects: /protocol/,
  },
  {
    what: "BucketClass of an unknown protocol",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, protocol: "swift" },
    rejects: /protocol: Unsupported value/,
  },
  {
    what: "BucketClass with an unknown policy",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, releasePolicy: "Recycle" },
    rejects: /releasePolicy: Unsupported value/,
  },
  {
    what: "BucketClass with an unknown mode",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, anonymousAccessMode: "all" },
    rejects: /anonymousAccessMode: Unsupported value/,
  },
  {
    what: "BucketClass with a text as flag",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, isDefaultBucketClass: "true" },
    rejects: /isDefaultBucketClass/,
  },
  {
    what: "BucketClass with a number as parameter",
    kind: kinds.bucketClass,
    fields: { ...bucketClass, parameters: { size: 1 } },
    rejects: /parameters\.size/,
  },
  { what: "BucketAccessClass with what is required", kind: kinds.bucketAccessClass, fields: accessClass },
  {
    what: "BucketAccessClass with actions",
    kind: kinds.bucketAccessClass,
    fields: { ...accessClass, policyActions: { allow: ["*"], deny: ["s3:Put*"] } },
  },
  {
    what: "BucketAccessClass without provisioner",
    kind: kinds.bucketAccessClass,
    fields: { protocol: "s3" },
    rejects: /provisioner: Required/,
  },
  {
    what: "BucketAccessClass without protocol",
    kind: kinds.bucketAccessClass,
    fields: { provisioner },
    rejects: /protocol: Required/,
  },
  {
    what: "BucketAccessClass with one action as text",
    kind: kinds.bucketAccessClass,
    fields: { ...accessClass, policyActions: { allow: "*" } },
    rejects: /allow/,
  },
  {
    what: "BucketRequest with what is required",
    kind: kinds.bucketRequest,
    fields: { spec: { protocol: "azureBlob" } },
  },
  {
    what: "BucketRequest without protocol",
    kind: kinds.bucketRequest,
    fields: { spec: { bucketPrefix: "a-" } },
    rejects: /protocol: Required/,
  },
  {
    what: "BucketRequest of an unknown protocol",
    kind: kinds.bucketRequest,
    fields: { spec: { protocol: "swift" } },
    rejects: /protocol: Unsupported value: "swift"/,
  },
  {
    what: "BucketAccessRequest with a Secret",
    kind: kinds.bucketAccessRequest,
    fields: { spec: accessRequest },
  },
  {
    what: "BucketAccessRequest without Bucket",
    kind: kinds.bucketAccessRequest,
    fields: { spec: { ...accessRequest, bucketInstance: undefined } },
    rejects: /bucketInstance: Required/,
  },
  {
    what: "BucketAccessRequest without class",
    kind: kinds.bucketAccessRequest,
    fields: { spec: { ...accessRequest, bucketAccessClassName: undefined } },
    rejects: /bucketAccessClassName: Required/,
  },
  {
    what: "BucketAccessRequest with Secret and ServiceAccount",
    kind: kinds.bucketAccessRequest,
    fields: { spec: { ...accessRequest, serviceAccountName: "web" } },
    rejects: /give exactly one of serviceAccountName and accessSecretName/,
  },
  {
    what: "BucketAccessRequest with neither",
    kind: kinds.bucketAccessRequest,
    fields: { spec: { ...accessRequest, accessSecretName: undefined } },
    rejects: /give exactly one of serviceAccountName and accessSecretName/,
  },
  { what: "BucketAccess with a Secret", kind: kinds.bucketAccess, fields: { spec: access } },
  {
    what: "BucketAccess without request",
    kind: kinds.bucketAccess,
    fields: { spec: { ...access, bucketAccessRequestName: undefined } },
    rejects: /bucketAccessRequestName: Required/,
  },
  {
    what: "BucketAccess with Secret and ServiceAccount",
    kind: kinds.bucketAccess,
    fields: { spec: { ...access, serviceAccountName: "web" } },
    rejects: /give exactly one of/,
  },
];

/** Kinds whose objects are in a namespace. */
export const namespaced = ["BucketRequest", "BucketAccessRequest"];
