/** What must stand in no picture. */
export const canary = "s3cr3t-that-nobody-may-see";

const stack = "urn:pulumi:prod::shop";
const root = `${stack}::pulumi:pulumi:Stack::shop-prod`;
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: canary };
const own = "pulumi-nodejs:dynamic/cosi";
const group = "kubernetes:objectstorage.k8s.io/v1alpha1";

interface HandMade {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly parent?: string;
  readonly dependencies: readonly string[];
  readonly inputs: object;
  readonly outputs: object;
  readonly protect?: boolean;
}

/** A claim as a program would make it: with its bucket, an access, a Secret and a Pod. */
export interface HandMadeClaim {
  readonly name: string;
  readonly namespace: string;
  readonly policy?: "Delete" | "Retain";
  readonly protect?: boolean;
}

/** A state as `pulumi stack export --show-secrets` writes it. */
export function stateOf(claims: readonly HandMadeClaim[]): string {
  const driver = urn(`${own}:Driver`, "store");
  const resources: HandMade[] = [
    { ...component("pulumi:pulumi:Stack", "shop-prod"), urn: root },
    custom(`${own}:Driver`, "store", [], { endpoint: canary }, { driverName: "rgw.example.com" }),
    ...classOf("BucketClass", "gold", driver),
    ...classOf("BucketAccessClass", "keys", driver),
    ...claims.flatMap(resourcesOf),
  ];
  return JSON.stringify({ version: 3, deployment: { resources: resources.map(withParent) } });
}

function classOf(kind: string, name: string, driver: string): HandMade[] {
  const type = `cosi:objectstorage:${kind}`;
  const inputs = { metadata: { name }, driverName: "rgw.example.com", parameters: { key: canary } };
  return [component(type, name), custom(`${type}$${group}:${kind}`, name, [driver], inputs, {})];
}

function resourcesOf({ name, namespace, policy = "Delete", protect = false }: HandMadeClaim): HandMade[] {
  const claim = "cosi:objectstorage:BucketClaim";
  const access = "cosi:objectstorage:BucketAccess";
  const gold = urn(`cosi:objectstorage:BucketClass$${group}:BucketClass`, "gold");
  const keys = urn(`cosi:objectstorage:BucketAccessClass$${group}:BucketAccessClass`, "keys");
  const metadata = { name, namespace };
  const onDelete =
    policy === "Delete"
      ? `DELETES the bucket bucket-${name} and what the driver deletes with it (deletionPolicy Delete)`
      : "keeps the bucket and its data (deletionPolicy Retain)";
  const object = custom(`${claim}$${group}:BucketClaim`, name, [gold], { metadata }, {});
  const driver = { driverName: "rgw.example.com", endpoint: canary };
  const bucket = custom(
    `${claim}$${own}:Bucket`,
    name,
    [object.urn],
    { onDelete, driver, name: `bucket-${name}`, parameters: secret },
    { bucketId: `bucket-${name}` },
  );
  const accessObject = custom(`${access}$${group}:BucketAccess`, name, [object.urn, keys], { metadata }, {});
  const account = custom(
    `${access}$${own}:BucketAccess`,
    name,
    [accessObject.urn, bucket.urn],
    { driver, name: `ba-${name}` },
    { accountId: `ba-${name}`, accessSecretKey: secret, credentials: secret },
  );
  const credentials = custom(
    `${access}$${own}/kubernetes:Secret`,
    name,
    [account.urn],
    { namespace, name: `${name}-creds`, data: secret },
    { data: secret },
  );
  const pod = { metadata, stringData: canary, spec: { env: canary } };
  return [
    component(claim, name),
    object,
    { ...bucket, protect },
    component(access, name),
    accessObject,
    account,
    credentials,
    custom("kubernetes:core/v1:Pod", name, [credentials.urn], pod, {}),
  ];
}

function urn(type: string, name: string): string {
  return `${stack}::${type}::${name}`;
}

function component(type: string, name: string): HandMade {
  return { urn: urn(type, name), type, custom: false, dependencies: [], inputs: {}, outputs: {} };
}

function custom(
  chain: string,
  name: string,
  dependencies: readonly string[],
  inputs: object,
  outputs: object,
): HandMade {
  const type = chain.split("$").at(-1) ?? chain;
  return { urn: urn(chain, name), type, custom: true, dependencies, inputs, outputs };
}

function withParent(resource: HandMade): HandMade {
  if (resource.urn === root) return resource;
  const [chain = "", name = ""] = resource.urn.slice(`${stack}::`.length).split("::");
  const above = chain.split("$").slice(0, -1).join("$");
  return { ...resource, parent: above === "" ? root : urn(above, name) };
}
