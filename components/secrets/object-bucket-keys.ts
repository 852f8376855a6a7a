import { isRecord } from "../../provider/dynamic/values";
import type { BucketEndpoint } from "../../provider/models/objectbucket/endpoint";

/** Keys of a claim's Secret and ConfigMap: those of Rook and NooBaa (`rook`), or those of the design (`seed`). */
export type KeySet = "rook" | "seed";

/** The values of {@link KeySet}, for checks; all of them are the default. */
export const keySets: readonly KeySet[] = ["rook", "seed"];

/** What is wrong with a choice of key sets, or `undefined`: OBC-041. */
export function keySetProblem(value: unknown): string | undefined {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const isChoice = entries.length > 0 && entries.every((entry) => keySets.some((known) => known === entry));
  if (isChoice) return undefined;
  return `is ${JSON.stringify(value)}: give a list of "rook", "seed" or both, or leave it out for both`;
}

/** Keys of an account. */
export interface AccountKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How a bucket is reached. */
export interface BucketConnection {
  readonly endpoint: BucketEndpoint;
  readonly bucketName: string;
  /** Empty where nobody tells. */
  readonly region: string;
  /** Empty where nobody tells. */
  readonly subRegion: string;
}

const inSecret: Readonly<Record<KeySet, (keys: AccountKeys) => Record<string, string>>> = {
  rook: ({ accessKeyId, secretAccessKey }) => ({
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  }),
  seed: ({ accessKeyId, secretAccessKey }) => ({
    ACCESS_KEY_ID: accessKeyId,
    SECRET_ACCESS_KEY: secretAccessKey,
  }),
};

const inConfigMap: Readonly<Record<KeySet, (connection: BucketConnection) => Record<string, string>>> = {
  rook: ({ endpoint, bucketName, region, subRegion }) => ({
    BUCKET_HOST: endpoint.host,
    BUCKET_PORT: String(endpoint.port),
    BUCKET_NAME: bucketName,
    BUCKET_REGION: region,
    BUCKET_SUBREGION: subRegion,
  }),
  seed: ({ endpoint, bucketName, region }) => ({
    S3_BUCKET_HOST: endpoint.host,
    S3_BUCKET_PORT: String(endpoint.port),
    S3_BUCKET_NAME: bucketName,
    S3_BUCKET_SSL: endpoint.ssl ? "yes" : "no",
    S3_BUCKET_REGION: region,
  }),
};

/** What the Secret of a claim holds. Source: Rook, object bucket claims; the design's `Secret`. */
export function secretKeys(sets: readonly KeySet[], keys: AccountKeys): Record<string, string> {
  return Object.fromEntries(sets.flatMap((set) => Object.entries(inSecret[set](keys))));
}

/** The keys of an account under the names that are already there: those of a Secret that somebody else has made. */
export function presentSecretKeys(
  found: Readonly<Record<string, string>>,
  keys: AccountKeys,
): Record<string, string> {
  const known = Object.entries(secretKeys(keySets, keys));
  return { ...found, ...Object.fromEntries(known.filter(([key]) => key in found)) };
}

/**
 * What the ConfigMap of a claim holds: every key of the sets, also where its value is empty. Source: Rook, object bucket
 * claims; the design's `ConfigMap`.
 */
export function configMapKeys(sets: readonly KeySet[], connection: BucketConnection): Record<string, string> {
  return Object.fromEntries(sets.flatMap((set) => Object.entries(inConfigMap[set](connection))));
}

/** A value that a further key can have. */
export type OutputName =
  "endpointUrl" | "region" | "bucketName" | "host" | "port" | "accessKeyId" | "secretAccessKey";
type ConnectionOutput = Exclude<OutputName, keyof AccountKeys>;

/** Further keys, each with the output that is its value: `{ AWS_ENDPOINT_URL: "endpointUrl" }`. */
export type ExtraKeys = Readonly<Record<string, OutputName>>;

/** The object that further keys are for. */
export type KeysObject = "secret" | "configMap";

const connectionOutputs: Readonly<Record<ConnectionOutput, (connection: BucketConnection) => string>> = {
  endpointUrl: ({ endpoint }) => endpoint.url,
  region: ({ region }) => region,
  bucketName: ({ bucketName }) => bucketName,
  host: ({ endpoint }) => endpoint.host,
  port: ({ endpoint }) => String(endpoint.port),
};
const accountOutputs: readonly string[] = ["accessKeyId", "secretAccessKey"] satisfies (keyof AccountKeys)[];
const outputNames: readonly string[] = [...Object.keys(connectionOutputs), ...accountOutputs];

/** OBC-068: keys from which `envFrom` makes variables, without leaving any out. */
const variableForm = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What is wrong with the further keys of an object, or `undefined`: OBC-046. */
export function extraKeysProblem(
  sets: readonly KeySet[],
  extra: unknown,
  where: KeysObject,
): string | undefined {
  if (extra === undefined || extra === null) return undefined;
  if (!isRecord(extra))
    return 'is not a map: give names of outputs by their keys, such as { AWS_REGION: "region" }';
  const defined = Object.keys(
    where === "secret" ? secretKeys(sets, noAccount) : configMapKeys(sets, noConnection),
  );
  for (const [key, output] of Object.entries(extra)) {
    const named = `has the key ${JSON.stringify(key)}`;
    if (!variableForm.test(key)) {
      return `${named}, which cannot name an environment variable: give letters, digits and "_", with no digit first`;
    }
    if (defined.includes(key)) return `${named}, which keySets defines: give another key, or leave it out`;
    if (typeof output !== "string" || !outputNames.includes(output)) {
      return `${named} for ${JSON.stringify(output)}: give one of ${listed(outputNames)}`;
    }
    if (where === "configMap" && accountOutputs.includes(output)) {
      return `${named} for ${output}, which is secret: give it in extraKeys.secret`;
    }
  }
  return undefined;
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}

/** Of a claim whose keys alone are asked for. */
const noAccount: AccountKeys = { accessKeyId: "", secretAccessKey: "" };
const noConnection: BucketConnection = {
  endpoint: { host: "", port: 0, ssl: false, url: "" },
  bucketName: "",
  region: "",
  subRegion: "",
};

/** The further keys of a Secret; those of no {@link extraKeysProblem}. */
export function extraSecretKeys(
  extra: ExtraKeys | undefined,
  keys: AccountKeys,
  connection: BucketConnection,
): Record<string, string> {
  const entries = Object.entries(extra ?? {}).map(([key, output]) => {
    const isOfAccount = output === "accessKeyId" || output === "secretAccessKey";
    return [key, isOfAccount ? keys[output] : connectionOutputs[output](connection)] as const;
  });
  return Object.fromEntries(entries);
}

/** The further keys of a ConfigMap; those of no {@link extraKeysProblem}, so that none of them is secret. */
export function extraConfigMapKeys(
  extra: ExtraKeys | undefined,
  connection: BucketConnection,
): Record<string, string> {
  return extraSecretKeys(extra, noAccount, connection);
}
