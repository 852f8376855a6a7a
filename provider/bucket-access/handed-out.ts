import type { AccessOutputs } from "./state";
import { isAddressKey } from "../credentials/address-keys";
import { secretEntries, type GrantedCredentials } from "../credentials/reader";
import { isRecord } from "../dynamic/values";
import type { HandsOut } from "../models/model";

/** A shorter text stands in others by chance; in characters. */
const shortestTold = 8;

/** Entries by which somebody logs in; what else a driver gives may be the same for all its accounts. */
const loginKey =
  /(?:key|keyid|secret|token|password|passwd|passphrase|pass|pwd|credentials?|signature|user|username|login|role)$/;

/** A text that has a password in it: a URL, a connection string, a signed address. */
const carriesPassword = /:\/\/[^/\s@]+@|\b(?:password|pwd|sig|accountkey)=/i;

/** What proves the login of an account: key, secret key, token, password, and texts with one in them. */
export function loginOf(granted: GrantedCredentials | null): string[] {
  const told = secretEntries(granted).filter(([key, value]) => value !== "" && !isAddressKey(key));
  const login = told.filter(([key, value]) => isLoginKey(key) || carriesPassword.test(value));
  // Of words that nobody knows each may be one.
  return [...new Set((login.length === 0 ? told : login).map(([, value]) => value))];
}

/** True if who has the credentials of the one account has those of the other: to revoke it may end both. */
export function proveOneLogin(login: readonly string[], other: readonly string[]): boolean {
  return login.length > 0 && login.every((text) => other.includes(text));
}

/**
 * Tells whether values of a Secret hand an account's credentials out.
 *
 * @param successor What proves the login of the account that has come in its place: a Secret with that says nothing of this
 *   one. @default none is known
 */
export function handsOut({ granted }: AccessOutputs, successor: readonly string[] = []): HandsOut {
  const login = loginOf(granted).filter((text) => !successor.includes(text));
  if (granted === null || login.length === 0) return () => false;
  // Entries are written as they are, all of them. A layout leaves keys of a protocol out and puts the others into documents:
  // one of them is enough.
  return "entries" in granted
    ? (values) => login.every((text) => values.includes(text))
    : (values) => {
        const whole = new Set(values.flatMap(textsIn));
        return login.some((text) => whole.has(text) || values.some((value) => standsIn(value, text)));
      };
}

function isLoginKey(key: string): boolean {
  return loginKey.test(key.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}

/** The value itself, and every text of a JSON document. */
function textsIn(value: string): string[] {
  try {
    return [value, ...leavesOf(JSON.parse(value))];
  } catch {
    return [value];
  }
}

function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

/** True for a text in a document of another form, where it is not a part of a longer one. */
function standsIn(document: string, text: string): boolean {
  if (text.length < shortestTold) return false;
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?<![\\w.+/-])${literal}(?![\\w.+/=-])`).test(document);
}
