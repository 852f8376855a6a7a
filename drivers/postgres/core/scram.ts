import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Bytes of a password: as strong as the hash of it. */
const PASSWORD_BYTES = 32;

/** A password that has not been there before, of letters, digits, `-` and `_`. */
export function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString("base64url");
}

/**
 * What a server keeps of a password, made here so that neither a statement nor a log of statements ever holds the password
 * itself. Source: RFC 5803; PostgreSQL documentation, `pg_authid.rolpassword`.
 *
 * @param password - in ASCII, which needs no SASLprep.
 */
export async function scramVerifier(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, HASH_BYTES, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
