/** A second driver, of another name, is told by `OTHER_ENDPOINT`. */
const start = `
import * as cosi from "pulumi-cosi";
import * as pulumi from "@pulumi/pulumi";
const namespace = "shop";
const driver = new cosi.Driver("store", { endpoint: process.env["STORE_ENDPOINT"]! });
const other = new cosi.Driver("other", { endpoint: process.env["OTHER_ENDPOINT"]! });
const { BucketClass, BucketAccessClass, BucketClaim, BucketAccess, Bucket, BucketMirror } = cosi.objectstorage;

const gold = new BucketClass("gold", { driver });
const classOf = (reply: string) =>
  new BucketClass(reply, { driver, deletionPolicy: "Delete", parameters: { reply, tier: "hot" } });
const keys = new BucketAccessClass("keys", { driver, authenticationType: "KEY" });
const foreignKeys = new BucketAccessClass("foreign-keys", { driver: other, authenticationType: "Key" });
const identity = new BucketAccessClass("identity", { driver, authenticationType: "IAM", parameters: { reply: "identity" } });
const grants = new Map<string, cosi.objectstorage.BucketAccessClass>();
const grantOf = (reply: string) => {
  const known = grants.get(reply) ??
    new BucketAccessClass("grant-" + reply, { driver, authenticationType: "Key", parameters: { reply } });
  grants.set(reply, known);
  return known;
};
const claim = (name: string, bucketClass: cosi.objectstorage.BucketClass, protocols: string[]) =>
  new BucketClaim(name, { namespace, bucketClass, protocols });
const access = (name: string, bucketClaim: cosi.objectstorage.BucketClaim,
  bucketAccessClass: cosi.objectstorage.BucketAccessClass, more = {}) =>
  new BucketAccess(name, { namespace, bucketClaim, bucketAccessClass, credentialsSecretName: name + "-creds", ...more });

const photos = claim("photos", gold, ["s3"]);
const lake = claim("lake", gold, ["GCS"]);
const films = claim("films", classOf("other-id"), ["S3"]);
const azureClass = classOf("azure");
const blobs = claim("blobs", azureClass, ["Azure"]);
const strange = claim("strange", azureClass, ["S3"]);
const quiet = claim("quiet", classOf("empty"), ["S3", "Azure"]);
`;

const accesses = `
for (const name of ["photos-a", "photos-b", "photos-c"]) access(name, photos, keys);
access("photos-iam", photos, identity, { serviceAccountName: "web", protocol: "s3" });
access("films-object", films, keys);
access("films-id", films, keys, { bucketInfoName: "id" });
access("spelled", quiet, grantOf("spelled"));
access("silent", quiet, grantOf("silent"));
access("filled", quiet, grantOf("silent"), { endpoint: "https://s3.example.com", region: "eu-7" });
access("both-azure", quiet, grantOf("both"), { protocol: "Azure" });
for (const reply of ["azure-go", "azure-rfc", "azure-absent", "azure-unreadable", "azure-zero"]) {
  access(reply, quiet, grantOf(reply));
}
const old = new Bucket("old", { bucketClass: gold, existingBucketId: "old-2019", protocols: ["S3"] });
const oldClaim = new BucketClaim("old", { namespace, existingBucket: old, protocols: ["S3"] });
export const infos = { photos: photos.bucketInfo, blobs: blobs.bucketInfo, quiet: quiet.bucketInfo };
`;

/** Accesses that cannot be granted. */
const failing = `
if (process.env["FAILING"] === "yes") {
  for (const reply of ["none", "gcs", "both", "no-key", "no-secret"]) access(reply, quiet, grantOf(reply));
  access("old-rw", oldClaim, grantOf("missing"));
  new BucketMirror("taken", { driver });
}
`;

/** Buckets without a claim, whose driver looks up Bucket objects; `TIER` is a parameter that changes. */
const mirrored = `
const parameters = { tier: process.env["TIER"]! };
const made = new BucketMirror("made", { driver, name: "made-prod", parameters });
const madeBucket = new cosi.Bucket("made", { ...made.greenfield, deletionPolicy: "Delete", protectData: false });
new cosi.BucketAccess("made-rw", { bucket: madeBucket });
const taken = new BucketMirror("kept", { driver, name: "kept-2019", parameters });
const takenBucket = new cosi.Bucket("kept", taken.brownfield);
new cosi.BucketAccess("kept-rw", { bucket: takenBucket });
`;

/** What each of the arguments is refused with in a preview; those that are judged at once are collected. */
const bad = `
if (process.env["BAD"] === "yes") {
  const problems: string[] = [];
  const attempt = (make: () => unknown): void => {
    try { make(); } catch (error) { problems.push((error as Error).message); }
  };
  attempt(() => new BucketClass("bad-policy", { driver, deletionPolicy: "delete" }));
  attempt(() => claim("no-protocol", gold, []));
  attempt(() => claim("bad-protocol", gold, ["NFS"]));
  const whole = { namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "creds" };
  for (const key of Object.keys(whole)) {
    attempt(() => new BucketAccess("no-" + key, { ...whole, [key]: undefined } as never));
  }
  new BucketAccess("elsewhere", { ...whole, namespace: "base" });
  new BucketAccess("bad-access-protocol", { ...whole, protocol: "Azure" });
  new BucketAccess("nobody", { ...whole, bucketAccessClass: identity });
  new BucketAccess("foreign", { ...whole, bucketAccessClass: foreignKeys });
  if (problems.length > 0) pulumi.log.error(problems.join("; "));
}
`;

/**
 * Everything that components of objectstorage.k8s.io/v1alpha1 can be told, as a user writes it. Environment:
 * `STORE_ENDPOINT`, `OTHER_ENDPOINT`, `TIER`; `FAILING=yes` adds what is refused at up, `BAD=yes` what is in a preview.
 */
export const wholeProgram = start + accesses + failing + mirrored + bad;
