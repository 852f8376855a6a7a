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
import type { FreshUsers } from "./fresh-users";
import type { Store } from "./store";
import { kindOf } from "./store-error";
import { type Tags, fromTagEntries, toTagEntries } from "./tags";

/** A fresh access key; the store tells the secret only once. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

/**
 * The IAM users of the store, one request per step; each step may be repeated. That a fresh user is gone is believed only
 * after a second look, see {@link FreshUsers}.
 */
export class IamUsers {
  constructor(
    private readonly store: Store,
    private readonly fresh: FreshUsers,
  ) {}

  /** The tags of a user, or undefined if there is no such user. */
  async tagsOf(user: string): Promise<Tags | undefined> {
    const request = () => this.store.iam.send(new ListUserTagsCommand({ UserName: user }));
    const reply = await this.#unlessGone(user, request);
    // One look suffices: a repeat need not wait as long again.
    if (reply === undefined) this.fresh.forget(user);
    return reply && fromTagEntries(reply.Tags ?? []);
  }

  /**
   * Makes a user with tags, or tags the one that is there.
   * AWS does it in one step; SeaweedFS ignores the tags of a create, so they are always set by a second one.
   *
   * @throws DriverError `unavailable` if the store does not show the user in time.
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
    this.fresh.note(user);
    await this.#whileThere(user, () =>
      this.store.iam.send(new TagUserCommand({ UserName: user, Tags: entries })),
    );
  }

  /**
   * Sets an inline policy.
   *
   * @throws DriverError `unavailable` if the store does not show the user, who was there, in time.
   */
  async putPolicy(user: string, name: string, document: string): Promise<void> {
    const policy = { UserName: user, PolicyName: name, PolicyDocument: document };
    await this.#whileThere(user, () => this.store.iam.send(new PutUserPolicyCommand(policy)));
  }

  /** An inline policy, or undefined if there is none of that name, or no such user. */
  async policyOf(user: string, name: string): Promise<string | undefined> {
    const { PolicyDocument: document } =
      (await this.#unlessGone(user, () =>
        this.store.iam.send(new GetUserPolicyCommand({ UserName: user, PolicyName: name })),
      )) ?? {};
    // AWS answers as in a URL (IAM API reference, GetUserPolicy), others as it is.
    return document?.startsWith("%") === true ? decodeURIComponent(document) : document;
  }

  /** The names of a user's inline policies, or undefined if there is no such user. */
  async policyNames(user: string): Promise<string[] | undefined> {
    return this.#unlessGone(user, async () => {
      const names: string[] = [];
      for await (const page of paginateListUserPolicies({ client: this.store.iam }, { UserName: user })) {
        names.push(...(page.PolicyNames ?? []));
      }
      return names;
    });
  }

  /** Removes an inline policy; none is no error. */
  async deletePolicy(user: string, name: string): Promise<void> {
    await unlessGone(this.store.iam.send(new DeleteUserPolicyCommand({ UserName: user, PolicyName: name })));
  }

  /**
   * Makes an access key. Sent once, unless the store says that it has made none: a key whose secret was lost on the way would
   * live on unseen.
   *
   * @throws DriverError `unavailable` if the store does not show the user, who was there, in time.
   */
  async createKey(user: string): Promise<AccessKey> {
    const { AccessKey: key } = await this.#whileThere(user, () =>
      this.store.once.iam.send(new CreateAccessKeyCommand({ UserName: user })),
    );
    this.fresh.note(user);
    if (!key?.AccessKeyId || !key.SecretAccessKey) {
      throw new DriverError(
        "unavailable",
        `the store made an access key for user "${user}" and did not tell it`,
      );
    }
    return { id: key.AccessKeyId, secret: key.SecretAccessKey };
  }

  /**
   * Ends every access key of a user.
   *
   * @throws DriverError `unavailable` if the store does not show the user, who was there, in time.
   */
  async deleteKeys(user: string): Promise<void> {
    await this.#deleteKeys(user, await this.#whileThere(user, () => this.#keyIds(user)));
  }

  /**
   * Removes a user with all that belongs to it, keys first, so that access ends even if a later step fails. One that is gone is
   * no error.
   */
  async remove(user: string): Promise<void> {
    const removeAll = async () => {
      await this.#deleteKeys(user, (await this.#unlessGone(user, () => this.#keyIds(user))) ?? []);
      for (const name of (await this.policyNames(user)) ?? []) await this.deletePolicy(user, name);
      await this.removeBare(user);
    };
    // A user is not removed with a key or policy that is so fresh that it was not listed.
    await this.fresh.patiently(user, removeAll, "failed-precondition");
  }

  /** Removes a user that has neither keys nor policies; one that is gone is no error. */
  async removeBare(user: string): Promise<void> {
    await this.#unlessGone(user, () => this.store.iam.send(new DeleteUserCommand({ UserName: user })));
    this.fresh.forget(user);
  }

  async #keyIds(user: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of paginateListAccessKeys({ client: this.store.iam }, { UserName: user })) {
      ids.push(...(page.AccessKeyMetadata ?? []).flatMap(({ AccessKeyId: id }) => id ?? []));
    }
    return ids;
  }

  async #deleteKeys(user: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await unlessGone(this.store.iam.send(new DeleteAccessKeyCommand({ UserName: user, AccessKeyId: id })));
    }
  }

  /** The answer to a request, or undefined if the user, or what else it is about, is gone. */
  async #unlessGone<T>(user: string, request: () => Promise<T>): Promise<T | undefined> {
    return unlessGone(this.fresh.patiently(user, request));
  }

  /** The answer to a request about a user who is there. That there is none is not passed on: callers would take it for final. */
  async #whileThere<T>(user: string, request: () => Promise<T>): Promise<T> {
    try {
      return await this.fresh.patiently(user, request);
    } catch (error) {
      if (kindOf(error) !== "not-found") throw error;
      throw new DriverError(
        "unavailable",
        `the store does not show IAM user "${user}", which was there a moment ago, everywhere; try again`,
        { cause: error },
      );
    }
  }
}

async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (kindOf(error) !== "not-found") throw error;
    return undefined;
  }
}
