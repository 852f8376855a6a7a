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
import { isDeleteConflict, kindOf, toDriverError } from "./store-error";
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

  /** Has a user looked for more than once, who may be there though this process has not made it, see {@link FreshUsers}. */
  expect(user: string): void {
    this.fresh.expect(user);
  }

  /**
   * Makes a user with tags.
   * AWS does it in one step; SeaweedFS ignores the tags of a create, so they are always set by a second one.
   *
   * @returns false if there is a user of that name, which is left as it is: a look that found none was one of before, or
   * somebody else was faster.
   * @throws DriverError `unavailable` if the store does not show the user in time.
   */
  async create(user: string, tags: Tags): Promise<boolean> {
    try {
      await this.store.once.iam.send(new CreateUserCommand({ UserName: user, Tags: toTagEntries(tags) }));
    } catch (error) {
      if (kindOf(error) !== "already-exists") throw error;
      this.fresh.note(user);
      return false;
    }
    this.fresh.note(user);
    await this.tag(user, tags);
    return true;
  }

  /**
   * Sets tags of a user.
   *
   * @throws DriverError `unavailable` if the store does not show the user, who was there, in time.
   */
  async tag(user: string, tags: Tags): Promise<void> {
    const command = { UserName: user, Tags: toTagEntries(tags) };
    await this.#whileThere(user, () => this.store.iam.send(new TagUserCommand(command)));
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
        `the store made an access key for user "${user}" but did not return it`,
      );
    }
    return { id: key.AccessKeyId, secret: key.SecretAccessKey };
  }

  /**
   * Ends every access key of a user, or every other one.
   *
   * @param kept - id of a key that stays.
   * @throws DriverError `unavailable` if the store does not show the user, who was there, in time.
   */
  async deleteKeys(user: string, kept?: string): Promise<void> {
    const ids = await this.#whileThere(user, () => this.#keyIds(user));
    await this.#deleteKeys(
      user,
      ids.filter((id) => id !== kept),
    );
  }

  /**
   * Removes a user with all that belongs to it, keys first, so that access ends even if a later step fails. One that is gone is
   * no error.
   *
   * @throws DriverError `failed-precondition` if the store keeps the user for what others have given it: its access has ended
   * then; `unavailable` if it keeps it for a key or policy that it does not list.
   */
  async remove(user: string): Promise<void> {
    const removeAll = async () => {
      const ids = await this.#unlessGone(user, () => this.#keyIds(user));
      // One look suffices: the other steps need not wait as long again.
      if (ids === undefined) this.fresh.forget(user);
      await this.#deleteKeys(user, ids ?? []);
      for (const name of (await this.policyNames(user)) ?? []) await this.deletePolicy(user, name);
      await this.removeBare(user);
    };
    // A user is not removed with a key or policy that is so fresh that it was not listed.
    try {
      await this.fresh.patiently(user, removeAll, "failed-precondition");
    } catch (error) {
      throw isDeleteConflict(error) ? keptUser(user, error) : error;
    }
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

/** Of the reasons for which AWS keeps a user (IAM API reference, DeleteUser) these are what {@link IamUsers.remove} removes itself. */
const OWN = /access keys|delete policies/i;

function keptUser(user: string, cause: unknown): DriverError {
  const { message } = toDriverError(cause, `remove IAM user "${user}"`);
  return OWN.test(message)
    ? new DriverError("unavailable", `the driver ${message}, and does not list it; try again`, { cause })
    : new DriverError(
        "failed-precondition",
        `its keys and inline policies are removed, so the access has ended, but the driver ${message}; take from the user ` +
          "what others have given it, such as groups, attached policies or a password, and revoke again",
        { cause },
      );
}

async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (kindOf(error) !== "not-found") throw error;
    return undefined;
  }
}
