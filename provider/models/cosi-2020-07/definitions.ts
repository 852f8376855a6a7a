import type { CustomResourceDefinition } from "../../kubernetes/definition";
import { conditions, given, message, releasePolicy, signatureVersion } from "../cosi-proposals/common-fields";
import { column, definition } from "../cosi-proposals/definition-layout";
import { namesakeOf } from "../cosi-proposals/namesakes";
import { apiProtocols, type ApiProtocol } from "../cosi-proposals/protocols";
import { object, oneOf, text, textMap, texts, type Rule, type Schema } from "../cosi-proposals/schema";
import { kindsOf } from "./kinds";
import { accessModeNames } from "./specs";

/** The proposal writes `azureBlob` on requests and Buckets, and `azureblob` on classes: each kind takes both. */
const protocolNames = [...apiProtocols, "azureblob"];

const provisioner = text(
  "Driver, as <provisioner-namespace>/<provisioner-name>: ceph-rgw-provisioning/ceph-rgw.cosi.ceph.com.",
  { pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[^/\\s]{1,253}$" },
);
const anonymousAccessMode = oneOf(
  "What callers without credentials may do: private, ro, wo or rw; publicRead is ro, publicReadWrite is rw.",
  accessModeNames,
  "private",
);
const parameters = textMap(
  "Settings for the driver; keys that begin with cosi.io/ are for the orchestrator.",
);

const namespaces = (description: string): Schema => ({
  type: "array",
  description,
  items: object(
    {
      name: text("Name of the Namespace.", { minLength: 1 }),
      uid: text("UID of the Namespace: one that was deleted and made again is another one."),
    },
    ["name"],
  ),
});

const exactlyOne = (one: string, other: string): Rule => ({
  rule: `has(self.${one}) != has(self.${other})`,
  message: `give exactly one of ${one} and ${other}`,
});

/** Members of a Bucket's `protocol`. Source: COSI proposal of 2020-07-08, Bucket, `protocol`. */
const protocolMembers = {
  azureBlob: object(
    {
      containerName: text("Name of the container in the backend.", given),
      storageAccount: text("Storage account of the container."),
    },
    ["containerName"],
  ),
  s3: object(
    {
      endpoint: text("Address by which clients reach the bucket."),
      bucketName: text("Name of the bucket in the backend.", given),
      region: text("Region of the bucket."),
      signatureVersion,
    },
    ["bucketName"],
  ),
  gcs: object(
    {
      bucketName: text("Name of the bucket in the backend.", given),
      privateKeyName: text("Name of the private key."),
      projectId: text("Project of the bucket."),
      serviceAccount: text("Service account of the bucket."),
    },
    ["bucketName"],
  ),
} as const satisfies Record<ApiProtocol, Schema>;

const isFilled = (member: ApiProtocol, ...signatures: string[]): Rule => ({
  rule: `has(self.${member}) == (self.protocolSignature in [${signatures.map((name) => `'${name}'`).join(", ")}])`,
  message: `fill ${member} if protocolSignature is ${signatures.join(" or ")}, and only then`,
});

const otherGroup = "july.cosi.io";

/**
 * The definitions of the six kinds in a group. They enforce what the proposal says of required fields, values and
 * defaults, for objects too that no program of this package wrote.
 *
 * @param group API group, `cosi.io` in the proposal.
 */
export function definitionsFor(group: string): readonly CustomResourceDefinition[] {
  const kinds = kindsOf(group);
  return [
    definition(group, {
      kind: kinds.bucket,
      scope: "Cluster",
      namesake: namesakeOf("2020-07-08", "Bucket", otherGroup),
      fields: {
        spec: object(
          {
            provisioner,
            releasePolicy,
            anonymousAccessMode,
            bucketClassName: text("BucketClass that the Bucket was made from; absent for one of an admin."),
            bindings: texts(
              "Accesses that are bound, as <BucketAccess>:<namespace>/<BucketRequest>; without one nobody has access.",
              { "x-kubernetes-list-type": "set" },
            ),
            permittedNamespaces: namespaces(
              "Namespaces whose BucketRequests may bind to the Bucket; an empty list permits none.",
            ),
            protocol: object(
              {
                protocolSignature: oneOf(
                  "Protocol of the bucket: the member of its name is filled.",
                  protocolNames,
                ),
                ...protocolMembers,
              },
              ["protocolSignature"],
              {
                "x-kubernetes-validations": [
                  isFilled("azureBlob", "azureBlob", "azureblob"),
                  isFilled("s3", "s3"),
                  isFilled("gcs", "gcs"),
                ],
              },
            ),
            parameters,
          },
          ["provisioner", "permittedNamespaces", "protocol"],
        ),
        status: object({
          message,
          phase: oneOf("State of the Bucket.", ["Creating", "Bound", "Deleting", "Deleted", "Released"]),
          conditions,
        }),
      },
      required: ["spec"],
      columns: [
        column("Provisioner", ".spec.provisioner"),
        column("Protocol", ".spec.protocol.protocolSignature"),
        column("Policy", ".spec.releasePolicy"),
        column("Phase", ".status.phase"),
      ],
    }),
    definition(group, {
      kind: kinds.bucketClass,
      scope: "Cluster",
      namesake: namesakeOf("2020-07-08", "BucketClass", otherGroup),
      fields: {
        provisioner,
        protocol: oneOf("Protocol of the buckets.", protocolNames),
        isDefaultBucketClass: {
          type: "boolean",
          description: "The class is for requests of its protocol that name none; one for each protocol.",
          default: false,
        },
        anonymousAccessMode,
        additionalPermittedNamespaces: namespaces(
          "Namespaces whose BucketRequests may bind to the Buckets, beside the one of the request.",
        ),
        releasePolicy,
        parameters,
      },
      required: ["provisioner", "protocol"],
      columns: [
        column("Provisioner", ".provisioner"),
        column("Protocol", ".protocol"),
        column("Policy", ".releasePolicy"),
        column("Default", ".isDefaultBucketClass", "boolean"),
      ],
    }),
    definition(group, {
      kind: kinds.bucketRequest,
      scope: "Namespaced",
      fields: {
        spec: object(
          {
            protocol: oneOf("Protocol of the bucket.", protocolNames),
            bucketPrefix: text(
              "Beginning of the name of a new bucket; without effect beside bucketInstanceName.",
            ),
            bucketClassName: text("BucketClass of a new bucket; the default one of the protocol if absent."),
            secretName: text("Secret in the same namespace with credentials for the driver."),
            bucketInstanceName: text(
              "Bucket that is bound; given by the user for one that exists, otherwise filled in by binding.",
            ),
          },
          ["protocol"],
        ),
        status: object({
          phase: text("State of the request: Creating, Bound, Deleting, Deleted, or an error (Err…).", {
            pattern: "^(Creating|Bound|Deleting|Deleted|Err[A-Za-z]+)$",
          }),
          conditions,
        }),
      },
      required: ["spec"],
      columns: [
        column("Protocol", ".spec.protocol"),
        column("Class", ".spec.bucketClassName"),
        column("Bucket", ".spec.bucketInstanceName"),
        column("Phase", ".status.phase"),
      ],
    }),
    definition(group, {
      kind: kinds.bucketAccess,
      scope: "Cluster",
      fields: {
        spec: object(
          {
            bucketAccessRequestName: text("Name of the BucketAccessRequest.", given),
            bucketAccessRequestNamespace: text("Namespace of the BucketAccessRequest.", given),
            serviceAccountName: text("ServiceAccount of the request; absent where it has a Secret.", given),
            accessSecretName: text("Secret with the credentials, in the provisioner's namespace.", given),
            provisioner,
            parameters,
          },
          ["bucketAccessRequestName", "bucketAccessRequestNamespace", "provisioner"],
          { "x-kubernetes-validations": [exactlyOne("serviceAccountName", "accessSecretName")] },
        ),
        status: object({
          message,
          phase: oneOf("State of the access.", ["Bound", "Released", "Failed", "Retrying"]),
        }),
      },
      required: ["spec"],
      columns: [
        column("Provisioner", ".spec.provisioner"),
        column("Namespace", ".spec.bucketAccessRequestNamespace"),
        column("Request", ".spec.bucketAccessRequestName"),
        column("Phase", ".status.phase"),
      ],
    }),
    definition(group, {
      kind: kinds.bucketAccessClass,
      scope: "Cluster",
      fields: {
        provisioner,
        protocol: oneOf("Protocol of the Buckets that the class is for.", protocolNames),
        policyActions: object({
          allow: texts("Actions that are allowed, in the words of the provisioner."),
          deny: texts("Actions that are denied, in the words of the provisioner."),
        }),
        parameters,
      },
      required: ["provisioner", "protocol"],
      columns: [column("Provisioner", ".provisioner"), column("Protocol", ".protocol")],
    }),
    definition(group, {
      kind: kinds.bucketAccessRequest,
      scope: "Namespaced",
      fields: {
        spec: object(
          {
            serviceAccountName: text("ServiceAccount in the same namespace that gets access.", given),
            accessSecretName: text(
              "Secret in the same namespace that the credentials are written to.",
              given,
            ),
            bucketInstance: text("Bucket that is accessed.", given),
            bucketAccessClassName: text("BucketAccessClass, which says what is allowed.", given),
            bucketAccessName: text("BucketAccess that is bound; filled in by binding."),
          },
          ["bucketInstance", "bucketAccessClassName"],
          { "x-kubernetes-validations": [exactlyOne("serviceAccountName", "accessSecretName")] },
        ),
        status: object({
          message,
          phase: oneOf("State of the request.", ["Pending", "Bound", "Deleting", "Failed"]),
        }),
      },
      required: ["spec"],
      columns: [
        column("Bucket", ".spec.bucketInstance"),
        column("Class", ".spec.bucketAccessClassName"),
        column("Secret", ".spec.accessSecretName"),
        column("Phase", ".status.phase"),
      ],
    }),
  ];
}
