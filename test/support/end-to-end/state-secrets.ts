import * as crypto from "node:crypto";
import { promisify } from "node:util";
import { isRecord } from "../../../provider/dynamic/values";

const deriveKey = promisify(crypto.pbkdf2);
const iterations = 1_000_000;
const keyBytes = 32;
const tagBytes = 16;

/** Where Pulumi marks a secret in its state. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const keys = new Map<string, Promise<Buffer>>();

/** A text that stood encrypted in a state, and the keys that lead to it. */
export interface StateSecret {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * All texts that a file of Pulumi's backend keeps encrypted: a state, one of its backups, or a part of its history.
 * Source: Pulumi, pkg/secrets/passphrase and sdk/go/common/resource/config/crypt.go.
 *
 * @throws Error if a ciphertext is none under this passphrase.
 */
export async function secretsOfState(json: string, passphrase: string): Promise<StateSecret[]> {
  let state: unknown;
  try {
    state = JSON.parse(json);
  } catch {
    // Some files of a backend are no documents.
    return [];
  }
  const salts = [...found(state, "salt")].flatMap(([, value]) => (typeof value === "string" ? [value] : []));
  const salt = salts.map((text) => text.split(":")[1]).find((text) => text !== undefined);
  if (salt === undefined) return [];
  const id = `${passphrase}:${salt}`;
  const pending =
    keys.get(id) ?? deriveKey(passphrase, Buffer.from(salt, "base64"), iterations, keyBytes, "sha256");
  keys.set(id, pending);
  const key = await pending;
  return [...found(state, "ciphertext")].flatMap(([path, value]) => {
    if (typeof value !== "string") return [];
    const plain: unknown = JSON.parse(decrypt(value, key));
    return [...texts(plain, path)];
  });
}

function decrypt(ciphertext: string, key: Buffer): string {
  const [, nonce = "", content = ""] = ciphertext.split(":");
  const sealed = Buffer.from(content, "base64");
  const decipher = crypto.createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]).toString();
}

/** Values under this key, at any depth, with the keys that lead there; what marks a secret is no key. */
function* found(
  value: unknown,
  key: string,
  path: readonly string[] = [],
): Generator<[readonly string[], unknown]> {
  if (Array.isArray(value)) for (const entry of value) yield* found(entry, key, path);
  if (!isRecord(value)) return;
  for (const [name, entry] of Object.entries(value)) {
    if (name === key) yield [path, entry];
    else yield* found(entry, key, name === signatureKey ? path : [...path, name]);
  }
}

function* texts(value: unknown, path: readonly string[]): Generator<StateSecret> {
  if (typeof value === "string") yield { path, text: value };
  else if (Array.isArray(value)) for (const entry of value) yield* texts(entry, path);
  else if (isRecord(value)) {
    for (const [name, entry] of Object.entries(value)) yield* texts(entry, [...path, name]);
  }
}
