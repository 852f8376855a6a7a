import type { CustomResourceDefinition, DefinitionVersion } from "../../kubernetes/definition";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
  group,
} from "./kinds";
import type { KubernetesKind } from "../../kubernetes/object";

interface Schema {
  type: "object" | "string" | "boolean" | "array";
  description?: string;
  default?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  required?: string[];
  "x-kubernetes-map-type"?: "atomic";
}

type PrinterColumn = NonNullable<DefinitionVersion["additionalPrinterColumns"]>[number];

/** The API server refuses definitions of groups below k8s.io without it; the value is upstream's. */
const approval = {
  "api-approved.kubernetes.io":
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-storage/1979-object-storage-support",
};

const age: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

const text = (description: string): Schema => ({ type: "string", description });
const texts = (description: string): Schema => ({ type: "array", description, items: { type: "string" } });
const flag = (description: string): Schema => ({ type: "boolean", description });
const textMap = (description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: { type: "string" },
});
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
});

const deletionPolicy: Schema = {
  ...text("What becomes of the backend's bucket: Retain or Delete."),
  default: "Retain",
};
const driverName = text("Name of the driver, as it reports it.");
const protocols = texts("Protocols by which the bucket is reached: S3, Azure or GCP.");

/** ObjectReference of the core API. */
const objectReference: Schema = {
  ...object({
    apiVersion: { type: "string" },
    fieldPath: { type: "string" },
    kind: { type: "string" },
    name: { type: "string" },
    namespace: { type: "string" },
    resourceVersion: { type: "string" },
    uid: { type: "string" },
  }),
  "x-kubernetes-map-type": "atomic",
};

function definition(
  { kind, plural }: KubernetesKind,
  scope: "Cluster" | "Namespaced",
  properties: Record<string, Schema>,
  options: { required?: string[]; columns: PrinterColumn[] },
): CustomResourceDefinition {
  const meta = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
  } as const;
  return {
    metadata: { name: `${plural}.${group}`, annotations: approval },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: object({ ...meta, ...properties }, options.required) },
          ...("status" in properties ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: [...options.columns, age],
        },
      ],
    },
  };
}

/**
 * The five kinds of objectstorage.k8s.io/v1alpha1. They accept and reject what those of COSI v0.2.2 do: no enum, no
 * pattern, no validation rule; the printer columns are an addition.
 */
export const definitions: readonly CustomResourceDefinition[] = [
  definition(
    bucketKind,
    "Cluster",
    {
      spec: object(
        {
          bucketClaim: { ...objectReference, description: "The BucketClaim that the bucket is for." },
          bucketClassName: text("Name of the BucketClass that the bucket was made from."),
          deletionPolicy,
          driverName,
          existingBucketID: text(
            "Id of a bucket that the backend had before; empty for one made by the driver.",
          ),
          parameters: textMap("Parameters of the BucketClass, copied when the bucket was made."),
          protocols,
        },
        ["bucketClaim", "bucketClassName", "driverName", "protocols"],
      ),
      status: object({
        bucketID: text("Id of the bucket in the backend, as the driver gave it."),
        bucketReady: flag("The bucket exists in the backend."),
      }),
    },
    {
      columns: [
        { name: "Driver", type: "string", jsonPath: ".spec.driverName" },
        { name: "Policy", type: "string", jsonPath: ".spec.deletionPolicy" },
        { name: "Ready", type: "boolean", jsonPath: ".status.bucketReady" },
      ],
    },
  ),
  definition(
    bucketClassKind,
    "Cluster",
    { deletionPolicy, driverName, parameters: textMap("Parameters for the driver's create call.") },
    {
      required: ["deletionPolicy", "driverName"],
      columns: [
        { name: "Driver", type: "string", jsonPath: ".driverName" },
        { name: "Policy", type: "string", jsonPath: ".deletionPolicy" },
      ],
    },
  ),
  definition(
    bucketClaimKind,
    "Namespaced",
    {
      spec: object(
        {
          bucketClassName: text("Name of the BucketClass to make a bucket from."),
          existingBucketName: text(
            "Name of a Bucket object that stands for a bucket the backend has already.",
          ),
          protocols,
        },
        ["protocols"],
      ),
      status: object(
        {
          bucketName: text("Name of the Bucket object."),
          bucketReady: flag("The bucket may be used."),
        },
        ["bucketReady"],
      ),
    },
    {
      columns: [
        { name: "Class", type: "string", jsonPath: ".spec.bucketClassName" },
        { name: "Bucket", type: "string", jsonPath: ".status.bucketName" },
        { name: "Ready", type: "boolean", jsonPath: ".status.bucketReady" },
      ],
    },
  ),
  definition(
    bucketAccessKind,
    "Namespaced",
    {
      spec: object(
        {
          bucketAccessClassName: text("Name of the BucketAccessClass."),
          bucketClaimName: text("Name of the BucketClaim in the same namespace."),
          credentialsSecretName: text("Name of the Secret that the credentials are written to."),
          protocol: text(
            "Protocol of the credentials; empty: the one of the credentials that the driver gives.",
          ),
          serviceAccountName: text("ServiceAccount that is given access, with authentication type IAM."),
        },
        ["bucketAccessClassName", "bucketClaimName", "credentialsSecretName"],
      ),
      status: object({
        accessGranted: flag("The Secret holds credentials that work."),
        accountID: text("Id of the account in the backend, as the driver gave it."),
      }),
    },
    {
      columns: [
        { name: "Claim", type: "string", jsonPath: ".spec.bucketClaimName" },
        { name: "Secret", type: "string", jsonPath: ".spec.credentialsSecretName" },
        { name: "Granted", type: "boolean", jsonPath: ".status.accessGranted" },
      ],
    },
  ),
  definition(
    bucketAccessClassKind,
    "Cluster",
    {
      authenticationType: text("How workloads authenticate: Key or IAM."),
      driverName,
      parameters: textMap("Parameters for the driver's grant call."),
    },
    {
      required: ["authenticationType", "driverName"],
      columns: [
        { name: "Driver", type: "string", jsonPath: ".driverName" },
        { name: "Authentication", type: "string", jsonPath: ".authenticationType" },
      ],
    },
  ),
];
