import type { CustomResourceDefinition } from "../../kubernetes/definition";
import { conditions, given, message, releasePolicy, signatureVersion } from "../cosi-proposals/common-fields";
import { column, definition } from "../cosi-proposals/definition-layout";
import { namesakeOf } from "../cosi-proposals/namesakes";
import { apiProtocols, type ApiProtocol } from "../cosi-proposals/protocols";
import { object, oneOf, text, textMap, texts, type Rule, type Schema } from "../cosi-proposals/schema";
import { kindsOf } from "./kinds";
import { protocolBlocks } from "./specs";

const otherGroup = "february.cosi.io";

const accessMode = oneOf("What the credentials allow: ro read, wo write, rw both.", ["ro", "wo", "rw"], "rw");
const parameters = textMap("Settings for the driver, sent as they are.");

const secretRef = (description: string): Schema =>
  object(
    { name: text("Name of the Secret.", given), namespace: text("Namespace of the Secret.", given) },
    ["name", "namespace"],
    { description },
  );

/** Blocks of a BucketContent. Source: COSI proposal of 2020-02-27, BucketContent. */
const blocks: Readonly<Record<ApiProtocol, Schema>> = {
  azureBlob: object({
    storageAccountName: text("Storage account of the container."),
    accountKey: text("Never filled, as it is a secret: the key is in the Secret of secretRef."),
    containerName: text("Name of the container in the backend."),
  }),
  s3: object({
    endpoint: text("Address by which clients reach the bucket."),
    accessKeyId: text("Id of the key that was issued."),
    bucketName: text("Name of the bucket in the backend."),
    region: text("Region of the bucket."),
    signatureVersion,
    userName: text("User that the key is of."),
  }),
  gcs: object({
    bucketName: text("Name of the bucket in the backend."),
    privateKeyName: text("Name of the private key that was issued."),
    projectId: text("Project of the bucket."),
    serviceAccount: text("Service account that the key is of."),
  }),
};

const hasIdentifier = "has(self.bucketIdentifier) && size(self.bucketIdentifier) > 0";

/** Which fields of a class go together. Source: COSI proposal of 2020-02-27, Determining Case from BucketClass. */
const classRules: readonly Rule[] = [
  {
    rule: "has(self.provisioner) || has(self.secretRef)",
    message: "give provisioner, or secretRef for a static bucket",
  },
  {
    rule: `!has(self.secretRef) || (${hasIdentifier})`,
    message: "secretRef requires bucketIdentifier, of a static bucket",
  },
  {
    rule: `!(${hasIdentifier}) || self.releasePolicy == 'Retain'`,
    message: "releasePolicy Delete is not for a bucket that was there before (bucketIdentifier): give Retain",
  },
  {
    rule: `!(${hasIdentifier}) || has(self.secretRef) || 'bucketName' in self.bucketIdentifier || 'containerName' in self.bucketIdentifier`,
    message: "bucketIdentifier has no name of a bucket: give bucketName or containerName",
  },
];

/**
 * The definitions of the three kinds in a group. They enforce what the proposal says of required fields, values and
 * defaults, for objects too that no program of this package wrote.
 *
 * @param group API group, `cosi.io` in the proposal.
 */
export function definitionsFor(group: string): readonly CustomResourceDefinition[] {
  const kinds = kindsOf(group);
  return [
    definition(group, {
      kind: kinds.bucket,
      scope: "Namespaced",
      namesake: namesakeOf("2020-02-27", "Bucket", otherGroup),
      fields: {
        spec: object(
          {
            requestProtocol: oneOf("Protocol for which the app gets credentials.", apiProtocols),
            bucketPrefix: text("Beginning of the name of a new bucket."),
            bucketClassName: text("BucketClass that the bucket comes from.", given),
            secretName: text("Secret in the same namespace that the credentials are written to."),
          },
          ["requestProtocol", "bucketClassName"],
        ),
        status: object({
          bucketContentName: text("BucketContent that is bound."),
          phase: oneOf("State of the Bucket.", ["Pending", "Bound"]),
          conditions,
        }),
      },
      required: ["spec"],
      columns: [
        column("Protocol", ".spec.requestProtocol"),
        column("Class", ".spec.bucketClassName"),
        column("Content", ".status.bucketContentName"),
        column("Secret", ".spec.secretName"),
        column("Phase", ".status.phase"),
      ],
    }),
    definition(group, {
      kind: kinds.bucketContent,
      scope: "Cluster",
      fields: {
        spec: object(
          {
            provisioner: text("Driver; absent for a static bucket without one.", given),
            releasePolicy,
            accessMode,
            bucketClassName: text("BucketClass that the bucket comes from.", given),
            protocol: oneOf("Protocol of the bucket: the block of its name is filled.", apiProtocols),
            bucketRef: object(
              {
                name: text("Name of the Bucket.", given),
                namespace: text("Namespace of the Bucket.", given),
                uuid: text("UID of the Bucket: one that was deleted and made again is another one.", given),
                resourceVersion: text("Version of the Bucket when it was bound."),
              },
              ["name", "namespace", "uuid"],
              { description: "Bucket that is bound." },
            ),
            secretRef: secretRef("Secret with the credentials, which the app's is a copy of."),
            ...Object.fromEntries(
              apiProtocols.map((protocol) => [protocolBlocks[protocol], blocks[protocol]]),
            ),
            parameters,
          },
          ["bucketClassName", "protocol"],
        ),
        status: object({
          message,
          phase: oneOf("State of the BucketContent.", ["Ready", "Bound", "Released", "Failed", "Retrying"]),
          conditions,
        }),
      },
      required: ["spec"],
      columns: [
        column("Provisioner", ".spec.provisioner"),
        column("Protocol", ".spec.protocol"),
        column("Policy", ".spec.releasePolicy"),
        column("Namespace", ".spec.bucketRef.namespace"),
        column("Bucket", ".spec.bucketRef.name"),
        column("Phase", ".status.phase"),
      ],
    }),
    definition(group, {
      kind: kinds.bucketClass,
      scope: "Cluster",
      namesake: namesakeOf("2020-02-27", "BucketClass", otherGroup),
      fields: {
        provisioner: text("Driver of the buckets; one that has none is static, and has secretRef.", given),
        supportedProtocols: texts("Protocols of the object store: s3, gcs, azureBlob, or others.", {
          items: { type: "string", minLength: 1 },
          minItems: 1,
        }),
        accessMode,
        releasePolicy,
        bucketIdentifier: textMap(
          "Where the bucket is that was there before: fields of a BucketContent's block, and settings for the driver. " +
            "None for new buckets.",
        ),
        secretRef: secretRef("Secret with the credentials of a static bucket, which no driver is asked for."),
        parameters,
      },
      required: ["supportedProtocols"],
      columns: [
        column("Provisioner", ".provisioner"),
        column("Protocols", ".supportedProtocols"),
        column("Access", ".accessMode"),
        column("Policy", ".releasePolicy"),
      ],
      rules: classRules,
    }),
  ];
}
