import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  GetUserPolicyCommand,
  ListUserTagsCommand,
  PutUserPolicyCommand,
  TagUserCommand,
  paginateListAccessKeys,
  paginateListUserPolicies,
} from "@aws-sdk/client-iam";
import { DriverError } from "../../common/driver-error";
import type { Store } from "./store";
import { kindOf } from "./store-error";
import { type Tags, fromTagEntries, toTagEntries } from "./tags";

/** A fresh access key; the store tells the secret only once. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

/** The IAM users of the store, one request per step; each step may be repeated. */
export class IamUsers {
  constructor(private readonly store: Store) {}

  /** The tags of a user, or undefined if there is no such user. */
  async tagsOf(user: string): Promise<Tags | undefined> {
    try {
      const { Tags: tags } = await this.store.iam.send(new ListUserTagsCommand({ UserName: user }));
      return fromTagEntries(tags ?? []);
    } catch (error) {
      throwUnlessGone(error);
      return undefined;
    }
  }

  /**
   * Makes a user with tags, or tags the one that is there.
   * AWS does it in one step; SeaweedFS ignores the tags of a create, so they are always set by a second one.
   */
  async put(user: string, tags: Tags): Promise<void> {
    const entries = toTagEntries(tags);
    try {
      await this.store.once.iam.send(new CreateUserCommand({ UserName: user, Tags: entries }));
    } catch (error) {
      if (kindOf(error) !== "already-exists") {
        throw error;
      }
    }
    await this.store.iam.send(new TagUserCommand({ UserName: user, Tags: entries }));
  }

  /** Sets an inline policy. */
  async putPolicy(user: string, name: string, document: string): Promise<void> {
    await this.store.iam.send(
      new PutUserPolicyCommand({ UserName: user, PolicyName: name, PolicyDocument: document }),
    );
  }

  /** An inline policy, or undefined if there is none of that name, or no such user. */
  async policyOf(user: string, name: string): Promise<string | undefined> {
    try {
      const { PolicyDocument: document } = await this.store.iam.send(
        new GetUserPolicyCommand({ UserName: user, PolicyName: name }),
      );
      // AWS answers as in a URL (IAM API reference, GetUserPolicy), others as it is.
      return document?.startsWith("%") === true ? decodeURIComponent(document) : document;
    } catch (error) {
      throwUnlessGone(error);
      return undefined;
    }
  }

  /** The names of a user's inline policies, or undefined if there is no such user. */
  async policyNames(user: string): Promise<string[] | undefined> {
    const names: string[] = [];
    try {
      for await (const page of paginateListUserPolicies({ client: this.store.iam }, { UserName: user })) {
        names.push(...(page.PolicyNames ?? []));
      }
    } catch (error) {
      throwUnlessGone(error);
      return undefined;
    }
    return names;
  }

  /** Removes an inline policy; none is no error. */
  async deletePolicy(user: string, name: string): Promise<void> {
    await ignoreGone(this.store.iam.send(new DeleteUserPolicyCommand({ UserName: user, PolicyName: name })));
  }

  /** Makes an access key. Sent once: a key whose secret was lost on the way would live on unseen. */
  async createKey(user: string): Promise<AccessKey> {
    const { AccessKey: key } = await this.store.once.iam.send(new CreateAccessKeyCommand({ UserName: user }));
    if (!key?.AccessKeyId || !key.SecretAccessKey) {
      throw new DriverError(
        "unavailable",
        `the store made an access key for user "${user}" and did not tell it`,
      );
    }
    return { id: key.AccessKeyId, secret: key.SecretAccessKey };
  }

  /** Ends every access key of a user. */
  async deleteKeys(user: string): Promise<void> {
    const ids: string[] = [];
    for await (const page of paginateListAccessKeys({ client: this.store.iam }, { UserName: user })) {
      ids.push(...(page.AccessKeyMetadata ?? []).flatMap(({ AccessKeyId: id }) => id ?? []));
    }
    for (const id of ids) {
      await ignoreGone(this.store.iam.send(new DeleteAccessKeyCommand({ UserName: user, AccessKeyId: id })));
    }
  }

  /** Removes a user with all that belongs to it, keys first, so that access ends even if a later step fails. */
  async remove(user: string): Promise<void> {
    await this.deleteKeys(user);
    for (const name of (await this.policyNames(user)) ?? []) await this.deletePolicy(user, name);
    await this.removeBare(user);
  }

  /** Removes a user that has neither keys nor policies; one that is gone is no error. */
  async removeBare(user: string): Promise<void> {
    await ignoreGone(this.store.iam.send(new DeleteUserCommand({ UserName: user })));
  }
}

async function ignoreGone(request: Promise<unknown>): Promise<void> {
  await request.catch(throwUnlessGone);
}

function throwUnlessGone(error: unknown): void {
  if (kindOf(error) !== "not-found") {
    throw error;
  }
}
