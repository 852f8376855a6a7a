import { X509Certificate } from "node:crypto";
import { errorText } from "../../dynamic/error-text";

/** What a PEM text is due to hold; its label may say more in front: `EC PRIVATE KEY`. */
export type PemContent = "CERTIFICATE" | "PRIVATE KEY";

/** True if such a content begins in the text; OpenSSL finds it at the start of a line only. */
export function hasPem(text: string, content: PemContent): boolean {
  return beginnings(text, content) > 0;
}

/**
 * What is wrong with a PEM text, as the end of a sentence, and never a part of it. It is judged before a TLS context is
 * made: Node takes an empty text for an input that was not given, and authorities that it cannot read for none.
 */
export function pemProblem(text: string, content: PemContent): string | undefined {
  if (text.trim() === "") return `is empty: a ${content} in PEM is needed`;
  if (!hasPem(text, content)) return `is not PEM text with a ${content}`;
  const wholes = text.match(wholesOf(content)) ?? [];
  if (wholes.length < beginnings(text, content)) return `has a ${content} that is cut off`;
  if (content === "PRIVATE KEY") return wholes.some(needsPassphrase) ? passphraseProblem : undefined;
  for (const [index, whole] of wholes.entries()) {
    const fault = faultOf(whole);
    if (fault !== undefined) return `has a ${content}, number ${index + 1}, that cannot be read: ${fault}`;
  }
  return undefined;
}

const passphraseProblem =
  "has a PRIVATE KEY protected by a passphrase, which nobody can type here: give one without, as `openssl pkey -in KEY -out FILE` writes it";

/** By the label of RFC 7468, or by the header of RFC 1421, which is OpenSSL's own form. */
function needsPassphrase(key: string): boolean {
  return /^-----BEGIN ENCRYPTED |^Proc-Type: *4, *ENCRYPTED/m.test(key);
}

function beginnings(text: string, content: PemContent): number {
  return text.match(new RegExp(`^-----BEGIN ([A-Z0-9 ]+ )?${content}-----`, "gm"))?.length ?? 0;
}

function wholesOf(content: PemContent): RegExp {
  // What is cut off ends where the next content begins.
  const inside = "(?:(?!^-----BEGIN )[\\s\\S])*?";
  return new RegExp(`^-----BEGIN ((?:[A-Z0-9 ]+ )?${content})-----${inside}^-----END \\1-----`, "gm");
}

function faultOf(certificate: string): string | undefined {
  // OpenSSL's own form, with what a certificate is trusted for behind it, which this class does not read.
  if (certificate.startsWith("-----BEGIN TRUSTED ")) return undefined;
  try {
    new X509Certificate(certificate);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
