import type { CustomResourceDefinition, DefinitionVersion, Namesake } from "../../kubernetes/definition";
import type { KubernetesKind } from "../../kubernetes/object";
import { kindsOf } from "./kinds";
import { object, oneOf, text, textMap, texts, type Rule, type Schema } from "./schema";
import { accessModeNames, apiProtocols, type ApiProtocol } from "./specs";

type PrinterColumn = NonNullable<DefinitionVersion["additionalPrinterColumns"]>[number];

const age: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

const column = (name: string, jsonPath: string, type = "string"): PrinterColumn => ({ name, type, jsonPath });

/** The proposal writes `azureBlob` on requests and Buckets, and `azureblob` on classes: each kind takes both. */
const protocolNames = [...apiProtocols, "azureblob"];

const provisioner = text(
  "Driver, as <provisioner-namespace>/<provisioner-name>: ceph-rgw-provisioning/ceph-rgw.cosi.ceph.com.",
  { pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[^/\\s]{1,253}$" },
);
const releasePolicy = oneOf(
  "What becomes of the backend's bucket: Retain keeps it, Delete destroys it with its content.",
  ["Retain", "Delete"],
  "Retain",
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

const conditions: Schema = {
  type: "array",
  description: "Conditions of the object.",
  items: object(
    {
      type: text("Type of the condition."),
      status: oneOf("State of the condition.", ["True", "False", "Unknown"]),
      reason: text("Reason of the last change, in one word."),
      message: text("Reason of the last change, for people."),
      lastTransitionTime: text("When the state changed last.", { format: "date-time" }),
      observedGeneration: {
        type: "integer",
        format: "int64",
        description: "Generation of the object that the condition is about.",
      },
    },
    ["type", "status"],
  ),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
};

const message = text("Reason of the phase, for people.");

const exactlyOne = (one: string, other: string): Rule => ({
  rule: `has(self.${one}) != has(self.${other})`,
  message: `give exactly one of ${one} and ${other}`,
});

const given = { minLength: 1 } as const;

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
      signatureVersion: oneOf("Version of the signatures of requests.", ["V2", "V4"]),
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

/** Spec of the four kinds that have one, and top-level fields of the two classes. */
interface Layout {
  readonly kind: KubernetesKind;
  readonly scope: "Cluster" | "Namespaced";
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly columns: readonly PrinterColumn[];
  readonly namesake?: Namesake;
}

function definition(group: string, layout: Layout): CustomResourceDefinition {
  const { kind, scope, fields, required, columns, namesake } = layout;
  const meta = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
  } as const;
  return {
    metadata: { name: `${kind.plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
      },
      versions: [
        {
          name: versionOf(kind),
          served: true,
          storage: true,
          schema: { openAPIV3Schema: object({ ...meta, ...fields }, required) },
          ...("status" in fields ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: [...columns, age],
        },
      ],
    },
    ...(namesake === undefined ? {} : { namesake }),
  };
}

function versionOf({ apiVersion }: KubernetesKind): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/**
 * What tells a definition of this model from the one of its name in the proposal of 2020-02-27, whose Bucket is in a
 * namespace and whose classes have several protocols.
 */
const namesake = (field: string[], otherField: string[], otherScope: Namesake["otherScope"]): Namesake => ({
  model: "the COSI proposal of 2020-07-08 (components cosi20200708)",
  otherModel: "the COSI proposal of 2020-02-27 (components cosi20200227)",
  field,
  otherField,
  otherScope,
  wayOut:
    "give cosi20200708.install the input group, such as july.cosi.io, under which this model has definitions of its own, " +
    "or use another cluster",
});

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
      namesake: namesake(
        ["spec", "protocol", "protocolSignature"],
        ["spec", "requestProtocol"],
        "Namespaced",
      ),
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
      namesake: namesake(["protocol"], ["supportedProtocols"], "Cluster"),
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
