import { isRecord } from "../../dynamic/values";
import type { BucketInfo } from "../../contracts/contract";
import type { CredentialProtocol } from "../../credentials/credentials";
import type { KubernetesObject } from "../../kubernetes/object";

/** Protocols of the API; `GCP` is its constant, although its comments say GCS. Source: COSI v0.2.2. */
export type ApiProtocol = "S3" | "Azure" | "GCP";

/** How the API writes a protocol that the contract calls GCS. */
export function apiProtocol(protocol: CredentialProtocol): ApiProtocol {
  return protocol === "GCS" ? "GCP" : protocol;
}

/** OS1-023: what the driver told of a bucket that is for other protocols, in words; `undefined` if it fits. */
export function bucketInfoProblem(
  { spec }: KubernetesObject,
  info: BucketInfo | null | undefined,
): string | undefined {
  const protocols: unknown = isRecord(spec) ? spec["protocols"] : undefined;
  if (info === null || info === undefined || !Array.isArray(protocols)) return undefined;
  const protocol = apiProtocol(info.protocol);
  if (protocols.includes(protocol)) return undefined;
  const wanted = protocols.map((entry) => JSON.stringify(entry)).join(", ");
  return (
    `the driver describes the bucket for ${JSON.stringify(protocol)}, which is not among the protocols ${wanted}: ` +
    "clients may not reach it as the program says"
  );
}
