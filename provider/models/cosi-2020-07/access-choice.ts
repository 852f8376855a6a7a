import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { isRecord } from "../../dynamic/values";
import type { AccessRequestInputs } from "./access-request-state";
import { goingText, isGoing, requireMade } from "./bindings";
import { requireGrantedThrough } from "./bucket-choice";
import type { Kinds } from "./kinds";
import { accessNameOf, bindingEntry, requestMark, type RequestName } from "./names";
import { readAccessClass, readBucket, type BucketRecord } from "./records";
import type { AccessClassCopy } from "./specs";
import { readProtocol } from "../cosi-proposals/protocols";

/** The Bucket that access is asked for. @throws RefusedError where there is none, or it goes. */
export async function chooseAccessedBucket(
  client: KubernetesClient,
  kinds: Kinds,
  { bucketInstance: name, request }: AccessRequestInputs,
): Promise<BucketRecord> {
  const object = await client.get(kinds.bucket, { name });
  if (object === undefined) {
    throw new RefusedError(
      `${describe(kinds.bucketAccessRequest, request)} names the Bucket ${JSON.stringify(name)} as bucketInstance, which does ` +
        "not exist: correct the name, or make the Bucket first",
    );
  }
  const bucket = readBucket(object);
  if (isGoing(bucket)) throw new RefusedError(goingText(kinds, bucket));
  requireMade(kinds, bucket);
  return bucket;
}

/**
 * The class of an access: the one that the program gave, or the one of the cluster that it names.
 *
 * @throws RefusedError where there is none, or it is not for the bucket: K07-067.
 */
export async function chooseAccessClass(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: AccessRequestInputs,
  bucket: BucketRecord,
): Promise<AccessClassCopy> {
  const { request, provisioner = null } = inputs;
  const who = describe(kinds.bucketAccessRequest, request);
  const found = inputs.accessClass ?? (await namedClass(client, kinds, inputs, who));
  const fits = found.protocol === bucket.protocol && found.provisioner === bucket.provisioner;
  if (!fits) {
    throw new RefusedError(
      `${who} has the BucketAccessClass ${found.name} of provisioner ${found.provisioner} and protocol ${found.protocol}, and ` +
        `${describe(kinds.bucket, { name: bucket.name })} has ${bucket.provisioner} and ${bucket.protocol ?? "none"}: name a class ` +
        "that matches the Bucket",
    );
  }
  if (provisioner === found.provisioner) return found;
  throw new RefusedError(
    `the BucketAccessClass ${found.name} of ${who} is for the provisioner ${JSON.stringify(found.provisioner)}, for which no ` +
      `driver is registered (given is ${provisioner === null ? "none" : `that of ${provisioner}`}): give the Driver of that ` +
      "provisioner as the input driver",
  );
}

async function namedClass(
  client: KubernetesClient,
  kinds: Kinds,
  { accessClassName }: AccessRequestInputs,
  who: string,
): Promise<AccessClassCopy> {
  const name = accessClassName ?? "";
  const object = name === "" ? undefined : await client.get(kinds.bucketAccessClass, { name });
  if (object === undefined) {
    throw new RefusedError(
      `${who} names the BucketAccessClass ${JSON.stringify(name)}, which does not exist: make the class first, or name another one`,
    );
  }
  const found = readAccessClass(object);
  if (found !== undefined) return found;
  throw new RefusedError(
    `the BucketAccessClass ${name} has the protocol ${JSON.stringify(object["protocol"])}, which the proposal does not have`,
  );
}

/**
 * The BucketRequest through which an access is bound: K07-065. One that the program does not give is either the one that the
 * Bucket was made for, or one that names the Bucket. It may have been bound before its namespace lost the permission, or by
 * nobody that has judged it.
 *
 * @throws RefusedError for none, or several.
 */
export async function chooseBucketRequest(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: AccessRequestInputs,
  bucket: BucketRecord,
): Promise<RequestName> {
  const { bucketRequest, request } = inputs;
  const chosen = isRecord(bucketRequest)
    ? bucketRequest
    : await findBucketRequest(client, kinds, inputs, bucket);
  // An access that is bound stays so: what its owner takes back is that of grants to come.
  const isBound = bucket.bindings.includes(bindingEntry(accessNameOf(request), chosen));
  if (!isBound) await requireGrantedThrough(client, kinds, chosen, bucket);
  return chosen;
}

async function findBucketRequest(
  client: KubernetesClient,
  kinds: Kinds,
  { bucketInstance, request }: AccessRequestInputs,
  bucket: BucketRecord,
): Promise<RequestName> {
  const { namespace } = request;
  const found = (await client.list(kinds.bucketRequest, { namespace }))
    .map(({ metadata: { name, uid = "" }, spec }) => ({
      name,
      isMaker: bucket.request === requestMark({ namespace, name, uid }),
      names: isRecord(spec) && spec["bucketInstanceName"] === bucketInstance,
      protocol: isRecord(spec) ? readProtocol(spec["protocol"]) : undefined,
    }))
    .filter(({ isMaker, names, protocol }) => isMaker || (names && protocol === bucket.protocol));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return { namespace, name: only.name };
  const names = found.map(({ name }) => name).sort();
  throw new RefusedError(
    `${describe(kinds.bucketAccessRequest, request)} names the Bucket ${JSON.stringify(bucketInstance)}, and the namespace ` +
      `${namespace} has ${only === undefined ? "no BucketRequest" : `several BucketRequests (${names.join(", ")})`} for it: ` +
      "give the component the one that binds it, as bucketRequest",
  );
}
