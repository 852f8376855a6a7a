import { rememberCredentials } from "../../credentials/remember";
import { isRecord, isUnknown } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { namespaceProblem, objectNameProblem } from "../../kubernetes/names";
import { describe, secretKind } from "../../kubernetes/object";

/** Parameter with the name of the Secret that calls for a bucket or an access send. */
export const secretNameParameter = "cosi.io/provisioner-secret-name";

/** Parameter with the namespace of that Secret. */
export const secretNamespaceParameter = "cosi.io/provisioner-secret-namespace";

interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** Parameters that may name a Secret, and what templates in them stand for. */
export interface SecretSource {
  readonly parameters: Readonly<Record<string, string>>;
  /** `${bucket.name}`: name of the Bucket object. */
  readonly bucketName: string;
  /** `${bucket.namespace}`: that of the BucketRequest behind the call, as a Bucket has none. */
  readonly namespace: string;
}

/**
 * What a call sends as `secrets`: the data of the Secret that the first source names which names one, else that of
 * `fallback`, else nothing. It is read for every call and kept nowhere, so that the next call has what was rotated.
 * Source: COSI proposal of 2020-07-08, Provisioner Secrets.
 *
 * @param sources Parameters of the access before those of the bucket.
 * @throws RefusedError for parameters that name no Secret, for one that does not exist, and for data that is no text.
 */
export async function provisionerSecrets(
  client: KubernetesClient,
  sources: readonly SecretSource[],
  fallback?: SecretName,
): Promise<Record<string, string>> {
  const source = sources.find(({ parameters }) => namesSecret(parameters));
  if (source !== undefined) {
    const problem = secretParametersProblem(source.parameters) ?? filledProblem(source);
    if (problem !== undefined) throw new RefusedError(`the parameters of the class ${problem}`);
    return textsOf(client, filled(source), `the parameters ${parameterNames} name it`);
  }
  return fallback === undefined ? {} : textsOf(client, fallback, "secretName of the BucketRequest names it");
}

const parameterNames = `${secretNameParameter} and ${secretNamespaceParameter}`;

/**
 * What is wrong with the parameters of a class that name a Secret, or `undefined`; it completes a text that begins with
 * what the parameters are called. Whether the Secret exists is not asked.
 */
export function secretParametersProblem(parameters: unknown): string | undefined {
  if (!isRecord(parameters) || !namesSecret(parameters)) return undefined;
  for (const [key, other] of [
    [secretNameParameter, secretNamespaceParameter],
    [secretNamespaceParameter, secretNameParameter],
  ] as const) {
    if (parameters[key] === undefined) return `have ${other} without ${key}: give both, or neither`;
  }
  return valueProblem(parameters, secretNameParameter) ?? valueProblem(parameters, secretNamespaceParameter);
}

function namesSecret(parameters: Readonly<Record<string, unknown>>): boolean {
  return parameters[secretNameParameter] !== undefined || parameters[secretNamespaceParameter] !== undefined;
}

const template = /\$\{([^}]*)(\}?)/g;

/** Values of a test, by which the text around a template is judged. */
const sample = { bucketName: "a", namespace: "a" };

function valueProblem(parameters: Readonly<Record<string, unknown>>, key: ParameterName): string | undefined {
  const value = parameters[key];
  // What is no text at all is a fault of the parameters as a whole.
  if (typeof value !== "string" || isUnknown(value)) return undefined;
  for (const [text, , end] of value.matchAll(template)) {
    if (end !== "" && (text === "${bucket.name}" || text === "${bucket.namespace}")) continue;
    return `have ${text} in ${key}: only \${bucket.name} and \${bucket.namespace} are filled in`;
  }
  return nameProblem(key, fill(value, sample), value);
}

type ParameterName = typeof secretNameParameter | typeof secretNamespaceParameter;

function filledProblem(source: SecretSource): string | undefined {
  const { name, namespace } = filled(source);
  const { parameters } = source;
  return (
    nameProblem(secretNameParameter, name, parameters[secretNameParameter] ?? "") ??
    nameProblem(secretNamespaceParameter, namespace, parameters[secretNamespaceParameter] ?? "")
  );
}

function nameProblem(key: ParameterName, name: string, value: string): string | undefined {
  const problem = key === secretNameParameter ? objectNameProblem(name) : namespaceProblem(name);
  if (problem === undefined) return undefined;
  return `have ${JSON.stringify(value)} as ${key}, which ${problem}`;
}

function filled(source: SecretSource): SecretName {
  const value = (key: ParameterName) => fill(source.parameters[key] ?? "", source);
  return { namespace: value(secretNamespaceParameter), name: value(secretNameParameter) };
}

function fill(value: string, { bucketName, namespace }: Omit<SecretSource, "parameters">): string {
  // By a function: a text as replacement has patterns of its own.
  return value
    .replaceAll("${bucket.name}", () => bucketName)
    .replaceAll("${bucket.namespace}", () => namespace);
}

/** The data of a Secret as text. From here on it is kept out of every text of this process. */
async function textsOf(
  client: KubernetesClient,
  reference: SecretName,
  because: string,
): Promise<Record<string, string>> {
  const secret = await client.get(secretKind, reference);
  if (secret === undefined) {
    throw new RefusedError(
      `${describe(secretKind, reference)} does not exist, and ${because}: make it, or name another one, then run the ` +
        "command again",
    );
  }
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  const texts: Record<string, string> = {};
  for (const [key, encoded] of Object.entries(data)) {
    const value = textOf(Buffer.from(String(encoded), "base64"));
    if (value === undefined) {
      throw new RefusedError(
        `${describe(secretKind, reference)} has a value at the key ${JSON.stringify(key)} that is no UTF-8 text, and ` +
          `the contract has texts only (${because}): encode it in the way that the driver reads, or leave it out`,
      );
    }
    texts[key] = value;
  }
  rememberCredentials(texts);
  return texts;
}

function textOf(bytes: Buffer): string | undefined {
  try {
    // A byte order mark is a part of the value.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
