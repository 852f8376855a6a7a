/** Control characters, what turns the direction of a text, and what nobody sees; lines and tabs stay. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A text in which a name of somebody else's neither moves the cursor nor hides or turns what is written around it. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) =>
    character === "\n" || character === "\t" ? character : codeOf(character),
  );
}

/** A value with each text in it on one line, so that what somebody else has said makes no line of its own. */
export function oneLine<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_key, entry: unknown) =>
    typeof entry === "string" ? entry.replaceAll("\n", codeOf) : entry,
  ) as Value;
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
