import { isRecord } from "../provider/dynamic/values";

/** What a decoder puts in the place of bytes that are no UTF-8. */
const replacement = "\ufffd";

/**
 * True if a string of a message is no UTF-8: the lenient decoder of this check has put more replacement characters into
 * it than were sent. Source: proto3, where a string is UTF-8, and a strict decoder refuses the whole message.
 */
export function hasBrokenText(bytes: Uint8Array | undefined, message: unknown): boolean {
  const sent = count(
    Buffer.from(bytes ?? []).toString("latin1"),
    Buffer.from(replacement).toString("latin1"),
  );
  return stringsOf(message).reduce((sum, text) => sum + count(text, replacement), 0) > sent;
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (value instanceof Map || Array.isArray(value)) return [...value].flatMap(stringsOf);
  return isRecord(value) ? Object.values(value).flatMap(stringsOf) : [];
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
