import type { KubernetesClient } from "../../kubernetes/client";
import { describe, namespaceKind } from "../../kubernetes/object";
import { warn } from "../../run/warning";
import { goingText, isGoing, requireMade } from "./bindings";
import type { Kinds } from "./kinds";
import { requestMark, type Request, type RequestName } from "./names";
import { RequestRefusedError } from "./phase-error";
import { readBucket, readBucketClass, type BucketRecord } from "./records";
import type { RequestInputs } from "./request-state";
import type { BucketClassCopy, PermittedNamespace } from "./specs";

/**
 * The class that a request for a new bucket gets: the one that the program gave, the one of the cluster that it names, or
 * the default one of its protocol.
 *
 * @throws RequestRefusedError where there is none, or it does not fit.
 */
export async function chooseClass(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: RequestInputs,
): Promise<BucketClassCopy> {
  const found = inputs.bucketClass ?? (await lookUpClass(client, kinds, inputs));
  const { request, protocol } = inputs;
  if (found.protocol !== protocol) {
    throw new RequestRefusedError(
      "ErrBucketClassDoesNotSupportProtocol",
      `${describe(kinds.bucketRequest, request)} asks for protocol ${JSON.stringify(protocol)}, and the BucketClass ` +
        `${found.name} is for ${JSON.stringify(found.protocol)}: name a class of that protocol, or correct the class, then ` +
        "run the command again",
    );
  }
  return found;
}

async function lookUpClass(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: RequestInputs,
): Promise<BucketClassCopy> {
  const name = inputs.bucketClassName ?? "";
  const found =
    name === "" ? await defaultClass(client, kinds, inputs) : await namedClass(client, kinds, inputs, name);
  const { provisioner = null } = inputs;
  if (provisioner === found.provisioner) return found;
  const given = provisioner === null ? "none" : `that of ${provisioner}`;
  throw new RequestRefusedError(
    "ErrBucketClassNotFound",
    `the BucketClass ${found.name} of ${describe(kinds.bucketRequest, inputs.request)} is for the provisioner ` +
      `${JSON.stringify(found.provisioner)}, for which no driver is registered (given is ${given}): give the Driver of ` +
      "that provisioner as the input driver",
  );
}

async function namedClass(
  client: KubernetesClient,
  kinds: Kinds,
  { request }: RequestInputs,
  name: string,
): Promise<BucketClassCopy> {
  const object = await client.get(kinds.bucketClass, { name });
  if (object === undefined) {
    throw new RequestRefusedError(
      "ErrBucketClassNotFound",
      `${describe(kinds.bucketRequest, request)} names the BucketClass ${JSON.stringify(name)}, which does not exist: ` +
        "make the class first, or name another one",
    );
  }
  const found = readBucketClass(object);
  if (found !== undefined) return found;
  throw new RequestRefusedError(
    "ErrBucketClassDoesNotSupportProtocol",
    `the BucketClass ${name} has the protocol ${JSON.stringify(object["protocol"])}, which the proposal does not have`,
  );
}

/** K07-026: never at random, and never of another protocol. */
async function defaultClass(
  client: KubernetesClient,
  kinds: Kinds,
  { request, protocol }: RequestInputs,
): Promise<BucketClassCopy> {
  const defaults = (await client.list(kinds.bucketClass))
    .filter((object) => object["isDefaultBucketClass"] === true)
    .map(readBucketClass)
    .filter((known) => known?.protocol === protocol)
    .filter((known) => known !== undefined);
  const [only, ...others] = defaults;
  if (only !== undefined && others.length === 0) return only;
  const names = defaults.map(({ name }) => name).sort();
  const problem =
    only === undefined
      ? `there is no default BucketClass for protocol ${JSON.stringify(protocol)}`
      : `there are several default BucketClasses for protocol ${JSON.stringify(protocol)}: ${names.join(", ")}`;
  throw new RequestRefusedError(
    "ErrBucketClassNotFound",
    `${describe(kinds.bucketRequest, request)} names no BucketClass, and ${problem}. Next: name the class as the input ` +
      "bucketClass or bucketClassName" +
      (only === undefined
        ? ", or make one with isDefaultBucketClass: true first (in this program with dependsOn)"
        : ""),
  );
}

/**
 * The Bucket that a request names.
 *
 * @throws RequestRefusedError where it cannot be bound.
 */
export async function chooseBucket(
  client: KubernetesClient,
  kinds: Kinds,
  { request, protocol, bucketInstanceName }: RequestInputs & { bucketInstanceName: string },
): Promise<BucketRecord> {
  const name = bucketInstanceName;
  const object = await client.get(kinds.bucket, { name });
  const who = describe(kinds.bucketRequest, request);
  if (object === undefined) {
    throw new RequestRefusedError(
      "ErrBucketNotFound",
      `${who} names the Bucket ${JSON.stringify(name)} in bucketInstanceName, which does not exist, and none is made under ` +
        "a name that you choose: correct the name, or leave bucketInstanceName out to have a bucket made",
    );
  }
  const bucket = readBucket(object);
  if (isGoing(bucket)) throw new RequestRefusedError("ErrBucketDeletionInProgress", goingText(kinds, bucket));
  if (bucket.protocol !== protocol) {
    throw new RequestRefusedError(
      "ErrBucketDoesNotSupportProtocol",
      `${who} asks for protocol ${JSON.stringify(protocol)}, and ${describe(kinds.bucket, { name })} has ` +
        `${JSON.stringify(bucket.protocol ?? "none")} as protocolSignature: ask for that, or name another Bucket`,
    );
  }
  await requirePermitted(client, kinds, request, bucket);
  requireMade(kinds, bucket);
  if (bucket.request === undefined && bucket.releasePolicy === "Delete") {
    warn(
      kinds.bucket.kind,
      name,
      'has releasePolicy "Delete", and was not made for a request: it is treated as "Retain", and never deleted',
    );
  }
  return bucket;
}

/**
 * K07-045, for a request through which access is granted: its namespace has to be permitted still, unless the Bucket was made
 * for this very request.
 *
 * @throws RequestRefusedError
 */
export async function requireGrantedThrough(
  client: KubernetesClient,
  kinds: Kinds,
  request: RequestName,
  bucket: BucketRecord,
): Promise<void> {
  const uid = (await client.get(kinds.bucketRequest, request))?.metadata.uid;
  if (uid !== undefined && bucket.request === requestMark({ ...request, uid })) return;
  await requirePermitted(client, kinds, request, bucket);
}

/** K07-045. @throws RequestRefusedError for a request from a namespace that the Bucket does not permit. */
export async function requirePermitted(
  client: KubernetesClient,
  kinds: Kinds,
  request: RequestName,
  { name, permittedNamespaces }: BucketRecord,
): Promise<void> {
  const uid = await uidOfNamespace(client, request.namespace);
  const permitted = permittedNamespaces.some(
    (entry) => entry.name === request.namespace && (entry.uid ?? null) === uid,
  );
  if (permitted) return;
  const known = permittedNamespaces.map((entry) => `${entry.name} (UID ${entry.uid ?? "absent"})`);
  throw new RequestRefusedError(
    "ErrNamespaceNotPermitted",
    `${describe(kinds.bucketRequest, request)} is in the namespace ${request.namespace} (UID ${uid}), from which ` +
      `${describe(kinds.bucket, { name })} may not be bound; permittedNamespaces has ` +
      `${known.length === 0 ? "none" : known.join(", ")}: have its owner add that namespace with its UID`,
  );
}

/** UID of a Namespace. @throws RequestRefusedError for one that is not there. */
export async function uidOfNamespace(client: KubernetesClient, name: string): Promise<string> {
  const uid = (await client.get(namespaceKind, { name }))?.metadata.uid;
  if (uid !== undefined) return uid;
  throw new RequestRefusedError(
    "ErrNamespaceNotPermitted",
    `${describe(namespaceKind, { name })} does not exist, so its UID cannot be permitted: make it first, or leave it out`,
  );
}

/** K07-044: those of the class, and the request's own. */
export async function permittedNamespaces(
  client: KubernetesClient,
  { namespace }: Request,
  { additionalPermittedNamespaces }: BucketClassCopy,
): Promise<PermittedNamespace[]> {
  const own = { name: namespace, uid: await uidOfNamespace(client, namespace) };
  const others = additionalPermittedNamespaces.filter(({ name }) => name !== namespace);
  return [
    ...(await Promise.all(
      others.map(async ({ name, uid }) => ({ name, uid: uid ?? (await uidOfNamespace(client, name)) })),
    )),
    own,
  ];
}
