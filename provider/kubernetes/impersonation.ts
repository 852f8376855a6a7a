import type { OutgoingHttpHeaders } from "node:http";
import { isRecord } from "../dynamic/values";
import { CredentialsError } from "./credentials-error";
import { textOf, type Entry } from "./kubeconfig-content";

/**
 * The headers for `as`, `as-uid`, `as-groups` and `as-user-extra` of a kubeconfig's user.
 *
 * @throws CredentialsError where one of the others is there without `as`, which client-go refuses, too.
 */
export function impersonationHeaders(user: Entry): OutgoingHttpHeaders {
  const name = textOf(user, "as");
  const uid = textOf(user, "as-uid");
  const groups = texts(user["as-groups"], "as-groups");
  const extra = user["as-user-extra"] ?? {};
  if (!isRecord(extra)) throw new CredentialsError("as-user-extra of the kubeconfig's user is no object");
  if (name === undefined && (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0)) {
    throw new CredentialsError("the kubeconfig's user has as-uid, as-groups or as-user-extra, but no as");
  }
  return {
    ...(name === undefined ? {} : { "Impersonate-User": name }),
    ...(uid === undefined ? {} : { "Impersonate-Uid": uid }),
    ...(groups.length === 0 ? {} : { "Impersonate-Group": groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `Impersonate-Extra-${escapeKey(key)}`,
        texts(values, `as-user-extra ${key}`),
      ]),
    ),
  };
}

function texts(value: unknown, what: string): string[] {
  const list = value ?? [];
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === "string")) {
    throw new CredentialsError(`${what} of the kubeconfig's user is no list of texts`);
  }
  return list;
}

/** As client-go does: what a header's name must not have, and the sign of the escape itself. */
function escapeKey(key: string): string {
  return key.replace(/[^!#$&'*+.^_`|~0-9A-Za-z-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}
