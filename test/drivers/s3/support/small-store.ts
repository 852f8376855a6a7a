import { type Answer, type StoreRequest, iamOk, storeError } from "./fake-store";

/** A bucket of a {@link SmallStore}. */
export interface SmallBucket {
  tags?: Record<string, string>;
  isVersioned: boolean;
  keys: string[];
}

/** An IAM user of a {@link SmallStore}. */
export interface SmallUser {
  tags: Record<string, string>;
  policies: Map<string, string>;
  keys: string[];
  /** What keeps the user from being removed, in the words of AWS. */
  kept?: string;
}

/** Buckets and users in memory: the part of S3 and IAM that the driver uses, where a request has an effect on the next. */
export class SmallStore {
  readonly buckets = new Map<string, SmallBucket>();
  readonly users = new Map<string, SmallUser>();
  /** False: the tags of a CreateUser are not read, as at SeaweedFS. */
  takesTags = true;
  #keys = 0;

  /** Does what a request asks for. */
  readonly answer = (request: StoreRequest): Answer =>
    request.action === undefined
      ? this.#answerOfS3(request)
      : this.#answerOfIam(request.action, new URLSearchParams(request.body));

  /** The living keys of all users, by bucket. */
  keysByBucket(): Record<string, string[]> {
    return Object.fromEntries(
      [...this.users.values()]
        .filter(({ keys }) => keys.length > 0)
        .map(({ tags, keys }) => [tags["cosi-bucket"] ?? "", keys]),
    );
  }

  #answerOfIam(action: string, given: URLSearchParams): Answer {
    const name = given.get("UserName") ?? "";
    const user = this.users.get(name);
    if (action === "CreateUser") {
      if (user !== undefined) return storeError(409, "EntityAlreadyExists");
      this.users.set(name, { tags: this.takesTags ? tagsIn(given) : {}, policies: new Map(), keys: [] });
      return iamOk(action);
    }
    if (user === undefined) return storeError(404, "NoSuchEntity");
    switch (action) {
      case "TagUser":
        Object.assign(user.tags, tagsIn(given));
        return iamOk(action);
      case "ListUserTags":
        return listOf(
          action,
          "Tags",
          Object.entries(user.tags).map(([key, value]) => `<Key>${key}</Key><Value>${value}</Value>`),
        );
      case "PutUserPolicy":
        user.policies.set(given.get("PolicyName") ?? "", given.get("PolicyDocument") ?? "");
        return iamOk(action);
      case "ListUserPolicies":
        return listOf(action, "PolicyNames", [...user.policies.keys()]);
      case "DeleteUserPolicy":
        user.policies.delete(given.get("PolicyName") ?? "");
        return iamOk(action);
      case "CreateAccessKey": {
        const id = `AK${++this.#keys}`;
        user.keys.push(id);
        return resultOf(
          action,
          `<AccessKey><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>s</SecretAccessKey></AccessKey>`,
        );
      }
      case "ListAccessKeys":
        return listOf(
          action,
          "AccessKeyMetadata",
          user.keys.map((id) => `<AccessKeyId>${id}</AccessKeyId>`),
        );
      case "DeleteAccessKey":
        user.keys = user.keys.filter((id) => id !== given.get("AccessKeyId"));
        return iamOk(action);
      case "DeleteUser": {
        const first = user.keys.length > 0 ? "access keys first" : "policies first";
        if (user.kept !== undefined) return storeError(409, "DeleteConflict", user.kept);
        if (user.keys.length + user.policies.size > 0)
          return storeError(409, "DeleteConflict", `Cannot delete entity, must delete ${first}.`);
        this.users.delete(name);
        return iamOk(action);
      }
      default:
        return storeError(400, "InvalidAction");
    }
  }

  #answerOfS3({ method, url, body }: StoreRequest): Answer {
    const { pathname, searchParams } = new URL(url, "http://store");
    const name = pathname.split("/")[1] ?? "";
    const bucket = this.buckets.get(name);
    const about = ["tagging", "versioning", "versions", "uploads", "delete"].find((key) =>
      searchParams.has(key),
    );
    if (method === "PUT" && about === undefined) {
      if (bucket !== undefined) return storeError(409, "BucketAlreadyOwnedByYou");
      this.buckets.set(name, { isVersioned: false, keys: [] });
      return { status: 200, body: "" };
    }
    if (bucket === undefined) return storeError(404, "NoSuchBucket");
    switch (`${method} ${about ?? ""}`) {
      case "GET tagging": {
        if (bucket.tags === undefined) return storeError(404, "NoSuchTagSet");
        const tags = Object.entries(bucket.tags).map(
          ([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`,
        );
        return { status: 200, body: `<Tagging><TagSet>${tags.join("")}</TagSet></Tagging>` };
      }
      case "PUT tagging":
        bucket.tags = Object.fromEntries(
          [...body.matchAll(/<Key>([^<]*)<\/Key><Value(?:>([^<]*)<\/Value>|\/>)/g)].map(
            ([, key = "", value = ""]) => [key, value],
          ),
        );
        return { status: 200, body: "" };
      case "PUT versioning":
        bucket.isVersioned = true;
        return { status: 200, body: "" };
      case "GET versions": {
        const versions = bucket.keys.map((key) => `<Version><Key>${key}</Key></Version>`);
        return { status: 200, body: `<ListVersionsResult>${versions.join("")}</ListVersionsResult>` };
      }
      case "GET uploads":
        return { status: 200, body: "<ListMultipartUploadsResult></ListMultipartUploadsResult>" };
      case "POST delete": {
        const gone = keysIn(body);
        bucket.keys = bucket.keys.filter((key) => !gone.includes(key));
        return { status: 200, body: "<DeleteResult/>" };
      }
      case "DELETE ":
        if (bucket.keys.length > 0) return storeError(409, "BucketNotEmpty");
        this.buckets.delete(name);
        return { status: 204, body: "" };
      default:
        return storeError(501, "NotImplemented");
    }
  }
}

/** The keys that a request for the removal of objects names. */
export function keysIn(body: string): string[] {
  return [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
}

/** An answer of IAM with what it tells. */
export function resultOf(action: string, content: string): Answer {
  return {
    status: 200,
    body: `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`,
  };
}

/** An answer of IAM that is a list. */
export function listOf(action: string, name: string, members: readonly string[]): Answer {
  const content = members.map((member) => `<member>${member}</member>`).join("");
  return resultOf(action, `<${name}>${content}</${name}>`);
}

function tagsIn(given: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let index = 1; ; index++) {
    const key = given.get(`Tags.member.${index}.Key`);
    if (key === null) return tags;
    tags[key] = given.get(`Tags.member.${index}.Value`) ?? "";
  }
}
