import { DriverError } from "../../common/driver-error";

/** Tags of a bucket or an IAM user, by key. */
export type Tags = Readonly<Record<string, string>>;

/** The form of both APIs. */
export interface TagEntry {
  Key: string;
  Value: string;
}

/** What the driver writes on the buckets and users that it makes; the record that survives its restart. */
export const TAG = {
  /** Name of the driver that made the object. */
  driver: "cosi-driver",
  /** What the object was made with, in the form of {@link formatParameters}. */
  parameters: "cosi-parameters",
  /** For whom the object was made, where the caller said so. */
  owner: "cosi-owner",
  /** On buckets: the user that has full access to it as `bucketOwner`, see {@link withUser}. */
  user: "cosi-user",
  /** On users: the bucket that the user is for. */
  bucket: "cosi-bucket",
  /** On users of accounts: the account's name. */
  account: "cosi-account",
} as const;

/** True if all expected tags are there with their values; others may be there too. */
export function hasTags(tags: Tags, expected: Tags): boolean {
  return Object.entries(expected).every(([key, value]) => tags[key] === value);
}

/** The owner as a tag, where there is one. */
export function ownerTag(owner: string | undefined): Tags {
  return owner === undefined ? {} : { [TAG.owner]: owner };
}

/**
 * Tags with the user that owns the bucket, or without any. The names of users may have a comma, which the tags of buckets may
 * not; they have no colon.
 */
export function withUser(tags: Tags, user: string | undefined): Tags {
  const others = Object.entries(tags).filter(([key]) => key !== TAG.user);
  const own = user === undefined ? [] : [[TAG.user, user.replaceAll(",", ":")] as const];
  return Object.fromEntries([...others, ...own]);
}

/** The user of {@link withUser}. */
export function userIn(tags: Tags): string | undefined {
  return tags[TAG.user]?.replaceAll(":", ",");
}

/** True if the object is known to be for another owner than the one that asks. */
export function isOfOther(tags: Tags, owner: string | undefined): boolean {
  const known = tags[TAG.owner];
  return owner !== undefined && known !== undefined && known !== owner;
}

/**
 * @throws DriverError `already-exists` if the object was made for another owner: the two would not know of each other,
 * and each would remove what the other uses.
 */
export function requireOwner(tags: Tags, owner: string | undefined): void {
  if (!isOfOther(tags, owner)) return;
  throw new DriverError(
    "already-exists",
    "it exists and was made for another owner, such as another Pulumi stack; use another name, or take it over by its id",
  );
}

/** Tags in the form of both APIs. */
export function toTagEntries(tags: Tags): TagEntry[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

/** Tags as both APIs return them. */
export function fromTagEntries(
  entries: readonly { Key: string | undefined; Value: string | undefined }[],
): Tags {
  return Object.fromEntries(entries.map(({ Key, Value }) => [Key ?? "", Value ?? ""]));
}
